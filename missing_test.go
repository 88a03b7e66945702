package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// cleanRepository has a branch agent/docs that passes: plain commits, a merge
// of main and a merge of another branch, in folders of several depths.
func cleanRepository(t *testing.T) *testRepository {
	r := newTestRepository(t)
	r.git("config", "gc.auto", "0")
	r.write(
		".clio-coder/fleets/docs.md", contract("docs", "docs/, docs/sub"),
		".gitmodules", "[submodule \"theme\"]\n\tpath = docs/sub\n\turl = https://example.com/theme.git\n",
		".clio-coder/fleets/commands.yaml", "version: 1\ncommands: {test: {argv: [make, test]}}\n",
		".clio-coder/agents/README.txt", "none yet\n",
		".clio-coder/playbooks/release.md", contract("release", "CHANGELOG.md"),
		".clio-coder/fleetgate.yaml", "version: 1\n",
		"docs/index.md", "index\n", "docs/guide/deep/a.md", "a\n", "docs/guide/deep/b.md", "b\n", "docs/guide/flat.md", "flat\n",
		"src/deep/a.go", "package a\n", "untouched/folder/file", "file\n", "target", "guide",
	)
	r.commit("Start")
	r.git("checkout", "--quiet", "-b", "agent/docs")
	r.write("docs/guide/deep/a.md", "a, described\n")
	r.commit("Describe a", "Fleet-Step: docs/write")
	r.git("checkout", "--quiet", "-b", "agent/side", "main")
	r.write("docs/guide/deep/b.md", "b, described\n", "docs/side/new.md", "new\n")
	r.commit("Describe b", "Fleet-Step: docs/write")
	r.git("checkout", "--quiet", "main")
	r.write("src/deep/a.go", "package a // fixed\n")
	r.commit("Fix a")
	r.git("checkout", "--quiet", "agent/docs")
	r.merge("main", []string{"Merge main"})
	r.merge("agent/side", []string{"Merge the side"})
	r.write("docs/guide/flat.md", "-", "docs/guide/round/flat.md", "flat\n")
	r.commit("Move it", "Fleet-Step: docs/write")
	target := r.git("hash-object", "-w", "--literally", filepath.Join(r.dir, "target"))
	r.git("update-index", "--add", "--cacheinfo", "120000,"+target+",docs/link")
	r.git("update-index", "--add", "--cacheinfo", "160000,1234567890123456789012345678901234567890,docs/sub")
	r.git("commit", "--quiet", "--message", "Add a link and a theme\n\nFleet-Step: docs/write")
	r.git("reset", "--quiet", "--hard")
	r.git("checkout", "--quiet", "main")
	r.write("src/deep/b.go", "package a\n")
	r.commit("Go on")
	return r
}

// TestNothingMissingEverPasses deletes, in turn, each object that the verdict
// needs: never is the answer that the range is fine, and the object is named.
func TestNothingMissingEverPasses(t *testing.T) {
	r := cleanRepository(t)
	base, head := r.git("rev-parse", "main"), r.git("rev-parse", "agent/docs")
	check := func() (int, string) {
		code, stdout, stderr := fleetgateRun{dir: r.dir, args: []string{"check", "--base", base, "--head", head, "--format", "json"}}.output(t)
		return code, stdout + stderr
	}
	if code, report := check(); code != 0 || !strings.Contains(report, `"reason": "clean"`) {
		t.Fatalf("with nothing missing: exit code %d:\n%s", code, report)
	}
	needed := r.neededObjects("main", "agent/docs")
	counts := map[string]int{}
	for id, what := range needed {
		kind := r.git("cat-file", "-t", id)
		counts[kind]++
		restore := r.deleteObject(id)
		code, report := check()
		restore()
		if code != 3 || !strings.Contains(report, `"verdict": "undecided"`) || !strings.Contains(report, id) {
			t.Errorf("without the %s %s (%s): exit code %d, and the report doesn't call it undecided for the lack of it:\n%s", kind, id, what, code, report)
		}
	}
	if counts["tree"] < 25 || counts["commit"] < 8 || counts["blob"] < 6 {
		t.Errorf("too few objects were deleted: %v", counts)
	}
	r.checkUnneeded(check, needed)
}

// TestAnErrorFoundBeatsAMissingObject: what was found before the object was
// missed stands, and the verdict says that it isn't whole.
func TestAnErrorFoundBeatsAMissingObject(t *testing.T) {
	r := cleanRepository(t)
	r.git("checkout", "--quiet", "agent/docs")
	r.commit("Do nothing", "Fleet-Step: docs/nobody")
	id := r.git("rev-parse", "agent/docs~1^{tree}:docs/guide")
	r.deleteObject(id)
	code, stdout, _ := fleetgateRun{dir: r.dir, args: []string{"check", "--format", "json"}}.output(t)
	for _, part := range []string{`"verdict": "failed"`, `"incomplete": true`, `"code": "claim-unknown"`, id} {
		if code != 1 || !strings.Contains(stdout, part) {
			t.Errorf("exit code %d, want 1; the report lacks %s:\n%s", code, part, stdout)
		}
	}
}

