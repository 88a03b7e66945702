package github

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/fleetgate/fleetgate/internal/github/githubtest"
)

func TestTheAPIsAddressIsTheRunners(t *testing.T) {
	for _, c := range []struct{ url, rest, graphql string }{
		{"", "https://api.github.com/", "https://api.github.com/graphql"},
		{"https://api.github.com", "https://api.github.com/", "https://api.github.com/graphql"},
		{"https://ghe.example.com/api/v3", "https://ghe.example.com/api/v3/", "https://ghe.example.com/api/graphql"},
		{"https://ghe.example.com:8443/api/v3/", "https://ghe.example.com:8443/api/v3/", "https://ghe.example.com:8443/api/graphql"},
		{"https://api.octo.ghe.com", "https://api.octo.ghe.com/", "https://api.octo.ghe.com/graphql"},
		{"http://127.0.0.1:1234", "http://127.0.0.1:1234/", "http://127.0.0.1:1234/graphql"},
	} {
		client, err := New(Options{URL: c.url, Token: token})
		if err != nil {
			t.Errorf("%s: %v", c.url, err)
			continue
		}
		if client.api.BaseURL.String() != c.rest || client.graphql != c.graphql {
			t.Errorf("%s: %s, %s", c.url, client.api.BaseURL, client.graphql)
		}
	}
}

func TestOptionsThatCannotServeAreRefusedAndNotRepeated(t *testing.T) {
	for name, o := range map[string]Options{
		"no token":               {},
		"a blank token":          {Token: " \n"},
		"two lines":              {Token: token + "\nX-Evil: 1"},
		"a token that's a file":  {Token: strings.Repeat(token, 1000)},
		"no URL":                 {URL: "api.github.com/" + token, Token: token},
		"another scheme":         {URL: "ftp://example.com/" + token, Token: token},
		"a URL with a password":  {URL: "https://x:" + token + "@example.com", Token: token},
		"a URL with a query":     {URL: "https://example.com/?token=" + token, Token: token},
		"a URL with control":     {URL: "https://example.com/\x00" + token, Token: token},
		"a URL with bad escapes": {URL: "https://example.com/%zz" + token, Token: token},
	} {
		_, err := New(o)
		if err == nil {
			t.Errorf("%s: no error", name)
		} else if strings.Contains(err.Error(), token) {
			t.Errorf("%s: the error repeats the token: %v", name, err)
		}
	}
}

func TestAnEnterpriseServerIsAskedBelowItsPath(t *testing.T) {
	state := oneRepository()
	state.Path = "/api/v3"
	s := newSession(t, state)
	wantDid(t, Created)(s.PutComment(t.Context(), comment("a")))
	wantDid(t, Updated)(s.PutComment(t.Context(), comment("b"))) // who asks is known from /api/graphql
	wantDid(t, Created)(s.PutCheckRun(t.Context(), checkRun(60)))
	wantDid(t, Created)(s.TrackIssue(t.Context(), audit("c", false)))
}

// operations are all that can be asked of the API.
var operations = map[string]func(context.Context, *Client) error{
	"comment":   func(ctx context.Context, c *Client) error { _, err := c.PutComment(ctx, comment("text")); return err },
	"check run": func(ctx context.Context, c *Client) error { _, err := c.PutCheckRun(ctx, checkRun(60)); return err },
	"issue": func(ctx context.Context, c *Client) error {
		_, err := c.TrackIssue(ctx, audit("text", false))
		return err
	},
	"list": func(ctx context.Context, c *Client) error {
		_, err := c.Repositories(ctx, Query{Org: "octo"})
		return err
	},
}

