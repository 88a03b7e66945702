package gitrepo

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

// asNobody runs do without root's right to read everything. The identity for
// file access belongs to a thread on Linux, so the thread is given up after.
func asNobody(t *testing.T, do func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		do()
		return
	}
	const nobody = 65534
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
		if err := syscall.Setfsuid(nobody); err != nil {
			t.Errorf("setfsuid: %v", err)
			return
		}
		do()
	}()
	<-done
}

func TestWhatMayNotBeReadIsAnErrorNotAnAbsence(t *testing.T) {
	cases := map[string]string{
		"the git directory":    "",
		"HEAD":                 "HEAD",
		"the configuration":    "config",
		"the shallow list":     "shallow",
		"a branch":             "refs/heads/main",
		"packed references":    "packed-refs",
		"the object directory": "objects",
		"the packs":            "objects/pack",
		"the alternates":       "objects/info/alternates",
	}
	for name, path := range cases {
		t.Run(name, func(t *testing.T) {
			git := newSmall(t)
			git.run("branch", "other")
			git.run("pack-refs", "--all")
			git.run("update-ref", "refs/heads/main", "HEAD~1")
			git.run("repack", "-q", "-a", "-d")
			writeFile(t, filepath.Join(git.dir, ".git", "shallow"), "")
			writeFile(t, filepath.Join(git.dir, ".git", "objects", "info", "alternates"), "")
			closed := filepath.Join(git.dir, ".git", filepath.FromSlash(path))
			if err := os.Chmod(closed, 0); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = os.Chmod(closed, 0o755) })
			asNobody(t, func() {
				if err := readAll(t, git.dir); err == nil {
					t.Error("no error")
				} else if isError[*NotFoundError](err) {
					t.Errorf("taken for no repository: %v", err)
				}
			})
		})
	}
}

// readAll reads branches and history, and gives the first error.
func readAll(t *testing.T, dir string) error {
	repo, err := Open(dir)
	if err != nil {
		return err
	}
	var head boundary.OID
	for _, rev := range []string{"other", "main", "HEAD"} {
		if head, err = repo.Resolve(rev); err != nil {
			return err
		}
	}
	rng, err := repo.Range(t.Context(), head, nil)
	if err != nil {
		return err
	}
	if _, err := repo.Changes(t.Context(), rng); err != nil {
		return err
	}
	tree, err := repo.Tree(head)
	if err != nil {
		return err
	}
	_, err = fs.ReadFile(tree, "a.txt")
	return err
}
