package gitrepo

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOpenReadsARepositoryHoweverItLies(t *testing.T) {
	plain := newSmall(t)
	want := reading(t, plain.open())
	url := "file://" + plain.dir
	plain.run("config", "uploadpack.allowFilter", "true")
	cases := map[string]func(t *testing.T) (dir string, workTree string){
		"plain": func(t *testing.T) (string, string) { return plain.dir, plain.dir },
		"a subfolder": func(t *testing.T) (string, string) {
			return filepath.Join(plain.dir, "docs"), plain.dir
		},
		"its git directory": func(t *testing.T) (string, string) {
			return filepath.Join(plain.dir, ".git"), plain.dir
		},
		"inside its git directory": func(t *testing.T) (string, string) {
			return filepath.Join(plain.dir, ".git", "objects"), plain.dir
		},
		"a symbolic link to it": func(t *testing.T) (string, string) {
			link := filepath.Join(t.TempDir(), "link")
			if err := os.Symlink(plain.dir, link); err != nil {
				t.Skip(err)
			}
			return link, plain.dir
		},
		"bare":       func(t *testing.T) (string, string) { return plain.clone(t, "--bare", url), "" },
		"mirror":     func(t *testing.T) (string, string) { return plain.clone(t, "--mirror", url), "" },
		"clone":      func(t *testing.T) (string, string) { return same(plain.clone(t, url)) },
		"shared":     func(t *testing.T) (string, string) { return same(plain.clone(t, "--shared", plain.dir)) },
		"referenced": func(t *testing.T) (string, string) { return same(plain.clone(t, "--reference", plain.dir, url)) },
		"two levels of alternates": func(t *testing.T) (string, string) {
			return same(plain.clone(t, "--shared", plain.clone(t, "--shared", plain.dir)))
		},
		"a relative alternate": func(t *testing.T) (string, string) {
			return same(relativeAlternate(t, plain))
		},
		"blobless, with what it needs": func(t *testing.T) (string, string) {
			return same(plain.clone(t, "--filter=blob:none", url))
		},
		"sparse": func(t *testing.T) (string, string) {
			dir := plain.clone(t, url)
			plain.at(dir).run("sparse-checkout", "set", "docs")
			return same(dir)
		},
		"a linked work tree": func(t *testing.T) (string, string) {
			git := plain.at(plain.clone(t, url))
			dir := filepath.Join(t.TempDir(), "linked")
			git.run("worktree", "add", "-q", "--detach", dir, "HEAD")
			git.run("checkout", "-q", "--orphan", "elsewhere") // the linked one has its own HEAD
			return same(dir)
		},
		"a linked work tree's git directory": func(t *testing.T) (string, string) {
			git := plain.at(plain.clone(t, url))
			dir := filepath.Join(t.TempDir(), "linked")
			git.run("worktree", "add", "-q", dir, "-b", "linked")
			return filepath.Join(git.dir, ".git", "worktrees", "linked"), dir
		},
		"a linked work tree of a bare repository": func(t *testing.T) (string, string) {
			git := plain.at(plain.clone(t, "--bare", url))
			dir := filepath.Join(t.TempDir(), "linked")
			git.run("worktree", "add", "-q", dir, "main")
			return same(dir)
		},
		"a separate git directory": func(t *testing.T) (string, string) {
			return same(plain.clone(t, "--separate-git-dir", filepath.Join(t.TempDir(), "apart"), url))
		},
		"a submodule": func(t *testing.T) (string, string) {
			dir := submodule(t, plain)
			return dir, dir
		},
		"a submodule's git directory": func(t *testing.T) (string, string) {
			dir := submodule(t, plain)
			return filepath.Join(filepath.Dir(filepath.Dir(dir)), ".git", "modules", "vendor", "small"), dir
		},
		"packed references": func(t *testing.T) (string, string) {
			git := plain.at(plain.clone(t, url))
			git.run("pack-refs", "--all")
			return same(git.dir)
		},
		"one pack with a bitmap": func(t *testing.T) (string, string) {
			git := plain.at(plain.clone(t, url))
			git.run("repack", "-q", "-a", "-d", "-b")
			return same(git.dir)
		},
		"a multi-pack index": func(t *testing.T) (string, string) {
			git := plain.at(plain.clone(t, url))
			git.put("later.txt", "later\n")
			git.run("repack", "-q", "-d")
			git.run("multi-pack-index", "write")
			git.run("reset", "-q", "--hard", "HEAD~1")
			return same(git.dir)
		},
		"a commit-graph": func(t *testing.T) (string, string) {
			git := plain.at(plain.clone(t, url))
			git.run("commit-graph", "write", "--reachable")
			return same(git.dir)
		},
		"a pack whose index isn't written yet": func(t *testing.T) (string, string) {
			git := plain.at(plain.clone(t, url))
			name := "pack-" + strings.Repeat("1", 40) + ".pack"
			writeFile(t, filepath.Join(git.dir, ".git", "objects", "pack", name), "PACK")
			return same(git.dir)
		},
		"a name with spaces and other letters": func(t *testing.T) (string, string) {
			dir := filepath.Join(t.TempDir(), "é ü", "a b")
			plain.run("clone", "-q", url, dir)
			return same(dir)
		},
		"a path of more than 260 characters": func(t *testing.T) (string, string) {
			dir := filepath.Join(t.TempDir(), strings.Repeat("d", 100), strings.Repeat("e", 100), strings.Repeat("f", 100))
			plain.run("clone", "-q", url, dir)
			return same(dir)
		},
		"detached": func(t *testing.T) (string, string) {
			git := plain.at(plain.clone(t, url))
			git.run("checkout", "-q", "--detach")
			return same(git.dir)
		},
		"harmless extensions": func(t *testing.T) (string, string) {
			git := plain.at(plain.clone(t, url))
			git.run("config", "core.repositoryFormatVersion", "1")
			git.run("config", "extensions.preciousObjects", "true")
			git.run("config", "extensions.noop", "1")
			git.run("config", "extensions.objectFormat", "sha1")
			return same(git.dir)
		},
		"an extension that format version 0 doesn't know": func(t *testing.T) (string, string) {
			git := plain.at(plain.clone(t, url))
			git.run("config", "extensions.somethingNew", "true")
			return same(git.dir)
		},
		"a configuration with a byte order mark": func(t *testing.T) (string, string) {
			dir := plain.clone(t, url)
			config := filepath.Join(dir, ".git", "config")
			writeFile(t, config, "\ufeff"+readFile(t, config))
			return same(dir)
		},
		"without a configuration": func(t *testing.T) (string, string) {
			dir := plain.clone(t, url)
			if err := os.Remove(filepath.Join(dir, ".git", "config")); err != nil {
				t.Fatal(err)
			}
			return same(dir)
		},
		"another owner": func(t *testing.T) (string, string) {
			dir := plain.clone(t, url)
			const nobody = 65534
			if err := os.Chown(filepath.Join(dir, ".git"), nobody, nobody); err != nil {
				t.Skipf("only root can give a directory away: %v", err)
			}
			if err := os.Chown(dir, nobody, nobody); err != nil {
				t.Fatal(err)
			}
			return same(dir)
		},
	}
	for name, make := range cases {
		t.Run(name, func(t *testing.T) {
			dir, workTree := make(t)
			before := snapshot(t, filepath.Dir(dir))
			repo := mustOpen(t, dir)
			if diff := cmp.Diff(want, reading(t, repo)); diff != "" {
				t.Errorf("reads another history (-plain +this):\n%s", diff)
			}
			if got := repo.WorkTree(); resolved(got) != resolved(workTree) {
				t.Errorf("work tree is %q, want %q", got, workTree)
			}
			if diff := cmp.Diff(before, snapshot(t, filepath.Dir(dir))); diff != "" {
				t.Errorf("reading changed something:\n%s", diff)
			}
		})
	}
}

