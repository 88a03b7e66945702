package gitrepo

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

func TestRangeOfTheDifferentPlacesOfHeadAndTips(t *testing.T) {
	git := newGit(t)
	// 0 - 1 - 2 - 3   main
	//      \       \
	//       4 - 5 - 6   the branch
	// 7 - 8   another history
	ids := chain(git, []int{0}, []int{1}, []int{2}, []int{1}, []int{4}, []int{5, 3}, nil, []int{7})
	repo := git.open()
	cases := map[string]struct {
		head  int
		tips  []int
		want  []int
		bases []int
	}{
		"head is the tip":              {3, []int{3}, []int{}, []int{3}},
		"head is behind the tip":       {1, []int{3}, []int{}, []int{1}},
		"the tip is behind head":       {3, []int{1}, []int{2, 3}, []int{1}},
		"both went on":                 {5, []int{3}, []int{4, 5}, []int{1}},
		"head merged the tip":          {6, []int{3}, []int{4, 5, 6}, []int{3}},
		"two tips":                     {6, []int{2, 4}, []int{3, 5, 6}, []int{2, 4}},
		"a tip twice":                  {6, []int{3, 3}, []int{4, 5, 6}, []int{3}},
		"no tip":                       {5, nil, []int{0, 1, 4, 5}, []int{}},
		"no common ancestor":           {8, []int{3}, []int{7, 8}, []int{}},
		"one of the tips is unrelated": {5, []int{8, 3}, []int{4, 5}, []int{1}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			rng, err := repo.Range(t.Context(), ids[c.head], pick(ids, 0, c.tips))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(pick(ids, 0, c.want), commitIDs(rng)); diff != "" {
				t.Errorf("commits (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(pick(ids, 0, c.bases), append([]boundary.OID{}, rng.MergeBases...)); diff != "" {
				t.Errorf("merge bases (-want +got):\n%s", diff)
			}
			if !slices.IsSortedFunc(rng.Tips, compareIDs) || rng.Head != ids[c.head] {
				t.Errorf("head %s, tips %v", rng.Head, rng.Tips)
			}
		})
	}
}

// The oldest date lies on the only way from the tip to a commit of head's: by
// dates alone it would never be read.
func TestALieAboutDatesHidesNothingAndAddsNothing(t *testing.T) {
	git := newGit(t)
	var s stream
	root := s.commit(step{date: 500, message: "root"})
	shared := s.commit(step{date: 900, message: "shared", parents: []int{root}})
	head := s.commit(step{date: 1000, message: "head", parents: []int{shared}})
	at := shared
	for range 50 { // more than git looks beyond the date
		at = s.commit(step{date: 1, message: "old", parents: []int{at}})
	}
	tip := s.commit(step{date: 2000, message: "tip", parents: []int{at}})
	ids := git.load(&s)
	rng, err := git.open().Range(t.Context(), ids[head], []boundary.OID{ids[tip]})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]boundary.OID{ids[head]}, commitIDs(rng)); diff != "" {
		t.Errorf("commits (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]boundary.OID{ids[shared]}, rng.MergeBases); diff != "" {
		t.Errorf("merge bases (-want +got):\n%s", diff)
	}
}

