package main

import (
	"encoding/base64"
	"fmt"
	"io/fs"
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

// files looks at every file below a folder, git's own included.
func (l *lookout) files(t *testing.T, place, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		content, err := os.ReadFile(path)
		l.at(place, string(content))
		return err
	})
	if err != nil {
		t.Fatal(err)
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
token=$(env | sed -n 's/^GIT_CONFIG_VALUE_[0-9]*=Authorization: Basic //p')
%s
printf '%%s\n' "$@" >>'%s'
exec '%s' "$@"
`, leak, log, git)
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte(script), 0o755); err != nil {
		w.t.Fatal(err)
	}
	w.env = append(slices.Clone(w.env), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	return log
}

// TestTheTokenIsSeenNowhere looks for the token wherever others could see it,
// in a run that fetches and writes all that there is to write. Each planted
// leak must be found.
func TestTheTokenIsSeenNowhere(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("it puts a shell script in git's place")
	}
	base := newWorld(t)
	tests := []struct {
		name, leak string
		want       []string
	}{
		{"no leak", "", nil},
		{"a leak into arguments", `set -- -c "leak.it=$token" "$@"`, []string{"arguments of a process", "arguments of git"}},
		{"a leak into the clone", `printf '%s' "$token" >>"$GITHUB_WORKSPACE/.git/leak"`, []string{"the clone"}},
		{"a leak into the runner's folder", `printf '%s' "$token" >>"$RUNNER_TEMP/leak"`, []string{"temporary files"}},
		{"a leak into the outputs", `printf 'leak=%s\n' "$token" >>"$GITHUB_OUTPUT"`, []string{"outputs", "temporary files"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w, seen := base.in(t), &lookout{seen: map[string]bool{}}
			log := w.wrapGit(tt.leak)
			dir := w.fetchCheckout("octo/app", "merge2", "--depth=1")
			w.server.OnRequest(func(gitserver.Request) { seen.processes() })
			defer w.server.OnRequest(nil)
			r := w.run(dir, w.pull("bad1", "2"), "json_file", "a.json", "sarif_file", "a.sarif", "junit_file", "a.xml")
			if r.code != 1 || !slices.ContainsFunc(w.server.Requests(), func(q gitserver.Request) bool { return q.Signed }) {
				t.Fatalf("exit code %d, or nothing was fetched with the token\n%s%s", r.code, r.stdout, r.stderr)
			}
			seen.at("standard output", r.stdout)
			seen.at("standard error", r.stderr)
			seen.at("summary", r.summary)
			seen.at("outputs", fmt.Sprint(r.outputs))
			seen.at("arguments of git", readOptional(t, log))
			seen.files(t, "the clone", dir)
			seen.files(t, "temporary files", r.temp)
			var got []string
			for place := range seen.seen {
				got = append(got, place)
			}
			slices.Sort(got)
			want := slices.DeleteFunc(slices.Clone(tt.want), func(place string) bool {
				return place == "arguments of a process" && runtime.GOOS != "linux"
			})
			slices.Sort(want)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("the token was seen at (-want +got):\n%s", diff)
			}
		})
	}
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
