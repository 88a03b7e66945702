package gitrepo

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

// index reads the index, which must be readable.
func (g *gitDir) index() fs.FS {
	g.tb.Helper()
	tree, err := g.open().Index("")
	if err != nil {
		g.tb.Fatal(err)
	}
	return tree
}

// listing is all that a file system holds, with modes and contents.
func listing(tb testing.TB, tree fs.FS) map[string]string {
	tb.Helper()
	all := map[string]string{}
	err := fs.WalkDir(tree, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content := ""
		switch d.Type() {
		case 0:
			text, err := fs.ReadFile(tree, path)
			if err != nil {
				return err
			}
			content = string(text)
		case fs.ModeSymlink:
			if content, err = fs.ReadLink(tree, path); err != nil {
				return err
			}
		}
		info, err := d.Info()
		all[path] = fmt.Sprintf("%v %q", info.Mode(), content)
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return all
}

// indexNames are paths whose order by bytes isn't that by directory.
var indexNames = []string{"a", "b-c", "b/a", "b/c/d", "b.c", "b0", "c/d", "c/d.e", "é/ü", "x y"}

// An index says what the tree made of it says, in every version.
func TestIndexIsTheTreeThatACommitWouldHave(t *testing.T) {
	for _, version := range []string{"2", "3", "4"} {
		t.Run("version "+version, func(t *testing.T) {
			git := newGit(t)
			for _, name := range indexNames {
				git.write(name, name)
			}
			git.run("add", ".")
			blob := git.feed("b/a", "hash-object", "-w", "--stdin")[:40]
			git.run("update-index", "--add", "--cacheinfo", "120000,"+blob+",link", "--cacheinfo", "100755,"+blob+",bin/run")
			long := strings.Repeat(strings.Repeat("n", 255)+"/", 16) // beyond the twelve bits that an entry has for it
			git.run("update-index", "--add", "--cacheinfo", "160000,"+blob+",sub", "--cacheinfo", "100644,"+blob+","+long[:MaxPath-2]+"/e")
			if version == "3" { // which git writes where an entry needs it
				git.run("update-index", "--skip-worktree", "a")
			} else {
				git.run("update-index", "--index-version", version)
			}
			text, err := os.ReadFile(filepath.Join(git.dir, ".git", "index"))
			if err != nil || fmt.Sprint(text[7]) != version {
				t.Fatalf("version %d, %v", text[7], err)
			}
			tree, err := git.open().Tree(git.commitTree(git.id(git.run("write-tree"))))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(listing(t, tree), listing(t, git.index())); diff != "" {
				t.Errorf("(-tree +index):\n%s", diff)
			}
		})
	}
}

func TestIndexIsAFileSystem(t *testing.T) {
	git := newGit(t)
	for _, name := range indexNames {
		git.write(name, name)
	}
	git.run("add", ".")
	if err := fstest.TestFS(git.index(), indexNames...); err != nil {
		t.Error(err)
	}
	for name, want := range map[string]error{"none": fs.ErrNotExist, "a/b": fs.ErrNotExist, "b/c/": fs.ErrInvalid, "b/c/d/e": fs.ErrNotExist, "b/": fs.ErrInvalid, "": fs.ErrInvalid} {
		if _, err := fs.Stat(git.index(), name); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", name, err, want)
		}
	}
}

// git writes no such names. Who makes an index by hand must not lead a walk
// round in circles.
func TestNamesThatNoPathCanHoldAreNotListed(t *testing.T) {
	repo := newGit(t).open()
	file := boundary.Entry{Mode: boundary.Regular}
	for _, name := range []string{".", "./d", "././d", "a/.", "a/./b", "..", "../d", "a/../d", "/d", "a//d", ""} {
		entries := []indexEntry{{path: name, entry: file}, {path: "z/kept", entry: file}}
		if name == "./d" {
			entries[0].entry.Mode = boundary.Dir
		}
		slices.SortFunc(entries, func(a, b indexEntry) int { return strings.Compare(a.path, b.path) })
		var seen []string
		err := fs.WalkDir(fileSystem{indexFS{repo: repo, entries: entries}}, ".", func(path string, _ fs.DirEntry, err error) error {
			if seen = append(seen, path); len(seen) > 10 {
				return fmt.Errorf("it goes on and on: %q", seen)
			}
			return err
		})
		if err != nil || !slices.Contains(seen, "z/kept") {
			t.Errorf("%q: %q, %v", name, seen, err)
		}
	}
}