// More open ends than a node has marks for: the walk goes to the end instead.
func TestMoreEndsThanMarksGiveTheSameRange(t *testing.T) {
	git := newGit(t)
	var s stream
	main := s.commit(step{date: 1, message: "root"})
	var parents []int
	var want []int
	for i := range maxMarks + 6 {
		main = s.commit(step{date: int64(10 + 2*i), message: "main", parents: []int{main}})
		mine := s.commit(step{date: int64(11 + 2*i), message: "mine", parents: []int{main}})
		parents, want = append(parents, mine), append(want, mine)
	}
	head := s.commit(step{date: 1000, message: "head", parents: parents})
	tip := s.commit(step{date: 1001, message: "tip", parents: []int{main}})
	ids := git.load(&s)
	repo := git.open()
	rng, err := repo.Range(t.Context(), ids[head], []boundary.OID{ids[tip]})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(pick(ids, 0, append(want, head)), commitIDs(rng)); diff != "" {
		t.Errorf("commits (-want +got):\n%s", diff)
	}
	// The root is cut: every end descends from it. The next is cut: the first end doesn't.
	if _, err := cutAt(repo, ids[2]).Range(t.Context(), ids[head], []boundary.OID{ids[tip]}); err != nil {
		t.Errorf("cut where all ends come from: %v", err)
	}
	if _, err := cutAt(repo, ids[4]).Range(t.Context(), ids[head], []boundary.OID{ids[tip]}); !isError[*MissingObjectError](err) {
		t.Errorf("cut above an end's fork: %v, want a missing commit", err)
	}
}

func TestRangeIsTheSameAfterARepack(t *testing.T) {
	git := newSmall(t)
	before := reading(t, git.open())
	git.run("repack", "-q", "-a", "-d")
	git.run("prune-packed")
	if diff := cmp.Diff(before, reading(t, git.open())); diff != "" {
		t.Errorf("(-before +after):\n%s", diff)
	}
}

func TestACancelledWalkEnds(t *testing.T) {
	git := newGit(t)
	var s stream
	at := s.commit(step{date: 1, message: "root"})
	for i := range 600 {
		at = s.commit(step{date: int64(2 + i), message: "next", parents: []int{at}, edits: []string{inline("100644", "a", string(rune('a'+i%26)))}})
	}
	ids := git.load(&s)
	repo := git.open()
	rng, err := repo.Range(t.Context(), ids[at], nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := repo.Range(ctx, ids[at], nil); !errors.Is(err, context.Canceled) {
		t.Errorf("Range gives %v", err)
	}
	if _, err := repo.Changes(ctx, rng); !errors.Is(err, context.Canceled) {
		t.Errorf("Changes gives %v", err)
	}
}

func TestIsAncestor(t *testing.T) {
	git := newGit(t)
	ids := chain(git, []int{0}, []int{1}, []int{0}, nil)
	repo := git.open()
	cases := []struct {
		a, b int
		want bool
	}{{0, 2, true}, {2, 0, false}, {1, 1, true}, {3, 2, false}, {0, 3, true}, {4, 2, false}, {2, 4, false}}
	for _, c := range cases {
		if got, err := repo.IsAncestor(t.Context(), ids[c.a], ids[c.b]); err != nil || got != c.want {
			t.Errorf("IsAncestor(%d, %d) = %v, %v; want %v", c.a, c.b, got, err, c.want)
		}
	}
	gone := boundary.OID{1}
	if _, err := repo.IsAncestor(t.Context(), gone, ids[0]); !isError[*MissingObjectError](err) {
		t.Errorf("an unknown commit gives %v", err)
	}
}

func TestAWalkEndsSoonAfterTheOldestForkPoint(t *testing.T) {
	const (
		fork     = 899 // of the branch, from main
		sideFork = 850 // of a side branch that main merged after that
		tip      = 950 // of main
	)
	var parents [][]int
	for i := 1; i <= tip; i++ {
		parents = append(parents, []int{i - 1})
	}
	side := fork + 1
	parents[side-1] = []int{sideFork}
	parents[side] = []int{fork, side} // main merges it
	parents = append(parents, []int{fork}, []int{tip, tip + 1})
	git := newGit(t)
	ids := chain(git, parents...)
	g := newGraph(git.open())
	only, bases, err := g.exclusive(t.Context(), ids[tip+2], []boundary.OID{ids[tip]})
	if err != nil || len(only) != 2 || len(bases) != 1 || bases[0] != ids[tip] {
		t.Fatalf("%d commits, merge bases %v, error %v", len(only), bases, err)
	}
	if most := tip - sideFork + 10; len(g.nodes) > most {
		t.Errorf("%d commits were read, more than %d", len(g.nodes), most)
	}
}
