package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/fleetgate/fleetgate/internal/github/githubtest"
)

// postsTo has the job write its comment and its check run to a server.
func (r *actRunner) postsTo(server *githubtest.Server) {
	r.setenv("GITHUB_API_URL", server.URL, "COMMENT", "true", "CHECK_RUN", "true")
}

// people are so many comments that aren't the gate's.
func people(n int) (comments []*githubtest.Comment) {
	for i := range n {
		comments = append(comments, &githubtest.Comment{User: "octocat", Body: fmt.Sprint("comment ", i)})
	}
	return comments
}

var (
	shownLine   = regexp.MustCompile("(?m)`boundary-outside`$")
	leftOutLine = regexp.MustCompile(`(?m)^… and ([0-9]+) more findings; the JSON report lists them all\.$`)
)

// checkShownAndLeftOut wants a page that says of each of so many findings
// where it is: on the page, or left out of it.
func checkShownAndLeftOut(t *testing.T, page string, many int) {
	t.Helper()
	shown, left := len(shownLine.FindAllString(page, -1)), 0
	if more := leftOutLine.FindStringSubmatch(page); more != nil {
		left, _ = strconv.Atoi(more[1])
	}
	if shown < 100 || left == 0 || shown+left != many {
		t.Errorf("%d of %d findings are shown, %d left out", shown, many, left)
	}
}

// Case O2: 2,000 paths of 200 characters.
func TestActO2CutsTheCommentAndSaysHowManyAreLeftOut(t *testing.T) {
	actPath(t)
	const many = 2_000
	w := newWorld(t)
	var h history
	h.commit("start", "refs/heads/main", "start", nil, ".clio-coder/fleets/docs.md", docsFleet)
	var files []string
	for i := range many {
		files = append(files, fmt.Sprintf("src/%0196d", i), "x")
	}
	h.commit("long", "refs/pull/1/head", "long\n\nFleet-Step: docs/write\n", []string{"start"}, files...)
	w.replace("octo/app", &h)
	w.ids["old699"] = w.ids["start"]
	server := w.api(func(s *githubtest.State) { s.Repositories[0].Issue(1).Head = w.ids["long"] })
	r := newActRunner(t, w)
	r.postsTo(server)
	r.setenv("REV", w.ids["long"])
	job := r.run(workflow(t, "cases.yml"), w.pull("long", "1"))
	comments := ours(server, 1)
	if job.exit != "1" || job.outputs["violations"] != fmt.Sprint(many) || len(comments) != 1 {
		t.Fatalf("exit code %s, outputs %v, %d comments\n%.2000s", job.exit, job.outputs, len(comments), job.log)
	}
	if n := len(comments[0].Body); n > 60_000 {
		t.Errorf("the comment has %d bytes", n)
	}
	checkShownAndLeftOut(t, comments[0].Body, many)
}

// Case O3: the comment is number 135 of a thousand.
func TestActO3FindsAndEditsTheCommentAmongAThousand(t *testing.T) {
	actPath(t)
	w := newWorld(t)
	server := w.api(func(s *githubtest.State) { s.Repositories[0].Issue(2).Comments = people(134) })
	run := func(rev, head string) actJob {
		r := newActRunner(t, w)
		r.postsTo(server)
		r.setenv("REV", w.ids[rev])
		return r.run(workflow(t, "cases.yml"), w.pull(head, "2"))
	}
	if job := run("merge2", "bad1"); job.exit != "1" || len(ours(server, 2)) != 1 {
		t.Fatalf("exit code %s, %d comments\n%s", job.exit, len(ours(server, 2)), job.log)
	}
	server.Edit(func(s *githubtest.State) {
		pull := s.Repository("octo/app").Issue(2)
		pull.Comments, pull.Head = append(pull.Comments, people(865)...), w.ids["clean2"]
	})
	job := run("merge1", "clean2")
	comments := posted(server).Issue(2).Comments
	if !job.passed || len(comments) != 1000 || len(ours(server, 2)) != 1 {
		t.Fatalf("exit code %s, %d comments, %d of them ours\n%s", job.exit, len(comments), len(ours(server, 2)), job.log)
	}
	if c := comments[134]; c.User != botLogin || c.Edits != 1 || !strings.Contains(c.Body, "fleetgate passed") {
		t.Errorf("comment 135 is by %s, edited %d times:\n%s", c.User, c.Edits, c.Body)
	}
}

// Case O8: the job of an older head ends last.
func TestActO8LeavesTheCommentOfANewerHeadAlone(t *testing.T) {
	actPath(t)
	w := newWorld(t)
	server := w.api(func(s *githubtest.State) { s.Repositories[0].Issue(2).Head = w.ids["clean2"] })
	for _, step := range []struct{ rev, head, exit, conclusion string }{
		{"merge1", "clean2", "0", "success"},
		{"merge2", "bad1", "1", "failure"},
	} {
		r := newActRunner(t, w)
		r.postsTo(server)
		r.setenv("REV", w.ids[step.rev])
		job := r.run(workflow(t, "cases.yml"), w.pull(step.head, "2"))
		if report := r.keptReport("report.json"); job.exit != step.exit || report["head"] != w.ids[step.head] {
			t.Errorf("%s: exit code %s, head %s", step.head, job.exit, report["head"])
		}
		runs := posted(server).CheckRuns
		if last := runs[len(runs)-1]; last.HeadSHA != w.ids[step.head] || last.Conclusion != step.conclusion {
			t.Errorf("%s: the check run is %+v", step.head, last)
		}
	}
	if c := ours(server, 2); len(c) != 1 || c[0].Edits != 0 || !strings.Contains(c[0].Body, "fleetgate passed") {
		t.Errorf("the comments are %+v", c)
	}
}

