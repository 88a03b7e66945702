package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// These tests run this repository's own workflows, as they stand, on the
// runner of the tests. Three of their actions can't do there what they do on
// GitHub, where they want its network and services: actions/checkout, for which
// act itself puts a copy of the folder that it was started in, a clone with
// all that isn't committed yet; actions/setup-go, in whose place is the Go that
// the tests run with; and actions/upload-artifact, which copies into a folder of
// the test. A job that publishes isn't run.

// ownStandIns are actions that take the place of GitHub's own.
var ownStandIns = map[string]string{
	"actions/setup-go": "runs:\n  using: composite\n  steps: [{run: go version, shell: bash}]\n",
	"actions/upload-artifact": `inputs: {name: {required: true}, path: {required: true}, if-no-files-found: {required: true}}
runs:
  using: composite
  steps:
    - shell: bash
      env: {NAME: '${{ inputs.name }}', FILES: '${{ inputs.path }}'}
      run: |
        mkdir -p "$LEFT/$NAME"
        while read -r file; do cp -R "$file" "$LEFT/$NAME/"; done < <(printf '%s\n' "$FILES" | grep .)
`,
}

// ownRunner runs the workflows of a copy of this repository, which octo/app is.
type ownRunner struct {
	*actRunner
	source *source
}

func newOwnRunner(t *testing.T) *ownRunner {
	t.Helper()
	actPath(t)
	if testing.Short() {
		t.Skip("it builds the gate anew")
	}
	t.Parallel()
	o := &ownRunner{newActRunner(t, newWorld(t)), newSource(t, filepath.Join(t.TempDir(), "work"))}
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPROXY", "GOFLAGS", "GOTOOLCHAIN"} {
		value, err := exec.Command("go", "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		o.setenv(name, strings.TrimSpace(string(value)))
	}
	return o
}

// serve makes octo/app of the copy. base and head are its last two commits.
func (o *ownRunner) serve(base, head string) {
	o.t.Helper()
	at := o.path("octo/app")
	if err := os.RemoveAll(at); err != nil {
		o.t.Fatal(err)
	}
	o.git(o.root, "clone", "--quiet", "--bare", o.source.dir, at)
	o.git(at, "update-ref", "refs/heads/main", base)
	o.git(at, "update-ref", "refs/pull/1/head", head)
	o.git(at, "config", "uploadpack.allowAnySHA1InWant", "true")
	o.pointOrigin(o.source.dir, "octo/app")
	o.ids["old699"], o.ids["head"] = base, head
}

// job runs one job of one of the repository's workflows.
func (o *ownRunner) job(file, name string, e event) actJob {
	o.t.Helper()
	path := filepath.Join(o.source.dir, ".github", "workflows", file)
	more := []string{"--directory", o.source.dir, "--job", name, "--platform", "ubuntu-24.04=-self-hosted"}
	for _, use := range usesAction.FindAllStringSubmatch(readOptional(o.t, path), -1) {
		action, _, _ := strings.Cut(use[1], "@")
		if text, ok := ownStandIns[action]; ok {
			dir := o.t.TempDir()
			writeAll(o.t, filepath.Join(dir, "action.yml"), "name: stand-in\n"+text)
			more = append(more, "--local-repository", use[1]+"="+dir)
		}
	}
	return o.run(path, e, more...)
}

// On itself the action judges a pull request of this repository, built from that very commit.
func TestActRunsTheActionOnThisRepository(t *testing.T) {
	o := newOwnRunner(t)
	base := o.source.git("rev-parse", "HEAD")
	writeAll(t, filepath.Join(o.source.dir, "docs", "new.md"), "new\n")
	head := o.source.commit("Add a page")
	o.serve(base, head)
	job := o.job("ci.yml", "self", o.pull("head", "1"))
	if !job.passed || !strings.Contains(job.log, "fleetgate: building from source, with go") {
		t.Errorf("passed: %t, %q\n%s", job.passed, job.annotations, job.log)
	}
	if !strings.Contains(job.summary, "fleetgate passed: 0 of 1 commits claimed") {
		t.Errorf("the summary is %q", job.summary)
	}
}

// The job of the fixture passes because the gate fails it, and fails where the
// gate lets it through.
func TestActFailsTheFixture(t *testing.T) {
	o := newOwnRunner(t)
	head := o.source.git("rev-parse", "HEAD")
	o.serve(head, head)
	job := o.job("ci.yml", "fixture", o.pull("head", "1"))
	if !job.passed || !strings.Contains(job.log, "outcome: failure, verdict: failed") {
		t.Errorf("passed: %t, %q\n%s", job.passed, job.annotations, job.log)
	}
	path := filepath.Join(o.source.dir, ".github", "workflows", "ci.yml")
	text := readOptional(t, path)
	lenient := strings.Replace(text, "head: agent/violating", "head: agent/clean", 1)
	if lenient == text {
		t.Fatal("the fixture's head isn't named")
	}
	writeAll(t, path, lenient)
	if job := o.job("ci.yml", "fixture", o.pull("head", "1")); job.passed {
		t.Errorf("a gate that passes the fixture is let through:\n%s", job.log)
	}
}

