package main

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/action/gitserver"
	"github.com/fleetgate/fleetgate/internal/github/githubtest"
)

// secrets are the token, and the token as git sends it.
var secrets = []string{canary, base64.StdEncoding.EncodeToString([]byte("x-access-token:" + canary))}

func holdsSecret(text string) bool {
	return slices.ContainsFunc(secrets, func(s string) bool { return strings.Contains(text, s) })
}

// lookout notes where the token is seen.
type lookout struct {
	mu   sync.Mutex
	seen map[string]bool
}

func (l *lookout) at(place, text string) {
	if holdsSecret(text) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.seen[place] = true
	}
}

// files looks at every file below a folder, git's own included. What git takes
// away meanwhile isn't there to be seen. It may be called by a server.
func (l *lookout) files(t *testing.T, place, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		content, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		l.at(place, string(content))
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// processes looks at the arguments of everything that runs on this machine.
func (l *lookout) processes() {
	lines, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, line := range lines {
		content, _ := os.ReadFile(line) // some end meanwhile
		l.at("arguments of a process", string(content))
	}
}

// wrapGit puts a git into a new PATH that writes its arguments down before it
// is the real one. leak is a line of shell that may misuse $token.
func (w *world) wrapGit(leak string) (log string) {
	w.t.Helper()
	git, err := exec.LookPath("git")
	if err != nil {
		w.t.Fatal(err)
	}
	bin := w.t.TempDir()
	log = filepath.Join(bin, "log")
	script := fmt.Sprintf(`#!/bin/sh
git='%s'
token=$(env | sed -n 's/^GIT_CONFIG_VALUE_[0-9]*=Authorization: Basic //p')
if [ -n "$token" ]; then
:
%s
fi
printf '%%s\n' "$@" >>'%s'
exec "$git" "$@"
`, git, leak, log)
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte(script), 0o755); err != nil {
		w.t.Fatal(err)
	}
	w.env = append(slices.Clone(w.env), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	return log
}

// plantedLeaks are lines for wrapGit, each with the places at which the token
// must then be seen. Those with a proc need Linux.
var plantedLeaks = []struct {
	name, leak string
	want       []string
	proc       bool
}{
	{"no leak", "", nil, false},
	{"a leak into git's arguments", `set -- -c "leak.it=$token" "$@"`, []string{"arguments of git"}, false},
	{"a leak into arguments that only others see", `sh -c '"$@"; exit $?' "$token" "$git" "$@"; exit $?`, []string{"arguments of a process"}, true},
	{"a leak into the clone", `printf '%s' "$token" >>"$GITHUB_WORKSPACE/.git/leak"`, []string{"the clone"}, false},
	{"a leak into the runner's folder", `printf '%s' "$token" >>"$RUNNER_TEMP/leak"`, []string{"temporary files"}, false},
	{"a leak into a temporary file that is gone at the end", `printf '%s' "$token" >"$TMPDIR/leak"; "$git" "$@"; code=$?; rm "$TMPDIR/leak"; exit $code`, []string{"temporary files"}, false},
	{"a leak into the home folder", `printf '%s' "$token" >>"$HOME/leak"`, []string{"the home folder"}, false},
	{"a leak into the outputs", `printf 'leak=%s\n' "$token" >>"$GITHUB_OUTPUT"`, []string{"outputs", "temporary files"}, false},
	{"a leak into the summary", `printf '%s\n' "$token" >>"$GITHUB_STEP_SUMMARY"`, []string{"summary", "temporary files"}, false},
	{"a leak into standard output", `printf '%s\n' "$token" >"/proc/$PPID/fd/1"`, []string{"standard output"}, true},
	{"a leak into standard error", `printf '%s\n' "$token" >"/proc/$PPID/fd/2"`, []string{"standard error"}, true},
}

// TestTheTokenIsSeenNowhere looks for the token wherever others could see it,
// in a run that fetches and writes all that there is to write. Each planted
// leak must be found.
func TestTheTokenIsSeenNowhere(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("it puts a shell script in git's place")
	}
	base := newWorld(t)
	for _, tt := range plantedLeaks {
		t.Run(tt.name, func(t *testing.T) {
			if tt.proc && runtime.GOOS != "linux" {
				t.Skip("it needs /proc")
			}
			w := base.in(t)
			log := w.wrapGit(tt.leak)
			got := w.placesOfTheToken("bad1", log)
			if tt.name == "a leak into git's arguments" && runtime.GOOS == "linux" {
				tt.want = append([]string{"arguments of a process"}, tt.want...)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("the token was seen at (-want +got):\n%s", diff)
			}
		})
	}
}

