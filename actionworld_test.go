package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fleetgate/fleetgate/internal/action/gitserver"
)

// canary is the token of the tests' server. It may be found nowhere. It is
// this process's own, since tests look at all that run on the machine.
var canary = fmt.Sprintf("ghs_CANARYcanaryCANARYcanary%010d", os.Getpid())

// world is what an action meets: a server with octo/app and a fork of it,
// pull requests with their merge commits as GitHub makes them, and a runner.
type world struct {
	t      *testing.T
	root   string // of the server's repositories
	server *gitserver.Server
	env    []string
	ids    map[string]string // commits by name
}

const docsFleet = `---
version: 4
name: docs
steps: [{id: write, agent: documenter, scope: workspace, dependencies: [], writes: [docs/]}]
maxWorkers: 1
onFailure: stop
---
Write.
`

// newWorld makes the world. Pull request 1 is clean, 2 leaves its boundary, 3
// forked off 700 commits ago; each is behind main by the five newest commits.
// Group is what a merge queue made of 1 and 2.
func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, root: t.TempDir(), ids: map[string]string{}}
	home := t.TempDir()
	w.env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "TZ=UTC", "LC_ALL=C", "GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1",
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.com", "GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.com",
	}
	var h history
	const main, claim = "refs/heads/main", "\n\nFleet-Step: docs/write\n"
	h.commit("start", main, "start", nil,
		".clio-coder/fleets/docs.md", docsFleet, ".clio-coder/fleetgate.yaml", "version: 1\ntrusted: [develop]\n",
		"docs/index", "1", "src/a", "a", "README", "r")
	h.commit("far1", "refs/pull/3/head", "far"+claim, []string{"start"}, "docs/far", "1")
	fork := h.line(main, "start", "old", 700)
	h.commit("clean1", "refs/pull/1/head", "one"+claim, []string{fork}, "docs/one", "1")
	h.commit("clean2", "refs/pull/1/head", "two"+claim, []string{"clean1"}, "docs/link", "->index", "docs/two", "2")
	h.commit("bad1", "refs/pull/2/head", "bad"+claim, []string{fork}, "docs/three", "3", "src/x", "x")
	h.commit("sub1", "refs/pull/5/head", "sub"+claim, []string{fork}, ".gitmodules", "[submodule \"s\"]\n\tpath = docs/sub\n\turl = ../s\n",
		"docs/sub", "=>"+strings.Repeat("5", 40), "docs/other", "=>"+strings.Repeat("6", 40))
	h.commit("dev1", "refs/heads/develop", "dev", []string{fork}, "d", "1")
	h.commit("upd", "refs/pull/4/head", "update from develop", []string{"dev1"}, "d", "2")
	tip := h.line(main, fork, "new", 5)
	h.commit("merge1", "refs/pull/1/merge", "merge", []string{tip, "clean2"}, "docs/one", "1", "docs/link", "->index", "docs/two", "2")
	h.commit("merge2", "refs/pull/2/merge", "merge", []string{tip, "bad1"}, "docs/three", "3", "src/x", "x")
	h.commit("merge3", "refs/pull/3/merge", "merge", []string{tip, "far1"}, "docs/far", "1")
	h.commit("merge5", "refs/pull/5/merge", "merge", []string{tip, "sub1"}, "docs/sub", "=>"+strings.Repeat("5", 40))
	h.commit("merge4", "refs/pull/4/merge", "merge", []string{tip, "upd"}, "d", "2")
	h.commit("group1", "refs/heads/gh-readonly-queue/main/pr-2", "merge", []string{tip, "clean2"}, "docs/one", "1", "docs/link", "->index", "docs/two", "2")
	h.commit("group", "refs/heads/gh-readonly-queue/main/pr-2", "merge", []string{"group1", "bad1"}, "docs/three", "3", "src/x", "x")
	h.commit("wide", "refs/tags/origin/main", "a wide policy", []string{tip}, ".clio-coder/fleets/docs.md", strings.Replace(docsFleet, "docs/]", "docs/, src/]", 1))
	fmt.Fprintf(&h.stream, "reset refs/tags/refs/remotes/origin/main\nfrom :%d\n\nreset refs/tags/refs/heads/main\nfrom :%d\n\n", h.mark, h.mark)
	w.load("octo/app", &h)
	w.git(w.root, "clone", "--quiet", "--mirror", w.path("octo/app"), w.path("mallory/app"))
	w.git(w.path("mallory/app"), "update-ref", main, w.ids["wide"])
	w.server = gitserver.New(t, w.root, canary)
	return w
}

