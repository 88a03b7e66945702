// Package githubtest is a server on loopback that speaks the part of GitHub's
// API that the gate uses, for tests. It is strict: a missing or wrong token, an
// unknown route, a wrong method, an unknown parameter or a body that breaks the
// schema is a problem, and a problem fails the test. It can misbehave as GitHub
// does, too (see Fault).
//
// In a test's own process:
//
//	server := githubtest.New(t, githubtest.State{Token: "secret", Login: "github-actions[bot]", …})
//	… GITHUB_API_URL is server.URL …
//	server.State().Repository("octo/app").Issue(7).Comments
//
// As a process of its own: see Serve.
package githubtest

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
)

// Server is a running server.
type Server struct {
	URL string // the API's root, for GITHUB_API_URL

	mu       sync.Mutex // held while a request is answered: one at a time
	state    State
	requests []Request
	problems []string
	report   func(problem string)
	changed  func(Record) // nil: nobody wants to know
	routes   *http.ServeMux
	http     *httptest.Server
}

// T is what the server needs of a *testing.T.
type T interface {
	Helper()
	Errorf(format string, args ...any)
	Cleanup(func())
}

// New starts a server that ends with the test, and fails it at each problem.
func New(t T, state State) *Server {
	t.Helper()
	s := newServer(state)
	s.report = func(problem string) { t.Errorf("the GitHub API was misused: %s", problem) }
	s.start(nil)
	t.Cleanup(s.Close)
	return s
}

func newServer(state State) *Server {
	s := &Server{state: state.clone(), report: func(string) {}}
	s.state.complete()
	s.routes = s.table()
	return s
}

// start listens where listener does, or else on a free port of loopback.
func (s *Server) start(listener net.Listener) {
	s.http = httptest.NewUnstartedServer(s)
	if listener != nil {
		s.http.Listener.Close()
		s.http.Listener = listener
	}
	s.http.Start()
	s.URL = s.http.URL + s.state.Path
}

// Close ends the server; whoever still waits for an answer gets none.
func (s *Server) Close() {
	s.http.CloseClientConnections()
	s.http.Close()
}

// State is a copy of what the server knows now.
func (s *Server) State() State {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state.clone()
}

// Edit changes what the server knows, between two requests.
func (s *Server) Edit(edit func(*State)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	edit(&s.state)
	s.state.complete()
}

// Requests lists the requests that came, in their order.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Problems lists how the API was misused.
func (s *Server) Problems() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.problems)
}

func (s *Server) record() Record {
	return Record{State: s.state.clone(), Requests: slices.Clone(s.requests), Problems: slices.Clone(s.problems)}
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.fault(r)
	switch {
	case f == nil:
		a := s.answer(r)
		a.write(w)
		s.note(r, a.status)
	case f.Kind == Hang:
		s.mu.Unlock()
		<-r.Context().Done()
		s.mu.Lock()
		s.note(r, 0)
	default:
		s.note(r, s.misbehave(f, w, r))
	}
}

func (s *Server) note(r *http.Request, status int) {
	below := strings.TrimPrefix(r.URL.RequestURI(), s.state.Path)
	s.requests = append(s.requests, Request{Method: r.Method, Path: below, Status: status})
	if s.changed != nil {
		s.changed(s.record())
	}
}

// answer is what GitHub would say, if nothing goes wrong on the way.
func (s *Server) answer(r *http.Request) answer {
	if !s.letIn(r) {
		return failure(http.StatusUnauthorized, "Bad credentials")
	}
	s.checkHeaders(r)
	inner := below(r, s.state.Path)
	if route, _ := s.routes.Handler(inner); !isOurs(route) {
		return s.noRoute(inner)
	}
	got := &collector{}
	s.routes.ServeHTTP(got, inner)
	return got.answer
}

// letIn says whether a request has the one right token.
func (s *Server) letIn(r *http.Request) bool {
	given := r.Header.Values("Authorization")
	if len(given) == 1 && (given[0] == "Bearer "+s.state.Token || given[0] == "token "+s.state.Token) {
		return true
	}
	s.problem(r, "its token is missing or wrong")
	return false
}

// checkHeaders holds what GitHub asks of every client.
func (s *Server) checkHeaders(r *http.Request) {
	if r.UserAgent() == "" {
		s.problem(r, "it has no User-Agent")
	}
	if !strings.Contains(r.Header.Get("Accept"), "application/vnd.github") {
		s.problem(r, "it accepts %q, which is not GitHub's media type", r.Header.Get("Accept"))
	}
	if r.Header.Get("X-Github-Api-Version") == "" {
		s.problem(r, "it names no version of the API")
	}
	if r.Method != http.MethodGet && !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
		s.problem(r, "its body is %q, not JSON", r.Header.Get("Content-Type"))
	}
}

// noRoute tells a wrong method from a path that is none.
func (s *Server) noRoute(r *http.Request) answer {
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPatch} {
		other := r.Clone(r.Context())
		other.Method = method
		if route, _ := s.routes.Handler(other); isOurs(route) {
			s.problem(r, "that path takes no %s", r.Method)
			return failure(http.StatusMethodNotAllowed, "Method Not Allowed")
		}
	}
	s.problem(r, "no such route")
	return failure(http.StatusNotFound, "Not Found")
}

// problem notes that a request breaks the API's rules. It never repeats a
// header: a log must not hold a token.
func (s *Server) problem(r *http.Request, format string, args ...any) {
	text := fmt.Sprintf("%s %s: %s", r.Method, r.URL.RequestURI(), fmt.Sprintf(format, args...))
	s.problems = append(s.problems, text)
	s.report(text)
}

// below gives the request as the routes know it: relative to the API's root.
// GraphQL stands beside REST's root on an Enterprise server: /api/graphql.
func below(r *http.Request, root string) *http.Request {
	inner := r.Clone(r.Context())
	switch path, ok := strings.CutPrefix(r.URL.Path, root); {
	case root != "" && r.URL.Path == strings.TrimSuffix(root, "/v3")+"/graphql":
		inner.URL.Path = "/graphql"
	case !ok || root != "" && path == "/graphql":
		inner.URL.Path = "/outside-of-the-api" + r.URL.Path
	default:
		inner.URL.Path = path
	}
	inner.URL.RawPath = ""
	return inner
}
