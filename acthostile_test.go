package main

import (
	"encoding/xml"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"github.com/fleetgate/fleetgate/internal/action"
	"github.com/fleetgate/fleetgate/internal/github/githubtest"
)

// hostileNames are paths that try to speak to whoever reads them: a runner, a
// terminal, a page, the file of outputs.
var hostileNames = []string{
	"x\n::error::forged", "x\r\n::set-output name=verdict::passed", "::add-mask::fleetgate", "##[error]forged", "x\n::stop-commands::end",
	"a`b`c", "](mailto:evil@example.com) <img src=x>", "@octo/team", "a,b:c%d%0A::error::forged", "x\nverdict<<end\npassed\nend\nverdict=passed",
	"\x1b[31mred\x1b]0;title\x07", strings.TrimSuffix(strings.Repeat(strings.Repeat("n", 200)+"/", 19), "/"), "\u202egnp.exe", "caf\xe9",
}

// hostile is a pull request of commits that each change one hostile path.
func (w *world) hostile() event {
	w.t.Helper()
	var h history
	h.commit("start", "refs/heads/main", "start", nil, ".clio-coder/fleets/docs.md", docsFleet)
	last := "start"
	for i, name := range hostileNames {
		next := fmt.Sprint("hostile", i)
		h.commit(next, "refs/pull/1/head", "::error::forged `x` @octo/team \x1b[2J\n\nFleet-Step: docs/write\n", []string{last}, "src/"+name, "x")
		last = next
	}
	w.replace("octo/app", &h)
	w.ids["old699"], w.ids["hostile"] = w.ids["start"], w.ids[last]
	return w.pull(last, "1")
}

func TestActIsToldNothingByHostileNames(t *testing.T) {
	actPath(t)
	w := newWorld(t)
	e := w.hostile()
	r := newActRunner(t, w)
	r.setenv("REV", w.ids["hostile"], "MODE", "observe", "SARIF_FILE", "gate.sarif", "JUNIT_FILE", "gate.xml")
	job := r.run(workflow(t, "cases.yml"), e)
	if job.outputs["verdict"] != "failed" || job.outputs["violations"] != fmt.Sprint(len(hostileNames)) {
		t.Fatalf("outputs: %v\n%.3000s", job.outputs, job.log)
	}
	if i := slices.IndexFunc(job.commands, notTheGates); i >= 0 {
		t.Errorf("the runner obeyed a command: %s", job.commands[i])
	}
	if names := slices.Sorted(maps.Keys(job.outputs)); !slices.Equal(names, slices.Sorted(slices.Values(action.OutputNames))) {
		t.Errorf("outputs %v", job.outputs)
	}
	for _, a := range job.annotations {
		// A runner's message begins after the first :: that follows the command.
		properties, message, _ := strings.Cut(strings.TrimPrefix(a, "::error "), "::")
		if !strings.HasSuffix(properties, "title=fleetgate boundary-outside%3A docs/write") || !strings.HasPrefix(message, "Commit ") {
			t.Errorf("an annotation is not the gate's: %q", a)
		}
	}
	if len(job.annotations) != 10 {
		t.Fatalf("%d annotations\n%s", len(job.annotations), job.log)
	}
	if !strings.Contains(job.annotations[9], "4 more findings without an annotation") {
		t.Errorf("the last annotation is %q", job.annotations[9])
	}
	for _, text := range []string{job.summary, job.log} {
		for _, bad := range []string{"\x1b", "\n::", "\n##[", "\u202e", "\x07"} {
			if strings.Contains(text, bad) {
				t.Errorf("%q is in\n%.4000s", bad, text)
			}
		}
	}
	report := r.keptReport("report.json")
	if diff := cmp.Diff(w.checked(e, "hostile")["digest"], report["digest"]); diff != "" {
		t.Error("the digest is not that of check")
	}
	checkHostileFiles(t, r.keptReport("gate.sarif"), r.kept("gate.xml"))
}

