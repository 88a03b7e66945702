package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fleetgate/fleetgate/builtins"
	"github.com/fleetgate/fleetgate/internal/discover"
	"github.com/fleetgate/fleetgate/internal/gate"
	"github.com/fleetgate/fleetgate/internal/policy"
	"github.com/fleetgate/fleetgate/internal/verdict"
)

const repositoriesHead = `# Repositories

How a repository may lie on disk, and what the gate does with it. Each row is a clone that the real git makes in a test:
either its verdict equals the plain clone's, byte for byte, or the gate gives the line that stands here and decides nothing.
This page is made from that test by ` + "`go test -run TestRepositoriesPage . -update`" + `.

| a repository | what the gate does |
|---|---|
`

// lies is one way in which a repository lies on disk.
type lies struct {
	name   string
	make   func(o *origin) string
	refuse string // the line; empty where the verdict is the plain clone's
}

func run(args ...string) []string { return args }

var waysToLie = []lies{
	{"plain clone", func(o *origin) string { return o.plain().dir }, ""},
	{"a subfolder of it", func(o *origin) string { return filepath.Join(o.plain().dir, "src", "deep") }, ""},
	{"bare", func(o *origin) string { return o.clone("--bare", o.url()).dir }, ""},
	{"linked work tree", func(o *origin) string {
		tree := filepath.Join(o.t.TempDir(), "linked")
		o.plain().git("worktree", "add", "--quiet", "--detach", tree)
		return tree
	}, ""},
	{"`.git` file (`--separate-git-dir`)", func(o *origin) string {
		return o.clone("--separate-git-dir", filepath.Join(o.t.TempDir(), "apart"), o.url()).dir
	}, ""},
	{"a submodule's own repository", func(o *origin) string {
		outer := newTestRepository(o.t)
		outer.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", o.url(), "vendor/it")
		return filepath.Join(outer.dir, "vendor", "it")
	}, ""},
	{
		"shallow, depth 1", func(o *origin) string { return o.clone("--depth", "1", o.url()).dir },
		"nothing is decided: object BASE is not in this repository; fetch the whole history: `fetch-depth: 0` for actions/checkout, or `git fetch --unshallow`",
	},
	{"shallow, depth 2, as deep as the range", func(o *origin) string { return o.clone("--depth", "2", o.url()).dir }, ""},
	{"blobless (`--filter=blob:none`), checked out", func(o *origin) string { return o.clone("--filter=blob:none", o.url()).dir }, ""},
	{
		"treeless (`--filter=tree:0`), checked out", func(o *origin) string { return o.clone("--filter=tree:0", o.url()).dir },
		"nothing is decided: the policy at BASE: reading .clio-coder: stat .clio-coder: tree TREE is not in this repository; the clone is partial or damaged: `git fsck` lists what is missing; get it with `git fetch --refetch`, or clone anew",
	},
	{"promisor packs that hold everything", func(o *origin) string {
		c := o.clone("--filter=blob:none", o.url())
		c.git("-c", "maintenance.auto=false", "fetch", "--quiet", "--refetch", "--no-filter", "origin") // else it packs anew in the background
		return c.dir
	}, ""},
	{"sparse checkout", func(o *origin) string {
		return o.changed(run("sparse-checkout", "init", "--cone"), run("sparse-checkout", "set", "docs"))
	}, ""},
	{"alternates (`--shared`)", func(o *origin) string { return o.clone("--shared", o.dir).dir }, ""},
	{"alternates (`--reference`)", func(o *origin) string { return o.clone("--reference", o.dir, o.url()).dir }, ""},
	{"alternates of alternates", func(o *origin) string {
		middle := o.clone("--shared", o.dir)
		return (&origin{testRepository: middle}).clone("--shared", middle.dir).dir
	}, ""},
	{"many packs", manyPacks, ""},
	{"multi-pack-index", func(o *origin) string {
		dir := manyPacks(o)
		(&testRepository{t: o.t, dir: dir, clock: o.clock}).git("multi-pack-index", "write")
		return dir
	}, ""},
	{"bitmap", func(o *origin) string { return o.changed(run("repack", "--quiet", "-a", "-d", "-b")) }, ""},
	{"cruft pack", func(o *origin) string {
		return o.changed(run("commit", "--quiet", "--allow-empty", "-m", "gone"), run("reset", "--quiet", "--hard", "HEAD~1"),
			run("reflog", "expire", "--expire=now", "--all"), run("repack", "--quiet", "--cruft", "-d"))
	}, ""},
	{"commit-graph", func(o *origin) string { return o.changed(run("commit-graph", "write", "--reachable")) }, ""},
	{"commit-graph in a chain", func(o *origin) string {
		return o.changed(run("commit-graph", "write", "--reachable", "--split"), run("commit", "--quiet", "--allow-empty", "-m", "more"),
			run("commit-graph", "write", "--reachable", "--split=no-merge"))
	}, ""},
	{"loose objects only", func(o *origin) string { return o.dir }, ""},
	{"packed-refs", func(o *origin) string { return o.changed(run("pack-refs", "--all")) }, ""},
	{
		"reftable", func(o *origin) string {
			return o.changed(run("config", "core.repositoryFormatVersion", "1"), run("config", "extensions.refStorage", "reftable"))
		},
		"the repository extension refStorage=reftable is not supported; run `git refs migrate --ref-format=files`, or clone it with `--ref-format=files`",
	},
	{
		"SHA-256 objects", func(o *origin) string {
			c := &testRepository{t: o.t, dir: o.t.TempDir(), clock: o.clock}
			c.git("init", "--quiet", "--object-format=sha256")
			return c.dir
		},
		"the repository extension objectformat=sha256 is not supported; use a repository with SHA-1 objects (`git init --object-format=sha1`)",
	},
	{
		"pack index version 1", func(o *origin) string {
			return o.changed(run("-c", "pack.indexVersion=1", "repack", "--quiet", "-a", "-d", "-f"))
		},
		"a pack index of version 1 is not supported; run `git -c pack.indexVersion=2 repack -a -d`",
	},
	{"index version 4", func(o *origin) string { return o.changed(run("update-index", "--index-version", "4")) }, ""},
	{"split index", func(o *origin) string { return o.changed(run("update-index", "--split-index")) }, ""},
	{"sparse index", func(o *origin) string {
		return o.changed(run("sparse-checkout", "init", "--cone", "--sparse-index"), run("sparse-checkout", "set", "docs"))
	}, ""},
	{"fsmonitor", func(o *origin) string { return o.changed(run("config", "core.fsmonitor", "true")) }, ""},
	{"`core.autocrlf`", func(o *origin) string { return o.changed(run("config", "core.autocrlf", "true")) }, ""},
	{
		"repository format version 2", func(o *origin) string { return o.changed(run("config", "core.repositoryFormatVersion", "2")) },
		"repository format version 2 is not supported; clone it with a git that writes version 0 or 1",
	},
	{
		"an unknown extension", func(o *origin) string {
			return o.changed(run("config", "core.repositoryFormatVersion", "1"), run("config", "extensions.somethingNew", "true"))
		},
		"the repository extension somethingNew=true is not supported; clone it anew without that extension",
	},
	{
		"a broken configuration", func(o *origin) string { return o.with("config", "[core\n\tbare = false\n") },
		"DIR/.git/config can't be read: 1:6: expected subsection name or right bracket; it needs each section and each setting on a line of its own, in UTF-8",
	},
	{"owned by another user", func(o *origin) string {
		dir := o.plain().dir
		if os.Geteuid() == 0 {
			own(o.t, dir, nobodyElse)
		}
		return dir
	}, ""},
	{"where nothing may be written", func(o *origin) string {
		dir := o.plain().dir
		readOnly(o.t, dir)
		return dir
	}, ""},
	{"a name with spaces and non-ASCII letters", func(o *origin) string { return o.moved("a clone, né à Zürich ☂") }, ""},
	{"a path of more than 260 characters", func(o *origin) string {
		return o.moved(filepath.Join(strings.Repeat("long", 30), strings.Repeat("path", 40)))
	}, ""},
	{"unborn branch checked out", func(o *origin) string { return o.changed(run("checkout", "--quiet", "--orphan", "new")) }, ""},
	{"detached HEAD", func(o *origin) string { return o.changed(run("checkout", "--quiet", "--detach", "HEAD~1")) }, ""},
	{"FETCH_HEAD only", func(o *origin) string {
		c := &testRepository{t: o.t, dir: o.t.TempDir(), clock: o.clock}
		c.git("init", "--quiet", "--initial-branch=main")
		c.git("fetch", "--quiet", "--no-tags", o.url(), "main")
		return c.dir
	}, ""},
	{"an empty reference file that isn't asked for", func(o *origin) string { return o.with("refs/heads/other", "") }, ""},
	{
		"a truncated pack", truncatedPack,
		"--head HEAD: read object HEAD: PACK.pack: is truncated; run `git fsck`",
	},
}

