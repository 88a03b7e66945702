package github

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/github/githubtest"
)

// checkRun is a failed verdict's, with n annotations.
func checkRun(n int) CheckRun {
	run := CheckRun{
		Repository: app, Head: headA, Name: "fleetgate", Key: key, DetailsURL: "https://github.com/octo/app/actions/runs/1",
		Conclusion: Failure, Title: "2 of 3 commits claimed", Text: "## The report\n",
	}
	for i := range n {
		run.Annotations = append(run.Annotations, Annotation{
			Severity: diag.Error, Pos: diag.Pos{File: fmt.Sprintf("src/%04d.go", i), Line: 1}, Title: "boundary-outside", Message: "outside",
		})
	}
	return run
}

// annotated lists the files of a check run's annotations.
func annotated(run *githubtest.CheckRun) []string {
	var files []string
	for _, a := range run.Annotations {
		files = append(files, a.Path)
	}
	return files
}

func files(n int) []string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf("src/%04d.go", i))
	}
	return all
}

func TestTheCheckRunIsMadeOnTheJudgedCommit(t *testing.T) {
	s := newSession(t, oneRepository())
	wantDid(t, Created)(s.PutCheckRun(t.Context(), checkRun(1)))
	got := s.repository().CheckRuns
	want := []*githubtest.CheckRun{{
		ID: 1001, App: "github-actions", Name: "fleetgate", HeadSHA: headA, DetailsURL: "https://github.com/octo/app/actions/runs/1",
		Status: "completed", Conclusion: "failure", Title: "2 of 3 commits claimed", Summary: "## The report\n",
		Annotations: []githubtest.Annotation{{Path: "src/0000.go", StartLine: 1, EndLine: 1, AnnotationLevel: "failure", Message: "outside", Title: "boundary-outside"}},
		ExternalID:  got[0].ExternalID,
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if !strings.HasPrefix(got[0].ExternalID, "fleetgate/1 "+key+" ") {
		t.Errorf("its external id is %q", got[0].ExternalID)
	}
}

func TestConclusionsAreGitHubs(t *testing.T) {
	for _, conclusion := range []Conclusion{Success, Failure, Neutral, ActionRequired} {
		s := newSession(t, oneRepository())
		run := checkRun(0)
		run.Conclusion = conclusion
		wantDid(t, Created)(s.PutCheckRun(t.Context(), run))
		if got := s.repository().CheckRuns[0]; got.Conclusion != string(conclusion) || got.Status != "completed" {
			t.Errorf("%s became %s, %s", conclusion, got.Status, got.Conclusion)
		}
	}
}

func TestAnnotationsAreSentFiftyARequest(t *testing.T) {
	for n, requests := range map[int]int{0: 1, 1: 1, 50: 1, 51: 2, 100: 2, 101: 3, MaxAnnotations: 20} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			s := newSession(t, oneRepository())
			wantDid(t, Created)(s.PutCheckRun(t.Context(), checkRun(n)))
			runs := s.repository().CheckRuns
			if diff := cmp.Diff(files(n), annotated(runs[0])); diff != "" || len(runs) != 1 {
				t.Errorf("%d check runs; files differ (-want +got):\n%s", len(runs), diff)
			}
			if got := s.asked(http.MethodPost) + s.asked(http.MethodPatch); got != requests {
				t.Errorf("%d writes, want %d", got, requests)
			}
		})
	}
}

// A verdict that is only half annotated is a verdict all the same.
func TestTheFirstRequestHoldsTheConclusion(t *testing.T) {
	state := oneRepository()
	state.Faults = []*githubtest.Fault{{Kind: githubtest.Status, Method: http.MethodPatch, Status: 403, Times: -1}}
	s := newSession(t, state)
	_, err := s.PutCheckRun(t.Context(), checkRun(60))
	wantRefused(t, err, 403)
	if got := s.repository().CheckRuns; len(got) != 1 || got[0].Conclusion != "failure" || len(got[0].Annotations) != MaxBatch {
		t.Errorf("the check runs are %+v", got)
	}
}

func TestARerunWithTheSameResultWritesNothing(t *testing.T) {
	s := newSession(t, oneRepository())
	wantDid(t, Created)(s.PutCheckRun(t.Context(), checkRun(60)))
	writes := s.asked(http.MethodPost) + s.asked(http.MethodPatch)
	wantDid(t, Unchanged)(s.PutCheckRun(t.Context(), checkRun(60)))
	if after := s.asked(http.MethodPost) + s.asked(http.MethodPatch); after != writes {
		t.Errorf("%d more writes", after-writes)
	}
}

func TestARerunAfterAnInterruptionAddsWhatIsMissing(t *testing.T) {
	state := oneRepository()
	state.Faults = []*githubtest.Fault{{Kind: githubtest.Status, Method: http.MethodPatch, Status: 403}}
	s := newSession(t, state)
	_, err := s.PutCheckRun(t.Context(), checkRun(120))
	wantRefused(t, err, 403)
	wantDid(t, Updated)(s.PutCheckRun(t.Context(), checkRun(120)))
	runs := s.repository().CheckRuns
	if diff := cmp.Diff(files(120), annotated(runs[0])); diff != "" || len(runs) != 1 {
		t.Errorf("%d check runs; files differ (-want +got):\n%s", len(runs), diff)
	}
}

