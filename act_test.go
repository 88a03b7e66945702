package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// These tests run workflows as a consumer writes them on a real runner: act,
// on this machine itself. FLEETGATE_REQUIRE=act has it built from tools/go.mod;
// otherwise it is $FLEETGATE_ACT or the act in PATH, and where there is none,
// the tests are skipped.

// actPath finds act.
func actPath(t *testing.T) string {
	t.Helper()
	if path := os.Getenv("FLEETGATE_ACT"); path != "" {
		return path
	}
	if path, err := exec.LookPath("act"); err == nil {
		return path
	}
	if !required("act") {
		t.Skip("no act: set FLEETGATE_ACT to it, or FLEETGATE_REQUIRE=act to build it")
	}
	path, err := builtAct()
	if err != nil {
		t.Fatalf("FLEETGATE_REQUIRE=act, but it can't be built: %v", err)
	}
	return path
}

// builtAct builds act once, into Go's own cache.
var builtAct = sync.OnceValues(func() (string, error) {
	out, err := exec.Command("go", "tool", "-modfile="+filepath.Join("tools", "go.mod"), "-n", "act").Output()
	return strings.TrimSpace(string(out)), withStderr(err)
})

// releasedVersion is the version that the tests' own release has: what is
// released is the command line as all these tests run it.
const releasedVersion = "v0.0.1"

func withStderr(err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return fmt.Errorf("%w: %s", err, exit.Stderr)
	}
	return err
}

// actRunner is a machine that jobs run on.
type actRunner struct {
	*world
	act    string
	action string // the folder that fleetgate/fleetgate@v0 is
	cache  string
	left   string // where a job's last step puts what it keeps
	env    []string
}

// newActRunner gives a runner whose tool cache holds the release that the
// action pins.
func newActRunner(t *testing.T, w *world) *actRunner {
	t.Helper()
	r := &actRunner{world: w.in(t), act: actPath(t), action: t.TempDir(), cache: t.TempDir(), left: t.TempDir()}
	for _, name := range []string{"action.yml", "action/run.sh", "release/sums.txt"} {
		r.copy(name, filepath.Join(r.action, filepath.FromSlash(name)))
	}
	r.release()
	r.setenv("SOURCE", "file://"+w.path("octo/app"), "FORK", "file://"+w.path("mallory/app"), "LEFT", r.left,
		"GITHUB_REPOSITORY", "octo/app", "GITHUB_SERVER_URL", w.server.URL)
	return r
}

func (r *actRunner) setenv(pairs ...string) {
	for i := 0; i+1 < len(pairs); i += 2 {
		r.env = append(r.env, "--env", pairs[i]+"="+pairs[i+1])
	}
}

// release pins the tests' own release, and puts it into the tool cache.
func (r *actRunner) release() {
	r.t.Helper()
	binary, err := exec.LookPath("fleetgate") // testscript has put it there
	if err != nil {
		r.t.Fatal(err)
	}
	content, err := os.ReadFile(binary)
	if err != nil {
		r.t.Fatal(err)
	}
	sums := filepath.Join(r.action, "release", "sums.txt")
	writeAll(r.t, sums, readOptional(r.t, sums)+fmt.Sprintf("%x  fleetgate-%s-%s-%s\n", sha256.Sum256(content), releasedVersion, runtime.GOOS, runtime.GOARCH))
	r.copy(binary, r.cached())
}

// cached is where the tool cache has the release.
func (r *actRunner) cached() string {
	return filepath.Join(r.cache, "tool_cache", "fleetgate", strings.TrimPrefix(releasedVersion, "v"), runtime.GOARCH, "fleetgate")
}

