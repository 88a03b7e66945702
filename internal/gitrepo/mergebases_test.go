package gitrepo

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

// askedOfGit are the merge bases that git gives of a merge's parents, and of
// those bases in turn.
func askedOfGit(git *gitDir, parents []boundary.OID, found map[boundary.OID]bool) {
	for i := 1; i < len(parents); i++ {
		ids := git.mergeBases(parents[i], parents[:i])
		for _, id := range ids {
			found[id] = true
		}
		askedOfGit(git, ids, found)
	}
}

func TestMergeBasesOfARangeAreThoseOfGit(t *testing.T) {
	const seed, graphs = 11, 25
	rnd := rand.New(rand.NewPCG(seed, seed))
	git := newGit(t)
	var history stream
	all, firsts := make([]randomGraph, graphs), make([]int, graphs)
	for i := range all {
		all[i] = newRandomGraph(rnd, 30)
		firsts[i] = all[i].write(&history)
	}
	ids := git.load(&history)
	repo, several := git.open(), 0
	for i, g := range all {
		rng, err := repo.Range(t.Context(), ids[firsts[i]+len(g.parents)-1], nil)
		if err != nil {
			t.Fatal(err)
		}
		want := map[boundary.OID]bool{}
		for _, c := range rng.Commits {
			askedOfGit(git, c.Parents, want)
		}
		got, err := repo.MergeBases(t.Context(), rng)
		if err != nil {
			t.Fatal(err)
		}
		slices.SortFunc(got, compareIDs)
		var sorted []boundary.OID
		for id := range want {
			sorted = append(sorted, id)
		}
		slices.SortFunc(sorted, compareIDs)
		if diff := cmp.Diff(sorted, got); diff != "" {
			t.Errorf("graph %d (-git +got):\n%s", i, diff)
		}
		if len(got) > 1 {
			several++
		}
	}
	if several < graphs/3 {
		t.Errorf("only %d of %d ranges have several merge bases", several, graphs)
	}
}

// Lines that cross again and again give twice as many ways down at each step.
func TestMergeBasesOfCrosswiseMergesAreBounded(t *testing.T) {
	for crossings, bounded := range map[int]bool{60: false, MaxBaseFolds + 5: true} {
		commits := []wholeCommit{{nil, files{"f": "0"}}, {[]int{0}, files{"f": "a0"}}, {[]int{0}, files{"f": "b0"}}}
		one, other := 1, 2
		for i := range crossings {
			commits = append(commits,
				wholeCommit{[]int{one, other}, files{"f": fmt.Sprint("a", i+1)}},
				wholeCommit{[]int{other, one}, files{"f": fmt.Sprint("b", i+1)}})
			one, other = len(commits)-2, len(commits)-1
		}
		git := newGit(t)
		ids := git.whole(append(commits, wholeCommit{[]int{one, other}, files{"f": "x"}})...)
		repo := git.open()
		rng, err := repo.Range(t.Context(), ids[len(ids)-1], []boundary.OID{ids[one], ids[other]})
		if err != nil {
			t.Fatal(err)
		}
		found, err := repo.MergeBases(t.Context(), rng)
		if isError[*LimitError](err) != bounded || len(found) < crossings && !bounded {
			t.Errorf("%d crossings give %d merge bases and %v", crossings, len(found), err)
		}
	}
}