// GitHub adds annotations and removes none: those of the old result would stay.
func TestAnotherResultTakesTheOldOnesPlace(t *testing.T) {
	for name, c := range map[string]struct {
		old, annotations, runs int
		did                    Did
	}{
		"without annotations it is edited":           {0, 60, 1, Updated},
		"with annotations a new one takes its place": {2, 1, 2, Created},
		"with annotations, and now none":             {2, 0, 2, Created},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSession(t, oneRepository())
			wantDid(t, Created)(s.PutCheckRun(t.Context(), checkRun(c.old)))
			next := checkRun(c.annotations)
			next.Conclusion, next.Title = Success, "3 of 3 commits claimed"
			wantDid(t, c.did)(s.PutCheckRun(t.Context(), next))
			runs := s.repository().CheckRuns
			newest := runs[len(runs)-1]
			if len(runs) != c.runs || newest.Conclusion != "success" || newest.Title != next.Title {
				t.Errorf("%d check runs, the newest is %+v", len(runs), newest)
			}
			if diff := cmp.Diff(files(c.annotations), annotated(newest)); diff != "" {
				t.Error(diff)
			}
			wantDid(t, Unchanged)(s.PutCheckRun(t.Context(), next))
		})
	}
}

func TestEveryPartOfTheResultCounts(t *testing.T) {
	for name, change := range map[string]func(*CheckRun){
		"conclusion": func(r *CheckRun) { r.Conclusion = Neutral },
		"title":      func(r *CheckRun) { r.Title += "!" },
		"text":       func(r *CheckRun) { r.Text += "!" },
		"place":      func(r *CheckRun) { r.Annotations[0].Pos.Line++ },
		"end":        func(r *CheckRun) { r.Annotations[0].End = diag.Pos{Line: 9} },
		"severity":   func(r *CheckRun) { r.Annotations[0].Severity = diag.Note },
		"heading":    func(r *CheckRun) { r.Annotations[0].Title += "!" },
		"message":    func(r *CheckRun) { r.Annotations[0].Message += "!" },
		"fewer":      func(r *CheckRun) { r.Annotations = r.Annotations[:1] },
	} {
		s := newSession(t, oneRepository())
		wantDid(t, Created)(s.PutCheckRun(t.Context(), checkRun(2)))
		next := checkRun(2)
		change(&next)
		outcome, err := s.PutCheckRun(t.Context(), next)
		if err != nil || outcome.Did != Created {
			t.Errorf("another %s: %s, %v", name, outcome.Did, err)
		}
	}
}

func TestSomebodyElsesCheckRunIsNotOurs(t *testing.T) {
	first := newSession(t, oneRepository())
	wantDid(t, Created)(first.PutCheckRun(t.Context(), checkRun(0)))
	ours := *first.repository().CheckRuns[0]
	for name, change := range map[string]func(*githubtest.CheckRun){
		"another app's":         func(r *githubtest.CheckRun) { r.App = "evil" },
		"another gate's":        func(r *githubtest.CheckRun) { r.ExternalID = "fleetgate/1 " + Key("other") + " x" },
		"without external id":   func(r *githubtest.CheckRun) { r.ExternalID = "" },
		"another commit's":      func(r *githubtest.CheckRun) { r.HeadSHA = headB },
		"one with another name": func(r *githubtest.CheckRun) { r.Name = "fleetgate2" },
	} {
		t.Run(name, func(t *testing.T) {
			foreign := ours
			change(&foreign)
			state := oneRepository()
			state.Repositories[0].CheckRuns = []*githubtest.CheckRun{&foreign}
			s := newSession(t, state)
			wantDid(t, Created)(s.PutCheckRun(t.Context(), checkRun(0)))
			if n := len(s.repository().CheckRuns); n != 2 {
				t.Errorf("%d check runs", n)
			}
		})
	}
}

// Of several of ours, on several pages, the newest counts.
func TestTheNewestOfOurCheckRunsCounts(t *testing.T) {
	state := oneRepository()
	s := newSession(t, state)
	wantDid(t, Created)(s.PutCheckRun(t.Context(), checkRun(0)))
	s.server.Edit(func(state *githubtest.State) {
		r := state.Repository(app)
		first := *r.CheckRuns[0]
		for range 150 {
			copied := first
			copied.ID, copied.ExternalID = 0, "of another gate"
			r.CheckRuns = append(r.CheckRuns, &copied)
		}
		other := first
		other.ID, other.ExternalID, other.Annotations = 0, first.ExternalID+"other", []githubtest.Annotation{{}}
		r.CheckRuns = append(r.CheckRuns, &other)
	})
	wantDid(t, Created)(s.PutCheckRun(t.Context(), checkRun(0))) // not unchanged, as the older one would have it
	wantDid(t, Unchanged)(s.PutCheckRun(t.Context(), checkRun(0)))
}

