package github

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/fleetgate/fleetgate/internal/github/githubtest"
)

const (
	token  = "ghs_canary0123456789"
	bot    = "github-actions[bot]"
	headA  = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	headB  = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
	app    = "octo/app"
	number = 7
)

var key = Key("octo/app/.github/workflows/gate.yml", "gate")

// oneRepository is octo/app with pull request 7, whose head is headA.
func oneRepository() githubtest.State {
	return githubtest.State{
		Token: token, Login: bot,
		Repositories: []*githubtest.Repository{{
			Name: app, DefaultBranch: "main",
			Issues: []*githubtest.Issue{{Number: number, Title: "Describe the flags", User: "octocat", Head: headA}},
		}},
	}
}

// session is a client, its server, and the waits that it would have made.
type session struct {
	*Client
	server *githubtest.Server
	waits  []time.Duration
}

// newSession starts a server; options may change what the client is made with.
func newSession(t *testing.T, state githubtest.State, options ...func(*Options)) *session {
	t.Helper()
	s := &session{server: githubtest.New(t, state)}
	o := Options{URL: s.server.URL, Token: token, Sleep: func(ctx context.Context, d time.Duration) error {
		s.waits = append(s.waits, d)
		return ctx.Err()
	}}
	for _, change := range options {
		change(&o)
	}
	client, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	s.Client = client
	return s
}

// repository is octo/app as the server has it now.
func (s *session) repository() *githubtest.Repository {
	state := s.server.State()
	return state.Repository(app)
}

// comments are pull request 7's comments by author, without our marker.
func (s *session) comments() []string {
	var out []string
	for _, c := range s.repository().Issue(number).Comments {
		_, text, found := strings.Cut(c.Body, " -->\n")
		if !found {
			text = c.Body
		}
		out = append(out, c.User+": "+text)
	}
	return out
}

// asked counts the requests of a method, but for the question who is asking.
func (s *session) asked(method string) int {
	n := 0
	for _, r := range s.server.Requests() {
		if r.Method == method && r.Path != "/graphql" {
			n++
		}
	}
	return n
}

func comment(text string) Comment {
	return Comment{Repository: app, Pull: number, Key: key, Head: headA, Text: text}
}

// wantDid checks what came of a write; an error fails the test.
func wantDid(t *testing.T, want Did) func(Outcome, error) {
	return func(outcome Outcome, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		if outcome.Did != want {
			t.Fatalf("it was %s (%s), want %s", outcome.Did, outcome.Why, want)
		}
	}
}

func wantRefused(t *testing.T, err error, status int) {
	t.Helper()
	var refused *Refused
	if !errors.As(err, &refused) || refused.Status != status {
		t.Fatalf("the error is %v (%T), want a refusal with %d", err, err, status)
	}
}

func wantUnavailable(t *testing.T, err error, text string) {
	t.Helper()
	var silent *Unavailable
	if !errors.As(err, &silent) || !strings.Contains(err.Error(), text) {
		t.Fatalf("the error is %v (%T), want an *Unavailable that says %q", err, err, text)
	}
}

// bystanders are n comments by people.
func bystanders(n int) []*githubtest.Comment {
	var out []*githubtest.Comment
	for i := range n {
		out = append(out, &githubtest.Comment{User: "octocat", Body: fmt.Sprintf("comment %d", i+1)})
	}
	return out
}