// What a commit says is repeated in every report: by a commit that says the
// token it is shown that each of them is looked at.
func TestATokenInEveryReportIsSeenInEach(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("it puts a shell script in git's place")
	}
	w := newWorld(t)
	var h history
	h.commit("start", "refs/heads/main", "start", nil, ".clio-coder/fleets/docs.md", docsFleet)
	h.commit("told", "refs/pull/2/head", canary+"\n\nFleet-Step: docs/write\n", []string{"start"}, "src/"+canary, "x")
	h.commit("merge2", "refs/pull/2/merge", "merge", []string{"start", "told"}, "src/"+canary, "x")
	w.replace("octo/app", &h)
	want := []string{"a.json", "a.sarif", "a.xml", "check run", "comment", "standard output", "summary", "temporary files", "the clone"}
	if diff := cmp.Diff(want, w.placesOfTheToken("told", w.wrapGit(""))); diff != "" {
		t.Errorf("the token was seen at (-want +got):\n%s", diff)
	}
}

// placesOfTheToken runs a step on pull request 2 at a head, and gives the
// places where the token was seen meanwhile and afterwards. log is wrapGit's.
func (w *world) placesOfTheToken(head, log string) (places []string) {
	t, seen := w.t, &lookout{seen: map[string]bool{}}
	t.Helper()
	home, temp := t.TempDir(), t.TempDir()
	server := w.api(func(s *githubtest.State) { s.Repositories[0].Issue(2).Head = w.ids[head] })
	dir := w.fetchCheckout("octo/app", "merge2", "--depth=1")
	w.env = append(slices.Clone(w.env), "HOME="+home, "TMPDIR="+temp)
	w.server.OnRequest(func(gitserver.Request) {
		seen.processes()
		seen.files(t, "temporary files", temp)
	})
	defer w.server.OnRequest(nil)
	w.server.Requests()
	r := w.run(dir, w.pull(head, "2"), "json_file", "a.json", "sarif_file", "a.sarif", "junit_file", "a.xml", "comment", "true", "check_run", "true")
	if r.code != 1 || !slices.ContainsFunc(w.server.Requests(), func(q gitserver.Request) bool { return q.Signed }) {
		t.Fatalf("exit code %d, or nothing was fetched with the token\n%s%s", r.code, r.stdout, r.stderr)
	}
	if len(ours(server, 2)) != 1 || len(posted(server).CheckRuns) != 1 {
		t.Fatalf("nothing was posted\n%s", r.stdout)
	}
	seen.at("comment", ours(server, 2)[0].Body)
	seen.at("check run", fmt.Sprintf("%+v", *posted(server).CheckRuns[0]))
	seen.at("standard output", r.stdout)
	seen.at("standard error", r.stderr)
	seen.at("summary", r.summary)
	seen.at("outputs", fmt.Sprint(r.outputs)+readOptional(t, filepath.Join(r.temp, "output")))
	seen.at("arguments of git", readOptional(t, log))
	for _, report := range []string{"a.json", "a.sarif", "a.xml"} {
		seen.at(report, readOptional(t, filepath.Join(dir, report)))
	}
	seen.files(t, "the clone", dir)
	seen.files(t, "temporary files", r.temp)
	seen.files(t, "temporary files", temp)
	seen.files(t, "the home folder", home)
	return slices.Sorted(maps.Keys(seen.seen))
}

// Even a git that repeats what it was given doesn't get it into the log.
func TestATokenThatGitRepeatsIsTakenOut(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("it puts a shell script in git's place")
	}
	w := newWorld(t)
	dir := w.fetchCheckout("octo/app", "merge2", "--depth=1")
	w.wrapGit(`echo "fatal: sent $token" >&2; exit 128`)
	r := w.run(dir, w.pull("bad1", "2"))
	if r.code != 3 || !strings.Contains(r.stdout, "fatal: sent ***") || holdsSecret(r.stdout+r.stderr+r.summary+fmt.Sprint(r.outputs)) {
		t.Errorf("exit code %d\n%s%s%s", r.code, r.stdout, r.stderr, r.summary)
	}
}
