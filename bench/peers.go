package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// peerCommits is how many commits the pull request has that other actions see.
const peerCommits = 20

// peer is another action: what it is told, and where it says which files changed.
type peer struct {
	action string
	aim    aim
	output string // a JSON list of paths
	inputs func(base, head string) map[string]string
}

// peers are the actions that the gate is measured against. They get the inputs
// with which they answer from the clone alone, without the API, and list all
// files, a rename as two, as the gate does.
var peers = map[string]peer{
	"paths-filter": {action: "dorny/paths-filter", aim: aim{time: 0.2}, output: "all_files", inputs: pathsFilterInputs},
	"changed-files": {
		action: "tj-actions/changed-files", aim: aim{time: 0.1},
		output: "all_changed_and_modified_files", inputs: changedFilesInputs,
	},
}

func pathsFilterInputs(base, _ string) map[string]string {
	return map[string]string{
		"token": "", "base": base, "filters": "all: ['**']", "list-files": "json",
		"initial-fetch-depth": "100", "predicate-quantifier": "some",
	}
}

// changedFilesInputs are the defaults of its action.yml but for a few.
func changedFilesInputs(base, head string) map[string]string {
	inputs := map[string]string{
		"token": "", "sha": head, "base_sha": base, "skip_initial_fetch": "true", "json": "true",
		"output_renamed_files_as_deleted_and_added": "true", "escape_json": "false", "safe_output": "false",
		"separator": " ", "old_new_separator": ",", "old_new_files_separator": " ", "path": ".", "quotepath": "true",
		"diff_relative": "true", "output_dir": ".github/outputs", "fetch_depth": "25",
		"fetch_missing_history_max_retries": "20", "tags_pattern": "*",
	}
	for _, name := range []string{
		"files", "files_yaml", "files_ignore", "files_ignore_yaml", "files_from_source_file", "files_yaml_from_source_file",
		"files_ignore_from_source_file", "files_ignore_yaml_from_source_file", "recover_files", "recover_files_ignore",
	} {
		inputs[name+"_separator"] = "\n"
	}
	for _, name := range []string{
		"include_all_old_new_renamed_files", "dir_names", "dir_names_exclude_current_dir",
		"dir_names_deleted_files_include_only_deleted_dirs", "fetch_additional_submodule_history", "since_last_remote_commit",
		"write_output_files", "recover_deleted_files", "use_rest_api", "fail_on_initial_diff_error",
		"fail_on_submodule_diff_error", "negation_patterns_first", "matrix", "exclude_submodules", "exclude_symlinks",
		"skip_same_sha", "use_posix_path_separator",
	} {
		inputs[name] = "false"
	}
	return inputs
}