func TestActAuditsThisRepository(t *testing.T) {
	o := newOwnRunner(t)
	head := o.source.git("rev-parse", "HEAD")
	o.serve(head, head)
	job := o.job("audit.yml", "audit", event{"schedule", `{"schedule": "17 5 * * 1"}`})
	if !job.passed || !strings.Contains(job.summary, "fleetgate") {
		t.Errorf("passed: %t, %q, summary %q\n%s", job.passed, job.annotations, job.summary, job.log)
	}
	for name, want := range map[string]string{"audit/audit.html": "<!doctype html>", "audit/audit.sarif": `"2.1.0"`} {
		if !strings.Contains(strings.ToLower(string(o.kept(name))), want) {
			t.Errorf("%s holds no %s", name, want)
		}
	}
	for since, want := range map[string]string{"2 weeks ago": "--since", "2026-01-31\nforged=1": "since has more than one line"} {
		payload := fmt.Sprintf(`{"ref": "refs/heads/main", "inputs": {"since": %q}}`, since)
		if job := o.job("audit.yml", "audit", event{"workflow_dispatch", payload}); job.passed || !strings.Contains(strings.Join(job.annotations, "\n"), want) {
			t.Errorf("since %q: passed: %t, %q\n%s", since, job.passed, job.annotations, job.log)
		}
	}
}

// A tag is built twice, and let through if its sums were committed before.
func TestActBuildsARelease(t *testing.T) {
	needsToolchain(t)
	o := newOwnRunner(t)
	native := runtime.GOOS + "/" + runtime.GOARCH
	o.source.env = append(o.source.env, "TARGETS="+native)
	o.setenv("TARGETS", native)
	tag := event{"push", `{"ref": "refs/tags/` + testRelease + `", "repository": {"full_name": "octo/app", "default_branch": "main"}}`}
	if code, out := o.source.script("pin.sh", testRelease); code != 0 {
		t.Fatalf("pinning: exit code %d\n%s", code, out)
	}
	o.source.commit("Pin " + testRelease)
	job := o.job("release.yml", "build", tag)
	if !job.passed || !strings.Contains(job.log, "v0.0.7 is what release/sums.txt pins: 1 files") {
		t.Fatalf("passed: %t, %q\n%s", job.passed, job.annotations, job.log)
	}
	pinned := regexp.MustCompile(`(?m)^[0-9a-f]{64}  fleetgate-.*\n`).FindAllString(o.source.sums(), -1)
	if got := string(o.kept("release/once/sums.txt")); got != strings.Join(pinned, "") {
		t.Errorf("what is kept for the release has the sums\n%s, pinned are\n%s", got, pinned)
	}
	o.kept("release/once/fleetgate-v0.0.7-" + strings.ReplaceAll(native, "/", "-"))
}

// A tag whose commit pins other sums, or none, ends without a release.
func TestActRefusesAReleaseThatIsNotPinned(t *testing.T) {
	needsToolchain(t)
	o := newOwnRunner(t)
	o.setenv("TARGETS", runtime.GOOS+"/"+runtime.GOARCH)
	text := readOptional(t, filepath.Join(o.source.dir, ".github", "workflows", "release.yml"))
	// Both builds were shown to be the same above: one is enough here.
	once := strings.Replace(text, `export GOCACHE="$RUNNER_TEMP/nothing-kept"`, "", 1)
	if once == text {
		t.Fatal("the second build keeps its cache")
	}
	writeAll(t, filepath.Join(o.source.dir, ".github", "workflows", "release.yml"), once)
	tag := event{"push", `{"ref": "refs/tags/` + testRelease + `", "repository": {"full_name": "octo/app", "default_branch": "main"}}`}
	for _, sums := range []string{"", strings.Repeat("0", 64) + "  fleetgate-v0.0.7-" + runtime.GOOS + "-" + runtime.GOARCH + "\n"} {
		writeAll(t, filepath.Join(o.source.dir, "release", "sums.txt"), sums)
		job := o.job("release.yml", "build", tag)
		want := "::error title=release::What was built of v0.0.7 is not what release/sums.txt pins: nothing is released"
		if job.passed || !strings.Contains(job.all, want) {
			t.Errorf("sums %q: passed: %t, %q\n%s", sums, job.passed, job.annotations, job.log)
		}
		if _, err := os.Stat(filepath.Join(o.left, "release")); err == nil {
			t.Errorf("sums %q: something is kept for the release", sums)
		}
	}
}
