package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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
	r.setenv("REV", w.ids["hostile"], "MODE", "observe")
	job := r.run(workflow(t, "default.yml"), e)
	if job.outputs["verdict"] != "failed" || job.outputs["violations"] != fmt.Sprint(len(hostileNames)) {
		t.Fatalf("outputs: %v\n%.3000s", job.outputs, job.log)
	}
	for _, command := range job.commands {
		if command != "error" && command != "set-output" && command != "summary" {
			t.Errorf("the runner obeyed a command: %s", command)
		}
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
	r := newActRunner(t, w)
	r.setenv("REV", w.ids["many"], "MODE", "observe")
	job := r.run(workflow(t, "default.yml"), w.pull("many", "1"))
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