// A server that says no to everything, or to every write, is a refusal that
// names the thing, the status and the reason; it is never asked again.
func TestEveryRefusalIsTyped(t *testing.T) {
	for name, operation := range operations {
		for _, status := range []int{401, 403, 404, 410, 422, 451} {
			for _, method := range []string{"", http.MethodPost} {
				if name == "list" && method != "" {
					continue
				}
				t.Run(fmt.Sprint(name, " ", status, " ", method), func(t *testing.T) {
					state := oneRepository()
					state.Faults = []*githubtest.Fault{
						{Kind: githubtest.Status, Method: method, Path: "repos/*/*/*", Status: status, Times: -1},
						{Kind: githubtest.Status, Method: method, Path: "repos/*/*/issues/*/comments", Status: status, Times: -1},
						{Kind: githubtest.Status, Method: method, Path: "repos/*/*/commits/*/check-runs", Status: status, Times: -1},
						{Kind: githubtest.Status, Method: method, Path: "orgs/*/repos", Status: status, Times: -1},
					}
					s := newSession(t, state)
					err := operation(t.Context(), s.Client)
					wantRefused(t, err, status)
					if !strings.Contains(err.Error(), http.StatusText(status)) || strings.Contains(err.Error(), "\n") || len(s.waits) != 0 {
						t.Errorf("%v, after %v", err, s.waits)
					}
				})
			}
		}
	}
}

// As on a pull request from a fork, whose token can read and not write.
func TestATokenThatCanOnlyReadIsARefusalWithTheWayOut(t *testing.T) {
	for name, permission := range map[string]string{"comment": "pull-requests: write", "check run": "checks: write", "issue": "issues: write"} {
		state := oneRepository()
		state.ReadOnly = true
		s := newSession(t, state)
		err := operations[name](t.Context(), s.Client)
		wantRefused(t, err, 403)
		for _, part := range []string{"Resource not accessible by integration", permission, "fork"} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %q is not in %v", name, part, err)
			}
		}
	}
}

func TestWhatTheAPIFoundWrongIsRepeated(t *testing.T) {
	state := oneRepository()
	state.Faults = []*githubtest.Fault{{
		Kind: githubtest.Status, Method: http.MethodPost, Path: listPath, Status: 422,
		Body: `{"message": "Validation Failed", "errors": [{"resource": "IssueComment", "code": "unprocessable", "field": "data", "message": "Body is\u001b[31m too long\nfor us"}, "and more"]}`,
	}}
	s := newSession(t, state)
	_, err := s.PutComment(t.Context(), comment("text"))
	wantRefused(t, err, 422)
	if !strings.HasSuffix(err.Error(), "(422): Validation Failed data Body is [31m too long for us and more") {
		t.Errorf("%q", err)
	}
}

// A server that repeats what it got, or a proxy, must not bring the token into a log.
func TestNoErrorHoldsTheToken(t *testing.T) {
	faults := []githubtest.Fault{
		{Kind: githubtest.Status, Status: 403, Body: `{"message": "bad token ` + token + `"}`},
		{Kind: githubtest.Status, Status: 422, Body: `{"message": "x", "errors": [{"field": "` + token + `", "message": "` + token + `"}]}`},
		{Kind: githubtest.Status, Status: 500, Body: token},
		{Kind: githubtest.Status, Status: 200, Body: token},
		{Kind: githubtest.Status, Status: 200, Body: `{"` + token + `": `},
		{Kind: githubtest.Redirect, Status: 302, Location: "https://evil.example/" + token},
		{Kind: githubtest.Redirect, Status: 302, Location: "::" + token},
		{Kind: githubtest.Drop},
		{Kind: githubtest.Secondary, RetryAfter: token},
	}
	for name, operation := range operations {
		for _, fault := range faults {
			fault.Times = -1
			state := oneRepository()
			state.Faults = []*githubtest.Fault{&fault}
			s := newSession(t, state, func(o *Options) { o.Transport = fresh() })
			err := operation(t.Context(), s.Client)
			if err == nil {
				t.Errorf("%s, %+v: no error", name, fault)
				continue
			}
			for e := err; e != nil; e = errors.Unwrap(e) {
				if text := fmt.Sprintf("%v %+v %#v", e, e, e); strings.Contains(text, token) {
					t.Errorf("%s, %s %d: the token is in %s", name, fault.Kind, fault.Status, text)
				}
			}
		}
	}
}

