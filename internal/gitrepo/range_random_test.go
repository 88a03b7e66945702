package gitrepo

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

// randomGraph is a history without files: each commit's parents, as indexes
// of earlier commits.
type randomGraph struct {
	parents [][]int
	dates   []int64
	head    int
	tips    []int
}

// newRandomGraph makes a history of up to most commits. Dates are honest, or
// somewhat off, or any.
func newRandomGraph(rnd *rand.Rand, most int) randomGraph {
	var g randomGraph
	size := 2 + rnd.IntN(most-1)
	disorder := rnd.IntN(3)
	width := 1 + rnd.IntN(8)
	for i := range size {
		var parents []int
		for range min(i, 1+rnd.IntN(3)*rnd.IntN(2)) {
			if p := max(0, i-1-rnd.IntN(width)); !slices.Contains(parents, p) {
				parents = append(parents, p)
			}
		}
		if rnd.IntN(30) == 0 {
			parents = nil
		}
		date := int64(1_000_000 + 100*i)
		switch disorder {
		case 1:
			date += rnd.Int64N(2000) - 1000
		case 2:
			date = rnd.Int64N(2_000_000)
		}
		g.parents, g.dates = append(g.parents, parents), append(g.dates, date)
	}
	g.head = rnd.IntN(size)
	for range rnd.IntN(4) {
		g.tips = append(g.tips, rnd.IntN(size))
	}
	return g
}

// reach marks what the given commits reach, themselves included.
func (g randomGraph) reach(from ...int) []bool {
	seen := make([]bool, len(g.parents))
	from = slices.Clone(from)
	for len(from) > 0 {
		at := from[len(from)-1]
		from = from[:len(from)-1]
		if !seen[at] {
			seen[at] = true
			from = append(from, g.parents[at]...)
		}
	}
	return seen
}

// exclusive and bases are what must come out, worked out by brute force.
func (g randomGraph) exclusive() []int {
	mine, theirs := g.reach(g.head), g.reach(g.tips...)
	var found []int
	for i := range g.parents {
		if mine[i] && !theirs[i] {
			found = append(found, i)
		}
	}
	return found
}

func (g randomGraph) bases() []int {
	mine, theirs := g.reach(g.head), g.reach(g.tips...)
	var found []int
	for i := range g.parents {
		if !mine[i] || !theirs[i] {
			continue
		}
		best := true
		for j := range g.parents {
			if j != i && mine[j] && theirs[j] && g.reach(j)[i] {
				best = false
			}
		}
		if best {
			found = append(found, i)
		}
	}
	return found
}

func (g randomGraph) write(s *stream) (first int) {
	first = s.marks + 1
	for i, parents := range g.parents {
		c := step{date: g.dates[i], message: fmt.Sprint(s.marks)}
		for _, p := range parents {
			c.parents = append(c.parents, first+p)
		}
		s.commit(c)
	}
	return first
}

func pick(ids []boundary.OID, first int, indexes []int) []boundary.OID {
	picked := make([]boundary.OID, len(indexes))
	for i, index := range indexes {
		picked[i] = ids[first+index]
	}
	slices.SortFunc(picked, compareIDs)
	return picked
}

