package github

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/github/githubtest"
)

func TestTheCommentIsMadeThenEditedThenLeftAlone(t *testing.T) {
	s := newSession(t, oneRepository())
	wantDid(t, Created)(s.PutComment(t.Context(), comment("two outside")))
	wantDid(t, Updated)(s.PutComment(t.Context(), comment("none outside")))
	writes := s.asked(http.MethodPost) + s.asked(http.MethodPatch)
	wantDid(t, Unchanged)(s.PutComment(t.Context(), comment("none outside")))
	if after := s.asked(http.MethodPost) + s.asked(http.MethodPatch); after != writes || writes != 2 {
		t.Errorf("%d writes, and %d after a call with nothing new", writes, after)
	}
	if diff := cmp.Diff([]string{bot + ": none outside"}, s.comments()); diff != "" {
		t.Error(diff)
	}
}

func TestACommentThatGitHubTrimmedIsTheSame(t *testing.T) {
	s := newSession(t, oneRepository())
	wantDid(t, Created)(s.PutComment(t.Context(), comment("a\nb\n")))
	s.server.Edit(func(state *githubtest.State) {
		c := state.Repository(app).Issue(number).Comments[0]
		c.Body = strings.TrimSpace(strings.ReplaceAll(c.Body, "\n", "\r\n"))
	})
	wantDid(t, Unchanged)(s.PutComment(t.Context(), comment("a\nb\n")))
}

// O3: the sticky comment is number 135 of 1,000 on the pull request.
func TestTheCommentIsFoundOverAllPages(t *testing.T) {
	for _, position := range []int{1, 100, 101, 135, 1000} {
		t.Run(fmt.Sprint(position), func(t *testing.T) {
			state := oneRepository()
			all := bystanders(1000)
			all[position-1] = &githubtest.Comment{User: bot, Body: marker("comment", key, headB) + "an older run's"}
			state.Repositories[0].Issues[0].Comments = all
			s := newSession(t, state)
			wantDid(t, Updated)(s.PutComment(t.Context(), comment("new")))
			got := s.comments()
			if len(got) != 1000 || got[position-1] != bot+": new" {
				t.Errorf("%d comments; number %d is %q", len(got), position, got[position-1])
			}
			if pages := s.asked(http.MethodGet) - 1; pages != (position+99)/100 {
				t.Errorf("%d pages were read", pages)
			}
		})
	}
}

func TestAMarkerInSomebodyElsesCommentIsNotTrusted(t *testing.T) {
	forged := marker("comment", key, headA) + "passed"
	for name, c := range map[string]*githubtest.Comment{
		"a person's":                {User: "mallory", Body: forged},
		"a deleted account's":       {Body: forged},
		"another bot's":             {User: "evil[bot]", Body: forged},
		"a name that looks like it": {User: "github-actions", Body: forged},
		"ours, that quotes one":     {User: bot, Body: "> " + forged},
		"ours, of another gate":     {User: bot, Body: marker("comment", Key("other"), headA) + "passed"},
		"ours, of a longer key":     {User: bot, Body: markerStart("comment", key) + "0 head=" + headA + " -->\npassed"},
		"ours, of an issue":         {User: bot, Body: marker("issue", key, "") + "passed"},
	} {
		t.Run(name, func(t *testing.T) {
			state := oneRepository()
			state.Repositories[0].Issues[0].Comments = []*githubtest.Comment{c}
			s := newSession(t, state)
			before := c.Body
			wantDid(t, Created)(s.PutComment(t.Context(), comment("failed")))
			if got := s.repository().Issue(number).Comments; len(got) != 2 || got[0].Body != before || got[1].User != bot {
				t.Errorf("the comments are %q", s.comments())
			}
		})
	}
}

func TestTheOwnerOfTheTokenIsAskedOnlyOverAMarker(t *testing.T) {
	asked := func(s *session) bool {
		return slices.ContainsFunc(s.server.Requests(), func(r githubtest.Request) bool { return r.Path == "/graphql" })
	}
	s := newSession(t, oneRepository())
	wantDid(t, Created)(s.PutComment(t.Context(), comment("a")))
	if asked(s) {
		t.Error("it was asked, although no comment has a marker")
	}
	wantDid(t, Updated)(s.PutComment(t.Context(), comment("b")))
	if !asked(s) {
		t.Error("it was not asked, although a comment has a marker")
	}
	known := newSession(t, oneRepository(), func(o *Options) { o.Login = bot })
	wantDid(t, Created)(known.PutComment(t.Context(), comment("a")))
	wantDid(t, Updated)(known.PutComment(t.Context(), comment("b")))
	if asked(known) {
		t.Error("it was asked, although the options say it")
	}
}