func TestAServerThatCannotBeReachedIsUnavailable(t *testing.T) {
	s := newSession(t, oneRepository())
	s.server.Close()
	for name, operation := range operations {
		err := operation(t.Context(), s.Client)
		wantUnavailable(t, err, "can't be reached")
		if strings.Contains(err.Error(), "http://") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAnOwnerOfTheTokenWhoCannotBeAskedForIsAnError(t *testing.T) {
	for _, status := range []int{401, 500} {
		state := oneRepository()
		state.Repositories[0].Issues[0].Comments = []*githubtest.Comment{{User: bot, Body: marker("comment", key, headA) + "x"}}
		state.Faults = []*githubtest.Fault{{Kind: githubtest.Status, Path: "graphql", Status: status, Times: -1}}
		s := newSession(t, state)
		if _, err := s.PutComment(t.Context(), comment("text")); err == nil || s.asked(http.MethodPost)+s.asked(http.MethodPatch) != 0 {
			t.Errorf("%d: %v; requests %v", status, err, s.server.Requests())
		}
	}
}

// A list that holds null isn't read, nor taken for one without our own entry:
// nothing is written.
func TestAListThatHoldsNullIsAnError(t *testing.T) {
	for path, c := range map[string]struct {
		body string
		put  func(*session) (Outcome, error)
	}{
		listPath:                         {"[null]", func(s *session) (Outcome, error) { return s.PutComment(t.Context(), comment("text")) }},
		"repos/*/*/issues":               {"[null]", func(s *session) (Outcome, error) { return s.TrackIssue(t.Context(), audit("text", false)) }},
		"repos/*/*/commits/*/check-runs": {`{"total_count":1,"check_runs":[null]}`, func(s *session) (Outcome, error) { return s.PutCheckRun(t.Context(), checkRun(1)) }},
	} {
		state := oneRepository()
		state.Faults = []*githubtest.Fault{{Kind: githubtest.Status, Method: http.MethodGet, Path: path, Status: 200, Body: c.body}}
		s := newSession(t, state)
		_, err := c.put(s)
		wantUnavailable(t, err, "the answer is not what the API gives: its list holds null")
		if n := s.asked(http.MethodPost); n != 0 {
			t.Errorf("%s: %d writes", path, n)
		}
	}
}

// Nobody is the author of a thing without one, whatever its marker says.
func TestAThingWithoutAnAuthorIsNotOurs(t *testing.T) {
	state := oneRepository()
	body := fmt.Sprintf(`[{"id":1,"number":1,"body":%q},{"id":2,"number":2,"user":null,"body":%q}]`, marker("comment", key, headA), marker("issue", key, ""))
	for _, path := range []string{listPath, "repos/*/*/issues"} {
		state.Faults = append(state.Faults, &githubtest.Fault{Kind: githubtest.Status, Method: http.MethodGet, Path: path, Status: 200, Body: body})
	}
	s := newSession(t, state)
	wantDid(t, Created)(s.PutComment(t.Context(), comment("text")))
	wantDid(t, Created)(s.TrackIssue(t.Context(), audit("text", false)))
}

func TestKeysTellGatesApart(t *testing.T) {
	seen := map[string]bool{}
	for _, parts := range [][]string{{"a", "b"}, {"ab"}, {"a", "b", ""}, {"a,1:b"}, {}, {""}, {"-->", "\n"}} {
		k := Key(parts...)
		if err := checkKey(k); err != nil || seen[k] {
			t.Errorf("%q gives %q: %v", parts, k, err)
		}
		seen[k] = true
	}
}

func TestAServersWordsBecomeOneShortLine(t *testing.T) {
	if clean("a\x1b]8;;x\x07b\u202e\n\tc  d", "") != "a ]8;;x b c d" {
		t.Errorf("%q", clean("a\x1b]8;;x\x07b\u202e\n\tc  d", ""))
	}
	if got := clean(strings.Repeat("é", 1000), ""); len(got) > maxReason+len("…") {
		t.Errorf("%d bytes", len(got))
	}
}

// A proxy's page instead of GitHub's words.
func TestARefusalWithoutWordsSaysItsStatus(t *testing.T) {
	state := oneRepository()
	state.Faults = []*githubtest.Fault{{Kind: githubtest.Status, Status: 403, Body: "<html>no</html>"}}
	s := newSession(t, state)
	_, err := s.PutComment(t.Context(), comment("text"))
	wantRefused(t, err, 403)
	if !strings.Contains(err.Error(), "(403): Forbidden; ") {
		t.Error(err)
	}
}