func TestAFoldedDirectoryIsReadFromItsTree(t *testing.T) {
	git := newGit(t)
	for _, name := range append(indexNames, "in/x") {
		git.write(name, name)
	}
	head := git.commit("files")
	git.run("sparse-checkout", "set", "--cone", "--sparse-index", "in")
	if folded := git.run("ls-files", "--sparse", "--stage"); !strings.Contains(folded, "040000 ") {
		t.Fatalf("nothing is folded:\n%s", folded)
	}
	tree, err := git.open().Tree(head)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(listing(t, tree), listing(t, git.index())); diff != "" {
		t.Errorf("(-tree +index):\n%s", diff)
	}
	if err := fstest.TestFS(git.index(), indexNames...); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"b/none", "b/a/x"} {
		if _, err := fs.Stat(git.index(), name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// With index.skipHash git writes zeros in place of the sum; any other sum that
// isn't the content's is damage.
func TestTheSumOfAnIndexIsVerified(t *testing.T) {
	git := newGit(t)
	git.write("a", "a")
	git.run("add", ".")
	path := filepath.Join(git.dir, ".git", "index")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	read := func(text []byte) error {
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := git.open().Index("")
		return err
	}
	zeros := append(bytes.Clone(text[:len(text)-20]), make([]byte, 20)...)
	if err := read(zeros); err != nil {
		t.Errorf("without a sum: %v", err)
	}
	var damaged *ConfigError
	for i := range text {
		other := bytes.Clone(text)
		other[i] ^= 0x40
		if err := read(other); !errors.As(err, &damaged) {
			t.Errorf("byte %d: %v", i, err)
		}
		if err := read(text[:i]); !errors.As(err, &damaged) {
			t.Errorf("cut off at byte %d: %v", i, err)
		}
		other = bytes.Clone(zeros)
		other[i] ^= 0x40
		_ = read(other) // whatever it says, it ends
	}
}

func TestAnIndexThatCannotBeReadIsNamed(t *testing.T) {
	git := newGit(t)
	git.write("a", "a")
	git.run("add", ".")
	path := filepath.Join(git.dir, ".git", "index")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	extended := func(name string) []byte {
		content := append(bytes.Clone(text[:len(text)-20]), name+"\x00\x00\x00\x03abc"...)
		return append(content, make([]byte, 20)...)
	}
	version := bytes.Clone(text)
	version[7] = 5
	copy(version[len(version)-20:], make([]byte, 20))
	for name, tt := range map[string]struct {
		text []byte
		want string
	}{
		"a mandatory extension":          {extended("newx"), `the index extension "newx" is not supported; `},
		"a split index":                  {extended("link"), "a split index is not supported; run `git update-index --no-split-index`"},
		"a version that nobody knows":    {version, "the version of the index is not supported; run `git update-index --index-version 4`"},
		"an extension that may be there": {extended("NEWX"), ""},
	} {
		if err := os.WriteFile(path, tt.text, 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := git.open().Index("")
		if got := fmt.Sprint(err); tt.want == "" && err != nil || !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s: %v, want %s", name, err, tt.want)
		}
	}
	if err := os.Truncate(path, MaxIndexBytes+1); err != nil {
		t.Fatal(err)
	}
	var limit *LimitError
	if _, err := git.open().Index(""); !errors.As(err, &limit) || limit.Name != "MaxIndexBytes" {
		t.Errorf("a larger one gives %v", err)
	}
}

func TestAnotherIndexIsReadWhereItIsNamed(t *testing.T) {
	git := newGit(t)
	git.write("a", "a")
	git.run("add", ".")
	if err := os.Rename(filepath.Join(git.dir, ".git", "index"), filepath.Join(git.dir, "other")); err != nil {
		t.Fatal(err)
	}
	git.write("b", "b")
	git.run("add", "b")
	for file, want := range map[string]string{"": "b", "other": "a", filepath.Join(git.dir, "other"): "a", "none": ""} {
		tree, err := git.open().Index(file)
		if err != nil {
			t.Fatal(err)
		}
		entries, err := fs.ReadDir(tree, ".")
		got := ""
		for _, e := range entries {
			got += e.Name()
		}
		if err != nil || got != want {
			t.Errorf("%q: %q, %v; want %q", file, got, err, want)
		}
	}
	var refused *UnsupportedError
	if _, err := newGit(t, "--bare").open().Index(""); !errors.As(err, &refused) {
		t.Errorf("a bare repository: %v", err)
	}
}

// Whatever an index holds, reading it ends, and each path that it gives can be looked at.
func FuzzIndex(f *testing.F) {
	git := newGit(f)
	for _, name := range indexNames {
		git.write(name, name)
	}
	git.commit("files")
	for _, args := range [][]string{{"update-index", "--index-version", "2"}, {"update-index", "--index-version", "4"}, {"sparse-checkout", "set", "--cone", "--sparse-index", "c"}, {"sparse-checkout", "disable"}, {"update-index", "--split-index"}} {
		git.run(args...)
		text, err := os.ReadFile(filepath.Join(git.dir, ".git", "index"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text[:len(text)-20])
	}
	repo := git.open()
	f.Fuzz(func(t *testing.T, content []byte) {
		entries, err := decodeIndex("index", append(bytes.Clone(content), make([]byte, 20)...))
		if err != nil {
			return
		}
		tree := fileSystem{indexFS{repo: repo, entries: staged(entries)}}
		_ = fs.WalkDir(tree, ".", func(path string, d fs.DirEntry, err error) error {
			if _, statErr := fs.Lstat(tree, path); err == nil && errors.Is(statErr, fs.ErrNotExist) {
				t.Errorf("%q is listed, but isn't there", path)
			}
			return nil
		})
	})
}