func TestThePersonBehindATokenIsTheAuthor(t *testing.T) {
	state := oneRepository()
	state.Login = "Octocat"
	state.Repositories[0].Issues[0].Comments = []*githubtest.Comment{
		{User: bot, Body: marker("comment", key, headA) + "of the job's token"},
		{User: "Octocat", Body: marker("comment", key, headA) + "of a person's"},
	}
	s := newSession(t, state)
	wantDid(t, Updated)(s.PutComment(t.Context(), comment("new")))
	if diff := cmp.Diff([]string{bot + ": of the job's token", "Octocat: new"}, s.comments()); diff != "" {
		t.Error(diff)
	}
}

func TestAServerThatDoesNotSayWhoOwnsTheTokenMeansTheJobs(t *testing.T) {
	for _, status := range []int{http.StatusForbidden, http.StatusNotFound} {
		state := oneRepository()
		state.Faults = []*githubtest.Fault{{Kind: githubtest.Status, Path: "graphql", Status: status}}
		s := newSession(t, state)
		wantDid(t, Created)(s.PutComment(t.Context(), comment("a")))
		wantDid(t, Updated)(s.PutComment(t.Context(), comment("b")))
	}
}

func TestTwoGatesKeepACommentEach(t *testing.T) {
	s := newSession(t, oneRepository())
	other := comment("docs")
	other.Key = Key("octo/app/.github/workflows/gate.yml", "docs")
	for range 2 {
		for _, c := range []Comment{comment("app"), other} {
			if _, err := s.PutComment(t.Context(), c); err != nil {
				t.Fatal(err)
			}
		}
	}
	if diff := cmp.Diff([]string{bot + ": app", bot + ": docs"}, s.comments()); diff != "" {
		t.Error(diff)
	}
}

// O8: the head moved while the gate ran, or a run was started again after it did.
func TestANewerCommentIsNotOverwritten(t *testing.T) {
	state := oneRepository()
	state.Repositories[0].Issues[0].Head = headB
	newer := marker("comment", key, headB) + "the newer verdict"
	state.Repositories[0].Issues[0].Comments = []*githubtest.Comment{{User: bot, Body: newer}}
	s := newSession(t, state)
	outcome, err := s.PutComment(t.Context(), comment("the older verdict"))
	wantDid(t, Skipped)(outcome, err)
	if !strings.Contains(outcome.Why, headA[:12]) || !strings.Contains(outcome.Why, headB[:12]) {
		t.Errorf("it doesn't say which commits: %s", outcome.Why)
	}
	if got := s.repository().Issue(number).Comments; len(got) != 1 || got[0].Body != newer || got[0].Edits != 0 {
		t.Errorf("the comments are %q", s.comments())
	}
}

// The head moves between the search and the write.
func TestTheHeadIsAskedForLast(t *testing.T) {
	for name, old := range map[string][]*githubtest.Comment{"to edit": {{User: bot, Body: marker("comment", key, headA) + "x"}}, "to make": nil} {
		t.Run(name, func(t *testing.T) {
			state := oneRepository()
			state.Repositories[0].Issues[0].Comments = old
			state.Faults = []*githubtest.Fault{{Kind: githubtest.Move, Path: "repos/octo/app/issues/7/comments", Head: headB}}
			s := newSession(t, state)
			wantDid(t, Skipped)(s.PutComment(t.Context(), comment("new")))
			if s.asked(http.MethodPost)+s.asked(http.MethodPatch) != 0 {
				t.Errorf("something was written: %v", s.server.Requests())
			}
		})
	}
}