// checkHostileFiles wants each hostile name once in a SARIF and a JUnit
// report, and none of them to have become a part of the report itself.
func checkHostileFiles(t *testing.T, sarif map[string]any, junit []byte) {
	t.Helper()
	runs := sarif["runs"].([]any)
	if results := runs[0].(map[string]any)["results"].([]any); len(runs) != 1 || len(results) != len(hostileNames) {
		t.Errorf("the SARIF has %d runs, %d results", len(runs), len(results))
	}
	var suites struct {
		Cases []struct {
			Class    string     `xml:"classname,attr"`
			Failures []struct{} `xml:"failure"`
		} `xml:"testsuite>testcase"`
	}
	if err := xml.Unmarshal(junit, &suites); err != nil {
		t.Fatal(err)
	}
	failed := 0
	for _, c := range suites.Cases {
		if c.Class == "fleetgate.commits" && len(c.Failures) == 1 {
			failed++
		}
	}
	if failed != len(hostileNames) || len(suites.Cases) != failed+1 {
		t.Errorf("%d of %d cases of the JUnit report are commits that failed:\n%.2000s", failed, len(suites.Cases), junit)
	}
}

func TestActShowsTwentyThousandViolationsInBounds(t *testing.T) {
	actPath(t)
	if testing.Short() {
		t.Skip("it checks out 20,000 files")
	}
	const many = 20_000
	w := newWorld(t)
	var h history
	h.commit("start", "refs/heads/main", "start", nil, ".clio-coder/fleets/docs.md", docsFleet)
	var files []string
	for i := range many {
		files = append(files, fmt.Sprintf("src/%03d/%d-%s", i%100, i, strings.Repeat("p", 150)), "x")
	}
	h.commit("many", "refs/pull/1/head", "many\n\nFleet-Step: docs/write\n", []string{"start"}, files...)
	w.replace("octo/app", &h)
	w.ids["old699"] = w.ids["start"]
	server := w.api(func(s *githubtest.State) { s.Repositories[0].Issue(1).Head = w.ids["many"] })
	r := newActRunner(t, w)
	r.postsTo(server)
	r.setenv("REV", w.ids["many"], "MODE", "observe")
	job := r.run(workflow(t, "cases.yml"), w.pull("many", "1"))
	if job.outputs["verdict"] != "failed" || job.outputs["violations"] != fmt.Sprint(many) {
		t.Fatalf("outputs: %v\n%.3000s", job.outputs, job.log)
	}
	if n := len(job.annotations); n == 0 || n > 10 {
		t.Errorf("%d annotations", n)
	}
	if n := len(job.summary); n < 100<<10 || n > 900<<10 {
		t.Errorf("the summary has %d bytes", n)
	}
	if found := r.keptReport("report.json")["diagnostics"].([]any); len(found) != many {
		t.Errorf("the JSON has %d findings", len(found))
	}
	checkShownAndLeftOut(t, job.summary, many)
	comments, runs := ours(server, 1), posted(server).CheckRuns
	if len(comments) != 1 || len(runs) != 1 || len(runs[0].Annotations) == 0 || len(runs[0].Summary) > 60_000 {
		t.Fatalf("%d comments, check runs: %+v", len(comments), runs)
	}
	if n := len(comments[0].Body); n > 60_000 {
		t.Errorf("the comment has %d bytes", n)
	}
	checkShownAndLeftOut(t, comments[0].Body, many)
}

func TestActFindsTheTokenInNoFileOfTheJob(t *testing.T) {
	actPath(t)
	w := newWorld(t)
	for _, planted := range []string{"", "yes"} {
		r := newActRunner(t, w)
		r.setenv("REV", w.ids["merge2"], "PLANTED", planted)
		job := r.run(workflow(t, "leaks.yml"), w.pull("bad1", "2"))
		if job.outputs["verdict"] != "failed" || !strings.Contains(job.log, "fetching") {
			t.Fatalf("outputs: %v\n%s", job.outputs, job.log)
		}
		if leaks := string(r.kept("leaks")); (planted != "") != strings.Contains(leaks, "planted") || planted == "" && leaks != "" {
			t.Errorf("planted: %q, the token is in %q", planted, leaks)
		}
		if holdsSecret(job.all) {
			t.Error("the token is in the log")
		}
	}
}