// load makes a repository on the server of a history.
func (w *world) load(name string, h *history) {
	w.t.Helper()
	at := w.path(name)
	w.git(w.root, "init", "--quiet", "--bare", at)
	w.git(at, "symbolic-ref", "HEAD", "refs/heads/main")
	w.git(at, "config", "uploadpack.allowFilter", "true")
	w.git(at, "config", "uploadpack.allowAnySHA1InWant", "true")
	marks := filepath.Join(w.t.TempDir(), "marks")
	w.gitWith(at, h.stream.String(), "fast-import", "--quiet", "--export-marks="+marks)
	text, err := os.ReadFile(marks)
	if err != nil {
		w.t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var mark int
		var id string
		if _, err := fmt.Sscanf(line, ":%d %s", &mark, &id); err != nil {
			w.t.Fatal(err)
		}
		w.ids[h.marks[mark-1]] = id
	}
}

// replace puts another repository in the place of one.
func (w *world) replace(name string, h *history) {
	w.t.Helper()
	if err := os.RemoveAll(w.path(name)); err != nil {
		w.t.Fatal(err)
	}
	w.load(name, h)
}

func (w *world) path(name string) string { return filepath.Join(w.root, filepath.FromSlash(name)) }

func (w *world) git(dir string, args ...string) string {
	w.t.Helper()
	return w.gitWith(dir, "", args...)
}

func (w *world) gitWith(dir, stdin string, args ...string) string {
	w.t.Helper()
	command := exec.Command("git", args...)
	command.Dir, command.Env, command.Stdin = dir, w.env, strings.NewReader(stdin)
	var problem bytes.Buffer
	command.Stderr = &problem
	out, err := command.Output()
	if err != nil {
		w.t.Fatalf("git %v: %v: %s", args, err, problem.String())
	}
	return strings.TrimSpace(string(out))
}

// pointOrigin has a clone's origin be a repository of the server, as if it had
// been cloned from there.
func (w *world) pointOrigin(dir, name string) {
	w.t.Helper()
	w.git(dir, "config", "remote.origin.url", w.server.URL+"/"+name)
}

// fetchCheckout does what the checkout of a job does: a repository with one
// commit, or as much as args say, and no branch of the remote.
func (w *world) fetchCheckout(name, rev string, args ...string) string {
	w.t.Helper()
	dir := filepath.Join(w.t.TempDir(), "work")
	w.git(w.root, "init", "--quiet", dir)
	w.git(dir, "remote", "add", "origin", "file://"+w.path(name))
	w.git(dir, slices.Concat([]string{"fetch", "--quiet", "--no-tags"}, args, []string{"origin", w.ids[rev]})...)
	w.git(dir, "checkout", "--quiet", "--detach", w.ids[rev])
	w.pointOrigin(dir, name)
	return dir
}

// clone clones the whole, or as much of it as args say, pull requests included.
func (w *world) clone(name, rev string, args ...string) string {
	w.t.Helper()
	dir := filepath.Join(w.t.TempDir(), "work")
	w.git(w.root, slices.Concat([]string{"clone", "--quiet", "--no-checkout", "--config", "remote.origin.fetch=+refs/pull/*:refs/remotes/pull/*"}, args,
		[]string{"file://" + w.path(name), dir})...)
	w.git(dir, "update-ref", "--no-deref", "HEAD", w.ids[rev])
	w.pointOrigin(dir, name)
	return dir
}

// event is a job's event.
type event struct{ name, payload string }

func (w *world) pull(head, number string) event {
	return event{"pull_request", fmt.Sprintf(`{
	"action": "synchronize", "number": %s,
	"pull_request": {
		"number": %s, "user": {"login": "octocat", "type": "User"},
		"base": {"ref": "main", "sha": %q, "repo": {"full_name": "octo/app"}},
		"head": {"ref": "agent/docs", "sha": %q, "repo": {"full_name": "octo/app"}}
	},
	"repository": {"full_name": "octo/app", "default_branch": "main"}}`, number, number, w.ids["old699"], w.ids[head])}
}

func (w *world) push(branch, before, after string) event {
	return event{"push", fmt.Sprintf(`{"ref": "refs/heads/%s", "before": %q, "after": %q, "repository": {"full_name": "octo/app", "default_branch": "main"}}`,
		branch, w.ids[before], w.ids[after])}
}

