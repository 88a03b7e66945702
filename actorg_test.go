package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/github/githubtest"
)

// These tests run .github/workflows/org-audit.yml as it stands, on a real
// runner. Only the actions that it takes from elsewhere, which can't be
// fetched here, are stood in for: a checkout that copies, and artifacts that
// are files of a folder.

// standIns are composite actions by name; $INPUT_… are their inputs.
var standIns = map[string]string{
	"actions/checkout": `cp -R "$ACTION_SOURCE/." .`,
	"actions/upload-artifact": `[ "$INPUT_NAME" != "${LOSES-}" ] || { echo "lost"; exit 1; }
      mkdir -p "$ARTIFACTS/$INPUT_NAME"
      if [ -d "$INPUT_PATH" ]; then cp -R "$INPUT_PATH/." "$ARTIFACTS/$INPUT_NAME"; else cp "$INPUT_PATH" "$ARTIFACTS/$INPUT_NAME"; fi`,
	"actions/download-artifact": `mkdir -p "${INPUT_PATH:-.}"
      for at in "$ARTIFACTS"/${INPUT_NAME:-$INPUT_PATTERN}; do [ ! -d "$at" ] || cp -R "$at/." "${INPUT_PATH:-.}"; done`,
}

const standIn = `name: stand-in
description: stands in for an action that is fetched
inputs:
  name: {description: name, default: ''}
  path: {description: path, default: ''}
  pattern: {description: pattern, default: ''}
  merge-multiple: {description: merge, default: ''}
  if-no-files-found: {description: files, default: ''}
  overwrite: {description: overwrite, default: ''}
  repository: {description: repository, default: ''}
  ref: {description: ref, default: ''}
  persist-credentials: {description: credentials, default: ''}
runs:
  using: composite
  steps:
  - shell: bash
    env: {INPUT_NAME: '${{ inputs.name }}', INPUT_PATH: '${{ inputs.path }}', INPUT_PATTERN: '${{ inputs.pattern }}'}
    run: |
      set -eu
      %s
`

var usedAction = regexp.MustCompile(`uses: (([\w-]+/[\w-]+)@([0-9a-f]{40})) # v\d+\.\d+\.\d+\n`)

// matrixNumber is what act adds to the name of a matrix's job.
var matrixNumber = regexp.MustCompile(`-\d+$`)

// orgRunner is a runner for the workflow, for an organisation of three
// repositories, a fork, an archived one, and one that the token can't read.
type orgRunner struct {
	*actRunner
	workflow, artifacts string
}

func newOrgRunner(t *testing.T, w *world) *orgRunner {
	t.Helper()
	r := &orgRunner{actRunner: newActRunner(t, w), artifacts: t.TempDir()}
	r.workflow, _ = filepath.Abs(filepath.Join(".github", "workflows", "org-audit.yml"))
	api := githubtest.New(t, githubtest.State{Token: canary, Login: "audit[bot]", Repositories: []*githubtest.Repository{
		{Name: "octo/app"},
		{Name: "octo/site"},
		{Name: "octo/wiki"},
		{Name: "octo/unreadable", Private: true},
		{Name: "octo/old", Archived: true},
		{Name: "octo/fork", Fork: true},
	}})
	r.setenv("GITHUB_API_URL", api.URL, "ACTION_SOURCE", r.action, "ARTIFACTS", r.artifacts)
	return r
}

func newOrgWorld(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	w.replace("octo/site", auditedHistory())
	var h history
	h.commit("wiki", "refs/heads/main", "start", nil, ".clio-coder/fleets/docs.md", docsFleet, "docs/a", "a")
	w.replace("octo/wiki", &h)
	return w
}

// standIns gives act's arguments for the actions that the workflow uses.
func (r *orgRunner) standIns() []string {
	r.t.Helper()
	var args []string
	text := readOptional(r.t, r.workflow)
	for _, used := range usedAction.FindAllStringSubmatch(text, -1) {
		run, known := standIns[used[2]]
		if !known {
			r.t.Fatalf("nothing stands in for %s", used[2])
		}
		dir := r.t.TempDir()
		writeAll(r.t, filepath.Join(dir, "action.yml"), fmt.Sprintf(standIn, run))
		args = append(args, "--local-repository", used[1]+"="+dir)
	}
	if n := strings.Count(text, "uses:"); n*2 != len(args) || n == 0 {
		r.t.Fatalf("the workflow uses %d actions, %d of them by a full commit and with a version", n, len(args)/2)
	}
	return args
}