// Names out of a repository forge nothing in what is posted, and ping nobody.
func TestHostileNamesInTheCommentAndTheCheckRun(t *testing.T) {
	w := newWorld(t)
	names := slices.Concat(hostileNames, []string{
		"`a`](http:/x.example)", "a/@octo/team/@octo", "<!-- fleetgate comment", "--> <img src=x>", "#1 GH-2", "```\n# x\n```", "| a |\n|---|",
	})
	var h history
	h.commit("start", "refs/heads/main", "start", nil, ".clio-coder/fleets/docs.md", docsFleet)
	last := "start"
	for i, name := range names {
		next := fmt.Sprint("hostile", i)
		h.commit(next, "refs/pull/2/head", "@octo/team <b>bad</b>\n\nFleet-Step: docs/write\n", []string{last}, "src/"+name, "x")
		last = next
	}
	w.replace("octo/app", &h)
	w.ids["bad1"] = w.ids[last]
	server := w.api(nil)
	r := w.run(w.clone("octo/app", last), w.pull("bad1", "2"), both...)
	if r.code != 1 || r.outputs["violations"] != fmt.Sprint(len(names)) {
		t.Fatalf("exit code %d, outputs %v\n%s", r.code, r.outputs, r.stdout)
	}
	comment, run := ours(server, 2)[0].Body, posted(server).CheckRuns[0]
	checkRendered(t, r.summary, 0)
	checkRendered(t, run.Summary, 0)
	checkRendered(t, comment, 1) // the marker that it is found by
	for _, page := range []string{comment, run.Summary} {
		if n := strings.Count(page, "`boundary-outside`"); n != len(names) {
			t.Errorf("%d of %d findings are on the page", n, len(names))
		}
		plain := codeSpans.ReplaceAllString(strings.TrimPrefix(page, "<!-- fleetgate comment "), "")
		for _, forged := range []string{"@octo", "](http", "](mailto", "<!--", "<img", "<b>", "#1", "\n# x"} {
			if strings.Contains(plain, forged) {
				t.Errorf("%q stands in\n%s", forged, page)
			}
		}
		for _, raw := range []string{"\x1b", "\x07", "\r", "\u202e", "\n::", "\n##[", "\nverdict=passed"} {
			if strings.Contains(page, raw) {
				t.Errorf("%q stands raw in\n%s", raw, page)
			}
		}
	}
	if len(run.Annotations) != len(names) {
		t.Errorf("%d annotations", len(run.Annotations))
	}
	for _, a := range run.Annotations {
		if a.Title != "fleetgate boundary-outside: docs/write" || strings.ContainsAny(a.Path+a.Message, "\x1b\x07\r") {
			t.Errorf("an annotation is %+v", a)
		}
	}
}

// codeSpans are what Markdown shows as it is: a run of back-ticks, up to the
// next one of that length.
var codeSpans = regexp.MustCompile("(?s)`{4}[^`].*?[^`]`{4}|`{3}[^`].*?[^`]`{3}|``[^`].*?[^`]``|`[^`]*`")

// checkRendered wants a page to be text, code and tables where GitHub renders
// it: no link, no picture, and no HTML but what is expected.
func checkRendered(t *testing.T, page string, raw int) {
	t.Helper()
	var html strings.Builder
	if err := goldmark.New(goldmark.WithExtensions(extension.GFM)).Convert([]byte(page), &html); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(html.String(), "<!-- raw HTML omitted -->"); n != raw {
		t.Errorf("%d pieces of HTML stand in\n%s", n, page)
	}
	for _, element := range []string{"<a ", "<img ", "<input ", "<blockquote"} {
		if strings.Contains(html.String(), element) {
			t.Errorf("%s> comes of\n%s", element, page)
		}
	}
	if !strings.Contains(html.String(), "<table>") || !strings.Contains(html.String(), "<h2>") {
		t.Errorf("there is no heading or no table of commits in\n%s", html.String())
	}
}