// stagedRefuses are the lines of `lint --staged`, which reads the index, where
// check, which doesn't, gives a verdict.
var stagedRefuses = map[string]string{
	"bare":        "a bare repository has no index; run `lint --staged` in a work tree; `check` judges commits",
	"split index": "a split index is not supported; run `git update-index --no-split-index`",
}

// staged is the line that `lint --staged` gives in place of a verdict.
func staged(dir string) string {
	roots := []discover.Root{{Source: policy.Builtin, FS: builtins.FS, Path: builtins.Path}}
	if _, err := gate.Lint(context.Background(), gate.Options{Dir: dir, Staged: true, Roots: roots, Tool: "test"}); err != nil {
		return err.Error()
	}
	return ""
}

// judged is what the gate says of the origin's last commit, asked in a directory.
func (o *origin) judged(dir string) (verdict.Verdict, error) {
	roots := []discover.Root{{Source: policy.Builtin, FS: builtins.FS, Path: builtins.Path}}
	return gate.Check(context.Background(), gate.Options{Dir: dir, Base: o.base, Head: o.head, Roots: roots, Tool: "test"})
}

// said is the one line that the gate gives in place of a verdict that decides.
func (o *origin) said(dir string, v verdict.Verdict, err error) string {
	line := ""
	switch {
	case err != nil:
		line = err.Error()
	case v.Word == verdict.Undecided:
		line = v.Summary + "; " + v.Hint
	}
	return o.neutral(dir, line)
}

