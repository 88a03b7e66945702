package main

import (
	"os"
	"path/filepath"
	"testing"
)

// origin is the repository that the clones are made of, and what is judged in it.
type origin struct {
	*testRepository
	base, head string
}

func newOrigin(t *testing.T) *origin {
	t.Helper()
	r := newTestRepository(t)
	r.git("config", "uploadpack.allowFilter", "true")
	r.git("config", "uploadpack.allowAnySHA1InWant", "true")
	r.write(".clio-coder/fleets/demo.md", "---\nversion: 4\nname: demo\nsteps:\n  - {id: w, agent: coder, scope: workspace, dependencies: [], writes: [docs/]}\nmaxWorkers: 1\nonFailure: stop\n---\nx\n",
		"docs/a.md", "a\n", "src/deep/a.go", "package a\n")
	r.commit("begin")
	r.write("docs/a.md", "b\n")
	r.commit("write")
	r.write("docs/b.md", "b\n", "src/deep/b.go", "package a\n")
	r.commit("work", "Fleet-Step: demo/w")
	return &origin{testRepository: r, base: r.git("rev-parse", "HEAD~1"), head: r.git("rev-parse", "HEAD")}
}

// url is the origin's address for clones that go through git's protocol.
func (o *origin) url() string { return "file://" + filepath.ToSlash(o.dir) }

// clone clones the origin into a new directory, with the further arguments of git clone.
func (o *origin) clone(args ...string) *testRepository {
	o.t.Helper()
	c := &testRepository{t: o.t, dir: filepath.Join(o.t.TempDir(), "clone"), clock: o.clock}
	o.git(append(append([]string{"clone", "--quiet", "--no-tags"}, args...), c.dir)...)
	return c
}

func (o *origin) plain() *testRepository { return o.clone(o.url()) }

// changed is a plain clone in which git was run.
func (o *origin) changed(commands ...[]string) string {
	c := o.plain()
	for _, args := range commands {
		c.git(args...)
	}
	return c.dir
}

// with is a plain clone in one file of whose git directory something was written.
func (o *origin) with(name, content string) string {
	c := o.plain()
	writeText(o.t, filepath.Join(c.dir, ".git", filepath.FromSlash(name)), content)
	return c.dir
}

func writeText(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	_ = os.Remove(path)
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func manyPacks(o *origin) string {
	c := o.plain()
	for _, rev := range []string{"HEAD~2", "HEAD~1", "HEAD"} {
		c.git("-c", "alias.part=!git rev-list --objects "+rev+" | git pack-objects --quiet --incremental .git/objects/pack/part", "part")
		c.git("-c", "alias.one=!git rev-list --objects -1 "+rev+" | git pack-objects --quiet .git/objects/pack/one", "one")
	}
	packs, err := filepath.Glob(filepath.Join(c.dir, ".git", "objects", "pack", "*.pack"))
	if err != nil || len(packs) < 3 {
		o.t.Fatal(packs, err)
	}
	return c.dir
}

// moved is a plain clone under another name.
func (o *origin) moved(name string) string {
	dir := filepath.Join(o.t.TempDir(), name)
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		o.t.Fatal(err)
	}
	if err := os.Rename(o.plain().dir, dir); err != nil {
		o.t.Fatal(err)
	}
	return dir
}

func truncatedPack(o *origin) string {
	c := o.plain()
	c.git("repack", "--quiet", "-a", "-d")
	packs, err := filepath.Glob(filepath.Join(c.dir, ".git", "objects", "pack", "*.pack"))
	if err != nil || len(packs) != 1 {
		o.t.Fatal(packs, err)
	}
	_ = os.Chmod(packs[0], 0o644)
	if err := os.Truncate(packs[0], 25); err != nil {
		o.t.Fatal(err)
	}
	return c.dir
}

// nobodyElse is a user whom nothing else belongs to.
const nobodyElse = 65534

func own(t *testing.T, dir string, user int) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, user, user)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func readOnly(t *testing.T, dir string) {
	t.Helper()
	var dirs []string
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err == nil && entry.IsDir() {
			dirs = append(dirs, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range dirs {
		if err := os.Chmod(path, 0o555); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		for _, path := range dirs {
			_ = os.Chmod(path, 0o755)
		}
	})
}