func TestOpenReadsNoGitEnvironment(t *testing.T) {
	git := newSmall(t)
	want := reading(t, git.open())
	for _, name := range []string{"GIT_DIR", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_CEILING_DIRECTORIES"} {
		t.Setenv(name, "/nonexistent")
	}
	if got := reading(t, git.open()); got != want {
		t.Errorf("the environment changes what is read:\n%s", cmp.Diff(want, got))
	}
}

func TestATruncatedPackIsAnError(t *testing.T) {
	git := newSmall(t)
	git.run("repack", "-q", "-a", "-d")
	pack := onlyPack(t, git, "pack")
	content := readFile(t, pack)
	for size := range len(content) {
		writeFile(t, pack, content[:size])
		repo, err := Open(git.dir)
		if err != nil {
			continue
		}
		head, err := repo.Resolve("HEAD")
		if err != nil {
			continue
		}
		rng, err := repo.Range(t.Context(), head, nil)
		if err != nil {
			continue
		}
		if _, err := repo.Changes(t.Context(), rng); err == nil && size < len(content)-40 {
			t.Fatalf("%d of %d bytes read as if all were there", size, len(content))
		}
	}
}

func TestRemoteURLIsTheFirstOne(t *testing.T) {
	git := newSmall(t)
	git.run("remote", "add", "origin", "https://example.com/one.git")
	git.run("remote", "set-url", "--add", "origin", "https://example.com/two.git")
	repo := git.open()
	for remote, want := range map[string]string{"origin": "https://example.com/one.git", "other": "", "Origin": ""} {
		if got, err := repo.RemoteURL(remote); err != nil || got != want {
			t.Errorf("RemoteURL(%q) = %q, %v; want %q", remote, got, err, want)
		}
	}
}

func TestGitDirAndCommonDirOfALinkedWorkTree(t *testing.T) {
	git := newSmall(t)
	dir := filepath.Join(t.TempDir(), "linked")
	git.run("worktree", "add", "-q", dir, "-b", "linked")
	repo := mustOpen(t, dir)
	common := filepath.Join(git.dir, ".git")
	if got, want := resolved(repo.CommonDir()), resolved(common); got != want {
		t.Errorf("CommonDir is %s, want %s", got, want)
	}
	if got, want := resolved(repo.GitDir()), resolved(filepath.Join(common, "worktrees", "linked")); got != want {
		t.Errorf("GitDir is %s, want %s", got, want)
	}
	if name, err := repo.HeadBranch(); name != "linked" || err != nil {
		t.Errorf("HeadBranch gives %q, %v", name, err)
	}
	git.at(dir).run("checkout", "-q", "--detach")
	if name, err := repo.HeadBranch(); name != "" || err != nil {
		t.Errorf("detached, HeadBranch gives %q, %v", name, err)
	}
}
