package main

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"
)

// proxy is the only way to hosts that have no address.
type proxy struct {
	url  string
	mu   sync.Mutex
	seen []string // host and path of each request
}

// newProxy carries requests to hosts on to servers.
func newProxy(t *testing.T, hosts map[string]string) *proxy {
	t.Helper()
	p := &proxy{}
	carry := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		to, err := url.Parse(hosts[r.In.URL.Host])
		if err != nil {
			t.Error(err)
			return
		}
		r.SetURL(to)
	}}
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		p.seen = append(p.seen, r.URL.Host+r.URL.Path)
		p.mu.Unlock()
		if hosts[r.URL.Host] == "" {
			http.Error(w, "no such host", http.StatusBadGateway)
			return
		}
		carry.ServeHTTP(w, r)
	}))
	t.Cleanup(web.Close)
	p.url = web.URL
	return p
}

// saw says whether something was asked that begins so.
func (p *proxy) saw(start string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, request := range p.seen {
		if strings.HasPrefix(request, start) {
			return true
		}
	}
	return false
}

// A runner behind a proxy reaches an Enterprise server by it, for the release,
// for what is fetched and for what is posted.
func TestActGoesThroughTheRunnersProxy(t *testing.T) {
	actPath(t)
	w := newWorld(t)
	api := w.api(nil)
	p := newProxy(t, map[string]string{"ghe.example": w.server.URL, "api.ghe.example": api.URL})
	pull := w.pull("bad1", "2")
	r := newActRunner(t, w)
	r.publish("")
	r.postsTo(api)
	r.setenv("REV", w.ids["merge2"], "MODE", "observe", "http_proxy", p.url, "no_proxy", "",
		"GITHUB_SERVER_URL", "http://ghe.example", "GITHUB_API_URL", "http://api.ghe.example")
	job := r.run(workflow(t, "cases.yml"), pull)
	if want := w.checked(pull, "merge2"); job.outputs["digest"] != want["digest"] || !job.passed {
		t.Fatalf("passed: %t, outputs %v\n%s", job.passed, job.outputs, job.log)
	}
	if !strings.Contains(job.log, "fleetgate: v0.0.1, from http://ghe.example/") || len(ours(api, 2)) != 1 || len(posted(api).CheckRuns) != 1 {
		t.Errorf("%d comments\n%s", len(ours(api, 2)), job.log)
	}
	for _, start := range []string{"ghe.example/fleetgate/fleetgate/releases/", "ghe.example/octo/app/git-upload-pack", "api.ghe.example/repos/octo/app/"} {
		if !p.saw(start) {
			t.Errorf("the proxy saw no request of %s, but %q", start, p.seen)
		}
	}
}