// Case O7: 200 violations.
func TestActO7AnnotatesTenOfTwoHundred(t *testing.T) {
	actPath(t)
	w := newWorld(t)
	var h history
	h.commit("start", "refs/heads/main", "start", nil, ".clio-coder/fleets/docs.md", docsFleet)
	last := "start"
	for i := range 20 {
		var files []string
		for j := range 10 {
			files = append(files, fmt.Sprintf("src/%d-%d", i, j), "x")
		}
		if i == 19 {
			files = append(files[2:], ".github/workflows/gate.yml", "on: push")
		}
		name := fmt.Sprint("commit", i)
		h.commit(name, "refs/pull/1/head", name+"\n\nFleet-Step: docs/write\n", []string{last}, files...)
		last = name
	}
	w.replace("octo/app", &h)
	w.ids["old699"] = w.ids["start"]
	r := newActRunner(t, w)
	r.setenv("REV", w.ids[last], "MODE", "observe") // of a step that fails act may lose lines
	job := r.run(workflow(t, "cases.yml"), w.pull(last, "1"))
	if job.outputs["violations"] != "200" || len(job.annotations) != 10 {
		t.Fatalf("outputs %v, %d annotations\n%s", job.outputs, len(job.annotations), job.log)
	}
	if first := job.annotations[0]; !strings.HasPrefix(first, "::error file=.github/workflows/gate.yml,") {
		t.Errorf("the first is %q", first)
	}
	if last := job.annotations[9]; !strings.Contains(last, "more findings without an annotation") {
		t.Errorf("the last is %q", last)
	}
}

// Case R6: the pull request forked off 61,000 commits ago.
func TestActR6GuessesNoRangeOf61000Commits(t *testing.T) {
	actPath(t)
	if testing.Short() {
		t.Skip("it makes 61,000 commits")
	}
	w := newWorld(t)
	var h history
	h.commit("start", "refs/heads/main", "start", nil, ".clio-coder/fleets/docs.md", docsFleet)
	h.commit("far", "refs/pull/1/head", "far\n\nFleet-Step: docs/write\n", []string{"start"}, "docs/far", "1")
	tip := h.line("refs/heads/main", "start", "old", 61_000)
	h.commit("merge", "refs/pull/1/merge", "merge", []string{tip, "far"}, "docs/far", "1")
	w.replace("octo/app", &h)
	pull := w.pull("far", "1")

	shallow := newActRunner(t, w)
	shallow.setenv("REV", w.ids["merge"])
	job := shallow.run(workflow(t, "cases.yml"), pull)
	report := shallow.keptReport("report.json")
	if job.exit != "3" || report["verdict"] != "undecided" || report["reason"] != "missing-object" || len(report["commits"].([]any)) != 0 {
		t.Errorf("exit code %s, outputs %v, %d commits", job.exit, job.outputs, len(report["commits"].([]any)))
	}
	if !strings.Contains(job.summary, "    with:\n      fetch-depth: 0") {
		t.Errorf("the summary doesn't say what to do:\n%s", job.summary)
	}

	whole := newActRunner(t, w)
	whole.setenv("CLONE", w.clone("octo/app", "merge"))
	job = whole.run(workflow(t, "cases.yml"), pull)
	report = whole.keptReport("report.json")
	if want := w.checked(pull, "merge"); !job.passed || job.outputs["commits"] != "1" || report["digest"] != want["digest"] {
		t.Errorf("by its own advice: exit code %s, outputs %v", job.exit, job.outputs)
	}
}

// Whatever the API does, the job ends as it would without it.
func TestActKeepsItsVerdictWhateverTheAPIDoes(t *testing.T) {
	actPath(t)
	w := newWorld(t)
	run := func(t *testing.T, edit func(*githubtest.State)) (actJob, map[string]any) {
		w := w.in(t)
		r := newActRunner(t, w)
		if edit != nil {
			r.postsTo(w.api(edit))
		}
		r.setenv("REV", w.ids["merge2"])
		return r.run(workflow(t, "cases.yml"), w.pull("bad1", "2")), r.keptReport("report.json")
	}
	wantJob, want := run(t, nil)
	always := func(f githubtest.Fault) func(*githubtest.State) {
		f.Times = -1
		return func(s *githubtest.State) { s.Faults = []*githubtest.Fault{&f} }
	}
	for name, edit := range map[string]func(*githubtest.State){
		"403 on a fork":     func(s *githubtest.State) { s.ReadOnly = true },
		"404":               always(githubtest.Fault{Kind: githubtest.Status, Status: 404}),
		"422":               always(githubtest.Fault{Kind: githubtest.Status, Status: 422}),
		"503":               always(githubtest.Fault{Kind: githubtest.Status, Status: 503, RetryAfter: "3600"}),
		"a secondary limit": always(githubtest.Fault{Kind: githubtest.Secondary, RetryAfter: "3600"}),
		"1,000 comments":    func(s *githubtest.State) { s.Repositories[0].Issue(2).Comments = people(1000) },
	} {
		t.Run(name, func(t *testing.T) {
			job, report := run(t, edit)
			if job.exit != "1" || job.exit != wantJob.exit || job.outputs["verdict"] != "failed" || job.summary != wantJob.summary {
				t.Errorf("exit code %s, outputs %v", job.exit, job.outputs)
			}
			if report["digest"] != want["digest"] {
				t.Error("another digest")
			}
		})
	}
}