func (w *world) group(base, head string) event {
	return event{"merge_group", fmt.Sprintf(`{"action": "checks_requested",
	"merge_group": {"head_sha": %q, "head_ref": "refs/heads/gh-readonly-queue/main/pr-2", "base_sha": %q, "base_ref": "refs/heads/main"},
	"repository": {"full_name": "octo/app", "default_branch": "main"}}`, w.ids[head], w.ids[base])}
}

// stepRun is what a step left behind.
type stepRun struct {
	code           int
	stdout, stderr string
	outputs        map[string]string
	summary        string
	report         map[string]any
	temp           string
}

// run runs `fleetgate action` in a checkout, as action.yml does. inputs are
// pairs of a name and a value.
func (w *world) run(dir string, e event, inputs ...string) stepRun {
	w.t.Helper()
	temp := w.t.TempDir()
	payload, output, summary := filepath.Join(temp, "event.json"), filepath.Join(temp, "output"), filepath.Join(temp, "summary")
	writeAll(w.t, payload, e.payload)
	env := append(slices.Clone(w.env),
		"GITHUB_EVENT_NAME="+e.name, "GITHUB_EVENT_PATH="+payload, "GITHUB_REPOSITORY=octo/app", "GITHUB_SERVER_URL="+w.server.URL,
		"GITHUB_WORKSPACE="+dir, "GITHUB_OUTPUT="+output, "GITHUB_STEP_SUMMARY="+summary, "RUNNER_TEMP="+temp, "GITHUB_ACTIONS=true",
		"INPUT_TOKEN="+canary)
	for i := 0; i+1 < len(inputs); i += 2 {
		env = append(env, "INPUT_"+strings.ToUpper(inputs[i])+"="+inputs[i+1])
	}
	r := w.fleetgate(dir, env, "action")
	r.temp = temp
	r.outputs, r.summary = readOutputs(w.t, output), readOptional(w.t, summary)
	if path := r.outputs["report"]; path != "" {
		if err := json.Unmarshal([]byte(readOptional(w.t, path)), &r.report); err != nil {
			w.t.Fatalf("the report is no JSON: %v", err)
		}
	}
	return r
}

func (w *world) fleetgate(dir string, env []string, args ...string) stepRun {
	w.t.Helper()
	binary, err := exec.LookPath("fleetgate")
	if err != nil {
		w.t.Fatal(err)
	}
	command := exec.Command(binary, args...)
	command.Dir, command.Env = dir, env
	var out, problem bytes.Buffer
	command.Stdout, command.Stderr = &out, &problem
	err = command.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		w.t.Fatal(err)
	}
	return stepRun{code: command.ProcessState.ExitCode(), stdout: out.String(), stderr: problem.String()}
}

// checked is what `check` says of an event in a whole clone, with further flags.
func (w *world) checked(e event, head string, flags ...string) map[string]any {
	w.t.Helper()
	dir := w.clone("octo/app", head)
	payload := filepath.Join(w.t.TempDir(), "event.json")
	writeAll(w.t, payload, e.payload)
	args := []string{"check", "--event", e.name, "--payload", payload, "--repository", "octo/app", "--format", "json"}
	r := w.fleetgate(dir, append(slices.Clone(w.env), "GITHUB_SERVER_URL="+w.server.URL), append(args, flags...)...)
	var report map[string]any
	if err := json.Unmarshal([]byte(r.stdout), &report); err != nil {
		w.t.Fatalf("check: %v\n%s%s", err, r.stdout, r.stderr)
	}
	return report
}

func writeAll(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func readOptional(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return string(text)
}

// readOutputs reads a step's outputs as the runner does.
func readOutputs(t *testing.T, path string) map[string]string {
	t.Helper()
	outputs := map[string]string{}
	lines := strings.Split(readOptional(t, path), "\n")
	for i := 0; i < len(lines); i++ {
		if name, end, block := strings.Cut(lines[i], "<<"); block {
			var value []string
			for i++; i < len(lines) && lines[i] != end; i++ {
				value = append(value, lines[i])
			}
			if i == len(lines) {
				t.Fatalf("the output %s has no end", name)
			}
			outputs[name] = strings.Join(value, "\n")
			continue
		}
		if name, value, ok := strings.Cut(lines[i], "="); ok {
			outputs[name] = value
		}
	}
	return outputs
}
