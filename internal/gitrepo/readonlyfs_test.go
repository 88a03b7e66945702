package gitrepo

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-git/go-billy/v5"
)

func TestEachNameOfAGitDirectoryHasItsPlace(t *testing.T) {
	files := gitFS{own: "/own", common: "/common", objects: "/elsewhere/objects"}
	cases := map[string]string{
		"HEAD": "/own/HEAD", "FETCH_HEAD": "/own/FETCH_HEAD", "./HEAD": "/own/HEAD",
		"refs/heads/main": "/common/refs/heads/main", "refs/bisect/bad": "/own/refs/bisect/bad", "refs/worktree/x": "/own/refs/worktree/x",
		"refs/bisector": "/common/refs/bisector", "packed-refs": "/common/packed-refs", "config": "/common/config", "shallow": "/common/shallow",
		"objects": "/elsewhere/objects", "objects/pack/x": "/elsewhere/objects/pack/x",
	}
	for name, want := range cases {
		if got, err := files.place(name); err != nil || filepath.ToSlash(got) != want {
			t.Errorf("%s is at %s, %v; want %s", name, got, err, want)
		}
	}
	for _, name := range []string{"..", "../x", "refs/../../x", "/etc/passwd"} {
		if got, err := files.place(name); !errors.Is(err, billy.ErrCrossedBoundary) {
			t.Errorf("%s is at %s, %v", name, got, err)
		}
	}
	if _, err := files.place("objects/info/alternates"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the alternates are shown: %v", err)
	}
	if _, err := (gitFS{objects: "/o"}).place("HEAD"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an alternate has a HEAD: %v", err)
	}
}

func TestAGitDirectoryIsOnlyRead(t *testing.T) {
	git := newSmall(t)
	files := filesOf(layout{own: filepath.Join(git.dir, ".git"), common: filepath.Join(git.dir, ".git")})
	before := snapshot(t, git.dir)
	refused := map[string]error{
		"Create":   second(files.Create("x")),
		"TempFile": second(files.TempFile("", "x")),
		"OpenFile": second(files.OpenFile("config", os.O_RDWR|os.O_CREATE, 0o644)),
		"Rename":   files.Rename("config", "x"),
		"Remove":   files.Remove("config"),
		"MkdirAll": files.MkdirAll("x", 0o755),
		"Symlink":  files.Symlink("config", "x"),
	}
	file, err := files.OpenFile("config", os.O_RDONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	refused["Write"] = second(file.Write([]byte("x")))
	refused["Truncate"] = file.Truncate(0)
	for name, err := range refused {
		if !errors.Is(err, billy.ErrReadOnly) {
			t.Errorf("%s gives %v", name, err)
		}
	}
	if after := snapshot(t, git.dir); len(after) != len(before) {
		t.Errorf("%d files became %d", len(before), len(after))
	}
}

func second[T any](_ T, err error) error { return err }
