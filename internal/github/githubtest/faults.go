package githubtest

import (
	"fmt"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"
)

// The kinds of fault.
const (
	Status    = "status"    // answers with Status, RetryAfter and Body, and does nothing
	Secondary = "secondary" // refuses by the secondary rate limit: 403, or Status; RetryAfter if given
	Primary   = "primary"   // refuses by the primary rate limit: 403, nothing remaining, reset in Reset seconds
	Lost      = "lost"      // does what was asked, and answers with Status as if it hadn't
	Drop      = "drop"      // closes the connection without an answer
	Cut       = "cut"       // does what was asked, and closes the connection in the middle of the answer
	Redirect  = "redirect"  // sends the client to Location, by Status
	Large     = "large"     // answers with Size bytes of JSON
	Hang      = "hang"      // never answers
	Move      = "move"      // every pull request's head moves to Head; then the request is answered
)

// Fault makes the server misbehave for the requests that it fits.
type Fault struct {
	Kind   string `json:"kind"`
	Method string `json:"method,omitempty"` // empty: any
	Path   string `json:"path,omitempty"`   // a pattern of path.Match, below the API's root: repos/*/*/pulls/*; empty: any
	Skip   int    `json:"skip,omitempty"`   // how many fitting requests to leave alone first
	Times  int    `json:"times,omitempty"`  // how many to spoil; 0: one, -1: all

	Status     int    `json:"status,omitempty"`
	RetryAfter string `json:"retry_after,omitempty"` // seconds, or a date
	Reset      int    `json:"reset,omitempty"`       // seconds from now
	Location   string `json:"location,omitempty"`
	Body       string `json:"body,omitempty"`
	Size       int    `json:"size,omitempty"` // bytes
	Head       string `json:"head,omitempty"`

	done int
}

// fault finds the first fault that a request runs into, and counts it.
func (s *Server) fault(r *http.Request) *Fault {
	for _, f := range s.state.Faults {
		if !f.fits(r.Method, strings.TrimPrefix(below(r, s.state.Path).URL.Path, "/")) {
			continue
		}
		f.done++
		if f.done > f.Skip && (f.Times < 0 || f.done <= f.Skip+max(f.Times, 1)) {
			return f
		}
	}
	return nil
}

func (f *Fault) fits(method, below string) bool {
	if f.Method != "" && f.Method != method {
		return false
	}
	if f.Path == "" {
		return true
	}
	fits, err := path.Match(f.Path, below)
	return err == nil && fits
}

// misbehave answers a request by a fault and gives the status that went out; 0
// where none did.
func (s *Server) misbehave(f *Fault, w http.ResponseWriter, r *http.Request) int {
	switch f.Kind {
	case Status:
		return s.refuse(f, w, r)
	case Secondary:
		return s.secondary(f, w, r)
	case Primary:
		return s.primary(f, w, r)
	case Lost:
		s.answer(r)
		failure(f.Status, http.StatusText(f.Status)).write(w)
		return f.Status
	case Drop:
		hangUp(w)
		return 0
	case Cut:
		return s.cutOff(w, r)
	case Redirect:
		http.Redirect(w, r, f.Location, f.Status)
		return f.Status
	case Large:
		return flood(f, w)
	case Move:
		return s.move(f, w, r)
	}
	s.problem(r, "the test asks for an unknown fault %q", f.Kind)
	return 0
}

// refuse answers with any status; the request must have been sound all the same.
func (s *Server) refuse(f *Fault, w http.ResponseWriter, r *http.Request) int {
	s.letIn(r)
	if f.RetryAfter != "" {
		w.Header().Set("Retry-After", f.RetryAfter)
	}
	if f.Body == "" {
		failure(f.Status, http.StatusText(f.Status)).write(w)
		return f.Status
	}
	w.WriteHeader(f.Status)
	fmt.Fprint(w, f.Body)
	return f.Status
}

func (s *Server) secondary(f *Fault, w http.ResponseWriter, r *http.Request) int {
	s.letIn(r)
	a := failure(http.StatusForbidden, "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.")
	if f.Status != 0 {
		a.status = f.Status
	}
	a.body.(map[string]any)["documentation_url"] = "https://docs.github.com/rest/overview/rate-limits-for-the-rest-api#about-secondary-rate-limits"
	if f.RetryAfter != "" {
		a.header = map[string]string{"Retry-After": f.RetryAfter}
	}
	a.write(w)
	return a.status
}

func (s *Server) primary(f *Fault, w http.ResponseWriter, r *http.Request) int {
	s.letIn(r)
	a := failure(http.StatusForbidden, "API rate limit exceeded for installation.")
	if f.Status != 0 {
		a.status = f.Status
	}
	a.header = map[string]string{
		"X-Ratelimit-Limit": "5000", "X-Ratelimit-Remaining": "0",
		"X-Ratelimit-Reset": strconv.FormatInt(time.Now().Add(time.Duration(f.Reset)*time.Second).Unix(), 10),
	}
	a.write(w)
	return a.status
}

// cutOff promises more than it sends.
func (s *Server) cutOff(w http.ResponseWriter, r *http.Request) int {
	a := s.answer(r)
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Content-Length", "100000")
	w.WriteHeader(a.status)
	fmt.Fprint(w, `[{"id": 1, "bo`)
	hangUp(w)
	return a.status
}

func flood(f *Fault, w http.ResponseWriter) int {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(http.StatusOK)
	fmt.Fprint(w, `{"message": "`)
	block := strings.Repeat("x", 1<<16)
	for sent := 0; sent < f.Size; sent += len(block) {
		if _, err := fmt.Fprint(w, block); err != nil {
			break // the client has had enough, as it should
		}
	}
	fmt.Fprint(w, `"}`)
	return http.StatusOK
}

func (s *Server) move(f *Fault, w http.ResponseWriter, r *http.Request) int {
	for _, repository := range s.state.Repositories {
		for _, i := range repository.Issues {
			if i.Head != "" {
				i.Head = f.Head
			}
		}
	}
	a := s.answer(r)
	a.write(w)
	return a.status
}

func hangUp(w http.ResponseWriter) {
	if flusher, ok := w.(http.Flusher); ok {
		flusher.Flush()
	}
	hijacker, ok := w.(http.Hijacker)
	if !ok {
		return
	}
	if connection, _, err := hijacker.Hijack(); err == nil {
		connection.Close()
	}
}
