package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// nobody is the user that owns nothing.
const nobody = 65534

// TestWhatAnotherUserMayNotReadIsSaid runs the real command as a user who may
// not read a part of the policy or of the repository: a finding with its place,
// or one line with exit code 2 or 3; never a pass.
func TestWhatAnotherUserMayNotReadIsSaid(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can become another user")
	}
	tests := map[string]struct {
		closed string
		args   []string
		code   int
		says   string
	}{
		"the fleets, lint":    {".clio-coder/fleets", []string{"lint"}, 1, ".clio-coder/fleets"},
		"a contract, lint":    {".clio-coder/fleets/docs.md", []string{"lint"}, 1, ".clio-coder/fleets/docs.md"},
		"the policy, lint":    {".clio-coder", []string{"lint"}, 1, ".clio-coder"},
		"the objects, check":  {".git/objects", []string{"check", "--base", "main~1"}, 3, "permission denied"},
		"a branch, check":     {".git/refs/heads/main", []string{"check", "--base", "main~1"}, 2, "permission denied"},
		"the git dir, check":  {".git", []string{"check", "--base", "main~1"}, 3, "permission denied"},
		"the work tree alone": {".clio-coder", []string{"check", "--base", "main~1"}, 0, "passed"},
	}
	binary := sharedBinary(t)
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := newTestRepository(t)
			r.write(".clio-coder/fleets/docs.md", contract("docs", "docs/"))
			r.commit("Declare the fleet")
			r.write("docs/a.md", "a")
			r.commit("Describe a", "Fleet-Step: docs/write")
			open(t, r.dir)
			if err := os.Chmod(filepath.Join(r.dir, filepath.FromSlash(tt.closed)), 0); err != nil {
				t.Fatal(err)
			}
			command := exec.Command(binary, tt.args...)
			command.Dir = r.dir
			command.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
			out, _ := command.CombinedOutput()
			if code := command.ProcessState.ExitCode(); code != tt.code || !strings.Contains(string(out), tt.says) {
				t.Errorf("exit code %d, want %d; it says %q, want %q in it", code, tt.code, out, tt.says)
			}
		})
	}
}

// open lets everybody pass through the folders above and into a test's own.
func open(t *testing.T, dir string) {
	t.Helper()
	for at := dir; len(at) > len(os.TempDir()); at = filepath.Dir(at) {
		if err := os.Chmod(at, 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

// sharedBinary copies the command to a place where every user may run it.
func sharedBinary(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("fleetgate")
	if err != nil {
		t.Fatal(err)
	}
	from, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	dir := t.TempDir()
	open(t, dir)
	target := filepath.Join(dir, "fleetgate")
	to, err := os.OpenFile(target, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(to, from); err != nil {
		t.Fatal(err)
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	return target
}
