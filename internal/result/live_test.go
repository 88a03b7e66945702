package result

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// workTree makes a directory with links of every sort, and a secret beside it.
func workTree(t *testing.T) (dir string, tree *Tree) {
	t.Helper()
	parent := t.TempDir()
	dir = filepath.Join(parent, "work")
	write(t, filepath.Join(parent, "secret"), "outside\n")
	write(t, filepath.Join(dir, "src", "a.go"), "one\ntwo\n")
	write(t, filepath.Join(dir, "broken"), "a\xff\xe2\x82z")
	for link, target := range map[string]string{
		"inside": "src/a.go", "folder": "src", "src/up": "../src/a.go", "out": "../secret", "src/out": "../../secret",
		"absolute": filepath.Join(parent, "secret"), "loop": "loop", "dangling": "nowhere", "chain": "folder/up",
	} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Skipf("no symbolic links here: %v", err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return dir, NewTree("/ws", root.FS())
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestATreeFollowsLinksInsideItAndNoneThatLeave(t *testing.T) {
	_, tree := workTree(t)
	for _, c := range []struct {
		name, text        string
		readable, isThere bool
	}{
		{"/ws/src/a.go", "one\ntwo\n", true, true},
		{"/ws/inside", "one\ntwo\n", true, true},
		{"/ws/folder/a.go", "one\ntwo\n", true, true},
		{"/ws/src/up", "one\ntwo\n", true, true},
		{"/ws/chain", "one\ntwo\n", true, true},
		{"/ws/src", "", false, true},
		{"/ws/folder", "", false, true},
		{"/ws", "", false, true},
		{"/ws/out", "", false, false},
		{"/ws/src/out", "", false, false},
		{"/ws/absolute", "", false, false},
		{"/ws/loop", "", false, false},
		{"/ws/dangling", "", false, false},
		{"/ws/src/a.go/below", "", false, false},
		{"/ws/nowhere", "", false, false},
		{"/ws/src\x00", "", false, false},
		{"/ws/" + strings.Repeat("n", 300), "", false, false},
		{"/ws/" + strings.Repeat("d/", 3000), "", false, false},
		{"/secret", "", false, false},
		{"/wsx", "", false, false},
	} {
		text, readable := tree.ReadFile(c.name)
		if text != c.text || readable != c.readable || tree.PathExists(c.name) != c.isThere {
			t.Errorf("%.40q reads as %q (%t) and is there: %t; want %q (%t), %t", c.name, text, readable, tree.PathExists(c.name), c.text, c.readable, c.isThere)
		}
	}
	for name, want := range map[string]bool{"/ws": true, "/ws/src": true, "/ws/folder": true, "/ws/inside": false, "/ws/nowhere": false, "/": false} {
		if got := tree.IsDirectory(name); got != want {
			t.Errorf("%s is a directory: %t, want %t", name, got, want)
		}
	}
	if err := tree.Err(); err != nil {
		t.Errorf("answers, not failures: %v", err)
	}
}

func TestATreeDecodesAsTheRuntimeDoes(t *testing.T) {
	_, tree := workTree(t)
	if text, _ := tree.ReadFile("/ws/broken"); text != "a\ufffd\ufffdz" {
		t.Errorf("got %q", text)
	}
	for raw, want := range map[string]string{
		"\xf0\x9f\x98": "\ufffd", "\xf0\x9f\x98\xf0\x9f\x98\x80": "\ufffd😀", "\xed\xa0\x80": "\ufffd\ufffd\ufffd", "\xc3": "\ufffd", "\xc0\xaf": "\ufffd\ufffd", "é": "é",
	} {
		if got := decode([]byte(raw)); got != want {
			t.Errorf("%q reads as %q, want %q", raw, got, want)
		}
	}
}

func TestWithoutAKnownDirectoryNoAbsolutePathIsInside(t *testing.T) {
	tree := NewTree(".", fstest.MapFS{"src/a.go": {Data: []byte("x")}})
	for name, want := range map[string]bool{"src/a.go": true, ".": true, "/src/a.go": false, "../src/a.go": false, "..": false} {
		if got := tree.PathExists(name); got != want {
			t.Errorf("%s is there: %t, want %t", name, got, want)
		}
	}
}

// failing is a file system that fails for reasons of its own.
type failing struct{ fs.FS }

var errMissing = errors.New("the object is missing")

func (f failing) Open(name string) (fs.File, error) {
	if name == "lost" {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errMissing}
	}
	return f.FS.Open(name)
}

func TestATreeTellsAFailureFromAnAnswer(t *testing.T) {
	tree := NewTree(".", failing{fstest.MapFS{"lost": {Data: []byte("x")}, "there": {Data: []byte("x")}}})
	if _, ok := tree.ReadFile("there"); !ok || tree.Err() != nil {
		t.Fatalf("a readable file: %t, %v", ok, tree.Err())
	}
	if tree.PathExists("lost") || !errors.Is(tree.Err(), errMissing) {
		t.Errorf("a missing object is an answer; the failure is %v", tree.Err())
	}
}

// sized is a file that says how large it is, and whose content nobody should read.
type sized struct{ size int64 }

func (s sized) Open(name string) (fs.File, error) {
	if name == "." {
		return fstest.MapFS{}.Open(".")
	}
	return s, nil
}
func (s sized) Stat() (fs.FileInfo, error) { return s, nil }
func (s sized) Read([]byte) (int, error)   { return 0, errMissing }
func (s sized) Close() error               { return nil }
func (s sized) Name() string               { return "big" }
func (s sized) Size() int64                { return s.size }
func (s sized) Mode() fs.FileMode          { return 0 }
func (s sized) ModTime() time.Time         { return time.Time{} }
func (s sized) IsDir() bool                { return false }
func (s sized) Sys() any                   { return nil }

func TestATreeReadsNoFileOverItsBound(t *testing.T) {
	tree := NewTree(".", sized{MaxFileBytes + 1})
	if _, ok := tree.ReadFile("big"); ok || tree.Err() != nil {
		t.Errorf("a file over the bound: read %t, failure %v", ok, tree.Err())
	}
	if tree = NewTree(".", sized{MaxFileBytes}); tree.Err() != nil {
		t.Fatal(tree.Err())
	}
	if _, ok := tree.ReadFile("big"); ok || !errors.Is(tree.Err(), errMissing) {
		t.Errorf("a file of just the bound was not opened: read %t, failure %v", ok, tree.Err())
	}
}

func TestATreeReadsNoMoreThanItsBoundInAll(t *testing.T) {
	tree := NewTree(".", fstest.MapFS{"a": {Data: make([]byte, 1000)}})
	tree.left = 1999
	if _, ok := tree.ReadFile("a"); !ok || tree.Err() != nil {
		t.Fatalf("the first read: %t, %v", ok, tree.Err())
	}
	if _, ok := tree.ReadFile("a"); ok || !errors.Is(tree.Err(), errSpent) {
		t.Errorf("the second read: %t, %v", ok, tree.Err())
	}
}