func (r *actRunner) copy(from, to string) {
	r.t.Helper()
	content, err := os.ReadFile(from)
	if err != nil {
		r.t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(to, content, 0o755); err != nil {
		r.t.Fatal(err)
	}
}

// actJob is what act says of a job. Of a step that fails act may lose the last
// lines of its log, so that tests that look at it use a step that doesn't.
type actJob struct {
	passed      bool
	annotations []string // as they were written
	commands    []string // all that the runner obeyed
	outputs     map[string]string
	summary     string
	log         string // the plain lines of the steps
	all         string // everything that act printed
}

// run has the runner run a workflow for an event. more is for act's command line.
func (r *actRunner) run(workflow string, e event, more ...string) actJob {
	r.t.Helper()
	consumer, home := r.t.TempDir(), r.t.TempDir()
	payload := filepath.Join(home, "event.json")
	writeAll(r.t, payload, e.payload)
	if err := os.WriteFile(filepath.Join(home, ".actrc"), nil, 0o644); err != nil {
		r.t.Fatal(err)
	}
	r.git(consumer, "init", "--quiet")
	args := slices.Concat([]string{
		e.name, "--json", "--workflows", workflow, "--eventpath", payload, "--directory", consumer,
		"--platform", "ubuntu-latest=-self-hosted", "--local-repository", "fleetgate/fleetgate@v0=" + r.action,
		"--action-cache-path", r.cache, "--no-cache-server", "--insecure-secrets", "--secret", "GITHUB_TOKEN=" + canary,
		"--env-file", os.DevNull, "--secret-file", os.DevNull, "--var-file", os.DevNull, "--input-file", os.DevNull,
	}, r.env, more)
	command := exec.Command(r.act, args...)
	command.Dir = consumer
	command.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "GIT_CONFIG_NOSYSTEM=1", "XDG_CONFIG_HOME=" + home}
	var out bytes.Buffer
	command.Stdout, command.Stderr = &out, &out
	err := command.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		r.t.Fatal(err)
	}
	return readJob(r.t, out.String())
}

// readJob reads act's log, one JSON object a line.
func readJob(t *testing.T, log string) actJob {
	t.Helper()
	job := actJob{outputs: map[string]string{}, all: log}
	for line := range strings.Lines(log) {
		var entry struct {
			Command, Arg, Raw, Name, Content, Msg, JobResult string
			RawOutput                                        bool `json:"raw_output"`
			StepID                                           []string
		}
		if json.Unmarshal([]byte(line), &entry) != nil {
			continue // act's own last words aren't JSON
		}
		if entry.Command != "" {
			job.commands = append(job.commands, entry.Command)
		}
		switch {
		case entry.JobResult != "":
			job.passed = entry.JobResult == "success"
		case entry.RawOutput:
			job.log += entry.Msg
		case entry.Command == "set-output" && len(entry.StepID) == 1:
			job.outputs[entry.Name] = entry.Arg
		case entry.Command == "summary" && len(entry.StepID) == 1:
			job.summary += entry.Content
		case entry.Command == "error" || entry.Command == "warning" || entry.Command == "notice":
			job.annotations = append(job.annotations, entry.Raw)
		}
	}
	return job
}

// kept reads a file that the job's last step kept.
func (r *actRunner) kept(name string) []byte {
	r.t.Helper()
	content, err := os.ReadFile(filepath.Join(r.left, name))
	if err != nil {
		r.t.Fatal(err)
	}
	return content
}

func (r *actRunner) keptReport(name string) map[string]any {
	r.t.Helper()
	var report map[string]any
	if err := json.Unmarshal(r.kept(name), &report); err != nil {
		r.t.Fatal(err)
	}
	return report
}

func workflow(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("testdata", "workflows", name))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

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
		{"a schedule", "new4", event{"schedule", `{"schedule": "0 6 * * 1"}`}, "passed", "clean"},
		{"a run by hand", "new4", event{"workflow_dispatch", `{"ref": "refs/heads/main", "inputs": {}}`}, "passed", "clean"},
		{"an event without a row", "new4", event{"issue_comment", `{"action": "created"}`}, "undecided", "configuration"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newActRunner(t, w)
			r.setenv("REV", w.ids[tt.rev])
			job := r.run(workflow(t, "default.yml"), tt.event)
			if job.outputs["verdict"] != tt.verdict || job.outputs["reason"] != tt.reason || job.passed != (tt.verdict == "passed") {
				t.Fatalf("passed: %t, outputs: %v\n%s", job.passed, job.outputs, job.log)
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

// publish empties the tool cache and puts the release, or another content, on the server.
func (r *actRunner) publish(content string) {
	r.t.Helper()
	if content == "" {
		content = readOptional(r.t, r.cached())
	}
	if err := os.RemoveAll(filepath.Join(r.cache, "tool_cache")); err != nil {
		r.t.Fatal(err)
	}
	name := fmt.Sprintf("fleetgate-%s-%s-%s", releasedVersion, runtime.GOOS, runtime.GOARCH)
	r.server.Publish("/fleetgate/fleetgate/releases/download/"+releasedVersion+"/"+name, content)
}

func (r *actRunner) put(path, content string) {
	r.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o755); err != nil {
		r.t.Fatal(err)
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
