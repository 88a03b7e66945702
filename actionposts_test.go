package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/github/githubtest"
)

const botLogin = "github-actions[bot]"

// api is GitHub's, of a world whose pull requests are at the heads that their
// events name. edit may change what it knows.
func (w *world) api(edit func(*githubtest.State)) *githubtest.Server {
	w.t.Helper()
	state := githubtest.State{Token: canary, Login: botLogin, Repositories: []*githubtest.Repository{{
		Name: "octo/app", DefaultBranch: "main",
		Issues: []*githubtest.Issue{
			{Number: 1, Title: "clean", User: "octocat", Head: w.ids["clean2"]},
			{Number: 2, Title: "bad", User: "octocat", Head: w.ids["bad1"]},
		},
	}}}
	if edit != nil {
		edit(&state)
	}
	server := githubtest.New(w.t, state)
	w.env = append(slices.Clone(w.env), "GITHUB_API_URL="+server.URL, "GITHUB_JOB=gate", "GITHUB_RUN_ID=77",
		"GITHUB_WORKFLOW_REF=octo/app/.github/workflows/gate.yml@refs/pull/2/merge")
	return server
}

func posted(server *githubtest.Server) *githubtest.Repository {
	state := server.State()
	return state.Repository("octo/app")
}

// ours are the comments of the gate on a pull request.
func ours(server *githubtest.Server, number int) []*githubtest.Comment {
	var found []*githubtest.Comment
	for _, c := range posted(server).Issue(number).Comments {
		if c.User == botLogin {
			found = append(found, c)
		}
	}
	return found
}

var both = []string{"comment", "true", "check_run", "true"}

