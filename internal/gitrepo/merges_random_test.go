package gitrepo

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

// decisions gives what a merge decides, as Changes does.
func decisions(tb testing.TB, repo *Repo, merge boundary.OID) []boundary.Decision {
	tb.Helper()
	commit, err := repo.Commit(merge)
	if err != nil {
		tb.Fatal(err)
	}
	history, err := repo.Changes(tb.Context(), boundary.Range{Head: merge, MergeBases: []boundary.OID{merge}, Commits: []boundary.Commit{commit}})
	if err != nil {
		tb.Fatal(err)
	}
	return history.Deltas[0].Decisions
}

func decidedPaths(found []boundary.Decision) []string {
	var paths []string
	for _, d := range found {
		paths = append(paths, d.Path)
	}
	return paths
}

func modelCount(full int) int {
	if testing.Short() {
		return full / 10
	}
	return full
}

func TestMergesDecideWhatTheRuleSaysPathByPath(t *testing.T) {
	git := newGit(t)
	models := loadModels(t, git, 21, modelCount(500), modelOptions{parents: 4, swaps: true, modes: true})
	repo := git.open()
	merges, crossed, several, dropped := 0, 0, 0, 0
	for _, m := range models {
		for _, merge := range m.merges() {
			found := decisions(t, repo, m.id(merge))
			if diff := cmp.Diff(m.decided(merge), decidedPaths(found)); diff != "" {
				t.Fatalf("merge %s (-model +ours):\n%s", m.id(merge), diff)
			}
			merges++
			parents := m.commits[merge].parents
			if len(m.bases(parents[1], parents[:1])) > 1 {
				crossed++
			}
			if len(parents) > 2 {
				several++
			}
			dropped += m.checkDropped(t, merge, found)
		}
	}
	t.Logf("%d merges, %d with several bases, %d of several parents, %d losses", merges, crossed, several, dropped)
	if crossed == 0 || several == 0 || dropped == 0 {
		t.Error("the histories hold too little")
	}
}

// checkDropped holds every one-sided loss of a merge of two against its
// decisions, and counts them.
func (m *model) checkDropped(t *testing.T, merge int, found []boundary.Decision) int {
	t.Helper()
	c := m.commits[merge]
	if len(c.parents) != 2 {
		return 0
	}
	losses := 0
	for _, path := range m.paths(c.parents) {
		ours, theirs := m.commits[c.parents[0]].files[path], m.commits[c.parents[1]].files[path]
		base, decided := m.fold(m.bases(c.parents[1], c.parents[:1]), path)
		lost := !decided && ours != theirs && (base == ours || base == theirs) && c.files[path] == base
		at := slices.IndexFunc(found, func(d boundary.Decision) bool { return d.Path == path })
		if lost && (at < 0 || !found[at].Dropped || found[at].Conflict) {
			t.Fatalf("merge %s loses one side's change of %q, and no decision says so", m.id(merge), path)
		}
		if !lost && at >= 0 && found[at].Dropped {
			t.Fatalf("merge %s is said to lose a change of %q", m.id(merge), path)
		}
		if lost {
			losses++
		}
	}
	return losses
}

func TestAMergeIsCleanExactlyWhereItsTreeIsGitMergeTrees(t *testing.T) {
	git := newGit(t)
	models := loadModels(t, git, 22, modelCount(500), modelOptions{parents: 2})
	repo := git.open()
	merges, clean, crossed := 0, 0, 0
	for _, m := range models {
		for _, merge := range m.merges() {
			parents := m.commits[merge].parents
			found := decisions(t, repo, m.id(merge))
			tree, ok := git.mergeTree(m.id(parents[0]), m.id(parents[1]))
			want := ok && tree == git.id(m.id(merge).String()+"^{tree}")
			if got := len(found) == 0; got != want {
				t.Fatalf("merge %s: clean is %v, git merge-tree says %v (%v)", m.id(merge), got, want, decidedPaths(found))
			}
			merges++
			if want {
				clean++
			}
			if len(m.bases(parents[1], parents[:1])) > 1 {
				crossed++
			}
		}
	}
	t.Logf("%d merges, %d clean, %d with several bases", merges, clean, crossed)
	if clean == 0 || clean == merges || crossed == 0 {
		t.Error("the histories hold too little")
	}
}

// mergeTree gives the tree that git merges two commits to, if it can.
func (g *gitDir) mergeTree(one, other boundary.OID) (boundary.OID, bool) {
	g.tb.Helper()
	out, ok := g.try("-c", "merge.renames=false", "-c", "merge.directoryRenames=false",
		"merge-tree", "--write-tree", one.String(), other.String())
	tree, _, _ := strings.Cut(out, "\n")
	return mustID(g.tb, tree), ok
}

func TestWithOneMergeBaseTheDecidedPathsAreReadTreesUnmergedOrDifferentOnes(t *testing.T) {
	git := newGit(t)
	models := loadModels(t, git, 23, modelCount(120), modelOptions{parents: 2, modes: true})
	repo := git.open()
	merges, decided := 0, 0
	for _, m := range models {
		for _, merge := range m.merges() {
			parents := m.commits[merge].parents
			bases := m.bases(parents[1], parents[:1])
			if len(bases) != 1 {
				continue
			}
			want := git.readTree(m.id(bases[0]), m.id(parents[0]), m.id(parents[1]), m.id(merge))
			got := decidedPaths(decisions(t, repo, m.id(merge)))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("merge %s (-git +ours):\n%s", m.id(merge), diff)
			}
			merges++
			decided += len(want)
		}
	}
	t.Logf("%d merges, %d decided paths", merges, decided)
	if merges == 0 || decided == 0 {
		t.Error("the histories hold too little")
	}
}

// readTree gives the paths that git read-tree leaves unmerged, or merges to
// something else than a merge has.
func (g *gitDir) readTree(base, one, other, merge boundary.OID) []string {
	g.tb.Helper()
	index := filepath.Join(g.dir, ".git", "index")
	_ = os.Remove(index)
	g.run("read-tree", "-i", "-m", "--aggressive", base.String(), one.String(), other.String())
	merged, unmerged := map[string]string{}, map[string]bool{}
	for _, line := range strings.Split(g.run("ls-files", "--stage", "-z"), "\x00") {
		if meta, path, ok := strings.Cut(line, "\t"); ok {
			entry, isMerged := strings.CutSuffix(meta, " 0")
			merged[path] = entry
			unmerged[path] = !isMerged
		}
	}
	have := map[string]string{}
	for _, line := range strings.Split(g.run("ls-tree", "-r", "-z", merge.String()), "\x00") {
		if meta, path, ok := strings.Cut(line, "\t"); ok {
			f := strings.Fields(meta)
			have[path] = f[0] + " " + f[2]
		}
	}
	var found []string
	for path, entry := range merged {
		if unmerged[path] || have[path] != entry {
			found = append(found, path)
		}
	}
	for path := range have {
		if _, ok := merged[path]; !ok {
			found = append(found, path)
		}
	}
	slices.Sort(found)
	return found
}