// audit runs the workflow and gives how each job ended.
func (r *orgRunner) audit(inputs string, more ...string) (actJob, map[string]string) {
	r.t.Helper()
	job := r.run(r.workflow, event{"workflow_dispatch", `{"ref": "refs/heads/main", "inputs": ` + inputs + `}`},
		slices.Concat(r.standIns(), []string{"--secret", "FLEETGATE_ORG_TOKEN=" + canary}, more)...)
	ends := map[string]string{}
	for line := range strings.Lines(job.all) {
		var entry struct{ Job, JobResult string }
		if json.Unmarshal([]byte(line), &entry) == nil && entry.JobResult != "" {
			_, name, _ := strings.Cut(entry.Job, "/")
			ends[matrixNumber.ReplaceAllString(strings.TrimSpace(name), "")] = entry.JobResult
		}
	}
	return job, ends
}

func (r *orgRunner) artifact(path string) string {
	r.t.Helper()
	text, err := os.ReadFile(filepath.Join(r.artifacts, filepath.FromSlash(path)))
	if err != nil {
		r.t.Error(err)
	}
	return string(text)
}

const orgInputs = `{"org": "octo", "since": "2023-11-14", "shards": "2", "topic": "", "ref": "v0"}`

func TestActAuditsAnOrganisation(t *testing.T) {
	actPath(t)
	w := newOrgWorld(t)
	r := newOrgRunner(t, w)
	job, ends := r.audit(orgInputs)
	if diff := cmp.Diff(map[string]string{"list": "success", "audit 1/2": "success", "audit 2/2": "success", "merge": "failure"}, ends); diff != "" {
		t.Fatalf("how the jobs ended (-want +got):\n%s\n%.6000s", diff, job.log)
	}
	list := "octo/app\nocto/site\nocto/unreadable\nocto/wiki\n"
	if got := r.artifact("fleetgate-repos/repos.txt"); got != list {
		t.Errorf("the list is %q", got)
	}
	whole := r.auditClones(list, "--since", "2023-11-14")
	if diff := cmp.Diff(whole.stdout, r.artifact("fleetgate-survey/survey.json")); diff != "" {
		t.Errorf("the survey is not that of one run (-one run +workflow):\n%s", diff)
	}
	if page := r.artifact("fleetgate-survey/survey.html"); !strings.Contains(page, "octo/unreadable") || !strings.Contains(page, "docs/write") {
		t.Errorf("the page is %.500q", page)
	}
	if sarif := r.artifact("fleetgate-survey/survey.sarif"); !strings.Contains(sarif, `"id": "fleetgate/audit/octo/site/"`) {
		t.Errorf("the SARIF is %.500q", sarif)
	}
	if !strings.Contains(job.summary, "    failed: 1 of 4 repositories failed, 2 passed, 1 undecided (1 unreadable)") {
		t.Errorf("the summary is %q", job.summary)
	}
	if strings.Contains(job.log, canary) || strings.Contains(r.artifact("fleetgate-survey/survey.json"), canary) {
		t.Error("the token is in what the workflow leaves behind")
	}
}

// The step that merges ends as the worst of its formats does, whichever that is.
func TestTheMergedSurveyEndsAsItsWorstFormat(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("it runs a step of a Linux job")
	}
	_, rest, _ := strings.Cut(readOptional(t, filepath.Join(".github", "workflows", "org-audit.yml")), "- name: Merge the shards\n        run: |\n")
	step, _, ok := strings.Cut(rest, "      - uses:")
	if !ok {
		t.Fatal("the workflow has no such step")
	}
	for codes, want := range map[string]int{"0 0 0 0": 0, "1 1 1 1": 1, "2 1 1 1": 2, "1 3 0 0": 3, "0 0 0 1": 1} {
		dir := t.TempDir()
		if err := os.Mkdir(filepath.Join(dir, "action"), 0o755); err != nil {
			t.Fatal(err)
		}
		writeAll(t, filepath.Join(dir, "codes"), strings.ReplaceAll(codes, " ", "\n")+"\n")
		// Ends as the next line says: a run whose report can't be written can't be had otherwise.
		writeAll(t, filepath.Join(dir, "action", "run.sh"), "read -r code <codes; sed 1d codes >rest; mv rest codes; exit \"$code\"\n")
		command := exec.Command(bash, "-e", "-o", "pipefail", "-c", step)
		command.Dir, command.Env = dir, append(os.Environ(), "GITHUB_STEP_SUMMARY="+filepath.Join(dir, "summary"))
		if out, err := command.CombinedOutput(); command.ProcessState == nil || command.ProcessState.ExitCode() != want {
			t.Errorf("formats that end with %s: %v, want %d\n%s", codes, err, want, out)
		}
	}
}

