// Package gitserver serves repositories over HTTP on loopback as GitHub does,
// by git's own http-backend, for tests: any commit, tree or blob can be asked
// for by its id, partial clones are served, and a token may be asked for.
package gitserver

import (
	"encoding/base64"
	"io"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// Server serves the repositories under a folder: OWNER/REPO is a git directory.
type Server struct {
	URL string

	mu       sync.Mutex
	token    string
	requests []Request
	hook     func(Request)
	files    map[string]string
}

// Request is what the server was asked.
type Request struct {
	Path   string // /octo/app/git-upload-pack
	Signed bool   // with the right token
	Auth   int    // how many Authorization headers it had
}

// New starts a server. token is what every request must bring; empty: nothing.
func New(t testing.TB, root, token string) *Server {
	t.Helper()
	path, err := exec.Command("git", "--exec-path").Output()
	if err != nil {
		t.Skipf("no git: %v", err)
	}
	backend := &cgi.Handler{
		Path: filepath.Join(strings.TrimSpace(string(path)), "git-http-backend"),
		Dir:  root,
		// Its refusals are what tests ask for.
		Stderr: io.Discard,
		Env: []string{
			"GIT_PROJECT_ROOT=" + root, "GIT_HTTP_EXPORT_ALL=1", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_COUNT=3",
			"GIT_CONFIG_KEY_0=uploadpack.allowFilter", "GIT_CONFIG_VALUE_0=true",
			"GIT_CONFIG_KEY_1=uploadpack.allowAnySHA1InWant", "GIT_CONFIG_VALUE_1=true",
			"GIT_CONFIG_KEY_2=safe.directory", "GIT_CONFIG_VALUE_2=*",
		},
		InheritEnv: []string{"PATH"},
	}
	s := &Server{token: token, files: map[string]string{}}
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if content, ok := s.file(r.URL.Path); ok {
			_, _ = io.WriteString(w, content)
			return
		}
		if s.admits(r) {
			backend.ServeHTTP(w, r)
			return
		}
		w.Header().Set("WWW-Authenticate", `Basic realm="GitHub"`)
		http.Error(w, "a token is needed", http.StatusUnauthorized)
	}))
	t.Cleanup(web.Close)
	s.URL = web.URL
	return s
}

// Publish has the server give a file to everybody, as it does with a release.
func (s *Server) Publish(path, content string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files[path] = content
}

func (s *Server) file(path string) (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	content, ok := s.files[path]
	return content, ok
}

// OnRequest has every request wait for hook, during which git and its helpers
// are running.
func (s *Server) OnRequest(hook func(Request)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hook = hook
}

// Requests lists what was asked since the last call.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	taken := s.requests
	s.requests = nil
	return taken
}

// admits notes a request and says whether it may be answered.
func (s *Server) admits(r *http.Request) bool {
	want := "Basic " + base64.StdEncoding.EncodeToString([]byte("x-access-token:"+s.token))
	got := Request{Path: r.URL.Path, Signed: r.Header.Get("Authorization") == want, Auth: len(r.Header.Values("Authorization"))}
	s.mu.Lock()
	s.requests = append(s.requests, got)
	hook := s.hook
	s.mu.Unlock()
	if hook != nil {
		hook(got)
	}
	return s.token == "" || got.Signed
}
