package gitrepo

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func TestTreeIsAFileSystem(t *testing.T) {
	git := newGit(t)
	for _, name := range []string{"a.txt", "docs/guide.md", "docs/deep/er/x", "docs.txt", "empty", "é/ü.md", "a b"} {
		content := name
		if name == "empty" {
			content = ""
		}
		git.write(name, content)
	}
	git.write("bin/run", "#!/bin/sh\n")
	if err := os.Chmod(git.dir+"/bin/run", 0o755); err != nil {
		t.Fatal(err)
	}
	head := git.commit("files")
	tree, err := git.open().Tree(head)
	if err != nil {
		t.Fatal(err)
	}
	if err := fstest.TestFS(tree, "a.txt", "docs/guide.md", "docs/deep/er/x", "docs.txt", "empty", "é/ü.md", "a b", "bin/run"); err != nil {
		t.Error(err)
	}
	for name, want := range map[string]fs.FileMode{"a.txt": 0o644, "bin/run": 0o755, "docs": fs.ModeDir | 0o755, ".": fs.ModeDir | 0o755} {
		if info, err := fs.Stat(tree, name); err != nil || info.Mode() != want {
			t.Errorf("%s: %v, %v; want %v", name, info, err, want)
		}
	}
}

func TestTreeShowsLinksAndSubmodulesAndFollowsNone(t *testing.T) {
	git := newGit(t)
	base := git.put("docs/a", "a")
	blob := git.id("HEAD:docs/a")
	link := git.object("blob", []byte("docs/a"))
	docs := git.tree(entryOf(0o100644, "a", blob))
	head := git.commitTree(git.tree(
		entryOf(0o40000, "docs", docs), entryOf(0o120000, "link", link), entryOf(0o120000, "linkdir", git.object("blob", []byte("docs"))),
		entryOf(0o160000, "sub", base)), base)
	tree, err := git.open().Tree(head)
	if err != nil {
		t.Fatal(err)
	}
	entries, err := fs.ReadDir(tree, ".")
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]fs.FileMode{}
	for _, e := range entries {
		got[e.Name()] = e.Type()
	}
	want := map[string]fs.FileMode{"docs": fs.ModeDir, "link": fs.ModeSymlink, "linkdir": fs.ModeSymlink, "sub": fs.ModeIrregular}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, name := range []string{"linkdir/a", "sub/x", "link/x", "docs/a/b"} {
		if _, err := fs.ReadFile(tree, name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s gives %v", name, err)
		}
	}
	for name, why := range map[string]string{"link": "symbolic link", "sub": "submodule", "docs": "directory"} {
		if _, err := fs.ReadFile(tree, name); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("reading %s gives %v", name, err)
		}
	}
	file, err := tree.Open("link")
	if err != nil {
		t.Fatal(err)
	}
	if info, err := file.Stat(); err != nil || info.Mode().Type() != fs.ModeSymlink || info.Size() != 6 {
		t.Errorf("the link is %v, %v", info, err)
	}
	if _, err := io.ReadAll(file); err == nil {
		t.Error("a link was read as a file")
	}
	if target, err := fs.ReadLink(tree, "link"); target != "docs/a" || err != nil {
		t.Errorf("ReadLink gives %q, %v", target, err)
	}
	if _, err := fs.ReadLink(tree, "docs"); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("ReadLink of a directory gives %v", err)
	}
}

func TestTreeListsOddNames(t *testing.T) {
	git := newGit(t)
	base := git.put("a", "content")
	blob := git.id("HEAD:a")
	dir := git.tree(entryOf(0o100644, "x", blob))
	head := git.commitTree(git.tree(
		entryOf(0o100644, "", blob), entryOf(0o100644, ".", blob), entryOf(0o40000, "..", dir), entryOf(0o100644, "a", blob), entryOf(0o100644, "a", blob),
		entryOf(0o100644, "a\nb", blob), entryOf(0o100644, "c/d", blob), entryOf(0o40000, "\xff", dir)), base)
	tree, err := git.open().Tree(head)
	if err != nil {
		t.Fatal(err)
	}
	entries, err := fs.ReadDir(tree, ".")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if diff := cmp.Diff([]string{"a", "a\nb", "\xff"}, names); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, name := range []string{"a\nb", "\xff/x"} {
		if content, err := fs.ReadFile(tree, name); string(content) != "content" || err != nil {
			t.Errorf("%q gives %q, %v", name, content, err)
		}
	}
	for _, name := range []string{"", "/a", "a/", "../a", "./a", "\xff/../a"} {
		if _, err := tree.Open(name); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%q gives %v, want fs.ErrInvalid", name, err)
		}
	}
}

// A large file's size is known without reading it: here its content can't
// even be inflated.
func TestAFilesSizeIsKnownWithoutReadingIt(t *testing.T) {
	git := newGit(t)
	head := git.put("large", strings.Repeat("0123456789abcdef", 1<<16))
	loose := git.loose(git.id("HEAD:large"))
	content := readFile(t, loose)
	writeFile(t, loose, content[:len(content)/2])
	tree, err := git.open().Tree(head)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := fs.Stat(tree, "large"); err != nil || info.Size() != 1<<20 {
		t.Errorf("%v, %v", info, err)
	}
	if _, err := fs.ReadFile(tree, "large"); err == nil {
		t.Error("half an object was read as a whole one")
	}
}

func TestMissingObjectsOfATreeAreNotAbsent(t *testing.T) {
	git := newGit(t)
	git.write("docs/a", "a")
	head := git.put("b", "b")
	docs, blob := git.id("HEAD:docs"), git.id("HEAD:b")
	git.remove(docs)
	git.remove(blob)
	tree, err := git.open().Tree(head)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"docs/a", "docs/none", "b"} {
		_, err := fs.ReadFile(tree, name)
		if !isError[*MissingObjectError](err) || errors.Is(err, fs.ErrNotExist) {
			t.Errorf("reading %s gives %v", name, err)
		}
	}
	if _, err := fs.ReadDir(tree, "docs"); !isError[*MissingObjectError](err) {
		t.Errorf("listing docs gives %v", err)
	}
	if _, err := tree.Open("docs"); !isError[*MissingObjectError](err) {
		t.Errorf("opening docs gives %v", err)
	}
	if _, err := fs.Stat(tree, "b"); !isError[*MissingObjectError](err) {
		t.Errorf("describing b gives %v", err)
	}
	var missing *MissingObjectError
	if _, err := fs.ReadFile(tree, "b"); !errors.As(err, &missing) || missing.ID != blob || missing.Path != "b" || missing.Kind != "blob" {
		t.Errorf("reading b gives %v", err)
	}
}
