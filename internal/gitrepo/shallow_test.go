package gitrepo

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

// chain writes a history from parents and gives its ids; commit n is ids[n].
func chain(git *gitDir, parents ...[]int) []boundary.OID {
	g := randomGraph{parents: append([][]int{nil}, parents...)}
	for i := range g.parents {
		g.dates = append(g.dates, int64(1_000_000+i))
	}
	var s stream
	first := g.write(&s)
	return git.load(&s)[first:]
}

// cutAt makes a repository shallow at some commits, as a clone would be.
func cutAt(repo *Repo, ids ...boundary.OID) *Repo {
	shallow := *repo
	shallow.walked = new(walkedGraph)
	shallow.shallow = map[boundary.OID]bool{}
	for _, id := range ids {
		shallow.shallow[id] = true
	}
	return &shallow
}

func TestAShallowCloneIsUndecidedOnlyWhereTheMissingHistoryMatters(t *testing.T) {
	git := newGit(t)
	// 0 - 1 - 2 - 3 - 4 - 5   main
	//          \       \
	//           6 - 7 - 8 - 9   the branch, which merges main's 4
	//      10 - 11              a side branch of main's, merged in 12 (on 5)
	ids := chain(git, []int{0}, []int{1}, []int{2}, []int{3}, []int{4}, []int{2}, []int{6}, []int{7, 4}, []int{8}, []int{1}, []int{10}, []int{5, 11})
	repo := git.open()
	cases := map[string]struct {
		head, tip int
		cuts      []int
		missing   int // the parent that is named; -1: decided
		want      []int
	}{
		"below the fork":                                    {7, 5, []int{1}, -1, []int{6, 7}},
		"at the fork":                                       {7, 5, []int{2}, -1, []int{6, 7}},
		"at the tip, which head descends from":              {3, 2, []int{2}, -1, []int{3}},
		"a depth-1 clone of the tip, with head behind it":   {7, 5, []int{5}, 4, nil},
		"a depth-1 clone of head":                           {7, 5, []int{7}, 6, nil},
		"inside head's own commits":                         {7, 5, []int{6}, 2, nil},
		"between the tip and the fork":                      {7, 5, []int{4}, 3, nil},
		"head is the tip":                                   {5, 5, []int{5}, -1, []int{}},
		"head is behind the tip and both are deep enough":   {3, 5, []int{2}, -1, []int{}},
		"head is the cut itself and the tip descends":       {3, 5, []int{3}, -1, []int{}},
		"a merge that brought in the main line, cut below":  {9, 5, []int{1}, -1, []int{6, 7, 8, 9}},
		"a merge that brought in the main line, cut in it":  {9, 5, []int{3}, 2, nil},
		"a side branch of the tip's, cut":                   {7, 12, []int{11}, 10, nil},
		"a side branch of the tip's, cut below what shows":  {7, 12, []int{1}, -1, []int{6, 7}},
		"a side branch of the tip's, cut where all have it": {9, 12, []int{0}, -1, []int{6, 7, 8, 9}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			rng, err := cutAt(repo, pick(ids, 0, c.cuts)...).Range(t.Context(), ids[c.head], []boundary.OID{ids[c.tip]})
			if c.missing < 0 {
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(pick(ids, 0, c.want), commitIDs(rng)); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
				return
			}
			var missing *MissingObjectError
			if !errors.As(err, &missing) || missing.Kind != "commit" || !missing.Shallow || missing.ID != ids[c.missing] {
				t.Errorf("gives %v, want commit %s to be missing", err, ids[c.missing])
			}
		})
	}
}

