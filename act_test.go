package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Every event, on a runner whose checkout left one commit.
func TestActJudgesEveryEvent(t *testing.T) {
	actPath(t)
	w := newWorld(t)
	target := w.pull("clean2", "1")
	target.name = "pull_request_target"
	retargeted := w.pull("bad1", "2")
	retargeted.payload = strings.Replace(strings.Replace(retargeted.payload, `"ref": "main"`, `"ref": "agent/wide"`, 1), "synchronize", "edited", 1)
	fork := w.pull("bad1", "2")
	fork.payload = strings.Replace(fork.payload, `"repo": {"full_name": "octo/app"}}
	},`, `"repo": {"full_name": "mallory/app"}}
	},`, 1)
	draft := w.pull("bad1", "2")
	draft.payload = strings.Replace(draft.payload, `"number": 2, "user"`, `"number": 2, "draft": true, "user"`, 1)
	w.git(w.path("octo/app"), "tag", "--annotate", "--message=v1", "v1", w.ids["new4"])
	w.ids["zero"], w.ids["v1"] = strings.Repeat("0", 40), w.git(w.path("octo/app"), "rev-parse", "refs/tags/v1")
	tag := w.push("main", "zero", "v1")
	tag.payload = strings.Replace(tag.payload, "refs/heads/main", "refs/tags/v1", 1)
	tests := []struct {
		name, rev string // rev is what the job checks out
		event     event
		verdict   string
		reason    string
	}{
		{"a clean pull request", "merge1", w.pull("clean2", "1"), "passed", "clean"},
		{"a pull request that leaves its boundary", "merge2", w.pull("bad1", "2"), "failed", "findings"},
		{"a pull request from a fork", "merge2", fork, "failed", "findings"},
		{"a pull request retargeted to an agent's branch", "merge2", retargeted, "failed", "findings"},
		{"a pull request, by the target's workflow", "new4", target, "passed", "clean"},
		{"a merge group", "group", w.group("new4", "group"), "failed", "findings"},
		{"a push to the default branch", "new4", w.push("main", "new1", "new4"), "passed", "clean"},
		{"a push that replaced the default branch", "new4", w.push("main", "wide", "new4"), "undecided", "forced-push"},
		{"a push to another branch", "bad1", w.push("agent/docs", "old699", "bad1"), "failed", "findings"},
		{"a draft", "merge2", draft, "failed", "findings"},
		{"a push of an annotated tag", "new4", tag, "passed", "clean"},
		{"a schedule", "new4", event{"schedule", `{"schedule": "0 6 * * 1"}`}, "passed", "clean"},
		{"a run by hand", "new4", event{"workflow_dispatch", `{"ref": "refs/heads/main", "inputs": {}}`}, "passed", "clean"},
		{"an event without a row", "new4", event{"issue_comment", `{"action": "created"}`}, "undecided", "configuration"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newActRunner(t, w)
			r.setenv("REV", w.ids[tt.rev])
			job := r.run(workflow(t, "default.yml"), tt.event)
			exit := map[string]string{"passed": "0", "failed": "1", "undecided": "3"}[tt.verdict]
			if tt.reason == "configuration" {
				exit = "2"
			}
			if job.outputs["verdict"] != tt.verdict || job.outputs["reason"] != tt.reason || job.exit != exit || job.passed != (exit == "0") {
				t.Fatalf("exit code %s, outputs: %v\n%s", job.exit, job.outputs, job.log)
			}
			if tt.reason == "configuration" {
				return
			}
			report, want := r.keptReport("report.json"), r.checked(tt.event, tt.rev)
			if report["digest"] != want["digest"] || job.outputs["digest"] != want["digest"] {
				t.Errorf("the digest is not that of check:\n%s", cmp.Diff(want, report))
			}
			if !strings.Contains(job.summary, "fleetgate "+tt.verdict) {
				t.Errorf("the summary is %q", job.summary)
			}
		})
	}
}

func TestActAnnotatesWhatIsWrong(t *testing.T) {
	actPath(t)
	w := newWorld(t)
	r := newActRunner(t, w)
	r.setenv("REV", w.ids["merge2"], "MODE", "observe")
	job := r.run(workflow(t, "default.yml"), w.pull("bad1", "2"))
	if len(job.annotations) != 1 || !strings.HasPrefix(job.annotations[0], "::error file=src/x,line=1,title=fleetgate boundary-outside%3A docs/write::Commit ") {
		t.Errorf("annotations: %q\n%s", job.annotations, job.log)
	}
	if !job.passed || !strings.Contains(job.summary, "observe mode") {
		t.Errorf("passed: %t, summary: %s", job.passed, job.summary)
	}
}

// The same pull request in every kind of clone, as the check of a whole one has it.
func TestActJudgesEveryClone(t *testing.T) {
	actPath(t)
	w := newWorld(t)
	r := newActRunner(t, w)
	r.setenv("WIDE_FROM", "HEAD")
	pull := w.pull("clean2", "1")
	job := r.run(workflow(t, "clones.yml"), pull)
	want := w.checked(pull, "merge1")
	for _, clone := range []string{"whole", "shallow", "blobless", "treeless", "sparse", "fork", "tags"} {
		report := r.keptReport(clone + ".json")
		if report["digest"] != want["digest"] || report["verdict"] != "passed" {
			t.Errorf("%s: the digest is not that of check:\n%s", clone, cmp.Diff(want, report))
		}
	}
	if !job.passed {
		t.Errorf("a job failed:\n%s", job.log)
	}
}