// measurePeers measures a pull request against each of the actions that were
// named, on a clone with a work tree, as a runner has it.
func (b *bench) measurePeers(c clone) error {
	if len(b.peers) == 0 {
		return nil
	}
	at := filepath.Join(b.temp, "peers")
	if err := git("", "clone", "--quiet", "--no-checkout", c.dir, filepath.Join(at, "clone")); err != nil {
		return err
	}
	r := runner{temp: at, clone: filepath.Join(at, "clone")}
	if err := r.prepare(c.dir); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(b.peers)) {
		if err := b.measurePeer(c, r, peers[name], b.peers[name]); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func (b *bench) measurePeer(c clone, r runner, p peer, script string) error {
	script, err := filepath.Abs(script)
	if err != nil {
		return err
	}
	content, err := os.ReadFile(script)
	if err != nil {
		return err
	}
	sum := fmt.Sprintf("%x", sha256.Sum256(content))
	node := side{call: r.call(p, script)}
	if err := r.agrees(node.call, p); err != nil {
		return err
	}
	dir, base, done, err := b.withPolicy(r.clone, r.base)
	if err != nil {
		return err
	}
	defer done()
	gate := b.check(dir, base, "HEAD")
	digest, err := compare(gate.call, dir, base, r.commits)
	if err != nil {
		return err
	}
	return b.pair(row{
		repository: c.name, work: fmt.Sprintf("pull request of %s", counted(r.commits)), against: p.action,
		ours: gate, theirs: node, aim: p.aim, digest: digest, note: "its inputs are in bench/peers.go, and its script's SHA-256 is " + sum,
	})
}

// runner gives a script what GitHub's runner gives it.
type runner struct {
	temp, clone string
	base, head  string
	commits     int
}

// prepare checks out the head of the pull request, and writes its event.
func (r *runner) prepare(dir string) error {
	var ok bool
	if r.head, ok = first(dir, "HEAD"); !ok {
		return errors.New("no HEAD")
	}
	var err error
	if r.base, err = baseOf(dir, peerCommits); err != nil {
		return err
	}
	if r.base == "" {
		return fmt.Errorf("the history has no more than %d commits", peerCommits)
	}
	if r.commits, err = count(dir, r.base+".."+r.head); err != nil {
		return err
	}
	if err := git(r.clone, "checkout", "--quiet", "-B", "topic", r.head); err != nil {
		return err
	}
	end := func(name, sha string) map[string]any { return map[string]any{"ref": name, "sha": sha} }
	event, err := json.Marshal(map[string]any{
		"action": "synchronize", "number": 1,
		"pull_request": map[string]any{"number": 1, "base": end("main", r.base), "head": end("topic", r.head)},
		"repository":   map[string]any{"default_branch": "main", "full_name": "example/repo", "name": "repo", "owner": map[string]any{"login": "example"}},
	})
	if err != nil {
		return err
	}
	return os.WriteFile(r.event(), event, 0o644)
}

func (r *runner) event() string  { return filepath.Join(r.temp, "event.json") }
func (r *runner) output() string { return filepath.Join(r.temp, "output") }

// call runs a script as the runner does, with a home of its own: one of the
// scripts writes git's global configuration.
func (r *runner) call(p peer, script string) call {
	env := []string{
		"HOME=" + r.temp, "GITHUB_ACTIONS=true", "GITHUB_EVENT_NAME=pull_request", "GITHUB_EVENT_PATH=" + r.event(),
		"GITHUB_OUTPUT=" + r.output(), "GITHUB_WORKSPACE=" + r.clone, "GITHUB_REPOSITORY=example/repo",
		"GITHUB_SHA=" + r.head, "GITHUB_REF=refs/pull/1/merge", "GITHUB_REF_NAME=1/merge", "GITHUB_HEAD_REF=topic",
		"GITHUB_BASE_REF=main", "RUNNER_TEMP=" + r.temp, "GITHUB_API_URL=http://localhost:1", "GITHUB_SERVER_URL=http://localhost:1",
	}
	inputs := p.inputs(r.base, r.head)
	for _, name := range slices.Sorted(maps.Keys(inputs)) {
		env = append(env, "INPUT_"+strings.ToUpper(name)+"="+inputs[name])
	}
	return call{args: []string{"node", script}, dir: r.clone, env: env}
}

// agrees holds the files that a script lists against git's.
func (r *runner) agrees(c call, p peer) error {
	if err := os.WriteFile(r.output(), nil, 0o644); err != nil {
		return err
	}
	if out, err := c.command().CombinedOutput(); err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			return fmt.Errorf("%w\n%s", err, out)
		}
		return err
	}
	raw, err := os.ReadFile(r.output())
	if err != nil {
		return err
	}
	var theirs []string
	if err := json.Unmarshal([]byte(outputNamed(raw, p.output)), &theirs); err != nil {
		return fmt.Errorf("its output %s: %w", p.output, err)
	}
	diff, err := gitOutput(r.clone, "diff", "--name-only", "-z", "--no-renames", r.base, r.head)
	if err != nil {
		return err
	}
	files := strings.FieldsFunc(string(diff), func(c rune) bool { return c == 0 })
	slices.Sort(files)
	slices.Sort(theirs)
	if !slices.Equal(files, theirs) {
		return fmt.Errorf("it lists %d files, git %d, or others", len(theirs), len(files))
	}
	return nil
}

// outputNamed gives one output of a step: its name and a delimiter, its lines,
// and the delimiter again.
func outputNamed(raw []byte, name string) string {
	_, rest, ok := bytes.Cut(raw, []byte(name+"<<"))
	if !ok {
		return ""
	}
	delimiter, rest, _ := bytes.Cut(rest, []byte("\n"))
	value, _, _ := bytes.Cut(rest, append([]byte("\n"), delimiter...))
	return string(value)
}

// packageVersion is what an npm package calls its version.
func packageVersion(dir string) string {
	var about struct {
		Version string `json:"version"`
	}
	raw, err := os.ReadFile(filepath.Join(dir, "package.json"))
	if err != nil || json.Unmarshal(raw, &about) != nil {
		return "of an unknown version"
	}
	return about.Version
}