func TestTheCommentAndTheCheckRunSayTheVerdict(t *testing.T) {
	w := newWorld(t)
	server := w.api(nil)
	dir := w.clone("octo/app", "merge2")
	r := w.run(dir, w.pull("bad1", "2"), both...)
	if r.code != 1 || !strings.Contains(r.stdout, "fleetgate: comment created ") || !strings.Contains(r.stdout, "fleetgate: check run created ") {
		t.Fatalf("exit code %d\n%s%s", r.code, r.stdout, r.stderr)
	}
	comments := ours(server, 2)
	if len(comments) != 1 {
		t.Fatalf("%d comments", len(comments))
	}
	head := w.ids["bad1"][:12]
	for _, part := range []string{"## ❌ fleetgate failed", "`src/x`", "`" + r.outputs["digest"] + "`", "Judged at `" + head + "`.\n"} {
		if !strings.Contains(comments[0].Body, part) {
			t.Errorf("%q is not in the comment:\n%s", part, comments[0].Body)
		}
	}
	runs := posted(server).CheckRuns
	if len(runs) != 1 {
		t.Fatalf("%d check runs", len(runs))
	}
	got := *runs[0]
	if !strings.Contains(got.Summary, "`src/x`") || got.ExternalID == "" {
		t.Errorf("the summary of %q is\n%s", got.ExternalID, got.Summary)
	}
	got.Summary, got.ExternalID, got.Annotations[0].Message = "", "", ""
	want := githubtest.CheckRun{
		ID: got.ID, App: "github-actions", Name: "fleetgate / gate", HeadSHA: w.ids["bad1"],
		DetailsURL: w.server.URL + "/octo/app/actions/runs/77", Status: "completed", Conclusion: "failure",
		Title:       "1 of 1 commits claimed, 1 outside",
		Annotations: []githubtest.Annotation{{Path: "src/x", StartLine: 1, EndLine: 1, AnnotationLevel: "failure", Title: "fleetgate boundary-outside: docs/write"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the check run (-want +got):\n%s", diff)
	}

	again := w.run(dir, w.pull("bad1", "2"), both...)
	if again.code != 1 || len(ours(server, 2)) != 1 || ours(server, 2)[0].Edits != 0 || len(posted(server).CheckRuns) != 1 {
		t.Errorf("a second run: exit code %d\n%s", again.code, again.stdout)
	}
	if !strings.Contains(again.stdout, "fleetgate: comment unchanged ") || !strings.Contains(again.stdout, "fleetgate: check run unchanged ") {
		t.Errorf("a second run says\n%s", again.stdout)
	}
}

func TestNothingIsAskedOfTheAPIUnlessAnInputSaysSo(t *testing.T) {
	w := newWorld(t)
	server := w.api(nil)
	if r := w.run(w.clone("octo/app", "merge2"), w.pull("bad1", "2")); r.code != 1 {
		t.Fatal(r.stdout)
	}
	if n := len(server.Requests()); n != 0 {
		t.Errorf("%d requests: %v", n, server.Requests())
	}
}

func TestConclusionsOfTheCheckRun(t *testing.T) {
	w := newWorld(t)
	whole := w.clone("octo/app", "merge1")
	gone := w.pull("clean2", "1")
	gone.payload = strings.ReplaceAll(gone.payload, w.ids["clean2"], strings.Repeat("d", 40))
	for _, c := range []struct {
		name       string
		event      event
		inputs     []string
		code       int
		conclusion string
	}{
		{"passed", w.pull("clean2", "1"), nil, 0, "success"},
		{"failed", w.pull("bad1", "2"), nil, 1, "failure"},
		{"failed, and only observed", w.pull("bad1", "2"), []string{"mode", "observe"}, 0, "neutral"},
		{"undecided", gone, nil, 3, "action_required"},
		{"undecided, and only observed", gone, []string{"mode", "observe"}, 3, "action_required"},
		{"a push", w.push("main", "new1", "new4"), nil, 0, "success"},
		{"a merge group", w.group("new4", "group"), nil, 1, "failure"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := w.in(t)
			server := w.api(nil)
			r := w.run(whole, c.event, append(c.inputs, "check_run", "true")...)
			runs := posted(server).CheckRuns
			if r.code != c.code || len(runs) != 1 || runs[0].Conclusion != c.conclusion {
				t.Errorf("exit code %d, check runs %+v\n%s%s", r.code, runs, r.stdout, r.stderr)
			}
		})
	}
}

func TestAnEventWithoutAPullRequestHasNoComment(t *testing.T) {
	w := newWorld(t)
	server := w.api(nil)
	r := w.run(w.clone("octo/app", "new4"), w.push("main", "new1", "new4"), "comment", "true")
	if r.code != 0 || !strings.Contains(r.stdout, "::notice title=fleetgate::there is no comment: the event push is about no pull request") {
		t.Errorf("exit code %d\n%s", r.code, r.stdout)
	}
	if n := len(server.Requests()); n != 0 {
		t.Errorf("%d requests", n)
	}
}

// Whatever the API does, verdict, outputs and exit code are what they would be
// without it, and one notice says what was not written.
func TestNoFailureOfTheAPIChangesTheVerdict(t *testing.T) {
	w := newWorld(t)
	dir := w.clone("octo/app", "merge2")
	want := w.run(dir, w.pull("bad1", "2"))
	delete(want.outputs, "report")
	always := func(f githubtest.Fault) func(*githubtest.State) {
		f.Times = -1
		return func(s *githubtest.State) { s.Faults = []*githubtest.Fault{&f} }
	}
	for _, c := range []struct {
		name, notice string
		edit         func(*githubtest.State)
	}{
		{"a fork's token", "(403): Resource not accessible by integration; give the job `permissions: pull-requests: write`", func(s *githubtest.State) { s.ReadOnly = true }},
		{"401", "(401): Unauthorized", always(githubtest.Fault{Kind: githubtest.Status, Status: 401})},
		{"403", "(403): Forbidden", always(githubtest.Fault{Kind: githubtest.Status, Status: 403})},
		{"404", "(404): Not Found", always(githubtest.Fault{Kind: githubtest.Status, Status: 404})},
		{"422", "(422): Unprocessable Entity", always(githubtest.Fault{Kind: githubtest.Status, Status: 422})},
		{"a page of a proxy", "not what the API gives", always(githubtest.Fault{Kind: githubtest.Status, Status: 200, Body: "<html>::error::forged"})},
		{"hostile words", "(422): ::error::forged ## [error]x", always(githubtest.Fault{Kind: githubtest.Status, Status: 422, Body: `{"message": "\n::error::forged\n##[error]x"}`})},
		{"a redirect elsewhere", "redirects to another server", always(githubtest.Fault{Kind: githubtest.Redirect, Status: 302, Location: "https://evil.example/"})},
		{"a secondary limit of an hour", "limits the token's requests", always(githubtest.Fault{Kind: githubtest.Secondary, RetryAfter: "3600"})},
		{"a primary limit of an hour", "limits the token's requests", always(githubtest.Fault{Kind: githubtest.Primary, Reset: 3600})},
		{"no such repository", "(404): Not Found", func(s *githubtest.State) { s.Repositories[0].Name = "octo/renamed" }},
		{"a server that fails for an hour", "answered 500 Internal Server Error (tried once)", always(githubtest.Fault{Kind: githubtest.Status, Status: 500, RetryAfter: "3600"})},
		{"a list of 1,000 comments that breaks off", "answered 502 Bad Gateway (tried once)", func(s *githubtest.State) {
			s.Repositories[0].Issue(2).Comments = people(1000)
			s.Faults = []*githubtest.Fault{
				{Kind: githubtest.Status, Status: 502, RetryAfter: "3600", Method: "GET", Path: "repos/*/*/issues/*/comments", Skip: 6},
				{Kind: githubtest.Status, Status: 502, RetryAfter: "3600", Method: "GET", Path: "repos/*/*/commits/*/check-runs"},
			}
		}},
		{"a server that is down for an hour", "answered 503 Service Unavailable (tried once)", always(githubtest.Fault{Kind: githubtest.Status, Status: 503, RetryAfter: "3600"})},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := w.in(t)
			server := w.api(c.edit)
			r := w.run(dir, w.pull("bad1", "2"), both...)
			delete(r.outputs, "report") // a temporary file's name
			if diff := cmp.Diff(want.outputs, r.outputs); r.code != want.code || r.code != 1 || diff != "" {
				t.Errorf("exit code %d, outputs (-want +got):\n%s", r.code, diff)
			}
			if diff := cmp.Diff(want.summary, r.summary); diff != "" {
				t.Errorf("the summary differs (-want +got):\n%s", diff)
			}
			if repo := posted(server); repo != nil && len(ours(server, 2))+len(repo.CheckRuns) > 0 {
				t.Error("something was written")
			}
			if strings.Count(r.stdout, "::notice title=fleetgate::") != 2 || !strings.Contains(r.stdout, c.notice) {
				t.Errorf("no notice says %q:\n%s", c.notice, r.stdout)
			}
			if diff := cmp.Diff(withoutNotices(want.stdout), withoutNotices(r.stdout)); diff != "" {
				t.Errorf("the log differs by more than notices (-want +got):\n%s", diff)
			}
			if text := fmt.Sprint(r); strings.Contains(text, canary) {
				t.Error("the token is in what the step left behind")
			}
		})
	}
}

