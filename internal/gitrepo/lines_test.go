package gitrepo

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

func TestALineWithARootOfItsOwnIsImported(t *testing.T) {
	cases := map[string]struct {
		parents  [][]int // of commits 1, 2, …; commit 0 is a root
		tip      int     // 1 if not given
		head     int
		imported []int
		lines    map[int][]int // of merges, where they aren't all parents
	}{
		"no root in the range": {
			parents: [][]int{{0}, {1}, {1}, {2, 3}}, head: 4,
		},
		"an orphan history merged in": { // 3 - 4
			parents: [][]int{{0}, {1}, nil, {3}, {2, 4}}, head: 5,
			imported: []int{3, 4}, lines: map[int][]int{5: {2}},
		},
		"merged into the orphan history": {
			parents: [][]int{{0}, {1}, nil, {3}, {4, 2}}, head: 5,
			imported: []int{3, 4}, lines: map[int][]int{5: {2}},
		},
		"an orphan history that forks inside": {
			parents: [][]int{{0}, {1}, nil, {3}, {3}, {4, 5}, {2, 6}}, head: 7,
			imported: []int{3, 4, 5, 6}, lines: map[int][]int{7: {2}},
		},
		"an octopus of two orphans": {
			parents: [][]int{{0}, {1}, nil, nil, {2, 3, 4}}, head: 5,
			imported: []int{3, 4}, lines: map[int][]int{5: {2}},
		},
		"a second pull in the same range": { // 3 in 4, then 5 on 3 in 6
			parents: [][]int{{0}, {1}, nil, {2, 3}, {3}, {4, 5}}, head: 6,
			imported: []int{3, 5}, lines: map[int][]int{4: {2}, 6: {4}},
		},
		"a later pull of what the tip imported is an ordinary merge": { // 1 in 2, then 3 on 1 in 5
			parents: [][]int{nil, {0, 1}, {1}, {2}, {4, 3}}, head: 5, tip: 2,
		},
		"an imported history of two roots": {
			parents: [][]int{{0}, {1}, nil, nil, {3, 4}, {2, 5}}, head: 6,
			imported: []int{3, 4, 5}, lines: map[int][]int{5: {3}, 6: {2}},
		},
		"main merged into an orphan, then into the branch": { // 4 joins orphan 3 to 1
			parents: [][]int{{0}, {1}, nil, {1, 3}, {2, 4}}, head: 5,
			imported: []int{3}, lines: map[int][]int{4: {1}},
		},
		"one orphan that two parents reach": {
			parents: [][]int{{0}, {1}, nil, {3}, {3}, {2, 4, 5}}, head: 6,
			imported: []int{3, 4, 5}, lines: map[int][]int{6: {2}},
		},
		"one orphan that all parents reach": {
			parents: [][]int{{0}, nil, {2}, {2}, {2}, {3, 4, 5}}, head: 6,
		},
		"two histories and no common ancestor": {
			parents: [][]int{{0}, nil, nil, {2, 3}}, head: 4,
			imported: []int{3}, lines: map[int][]int{4: {2}},
		},
		"a first history is nobody's import": {
			parents: [][]int{{0}, nil, {2}, {2}, {3, 4}}, head: 5,
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			git := newGit(t)
			ids := chain(git, c.parents...)
			rng, err := git.open().Range(t.Context(), ids[c.head], []boundary.OID{ids[max(c.tip, 1)]})
			if err != nil {
				t.Fatal(err)
			}
			var imported []int
			for _, commit := range rng.Commits {
				n := slices.Index(ids, commit.ID)
				if commit.Imported {
					imported = append(imported, n)
				}
				want := commit.Parents
				if lines, ok := c.lines[n]; ok {
					want = pick(ids, 0, lines)
				}
				if diff := cmp.Diff(want, commit.Lines); diff != "" {
					t.Errorf("lines of %d (-want +got):\n%s", n, diff)
				}
			}
			slices.Sort(imported)
			if diff := cmp.Diff(c.imported, imported); diff != "" {
				t.Errorf("imported (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFirstParentIsHeadsFirstParentLine(t *testing.T) {
	git := newGit(t)
	ids := chain(git, []int{0}, []int{1}, []int{1}, []int{2, 3}, []int{4})
	rng, err := git.open().Range(t.Context(), ids[5], []boundary.OID{ids[0]})
	if err != nil {
		t.Fatal(err)
	}
	var line []boundary.OID
	for _, c := range rng.Commits {
		if c.FirstParent {
			line = append(line, c.ID)
		}
	}
	if diff := cmp.Diff([]boundary.OID{ids[1], ids[2], ids[4], ids[5]}, line); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What comes in with an imported line is the joining merge's own change.
func TestAnImportedHistoryIsTheJoiningMergesChange(t *testing.T) {
	git := newSmall(t)
	base := git.id("HEAD")
	git.run("checkout", "-q", "--orphan", "foreign")
	git.run("rm", "-rqf", ".")
	git.put(".github/workflows/w.yml", "on: push\n")
	git.run("checkout", "-q", "-b", "branch", "main")
	git.put("docs/mine.md", "mine\n")
	merge := git.merge("--allow-unrelated-histories", "foreign")
	repo := git.open()
	rng, err := repo.Range(t.Context(), merge, []boundary.OID{base})
	if err != nil {
		t.Fatal(err)
	}
	history, err := repo.Changes(t.Context(), rng)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]string{}
	for i, c := range rng.Commits {
		kind := fmt.Sprintf("%d parents, imported %v", len(c.Parents), c.Imported)
		for _, change := range history.Deltas[i].Changes {
			got[kind] = append(got[kind], change.Path)
		}
		if n := len(history.Deltas[i].Decisions); n > 0 {
			t.Errorf("commit %s decides %d paths", c.ID, n)
		}
	}
	want := map[string][]string{
		"1 parents, imported false": {"docs/mine.md"},
		"2 parents, imported false": {".github/workflows/w.yml"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
}

func TestTooManyRootsAreRefused(t *testing.T) {
	rng := boundary.Range{Commits: make([]boundary.Commit, MaxRoots+1)}
	if err := markLines(&rng); !isError[*LimitError](err) {
		t.Errorf("%d roots give %v, want a LimitError", MaxRoots+1, err)
	}
	rng.Commits = rng.Commits[1:]
	if err := markLines(&rng); err != nil {
		t.Errorf("%d roots give %v", MaxRoots, err)
	}
}
