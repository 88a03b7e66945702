package gitrepo

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

// newSmall makes a repository with a short history: two branches and a merge.
func newSmall(tb testing.TB) *gitDir {
	tb.Helper()
	git := newGit(tb)
	git.put("a.txt", "one\n")
	git.put("docs/guide.md", "guide\n")
	git.run("checkout", "-q", "-b", "side", "HEAD~1")
	git.put("src/main.c", "main\n")
	git.run("checkout", "-q", "main")
	git.merge("side")
	git.put("a.txt", "two\n")
	return git
}

// reading is all that a repository says about its history, as text.
func reading(tb testing.TB, repo *Repo) string {
	tb.Helper()
	head, err := repo.Resolve("HEAD")
	if err != nil {
		tb.Fatal(err)
	}
	base, err := repo.Resolve("HEAD~2")
	if err != nil {
		tb.Fatal(err)
	}
	rng, err := repo.Range(tb.Context(), head, []boundary.OID{base})
	if err != nil {
		tb.Fatal(err)
	}
	history, err := repo.Changes(tb.Context(), rng)
	if err != nil {
		tb.Fatal(err)
	}
	tree, err := repo.Tree(head)
	if err != nil {
		tb.Fatal(err)
	}
	content, err := fs.ReadFile(tree, "docs/guide.md")
	if err != nil {
		tb.Fatal(err)
	}
	return fmt.Sprint(rng, history, string(content))
}

func same(dir string) (string, string) { return dir, dir }

// clone clones into a new directory.
func (g *gitDir) clone(tb testing.TB, args ...string) string {
	tb.Helper()
	dir := filepath.Join(tb.TempDir(), "clone")
	g.run(slices.Concat([]string{"clone", "-q"}, args, []string{dir})...)
	return dir
}

func relativeAlternate(t *testing.T, plain *gitDir) string {
	t.Helper()
	parent := t.TempDir()
	plain.run("clone", "-q", "--bare", plain.dir, filepath.Join(parent, "store.git"))
	dir := filepath.Join(parent, "borrower")
	plain.run("clone", "-q", "--shared", filepath.Join(parent, "store.git"), dir)
	list := filepath.Join(dir, ".git", "objects", "info", "alternates")
	writeFile(t, list, "# borrowed\n\n\"../../../store.git/objects\"\n../../../gone/objects\n")
	return dir
}

func submodule(t *testing.T, plain *gitDir) string {
	t.Helper()
	outer := newGit(t)
	outer.run("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", plain.dir, "vendor/small")
	return filepath.Join(outer.dir, "vendor", "small")
}

// snapshot lists every file below a directory with its size and time.
func snapshot(tb testing.TB, dir string) []string {
	tb.Helper()
	var files []string
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		files = append(files, fmt.Sprint(path, info.Size(), info.ModTime().UnixNano(), info.Mode()))
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	return files
}

func writeFile(tb testing.TB, path, content string) {
	tb.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		tb.Fatal(err)
	}
	_ = os.Remove(path) // what git writes is read-only
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		tb.Fatal(err)
	}
}

func readFile(tb testing.TB, path string) string {
	tb.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	return string(content)
}
