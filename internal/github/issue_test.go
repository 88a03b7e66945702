package github

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/github/githubtest"
)

func audit(text string, clean bool) Issue {
	return Issue{Repository: app, Key: key, Title: "Fleet audit", Text: text, Labels: []string{"fleetgate"}, Clean: clean}
}

// tracked is the audit's issue, in short; empty if there is none.
func (s *session) tracked() string {
	for _, i := range s.repository().Issues {
		if i.Head == "" {
			_, text, _ := strings.Cut(i.Body, " -->\n")
			return fmt.Sprintf("#%d %s %s: %s", i.Number, i.State, i.Title, text)
		}
	}
	return ""
}

func (s *session) writes() int { return s.asked(http.MethodPost) + s.asked(http.MethodPatch) }

func TestTheIssueFollowsTheAudits(t *testing.T) {
	s := newSession(t, oneRepository())
	steps := []struct {
		name   string
		issue  Issue
		did    Did
		writes int
		want   string
	}{
		{"nothing found, no issue", audit("", true), Nothing, 0, ""},
		{"found: made", audit("two", false), Created, 1, "#8 open Fleet audit: two"},
		{"the same again: nothing is posted", audit("two", false), Unchanged, 0, "#8 open Fleet audit: two"},
		{"something else: edited in place", audit("three", false), Updated, 1, "#8 open Fleet audit: three"},
		{"nothing found: closed", audit("none", true), Closed, 1, "#8 closed Fleet audit: none"},
		{"nothing found again: nothing is posted", audit("none, of 12", true), Nothing, 0, "#8 closed Fleet audit: none"},
		{"found again: reopened", audit("four", false), Reopened, 1, "#8 open Fleet audit: four"},
		{"closed with the same text: reopened", audit("four", false), Unchanged, 0, "#8 open Fleet audit: four"},
	}
	for _, step := range steps {
		before := s.writes()
		outcome, err := s.TrackIssue(t.Context(), step.issue)
		if err != nil || outcome.Did != step.did || s.writes()-before != step.writes || s.tracked() != step.want {
			t.Fatalf("%s: %s, %v, %d writes, the issue is %q", step.name, outcome.Did, err, s.writes()-before, s.tracked())
		}
	}
	if n := len(s.repository().Issues); n != 2 {
		t.Errorf("%d issues", n)
	}
}

func TestAnIssueThatAPersonClosedIsReopened(t *testing.T) {
	s := newSession(t, oneRepository())
	wantDid(t, Created)(s.TrackIssue(t.Context(), audit("two", false)))
	s.server.Edit(func(state *githubtest.State) { state.Repository(app).Issue(8).State = "closed" })
	wantDid(t, Reopened)(s.TrackIssue(t.Context(), audit("two", false)))
}

func TestThePeoplesTitleAndLabelsStay(t *testing.T) {
	s := newSession(t, oneRepository())
	wantDid(t, Created)(s.TrackIssue(t.Context(), audit("two", false)))
	if diff := cmp.Diff([]string{"fleetgate"}, s.repository().Issue(8).Labels); diff != "" {
		t.Error(diff)
	}
	s.server.Edit(func(state *githubtest.State) {
		i := state.Repository(app).Issue(8)
		i.Title, i.Labels = "Ours", []string{"agents"}
	})
	wantDid(t, Updated)(s.TrackIssue(t.Context(), audit("three", false)))
	if i := s.repository().Issue(8); i.Title != "Ours" || i.Labels[0] != "agents" {
		t.Errorf("%q, %q", i.Title, i.Labels)
	}
}

func TestTheIssueIsFoundOverAllPagesAndByItsAuthor(t *testing.T) {
	body := marker("issue", key, "") + "old"
	state := oneRepository()
	r := state.Repositories[0]
	for n := 100; n < 500; n++ {
		r.Issues = append(r.Issues, &githubtest.Issue{Number: n, Title: "t", User: bot, Body: "text"})
	}
	r.Issues = append(r.Issues,
		&githubtest.Issue{Number: 501, Title: "forged", User: "mallory", Body: body},
		&githubtest.Issue{Number: 502, Title: "another audit's", User: bot, Body: marker("issue", Key("other"), "") + "old"},
		&githubtest.Issue{Number: 503, Title: "a pull request", User: bot, Body: body, Head: headA},
		&githubtest.Issue{Number: 504, Title: "quoted", User: bot, Body: "> " + body},
		&githubtest.Issue{Number: 505, Title: "ours", User: bot, Body: body, State: "closed"},
		&githubtest.Issue{Number: 506, Title: "ours, too", User: bot, Body: body},
	)
	s := newSession(t, state)
	wantDid(t, Reopened)(s.TrackIssue(t.Context(), audit("new", false)))
	for n := 501; n <= 506; n++ {
		if got := s.repository().Issue(n).Body; (got != body) != (n == 505 || n == 502 || n == 504) {
			t.Errorf("issue %d is %q", n, got)
		}
	}
	if got := s.repository().Issue(505); got.Body != marker("issue", key, "")+"new" || got.State != "open" {
		t.Errorf("ours is %+v", got)
	}
}

func TestALostAnswerDoublesNoIssue(t *testing.T) {
	state := oneRepository()
	state.Faults = []*githubtest.Fault{{Kind: githubtest.Lost, Method: http.MethodPost, Path: "repos/*/*/issues", Status: 502}}
	s := newSession(t, state)
	wantDid(t, Unchanged)(s.TrackIssue(t.Context(), audit("two", false)))
	if n := len(s.repository().Issues); n != 2 {
		t.Errorf("%d issues", n)
	}
}

func TestIssuesThatAreSwitchedOffAreARefusal(t *testing.T) {
	state := oneRepository()
	state.Repositories[0].NoIssues = true
	s := newSession(t, state)
	_, err := s.TrackIssue(t.Context(), audit("two", false))
	wantRefused(t, err, http.StatusGone)
	if !strings.Contains(err.Error(), "switched off") {
		t.Error(err)
	}
}

func TestAnIssueThatCannotBeOneIsRefusedBeforeItIsSent(t *testing.T) {
	s := newSession(t, oneRepository())
	for name, spoil := range map[string]func(*Issue){
		"no repository": func(i *Issue) { i.Repository = "" },
		"no title":      func(i *Issue) { i.Title = "" },
		"no key":        func(i *Issue) { i.Key = "x" },
		"too long":      func(i *Issue) { i.Text = strings.Repeat("x", MaxText+1) },
	} {
		i := audit("two", false)
		spoil(&i)
		if _, err := s.TrackIssue(t.Context(), i); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if n := len(s.server.Requests()); n != 0 {
		t.Errorf("%d requests were sent", n)
	}
}
