package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// testRepository is a repository that a test makes with the real git. All that
// git writes into its objects is fixed, so that ids are the same in every run.
type testRepository struct {
	t     *testing.T
	dir   string
	clock time.Time
}

func newTestRepository(t *testing.T) *testRepository {
	t.Helper()
	r := &testRepository{t: t, dir: t.TempDir(), clock: firstCommit}
	r.git("init", "--quiet", "--initial-branch=main")
	return r
}

// git runs git in the repository and gives what it prints, without the last newline.
func (r *testRepository) git(args ...string) string {
	r.t.Helper()
	return r.gitWith(nil, args...)
}

func (r *testRepository) gitWith(env []string, args ...string) string {
	r.t.Helper()
	command := exec.Command("git", args...)
	command.Dir = r.dir
	command.Env = append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + r.dir, "TZ=UTC", "LC_ALL=C",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull,
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.com", "GIT_AUTHOR_DATE=" + gitDate(r.clock),
		"GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.com", "GIT_COMMITTER_DATE=" + gitDate(r.clock),
	}, env...)
	out, err := command.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		r.t.Fatalf("git %s: %v: %s", strings.Join(args, " "), err, exit.Stderr)
	}
	if err != nil {
		r.t.Fatalf("git %s: %v", strings.Join(args, " "), err)
	}
	return strings.TrimSuffix(string(out), "\n")
}

// write sets files of the work tree: path, text, path, text, …; the text "-" removes the file.
func (r *testRepository) write(files ...string) {
	r.t.Helper()
	for i := 0; i+1 < len(files); i += 2 {
		path := filepath.Join(r.dir, filepath.FromSlash(files[i]))
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		if err == nil && files[i+1] == "-" {
			err = os.Remove(path)
		} else if err == nil {
			err = os.WriteFile(path, []byte(files[i+1]), 0o644)
		}
		if err != nil {
			r.t.Fatal(err)
		}
	}
}

// commit commits all of the work tree one minute after the last commit. The
// message's paragraphs are the arguments.
func (r *testRepository) commit(paragraphs ...string) {
	r.t.Helper()
	r.clock = r.clock.Add(time.Minute)
	r.git("add", "--all")
	r.git("commit", "--quiet", "--allow-empty", "--message", strings.Join(paragraphs, "\n\n"))
}

// merge merges a branch without committing, so that the caller can change
// what the merge holds, and then commits it.
func (r *testRepository) merge(branch string, paragraphs []string, files ...string) {
	r.t.Helper()
	r.git("merge", "--quiet", "--no-ff", "--no-commit", branch)
	r.write(files...)
	r.commit(paragraphs...)
}

// contract is a fleet contract of one step, write.
func contract(name, writes string) string {
	return fmt.Sprintf(`---
version: 4
name: %s
steps: [{id: write, agent: coder, scope: workspace, dependencies: [], writes: [%s]}]
maxWorkers: 1
onFailure: stop
---
Write.
`, name, writes)
}

// run is one call of fleetgate with an environment of its own.
type fleetgateRun struct {
	dir  string
	env  []string
	args []string
}

// output runs fleetgate as a process and gives its exit code, standard output and standard error.
func (f fleetgateRun) output(t *testing.T) (code int, stdout, stderr string) {
	t.Helper()
	binary, err := exec.LookPath("fleetgate") // the test binary itself, by testscript.Main
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(binary, f.args...)
	command.Dir, command.Env = f.dir, f.env
	if command.Env == nil {
		command.Env = []string{}
	}
	out, err := command.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("fleetgate did not run: %v", err)
	}
	if exit != nil {
		return exit.ExitCode(), string(out), string(exit.Stderr)
	}
	return 0, string(out), ""
}