// checkUnneeded deletes what no verdict needs: it isn't missed. So the test
// above fails where the objects that it deletes weren't really gone, or where
// everything were called needed.
func (r *testRepository) checkUnneeded(check func() (int, string), needed map[string]string) {
	r.t.Helper()
	for _, rev := range []string{"agent/docs:untouched", "agent/docs:untouched/folder", "agent/docs:docs/index.md", "agent/docs:docs/guide/deep/a.md"} {
		id := r.git("rev-parse", rev)
		if needed[id] != "" {
			r.t.Fatalf("%s counts as needed", rev)
		}
		restore := r.deleteObject(id)
		code, report := check()
		restore()
		if code != 0 {
			r.t.Errorf("without %s, which nothing needs: exit code %d:\n%s", rev, code, report)
		}
	}
}

// deleteObject removes a loose object, and gives the way to put it back.
func (r *testRepository) deleteObject(id string) (restore func()) {
	r.t.Helper()
	path := filepath.Join(r.dir, ".git", "objects", id[:2], id[2:])
	aside := filepath.Join(r.dir, ".git", "aside")
	if err := os.Rename(path, aside); err != nil {
		r.t.Fatal(err)
	}
	return func() {
		if err := os.Rename(aside, path); err != nil {
			r.t.Fatal(err)
		}
	}
}

// needs collects what a verdict must read, by id, with a word on why.
type needs struct {
	*testRepository
	why map[string]string
}

// neededObjects works out with git alone what the verdict on base..head needs:
// the commits, the trees that differ, and the policy at both ends.
func (r *testRepository) neededObjects(base, head string) map[string]string {
	r.t.Helper()
	n := needs{r, map[string]string{}}
	merged := r.git("merge-base", base, head)
	for commit := range strings.FieldsSeq(r.git("rev-list", head, "^"+base)) {
		n.commit(commit)
	}
	for _, commit := range []string{base, head, merged} {
		n.why[r.git("rev-parse", commit)] = "an end of the range"
	}
	n.difference(merged+"^{tree}", head+"^{tree}", "the net difference")
	for _, end := range []string{base, head} {
		n.policy(end)
	}
	n.need("where a link leads", r.git("rev-parse", head+":docs/link"))
	n.need("which submodules there are", r.git("rev-parse", head+":.gitmodules"))
	return n.why
}

func (n needs) commit(commit string) {
	n.t.Helper()
	n.why[commit] = "a commit of the range"
	parents := strings.Fields(n.git("rev-list", "--parents", "--max-count=1", commit))[1:]
	switch len(parents) {
	case 1:
		n.difference(parents[0]+"^{tree}", commit+"^{tree}", "what "+commit+" changed")
	case 2:
		base := n.git("merge-base", parents[0], parents[1])
		n.merge(parents[0]+"^{tree}", parents[1]+"^{tree}", base+"^{tree}", commit+"^{tree}", "what "+commit+" decided")
	default:
		n.t.Fatalf("%s has %d parents", commit, len(parents))
	}
}

// difference needs both sides of every pair of trees that aren't equal.
func (n needs) difference(old, new, why string) {
	n.t.Helper()
	before, after := n.tree(old), n.tree(new)
	if before == after {
		return
	}
	n.need(why, before, after)
	for _, name := range names(n.folders(before), n.folders(after)) {
		n.difference(n.folders(before)[name], n.folders(after)[name], why)
	}
}

// merge needs every tree that no rule gives as a whole: where both parents
// changed it, or the merge has another one.
func (n needs) merge(one, two, base, got, why string) {
	n.t.Helper()
	one, two, base, got = n.tree(one), n.tree(two), n.tree(base), n.tree(got)
	switch {
	case got == one && (one == two || two == base), got == two && one == base:
		return
	}
	n.need(why, one, two, base, got)
	for _, name := range names(n.folders(one), n.folders(two), n.folders(got)) {
		n.merge(n.folders(one)[name], n.folders(two)[name], n.folders(base)[name], n.folders(got)[name], why)
	}
}

// policy needs the folders of the policy and the files in them.
func (n needs) policy(commit string) {
	n.t.Helper()
	root := n.tree(commit + "^{tree}")
	n.need("the policy's root", root)
	for line := range strings.SplitSeq(n.git("ls-tree", "-r", "-t", commit, ".clio-coder"), "\n") {
		info, path, _ := strings.Cut(line, "\t")
		kind, id := strings.Fields(info)[1], strings.Fields(info)[2]
		if kind == "tree" || !strings.HasSuffix(path, ".txt") {
			n.need("the policy's "+path, id)
		}
	}
}

func (n needs) need(why string, ids ...string) {
	for _, id := range ids {
		if id != "" {
			n.why[id] = why
		}
	}
}

// tree gives the id of a tree; an empty revision is no tree.
func (n needs) tree(rev string) string {
	n.t.Helper()
	if rev == "" {
		return ""
	}
	return n.git("rev-parse", "--verify", rev)
}

// folders are the trees in a tree, by name.
func (n needs) folders(tree string) map[string]string {
	n.t.Helper()
	found := map[string]string{}
	if tree == "" {
		return found
	}
	for line := range strings.SplitSeq(n.git("ls-tree", "-d", tree), "\n") {
		info, name, isEntry := strings.Cut(line, "\t")
		if isEntry && strings.Fields(info)[1] == "tree" { // not a submodule
			found[name] = strings.Fields(info)[2]
		}
	}
	return found
}

// names are all the keys, sorted.
func names(folders ...map[string]string) []string {
	all := map[string]string{}
	for _, some := range folders {
		maps.Copy(all, some)
	}
	return slices.Sorted(maps.Keys(all))
}