func (o *origin) neutral(dir, line string) string {
	packs, _ := filepath.Glob(filepath.Join(dir, ".git", "objects", "pack", "*.pack"))
	for _, pack := range packs {
		line = strings.ReplaceAll(line, filepath.Base(pack), "PACK.pack")
	}
	line = strings.ReplaceAll(line, dir, "DIR")
	line = strings.ReplaceAll(line, o.base, "BASE")
	line = strings.ReplaceAll(line, o.base[:12], "BASE")
	line = strings.ReplaceAll(line, o.head, "HEAD")
	for _, rev := range []string{o.base, o.head} {
		line = strings.ReplaceAll(line, o.git("rev-parse", rev+"^{tree}"), "TREE")
	}
	return line
}

func TestRepositoriesPage(t *testing.T) {
	o := newOrigin(t)
	want, err := o.judged(o.plain().dir)
	if err != nil {
		t.Fatal(err)
	}
	if want.Word != verdict.Failed || want.Counts.Commits != 1 {
		t.Fatalf("the plain clone's verdict is %s over %d commits: %s", want.Word, want.Counts.Commits, want.Summary)
	}
	var page strings.Builder
	page.WriteString(repositoriesHead)
	for _, way := range waysToLie {
		t.Run(way.name, func(t *testing.T) {
			here := *o
			dir := way.make(&here)
			v, err := o.judged(dir)
			if way.refuse == "" && (err != nil || v.Digest != want.Digest) {
				t.Errorf("the verdict is %s (%s), %v; want the plain clone's", v.Word, v.Summary, err)
			}
			if got := staged(dir); way.refuse == "" && got != stagedRefuses[way.name] {
				t.Errorf("lint --staged says %q, want %q", got, stagedRefuses[way.name])
			}
			if got := o.said(dir, v, err); way.refuse != "" && got != way.refuse {
				t.Errorf("the gate says\n%s\nwant\n%s", got, way.refuse)
			}
		})
		does := "works: the plain clone's verdict"
		if line := stagedRefuses[way.name]; line != "" {
			does += "; `lint --staged` refuses it: " + line
		}
		if way.refuse != "" {
			does = "refused: " + way.refuse
		}
		fmt.Fprintf(&page, "| %s | %s |\n", way.name, does)
	}
	samePage(t, filepath.Join("docs", "repositories.md"), page.String())
}

func samePage(t *testing.T, file, want string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s isn't what the test says; write it anew with -update", file)
	}
}
