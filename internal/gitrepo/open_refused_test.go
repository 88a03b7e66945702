package gitrepo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestOpenRefusesWhatItCannotReadByNameAndWithTheWayOut(t *testing.T) {
	cases := map[string]struct {
		make func(t *testing.T) string
		want string // a part of the message
		is   func(error) bool
	}{
		"no repository": {
			make: func(t *testing.T) string { return t.TempDir() },
			want: "no git repository in", is: isError[*NotFoundError],
		},
		"SHA-256 objects": {
			make: func(t *testing.T) string { return newGit(t, "--object-format=sha256").dir },
			want: "objectformat=sha256 is not supported; use a repository with SHA-1", is: isError[*UnsupportedError],
		},
		"reftable": {
			make: configured("core.repositoryFormatVersion=1", "extensions.refStorage=reftable"),
			want: "refStorage=reftable is not supported; run `git refs migrate", is: isError[*UnsupportedError],
		},
		"an unknown extension": {
			make: configured("core.repositoryFormatVersion=1", "extensions.somethingNew=true"),
			want: "somethingNew=true is not supported", is: isError[*UnsupportedError],
		},
		"format version 2": {
			make: configured("core.repositoryFormatVersion=2"),
			want: "repository format version 2 is not supported", is: isError[*UnsupportedError],
		},
		"a pack index of version 1": {
			make: func(t *testing.T) string {
				git := newSmall(t)
				git.run("-c", "pack.indexVersion=1", "repack", "-q", "-a", "-d")
				return git.dir
			},
			want: "a pack index of version 1 is not supported; run `git -c pack.indexVersion=2 repack", is: isError[*UnsupportedError],
		},
		"a broken configuration": {
			make: withFile("config", "[core\n\tbare = false\n"),
			want: "config can't be read: 1:6: ", is: isError[*ConfigError],
		},
		"a configuration that is too large": {
			make: withFile("config", strings.Repeat("# a comment\n", MaxControlBytes/12+1)),
			want: "(MaxControlBytes)", is: isError[*LimitError],
		},
		"a shallow file that holds no ids": {
			make: withFile("shallow", "garbage\n"),
			want: "shallow can't be read", is: isError[*ConfigError],
		},
		"a .git file that says nothing": {
			make: dotGitFile("hello\n"),
			want: ".git can't be read: it isn't `gitdir: DIRECTORY`", is: isError[*ConfigError],
		},
		"a .git file that leads nowhere": {
			make: dotGitFile("gitdir: ../nowhere\n"),
			want: "is no git directory", is: isError[*ConfigError],
		},
		"alternates that name each other for ever": {
			make: endlessAlternates,
			want: "(MaxAlternateDepth)", is: isError[*LimitError],
		},
		"a directory that isn't there": {
			make: func(t *testing.T) string { return filepath.Join(t.TempDir(), "gone") },
			want: "no such file or directory", is: func(err error) bool { return errors.Is(err, fs.ErrNotExist) },
		},
		"a broken pack index": {
			make: func(t *testing.T) string {
				git := newSmall(t)
				git.run("repack", "-q", "-a", "-d")
				index := onlyPack(t, git, "idx")
				writeFile(t, index, readFile(t, index)[:200])
				return git.dir
			},
			want: "run `git fsck`", is: func(error) bool { return true },
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := Open(c.make(t))
			if err == nil || !c.is(err) || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("Open gives %v (%T), want %q", err, err, c.want)
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("the message has several lines: %q", err)
			}
		})
	}
}

func isError[E error](err error) bool {
	var want E
	return errors.As(err, &want)
}

func configured(settings ...string) func(t *testing.T) string {
	return func(t *testing.T) string {
		git := newSmall(t)
		for _, setting := range settings {
			key, value, _ := strings.Cut(setting, "=")
			git.run("config", key, value)
		}
		return git.dir
	}
}

func withFile(name, content string) func(t *testing.T) string {
	return func(t *testing.T) string {
		git := newSmall(t)
		writeFile(t, filepath.Join(git.dir, ".git", name), content)
		return git.dir
	}
}

func dotGitFile(content string) func(t *testing.T) string {
	return func(t *testing.T) string {
		dir := t.TempDir()
		writeFile(t, filepath.Join(dir, ".git"), content)
		return dir
	}
}

// endlessAlternates makes each alternate name one that lies below it.
func endlessAlternates(t *testing.T) string {
	git := newSmall(t)
	objects := filepath.Join(git.dir, ".git", "objects")
	for range MaxAlternateDepth + 2 {
		writeFile(t, filepath.Join(objects, "info", "alternates"), "next\n")
		objects = filepath.Join(objects, "next")
		if err := os.Mkdir(objects, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return git.dir
}

// onlyPack gives the only pack's file of the given extension.
func onlyPack(tb testing.TB, git *gitDir, ext string) string {
	tb.Helper()
	paths, err := filepath.Glob(filepath.Join(git.dir, ".git", "objects", "pack", "*."+ext))
	if err != nil || len(paths) != 1 {
		tb.Fatalf("packs: %v, %v", paths, err)
	}
	return paths[0]
}

func TestMoreAlternatesThanTheLimitAreRefused(t *testing.T) {
	git := newSmall(t)
	objects := filepath.Join(git.dir, ".git", "objects")
	var list strings.Builder
	for i := range MaxAlternates + 1 {
		dir := filepath.Join(git.home, fmt.Sprint(i))
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		list.WriteString(dir + "\n")
	}
	writeFile(t, filepath.Join(objects, "info", "alternates"), list.String())
	if _, err := Open(git.dir); !isError[*LimitError](err) {
		t.Errorf("Open gives %v, want a LimitError", err)
	}
}