func withoutNotices(log string) string {
	var out []string
	for line := range strings.Lines(log) {
		if !strings.HasPrefix(line, "::notice ") {
			out = append(out, line)
		}
	}
	return strings.Join(out, "")
}

// A limit that passes is waited for, and so is a server that comes back.
func TestAShortLimitIsWaitedFor(t *testing.T) {
	w := newWorld(t)
	server := w.api(func(s *githubtest.State) {
		s.Faults = []*githubtest.Fault{
			{Kind: githubtest.Status, Status: 502, Method: "GET"},
			{Kind: githubtest.Secondary, Method: "POST", RetryAfter: "1"},
		}
	})
	r := w.run(w.clone("octo/app", "merge1"), w.pull("clean2", "1"), "comment", "true")
	if r.code != 0 || len(ours(server, 1)) != 1 {
		t.Errorf("exit code %d, %d comments\n%s", r.code, len(ours(server, 1)), r.stdout)
	}
}

// 20,000 violations in as many commits: batches of annotations, in their order.
func TestManyAnnotationsAreSentInBatches(t *testing.T) {
	w := newWorld(t)
	var h history
	h.commit("start", "refs/heads/main", "start", nil, ".clio-coder/fleets/docs.md", docsFleet)
	tip := "start"
	for i := range 700 {
		name := fmt.Sprintf("c%d", i)
		h.commit(name, "refs/pull/2/head", name+"\n\nFleet-Step: docs/write\n", []string{tip}, fmt.Sprintf("src/%03d", i), "x")
		tip = name
	}
	w.replace("octo/app", &h)
	w.ids["bad1"] = w.ids[tip]
	server := w.api(nil)
	r := w.run(w.clone("octo/app", tip), w.pull("bad1", "2"), "check_run", "true")
	runs := posted(server).CheckRuns
	if r.code != 1 || len(runs) != 1 || len(runs[0].Annotations) != 500 {
		t.Fatalf("exit code %d, %d check runs\n%.2000s", r.code, len(runs), r.stdout)
	}
	if last := runs[0].Annotations[499].Message; !strings.Contains(last, "200 more findings without an annotation") {
		t.Errorf("the last annotation is %q", last)
	}
	writes := 0
	for _, request := range server.Requests() {
		if request.Method != "GET" {
			writes++
		}
	}
	if writes != 10 {
		t.Errorf("%d writes", writes)
	}
}

// Two jobs that judge the same pull request don't take each other's comment.
func TestTwoJobsKeepACommentAndACheckRunEach(t *testing.T) {
	w := newWorld(t)
	server := w.api(nil)
	dir := w.clone("octo/app", "merge2")
	jobs := []string{"GITHUB_JOB=gate", "GITHUB_JOB=docs", "GITHUB_WORKFLOW_REF=octo/app/.github/workflows/other.yml@refs/heads/main"}
	env := w.env
	for range 2 {
		for _, job := range jobs {
			w.env = append(slices.Clone(env), job)
			if r := w.run(dir, w.pull("bad1", "2"), both...); r.code != 1 {
				t.Fatal(r.stdout)
			}
		}
	}
	if got := ours(server, 2); len(got) != 3 {
		t.Errorf("%d comments", len(got))
	}
	var names []string
	for _, run := range posted(server).CheckRuns {
		names = append(names, run.Name)
	}
	if diff := cmp.Diff([]string{"fleetgate / gate", "fleetgate / docs", "fleetgate / gate"}, names); diff != "" {
		t.Error(diff)
	}
}