func TestActHandsOnEveryInputAndOutput(t *testing.T) {
	actPath(t)
	w := newWorld(t)
	r := newActRunner(t, w)
	r.setenv("BASE", w.ids["new4"], "HEAD_SHA", w.ids["bad1"])
	job := r.run(workflow(t, "inputs.yml"), w.pull("clean2", "1"))
	if !job.passed || job.summary != "" || len(job.annotations) > 0 {
		t.Fatalf("passed: %t, summary: %q, annotations: %q\n%s", job.passed, job.summary, job.annotations, job.log)
	}
	var outputs map[string]string
	if err := json.Unmarshal(r.kept("outputs.json"), &outputs); err != nil {
		t.Fatal(err)
	}
	report := r.keptReport("fleetgate.json")
	for _, name := range []string{"report", "sarif"} {
		if !filepath.IsAbs(outputs[name]) {
			t.Errorf("the output %s is %q", name, outputs[name])
		}
		delete(outputs, name)
	}
	want := map[string]string{
		"verdict": "failed", "reason": "findings", "judged": "1", "violations": "1", "warnings": "0", "commits": "1", "claimed": "1",
		"digest": fmt.Sprint(report["digest"]),
	}
	if diff := cmp.Diff(want, outputs); diff != "" {
		t.Errorf("outputs (-want +got):\n%s", diff)
	}
	for name, want := range map[string]string{"fleetgate.sarif": `"2.1.0"`, "fleetgate.xml": "<testsuite"} {
		if !bytes.Contains(r.kept(name), []byte(want)) {
			t.Errorf("%s holds no %s", name, want)
		}
	}
}

// The binary that runs is the one whose sum this repository has.
func TestActRunsNoBinaryThatIsNotPinned(t *testing.T) {
	actPath(t)
	w := newWorld(t)
	pull := w.pull("clean2", "1")
	evil := "#!/bin/sh\necho evil >\"$LEFT/evil\"\n"
	tests := []struct {
		name    string
		edit    func(r *actRunner)
		verdict string
		log     string // of a step that doesn't fail
	}{
		{"from the tool cache", func(*actRunner) {}, "passed", "fleetgate: v0.0.1, from the tool cache"},
		{"downloaded, where the cache has none", func(r *actRunner) { r.publish("") }, "passed", "fleetgate: v0.0.1, from " + w.server.URL + "/fleetgate/fleetgate/releases/download/v0.0.1/"},
		{"downloaded, where the cache has another", func(r *actRunner) {
			r.publish("")
			r.put(r.cached(), evil)
		}, "passed", "fleetgate: v0.0.1, from " + w.server.URL},
		{"a download with another sum is refused", func(r *actRunner) { r.publish(evil) }, "undecided", ""},
		{"a version that isn't pinned is refused", func(r *actRunner) { r.setenv("VERSION", "v9.9.9") }, "undecided", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newActRunner(t, w)
			tt.edit(r)
			job := r.run(workflow(t, "version.yml"), pull)
			if job.outputs["verdict"] != tt.verdict || !strings.Contains(job.log, tt.log) {
				t.Errorf("outputs %v, annotations %q\n%s", job.outputs, job.annotations, job.log)
			}
			if _, err := os.Stat(filepath.Join(r.left, "evil")); err == nil {
				t.Error("a binary that isn't pinned has run")
			}
		})
	}
}

// Where no release is pinned the action builds itself, and says so.
func TestActBuildsFromSource(t *testing.T) {
	actPath(t)
	if testing.Short() {
		t.Skip("it builds the gate anew")
	}
	w := newWorld(t)
	r := newActRunner(t, w)
	root, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	r.action = root
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPROXY", "GOFLAGS"} {
		value, err := exec.Command("go", "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		r.setenv(name, strings.TrimSpace(string(value)))
	}
	job := r.run(workflow(t, "build.yml"), w.pull("clean2", "1"))
	if !job.passed || !strings.Contains(job.log, "fleetgate: building from source, with go") {
		t.Errorf("passed: %t, %q\n%s", job.passed, job.annotations, job.log)
	}
}

// The quick start of docs/action.md works as it stands.
func TestActRunsTheQuickStart(t *testing.T) {
	actPath(t)
	page := readOptional(t, filepath.Join("docs", "action.md"))
	_, rest, _ := strings.Cut(page, "## Quick start\n\n```yaml\n")
	quick, _, ok := strings.Cut(rest, "```\n")
	if lines := strings.Count(quick, "\n"); !ok || lines != 10 {
		t.Fatalf("the quick start has %d lines:\n%s", lines, quick)
	}
	w := newWorld(t)
	for head, want := range map[string]bool{"clean2": true, "bad1": false} {
		r := newActRunner(t, w)
		path := filepath.Join(t.TempDir(), "quick.yml")
		writeAll(t, path, quick)
		checkout := w.fetchCheckout("octo/app", head, "--depth=1")
		w.git(checkout, "branch", "here") // act copies no empty folder, and a repository has one for its refs
		job := r.run(path, w.pull(head, "1"), "--directory", checkout)
		if job.passed != want {
			t.Errorf("%s: passed: %t, %q\n%s", head, job.passed, job.annotations, job.log)
		}
	}
}