func TestADepthOneCloneHasNoRangeOfEverything(t *testing.T) {
	git := newSmall(t)
	dir := git.clone(t, "--depth=1", "--no-single-branch", "file://"+git.dir)
	repo := mustOpen(t, dir)
	head, err := repo.Resolve("main")
	if err != nil {
		t.Fatal(err)
	}
	side, err := repo.Resolve("origin/side")
	if err != nil {
		t.Fatal(err)
	}
	for _, tips := range [][]boundary.OID{{side}, nil} {
		if rng, err := repo.Range(t.Context(), head, tips); !isError[*MissingObjectError](err) {
			t.Errorf("from %v: %d commits, %v; want a missing commit", tips, len(rng.Commits), err)
		}
	}
	if _, err := repo.IsAncestor(t.Context(), side, head); !isError[*MissingObjectError](err) {
		t.Errorf("IsAncestor gives %v, want a missing commit", err)
	}
}

// A shallow clone may say that it can't tell, but never anything wrong.
func TestWhatAShallowCloneSaysIsWhatTheWholeHistorySays(t *testing.T) {
	const seed = 31
	graphs := modelCount(1500)
	rnd := rand.New(rand.NewPCG(seed, seed))
	git := newGit(t)
	var history stream
	all, firsts := make([]randomGraph, graphs), make([]int, graphs)
	for i := range all {
		all[i] = newRandomGraph(rnd, 30)
		firsts[i] = all[i].write(&history)
	}
	ids := git.load(&history)
	repo := git.open()
	decided, undecided := 0, 0
	for i, g := range all {
		if len(g.tips) == 0 {
			continue
		}
		var cuts []boundary.OID
		for range 1 + rnd.IntN(3) {
			cuts = append(cuts, ids[firsts[i]+rnd.IntN(len(g.parents))])
		}
		head, tips := ids[firsts[i]+g.head], pick(ids, firsts[i], g.tips)
		shallow := cutAt(repo, cuts...)
		if yes, err := shallow.IsAncestor(t.Context(), head, tips[0]); err == nil {
			if whole, _ := repo.IsAncestor(t.Context(), head, tips[0]); yes != whole {
				t.Fatalf("graph %d: IsAncestor says %v", i, yes)
			}
		}
		rng, err := shallow.Range(t.Context(), head, tips)
		if isError[*MissingObjectError](err) {
			undecided++
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		decided++
		if want := pick(ids, firsts[i], g.exclusive()); !slices.Equal(want, commitIDs(rng)) {
			t.Fatalf("graph %d: another range: %s", i, cmp.Diff(want, commitIDs(rng)))
		}
		if want := pick(ids, firsts[i], g.bases()); !slices.Equal(want, rng.MergeBases) {
			t.Fatalf("graph %d: other merge bases: %s", i, cmp.Diff(want, rng.MergeBases))
		}
	}
	t.Logf("%d decided, %d undecided", decided, undecided)
	if decided < undecided/4 || undecided == 0 {
		t.Error("the histories hold too little")
	}
}

func TestAMissingCommitIsUndecidedOnlyWhereItMatters(t *testing.T) {
	git := newGit(t)
	var ids []boundary.OID
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		ids = append(ids, git.put(name, name))
	}
	git.run("checkout", "-q", "-b", "branch", ids[2].String())
	mine := git.put("mine", "mine")
	cases := map[string]struct {
		gone    boundary.OID
		decided bool
	}{
		"between the tip and the fork": {ids[3], false},
		"the fork":                     {ids[2], true},
		"below the fork":               {ids[1], true},
		"head":                         {mine, false},
		"the tip":                      {ids[4], false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			content := readFile(t, git.loose(c.gone))
			git.remove(c.gone)
			defer writeFile(t, git.loose(c.gone), content)
			rng, err := git.open().Range(t.Context(), mine, []boundary.OID{ids[4]})
			if c.decided {
				if err != nil || len(rng.Commits) != 1 || !slices.Equal(rng.MergeBases, ids[2:3]) {
					t.Errorf("gives %v, %v", rng, err)
				}
				return
			}
			var missing *MissingObjectError
			if !errors.As(err, &missing) || missing.ID != c.gone || missing.Shallow {
				t.Errorf("gives %v, want %s to be missing", err, c.gone)
			}
		})
	}
}
