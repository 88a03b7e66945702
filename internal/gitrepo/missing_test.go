package gitrepo

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

// looseTrees lists the tree objects that lie loose in a repository.
func (g *gitDir) looseTrees() []boundary.OID {
	g.tb.Helper()
	var found []boundary.OID
	out := g.run("cat-file", "--batch-all-objects", "--batch-check=%(objecttype) %(objectname)")
	for line := range strings.SplitSeq(out, "\n") {
		if id, ok := strings.CutPrefix(line, "tree "); ok {
			found = append(found, mustID(g.tb, id))
		}
	}
	return found
}

// With one tree gone, a range is either compared with the very same result, or
// a MissingObjectError names that tree: never anything else.
func TestAMissingTreeIsNeverASilentSuccess(t *testing.T) {
	git := newGit(t)
	git.write("src/a/x", "0")
	git.write("src/b/y", "0")
	base := git.put("docs/guide.md", "0")
	git.run("checkout", "-q", "-b", "branch")
	git.put("src/a/x", "1")
	git.run("rm", "-rq", "src/b")
	git.commit("delete")
	git.put("new/deep/file", "1")
	git.run("checkout", "-q", "main")
	git.put("docs/guide.md", "1")
	tip := git.put("src/b/z", "1")
	git.run("checkout", "-q", "branch")
	head := git.merge("main")
	for _, tips := range [][]boundary.OID{{base}, {tip}, nil} {
		_, want, err := changesOf(t, git.open(), head, tips...)
		if err != nil {
			t.Fatal(err)
		}
		needed := 0
		for _, id := range git.looseTrees() {
			content := readFile(t, git.loose(id))
			git.remove(id)
			_, got, err := changesOf(t, git.open(), head, tips...)
			writeFile(t, git.loose(id), content)
			var missing *MissingObjectError
			switch {
			case err == nil:
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("without tree %s (-whole +got):\n%s", id, diff)
				}
			case errors.As(err, &missing) && missing.ID == id && missing.Kind == "tree":
				needed++
			default:
				t.Errorf("without tree %s: %v", id, err)
			}
		}
		if needed < 5 {
			t.Errorf("only %d trees were needed from %v", needed, tips)
		}
	}
}

func TestAMissingTreeIsNamedWithItsPath(t *testing.T) {
	git := newGit(t)
	base := git.put("src/a/x", "0")
	head := git.put("src/a/x", "1")
	gone := git.id("HEAD:src/a")
	git.remove(gone)
	_, _, err := changesOf(t, git.open(), head, base)
	want := &MissingObjectError{ID: gone, Kind: "tree", Path: "src/a"}
	if err == nil || !strings.HasSuffix(err.Error(), want.Error()) {
		t.Errorf("gives %v, want %v", err, want)
	}
}

func TestATreelessCloneIsUndecided(t *testing.T) {
	git := newSmall(t)
	git.run("config", "uploadpack.allowFilter", "true")
	repo := mustOpen(t, git.clone(t, "--filter=tree:0", "--no-checkout", "file://"+git.dir))
	head, err := repo.Resolve("HEAD")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := changesOf(t, repo, head); !isError[*MissingObjectError](err) {
		t.Errorf("gives %v, want a missing tree", err)
	}
}

func TestABloblessCloneListsAllChanges(t *testing.T) {
	git := newSmall(t)
	git.run("config", "uploadpack.allowFilter", "true")
	_, want, err := changesOf(t, git.open(), git.id("HEAD"))
	if err != nil {
		t.Fatal(err)
	}
	repo := mustOpen(t, git.clone(t, "--filter=blob:none", "--no-checkout", "file://"+git.dir))
	_, got, err := changesOf(t, repo, git.id("HEAD"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-whole +blobless):\n%s", diff)
	}
	tree, err := repo.Tree(git.id("HEAD"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fs.ReadFile(tree, "a.txt"); !isError[*MissingObjectError](err) {
		t.Errorf("reading a file gives %v, want a missing blob", err)
	}
}

// Objects that a broken alternate holds are missing; a good one serves, even
// where the repository's own copy is broken.
func TestABrokenObjectIsReadFromAnAlternate(t *testing.T) {
	git := newSmall(t)
	want := reading(t, git.open())
	dir := git.clone(t, "--shared", git.dir)
	tree := git.id("HEAD^{tree}").String()
	writeFile(t, filepath.Join(dir, ".git", "objects", tree[:2], tree[2:]), "garbage")
	if diff := cmp.Diff(want, reading(t, mustOpen(t, dir))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	writeFile(t, git.loose(git.id("HEAD^{tree}")), "garbage too")
	repo := mustOpen(t, dir)
	if _, _, err := changesOf(t, repo, git.id("HEAD")); err == nil || isError[*MissingObjectError](err) {
		t.Errorf("gives %v; the object is broken, not missing", err)
	}
	if err := os.RemoveAll(filepath.Join(git.dir, ".git", "objects")); err != nil {
		t.Fatal(err)
	}
	if _, err := mustOpen(t, dir).Resolve("HEAD"); !isError[*MissingObjectError](err) {
		t.Errorf("without the alternate: %v, want a missing object", err)
	}
}

func TestARepositoryServesConcurrentReaders(t *testing.T) {
	git := newSmall(t)
	git.run("repack", "-q", "-a", "-d")
	repo := git.open()
	want := reading(t, git.open())
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if got := reading(t, repo); got != want {
				t.Errorf("another reading:\n%s", cmp.Diff(want, got))
			}
		})
	}
	group.Wait()
}