func TestALostAnswerDoublesNoCheckRunAndNoAnnotation(t *testing.T) {
	for _, method := range []string{http.MethodPost, http.MethodPatch} {
		for _, kind := range []string{githubtest.Lost, githubtest.Cut, githubtest.Drop} {
			t.Run(method+" "+kind, func(t *testing.T) {
				state := oneRepository()
				for _, path := range []string{"repos/*/*/check-runs", "repos/*/*/check-runs/*"} {
					state.Faults = append(state.Faults, &githubtest.Fault{Kind: kind, Method: method, Path: path, Status: 502})
				}
				s := newSession(t, state, func(o *Options) { o.Transport = fresh() })
				if _, err := s.PutCheckRun(t.Context(), checkRun(170)); err != nil {
					t.Fatal(err)
				}
				runs := s.repository().CheckRuns
				if diff := cmp.Diff(files(170), annotated(runs[0])); diff != "" || len(runs) != 1 {
					t.Errorf("%d check runs; files differ (-want +got):\n%s", len(runs), diff)
				}
			})
		}
	}
}

func TestAPersonsTokenMakesNoCheckRun(t *testing.T) {
	state := oneRepository()
	state.Login = "octocat"
	s := newSession(t, state)
	_, err := s.PutCheckRun(t.Context(), checkRun(0))
	wantRefused(t, err, 403)
	if !strings.Contains(err.Error(), "You must authenticate via a GitHub App.") {
		t.Error(err)
	}
}

func TestAnnotationsAreAsTheAPITakesThem(t *testing.T) {
	at := func(line, column int) diag.Pos { return diag.Pos{File: "a.go", Line: line, Column: column} }
	wire := func(startLine, endLine, startColumn, endColumn int) githubtest.Annotation {
		return githubtest.Annotation{
			Path: "a.go", StartLine: startLine, EndLine: endLine, StartColumn: startColumn, EndColumn: endColumn, AnnotationLevel: "warning", Message: "m", Title: "t",
		}
	}
	noFile := wire(1, 1, 0, 0)
	noFile.Path = ".github"
	noMessage := wire(1, 1, 0, 0)
	noMessage.Message = "t"
	long := wire(1, 1, 0, 0)
	long.Title = strings.Repeat("é", 254) + "…"
	tests := []struct {
		name     string
		pos, end diag.Pos
		title    string
		message  string
		want     githubtest.Annotation
	}{
		{"a line", at(3, 0), diag.Pos{}, "t", "m", wire(3, 3, 0, 0)},
		{"a column", at(3, 5), diag.Pos{}, "t", "m", wire(3, 3, 5, 5)},
		{"a part of a line", at(3, 5), at(3, 9), "t", "m", wire(3, 3, 5, 9)},
		{"several lines have no columns", at(3, 5), at(4, 9), "t", "m", wire(3, 4, 0, 0)},
		{"an end before the start", at(3, 5), at(2, 1), "t", "m", wire(3, 3, 5, 5)},
		{"a whole file", at(0, 0), diag.Pos{}, "t", "m", wire(1, 1, 0, 0)},
		{"no file", diag.Pos{}, diag.Pos{}, "t", "m", noFile},
		{"no message", at(1, 0), diag.Pos{}, "t", "", noMessage},
		{"a long title", at(1, 0), diag.Pos{}, strings.Repeat("é", 300), "m", long},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newSession(t, oneRepository())
			run := checkRun(0)
			run.Annotations = []Annotation{{Severity: diag.Warning, Pos: tt.pos, End: tt.end, Title: tt.title, Message: tt.message}}
			wantDid(t, Created)(s.PutCheckRun(t.Context(), run))
			if diff := cmp.Diff([]githubtest.Annotation{tt.want}, s.repository().CheckRuns[0].Annotations); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestACheckRunThatCannotBeOneIsRefusedBeforeItIsSent(t *testing.T) {
	s := newSession(t, oneRepository())
	for name, spoil := range map[string]func(*CheckRun){
		"no repository":        func(r *CheckRun) { r.Repository = "octo" },
		"no commit":            func(r *CheckRun) { r.Head = "main" },
		"no name":              func(r *CheckRun) { r.Name = "" },
		"no title":             func(r *CheckRun) { r.Title = "" },
		"no text":              func(r *CheckRun) { r.Text = "" },
		"no conclusion":        func(r *CheckRun) { r.Conclusion = "" },
		"no key":               func(r *CheckRun) { r.Key = "" },
		"too long":             func(r *CheckRun) { r.Text = strings.Repeat("x", MaxText+1) },
		"too many annotations": func(r *CheckRun) { r.Annotations = checkRun(MaxAnnotations + 1).Annotations },
	} {
		run := checkRun(1)
		spoil(&run)
		if _, err := s.PutCheckRun(t.Context(), run); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if n := len(s.server.Requests()); n != 0 {
		t.Errorf("%d requests were sent", n)
	}
}