func TestRangeAndMergeBasesEqualGitOnRandomGraphs(t *testing.T) {
	const seed = 7
	graphs := 3000
	if testing.Short() {
		graphs = 250
	}
	rnd := rand.New(rand.NewPCG(seed, seed))
	git := newGit(t)
	var history stream
	all := make([]randomGraph, graphs)
	firsts := make([]int, graphs)
	for i := range all {
		all[i] = newRandomGraph(rnd, 40)
		firsts[i] = all[i].write(&history)
	}
	ids := git.load(&history)
	repo := git.open()
	wrongGit := 0
	for i, g := range all {
		head, tips := ids[firsts[i]+g.head], pick(ids, firsts[i], g.tips)
		rng, err := repo.Range(t.Context(), head, tips)
		if err != nil {
			t.Fatalf("graph %d: %v", i, err)
		}
		checkOrder(t, rng)
		want := pick(ids, firsts[i], g.exclusive())
		if diff := cmp.Diff(want, commitIDs(rng)); diff != "" {
			t.Fatalf("graph %d: range (-want +got):\n%s", i, diff)
		}
		wantBases := pick(ids, firsts[i], g.bases())
		if diff := cmp.Diff(wantBases, append([]boundary.OID{}, rng.MergeBases...)); diff != "" {
			t.Fatalf("graph %d: merge bases (-want +got):\n%s", i, diff)
		}
		if len(tips) > 0 {
			if diff := cmp.Diff(wantBases, git.mergeBases(head, tips)); diff != "" {
				t.Fatalf("graph %d: git merge-base --all differs (-want +git):\n%s", i, diff)
			}
		}
		if list := git.revList(head, tips); !slices.Equal(want, list) {
			wrongGit++
			checkSuperset(t, list, want)
		}
		checkAncestors(t, repo, g, func(index int) boundary.OID { return ids[firsts[i]+index] })
	}
	// Where dates lie, git may give up early and list a commit that a tip reaches.
	t.Logf("%d graphs; git rev-list itself is wrong on %d", graphs, wrongGit)
	if wrongGit*100 > graphs {
		t.Errorf("git rev-list differs on %d of %d graphs", wrongGit, graphs)
	}
}

func checkOrder(t *testing.T, rng boundary.Range) {
	t.Helper()
	seen := map[boundary.OID]bool{}
	in := map[boundary.OID]bool{}
	for _, c := range rng.Commits {
		in[c.ID] = true
	}
	for _, c := range rng.Commits {
		for _, p := range c.Parents {
			if in[p] && !seen[p] {
				t.Fatalf("commit %s comes before its parent %s", c.ID, p)
			}
		}
		seen[c.ID] = true
	}
}

func checkSuperset(t *testing.T, all, some []boundary.OID) {
	t.Helper()
	for _, id := range some {
		if !slices.Contains(all, id) {
			t.Fatalf("git rev-list hides %s, which only head reaches", id)
		}
	}
}

func checkAncestors(t *testing.T, repo *Repo, g randomGraph, id func(int) boundary.OID) {
	t.Helper()
	for _, tip := range g.tips {
		got, err := repo.IsAncestor(t.Context(), id(g.head), id(tip))
		if err != nil || got != g.reach(tip)[g.head] {
			t.Fatalf("IsAncestor(%d, %d) = %v, %v", g.head, tip, got, err)
		}
	}
}

func commitIDs(rng boundary.Range) []boundary.OID {
	ids := []boundary.OID{}
	for _, c := range rng.Commits {
		ids = append(ids, c.ID)
	}
	slices.SortFunc(ids, compareIDs)
	return ids
}

func (g *gitDir) revList(head boundary.OID, tips []boundary.OID) []boundary.OID {
	g.tb.Helper()
	args := []string{"rev-list", head.String(), "--not"}
	for _, tip := range tips {
		args = append(args, tip.String())
	}
	return parseIDs(g.tb, g.run(args...))
}

func (g *gitDir) mergeBases(head boundary.OID, tips []boundary.OID) []boundary.OID {
	g.tb.Helper()
	args := []string{"merge-base", "--all", head.String()}
	for _, tip := range tips {
		args = append(args, tip.String())
	}
	out, _ := g.try(args...) // fails where there is none
	return parseIDs(g.tb, out)
}

func parseIDs(tb testing.TB, text string) []boundary.OID {
	tb.Helper()
	ids := []boundary.OID{}
	for _, line := range strings.Fields(text) {
		ids = append(ids, mustID(tb, line))
	}
	slices.SortFunc(ids, compareIDs)
	return ids
}