func TestAPullRequestWithoutAHeadIsNoMovedOne(t *testing.T) {
	state := oneRepository()
	state.Faults = []*githubtest.Fault{{Kind: githubtest.Status, Path: "repos/*/*/pulls/*", Status: http.StatusOK, Body: "{}"}}
	s := newSession(t, state)
	_, err := s.PutComment(t.Context(), comment("new"))
	wantUnavailable(t, err, "where the pull request's head is")
}

// What the request made is found, although its answer got lost.
func TestALostAnswerDoublesNoComment(t *testing.T) {
	for _, kind := range []string{githubtest.Lost, githubtest.Cut} {
		t.Run(kind, func(t *testing.T) {
			state := oneRepository()
			state.Faults = []*githubtest.Fault{{Kind: kind, Method: http.MethodPost, Path: "repos/*/*/issues/*/comments", Status: http.StatusBadGateway}}
			s := newSession(t, state)
			wantDid(t, Unchanged)(s.PutComment(t.Context(), comment("once")))
			if diff := cmp.Diff([]string{bot + ": once"}, s.comments()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAWriteThatNeverArrivedIsSentAgain(t *testing.T) {
	for _, fault := range []githubtest.Fault{
		{Kind: githubtest.Drop, Method: http.MethodPost, Path: "repos/*/*/issues/*/comments"},
		{Kind: githubtest.Status, Method: http.MethodPost, Path: "repos/*/*/issues/*/comments", Status: http.StatusServiceUnavailable, Times: 3},
	} {
		state := oneRepository()
		state.Faults = []*githubtest.Fault{&fault}
		s := newSession(t, state)
		wantDid(t, Created)(s.PutComment(t.Context(), comment("once")))
		if diff := cmp.Diff([]string{bot + ": once"}, s.comments()); diff != "" {
			t.Error(diff)
		}
	}
}

func TestACommentThatCannotBeOneIsRefusedBeforeItIsSent(t *testing.T) {
	s := newSession(t, oneRepository())
	for name, spoil := range map[string]func(*Comment){
		"no repository":       func(c *Comment) { c.Repository = "app" },
		"a path for a name":   func(c *Comment) { c.Repository = "octo/.." },
		"a query for a name":  func(c *Comment) { c.Repository = "octo/app?x=1" },
		"two slashes":         func(c *Comment) { c.Repository = "octo/app/x" },
		"no pull request":     func(c *Comment) { c.Pull = 0 },
		"a short commit":      func(c *Comment) { c.Head = headA[:12] },
		"no key":              func(c *Comment) { c.Key = "" },
		"a key of somebody's": func(c *Comment) { c.Key = "--> <b>forged</b>" },
		"too long":            func(c *Comment) { c.Text = strings.Repeat("x", MaxText+1) },
	} {
		c := comment("text")
		spoil(&c)
		if _, err := s.PutComment(t.Context(), c); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if n := len(s.server.Requests()); n != 0 {
		t.Errorf("%d requests were sent", n)
	}
}

func TestTheLongestTextIsTaken(t *testing.T) {
	s := newSession(t, oneRepository())
	c := comment(strings.Repeat("x", MaxText))
	c.Head = strings.Repeat("a", 64)
	s.server.Edit(func(state *githubtest.State) { state.Repository(app).Issue(number).Head = c.Head })
	wantDid(t, Created)(s.PutComment(t.Context(), c))
	if body := s.repository().Issue(number).Comments[0].Body; len(body) > MaxBody {
		t.Errorf("the body has %d bytes", len(body))
	}
}

func TestAListWithTooManyPagesIsAnErrorAndNoSecondComment(t *testing.T) {
	state := oneRepository()
	state.Repositories[0].Issues[0].Comments = bystanders(MaxPages*perPage + 1)
	s := newSession(t, state)
	_, err := s.PutComment(t.Context(), comment("new"))
	wantUnavailable(t, err, "more than 100 pages")
	if s.asked(http.MethodPost) != 0 {
		t.Error("a comment was made")
	}
}

func TestAnInterruptIsFoundInTheError(t *testing.T) {
	state := oneRepository()
	state.Faults = []*githubtest.Fault{{Kind: githubtest.Hang}}
	s := newSession(t, state)
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	_, err := s.PutComment(ctx, comment("new"))
	if !errors.Is(err, context.Canceled) || len(s.waits) != 0 {
		t.Errorf("the error is %v, after %d waits", err, len(s.waits))
	}
}