// The caller of docs/audit.md works as it stands.
func TestActRunsTheCallerOfAnOrganisationsAudit(t *testing.T) {
	actPath(t)
	_, rest, _ := strings.Cut(readOptional(t, filepath.Join("docs", "audit.md")), "<!-- caller -->\n```yaml\n")
	caller, _, ok := strings.Cut(rest, "```\n")
	if lines := strings.Count(caller, "\n"); !ok || lines != 10 {
		t.Fatalf("the caller has %d lines:\n%s", lines, caller)
	}
	r := newOrgRunner(t, newOrgWorld(t))
	r.copy(r.workflow, filepath.Join(r.action, ".github", "workflows", "org-audit.yml"))
	args := r.standIns()
	path := filepath.Join(t.TempDir(), "caller.yml")
	writeAll(t, path, caller)
	job := r.run(path, event{"workflow_dispatch", `{"ref": "refs/heads/main", "inputs": {}}`}, append(args, "--secret", "FLEETGATE_ORG_TOKEN="+canary)...)
	if !strings.Contains(r.artifact("fleetgate-survey/survey.json"), `"repository": "octo/site"`) || job.passed {
		t.Errorf("passed: %t\n%s\n%.3000s", job.passed, job.log, job.all)
	}
}

// A shard whose report is lost is named, and can be run alone.
func TestActNamesAShardThatFailed(t *testing.T) {
	actPath(t)
	w := newOrgWorld(t)
	r := newOrgRunner(t, w)
	r.setenv("LOSES", "fleetgate-shard-2-of-2")
	job, ends := r.audit(orgInputs)
	if diff := cmp.Diff(map[string]string{"list": "success", "audit 1/2": "success", "audit 2/2": "failure", "merge": "failure"}, ends); diff != "" {
		t.Fatalf("how the jobs ended (-want +got):\n%s\n%.6000s", diff, job.log)
	}
	if !strings.Contains(r.artifact("fleetgate-survey/survey.json"), `"missing": ["2/2"]`) || !strings.Contains(job.summary, "missing: shard 2/2") {
		t.Errorf("the missing shard isn't named: %s\n%.500s", job.summary, r.artifact("fleetgate-survey/survey.json"))
	}
	list := r.artifact("fleetgate-repos/repos.txt")
	alone := r.auditClones(list, "--since", "2023-11-14", "--shard", "2/2")
	other := filepath.Join(alone.temp, "2.json")
	writeAll(t, other, alone.stdout)
	merged := w.fleetgate(alone.temp, w.env, "merge", other, filepath.Join(r.artifacts, "fleetgate-shard-1-of-2", "1-of-2.json"), "--format", "json")
	if diff := cmp.Diff(r.auditClones(list, "--since", "2023-11-14").stdout, merged.stdout); diff != "" {
		t.Errorf("with the shard that ran alone (-one run +merged):\n%s", diff)
	}
}

// What can't be listed is audited by no job, and no pass.
func TestActListsNothingWithoutAToken(t *testing.T) {
	actPath(t)
	r := newOrgRunner(t, newOrgWorld(t))
	job, ends := r.audit(strings.Replace(orgInputs, `"octo"`, `"nobody"`, 1))
	if diff := cmp.Diff(map[string]string{"list": "failure"}, ends); diff != "" || job.passed {
		t.Errorf("how the jobs ended (-want +got):\n%s\n%s", diff, job.log)
	}
}

func TestTheScriptRunsAnyCommandAndKeepsItsLogApart(t *testing.T) {
	s := newScriptRun(t, "v1.0.0")
	s.cached("v1.0.0", theGate)
	command := exec.Command("bash", filepath.Join(s.action, "action", "run.sh"), "repos", "--org", "octo")
	command.Dir, command.Env = s.at, s.env
	var problem strings.Builder
	command.Stderr = &problem
	out, err := command.Output()
	if string(out) != "gate: repos, version input: none\n" || problem.String() != "fleetgate: v1.0.0, from the tool cache\n" || err != nil {
		t.Errorf("%q, %q, %v", out, problem.String(), err)
	}
}
