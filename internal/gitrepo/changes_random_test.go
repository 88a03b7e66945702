package gitrepo

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

// oddNames are parts of paths that have broken tools.
var oddNames = []string{
	"a", "b", "a.b", "a-b", "docs", "Docs", "bad-é.txt", "a\"b\t.md", "a\\tb", "a\tb",
	"line\nbreak", "\xff\xfe", " lead", "trail ", "x y", ":colon", "-dash", "~tilde", "docs\\evil.sh", "🚀",
}

// randomPath gives a path of one to four odd names; few names, so that files
// and directories of the same name follow each other.
func randomPath(rnd *rand.Rand) string {
	parts := make([]string, 1+rnd.IntN(4))
	for i := range parts {
		parts[i] = oddNames[rnd.IntN(len(oddNames))]
	}
	return strings.Join(parts, "/")
}

// randomEdit gives a fast-import command that changes something.
func randomEdit(rnd *rand.Rand, serial int) string {
	path := cQuote(randomPath(rnd))
	content := fmt.Sprintf("%d\n", serial*rnd.IntN(2))
	switch rnd.IntN(10) {
	case 0:
		return "D " + path
	case 1:
		return "M 160000 " + fmt.Sprintf("%040x", 1+rnd.IntN(3)) + " " + path
	case 2:
		return inline("120000", path, "target")
	case 3:
		return inline("100755", path, content)
	}
	return inline("100644", path, content)
}

// cQuote quotes a path as fast-import reads it.
func cQuote(path string) string {
	var quoted strings.Builder
	quoted.WriteByte('"')
	for i := range len(path) {
		if c := path[i]; c < ' ' || c == '"' || c == '\\' || c >= 0x7f {
			fmt.Fprintf(&quoted, "\\%03o", c)
		} else {
			quoted.WriteByte(c)
		}
	}
	quoted.WriteByte('"')
	return quoted.String()
}

// randomFiles writes a history of edits and merges, the last commit its head.
func randomFiles(rnd *rand.Rand, commits int) *stream {
	var s stream
	for i := range commits {
		c := step{date: int64(1_000_000 + i), message: fmt.Sprint(i)}
		if i > 0 {
			c.parents = []int{max(1, i-rnd.IntN(4))}
		}
		for i > 5 && rnd.IntN(4) == 0 && len(c.parents) < 4 {
			c.parents = append(c.parents, 1+rnd.IntN(i-1))
		}
		c.parents = distinct(c.parents)
		for range rnd.IntN(5) {
			c.edits = append(c.edits, randomEdit(rnd, i))
		}
		s.commit(c)
	}
	return &s
}

func distinct(marks []int) []int {
	var kept []int
	seen := map[int]bool{}
	for _, m := range marks {
		if !seen[m] {
			seen[m] = true
			kept = append(kept, m)
		}
	}
	return kept
}

// treePair is a comparison of two trees.
type treePair struct{ old, new boundary.OID }

// diffTree gives what git says about each pair, in order.
func (g *gitDir) diffTree(pairs []treePair) [][]boundary.Change {
	g.tb.Helper()
	var input strings.Builder
	for _, p := range pairs {
		old := p.old
		if old.IsZero() {
			old = emptyTree
		}
		fmt.Fprintf(&input, "%s %s\n", old, p.new)
	}
	out := g.feed(input.String(), "diff-tree", "-r", "--raw", "-z", "--no-renames", "--no-abbrev", "--stdin")
	var all [][]boundary.Change
	for out != "" {
		if out[0] != ':' {
			_, rest, _ := strings.Cut(out, "\n")
			all, out = append(all, nil), rest
			continue
		}
		meta, rest, _ := strings.Cut(out[1:], "\x00")
		path, rest, _ := strings.Cut(rest, "\x00")
		f := strings.Fields(meta)
		last := len(all) - 1
		all[last] = append(all[last], boundary.Change{
			Path: path, Old: rawEntry(g.tb, f[0], f[2]), New: rawEntry(g.tb, f[1], f[3]),
		})
		out = rest
	}
	return all
}

func rawEntry(tb testing.TB, mode, id string) boundary.Entry {
	tb.Helper()
	number, err := strconv.ParseUint(mode, 8, 32)
	if err != nil {
		tb.Fatal(err)
	}
	return boundary.Entry{Mode: boundary.Mode(number), OID: mustID(tb, id)}
}

func TestDifferencesFromEveryParentEqualGitDiffTree(t *testing.T) {
	const seed = 11
	commits := 2000
	if testing.Short() {
		commits = 300
	}
	git := newGit(t)
	ids := git.load(randomFiles(rand.New(rand.NewPCG(seed, seed)), commits))
	repo := git.open()
	var pairs []treePair
	for _, id := range ids[1:] {
		c, err := repo.Commit(id)
		if err != nil {
			t.Fatal(err)
		}
		if len(c.Parents) == 0 {
			pairs = append(pairs, treePair{new: c.Tree})
		}
		for _, parent := range c.Parents {
			old, err := repo.TreeOf(parent)
			if err != nil {
				t.Fatal(err)
			}
			pairs = append(pairs, treePair{old: old, new: c.Tree})
		}
	}
	want := git.diffTree(pairs)
	if len(want) != len(pairs) {
		t.Fatalf("git compared %d pairs of %d", len(want), len(pairs))
	}
	changes := 0
	for i, p := range pairs {
		got := mustCompare(t, repo, p)
		if diff := cmp.Diff(want[i], got.Changes); diff != "" {
			t.Fatalf("%s..%s (-git +ours):\n%s", p.old, p.new, diff)
		}
		changes += len(got.Changes)
	}
	t.Logf("%d commits, %d comparisons, %d changes", commits, len(pairs), changes)
	if changes < commits {
		t.Errorf("only %d changes in %d commits: the history says too little", changes, commits)
	}
}

// mustCompare compares two trees as Changes does.
func mustCompare(tb testing.TB, repo *Repo, p treePair) boundary.Delta {
	tb.Helper()
	c := &comparison{repo: repo}
	c.share(tb.Context(), []task{func(h *history) []task {
		root := &column{}
		if p.old != p.new {
			h.fail(netNumber, "", h.add(root, pair{number: netNumber, old: p.old, new: p.new}))
		}
		return h.column(root)
	}})
	if err := c.failure(); err != nil {
		tb.Fatal(err)
	}
	c.finish()
	return c.net
}

func TestNetDifferenceEqualsGitDiffTreeFromTheMergeBase(t *testing.T) {
	const seed = 12
	git := newGit(t)
	ids := git.load(randomFiles(rand.New(rand.NewPCG(seed, seed)), 120))
	repo := git.open()
	checked := 0
	for i := 20; i < len(ids); i += 3 {
		rng, err := repo.Range(t.Context(), ids[i], []boundary.OID{ids[i-7]})
		if err != nil {
			t.Fatal(err)
		}
		if len(rng.MergeBases) != 1 {
			continue
		}
		history, err := repo.Changes(t.Context(), rng)
		if err != nil {
			t.Fatal(err)
		}
		base, head := git.id(rng.MergeBases[0].String()+"^{tree}"), git.id(ids[i].String()+"^{tree}")
		if diff := cmp.Diff(git.diffTree([]treePair{{base, head}})[0], history.Net); diff != "" {
			t.Fatalf("net difference of %s (-git +ours):\n%s", ids[i], diff)
		}
		checked++
	}
	if checked < 10 {
		t.Errorf("only %d ranges had one merge base", checked)
	}
}

// linear writes a history of one line.
func linear(rnd *rand.Rand, commits int) *stream {
	var s stream
	for i := range commits {
		c := step{date: int64(1_000_000 + i), message: fmt.Sprint(i)}
		if i > 0 {
			c.parents = []int{i}
		}
		for range rnd.IntN(5) {
			c.edits = append(c.edits, randomEdit(rnd, rnd.IntN(3)))
		}
		s.commit(c)
	}
	return &s
}

func TestWhatALineChangedIsTheNetDifference(t *testing.T) {
	const seed = 21
	git := newGit(t)
	ids := git.load(linear(rand.New(rand.NewPCG(seed, seed)), 200))
	repo := git.open()
	undone := 0
	for i := 2; i < len(ids); i += 7 {
		for back := 1; back < i; back += 1 + back/2 {
			rng, err := repo.Range(t.Context(), ids[i], []boundary.OID{ids[i-back]})
			if err != nil {
				t.Fatal(err)
			}
			byChain, byWalk := netsOf(t, repo, rng)
			if diff := cmp.Diff(byWalk.Net, byChain.Net); diff != "" {
				t.Fatalf("%d commits before %s (-walk +chain):\n%s", back, ids[i], diff)
			}
			if changes := slices.Concat(allChanges(byChain)...); len(changes) > len(byChain.Net) {
				undone++
			}
		}
	}
	if undone < 50 {
		t.Errorf("in only %d ranges a path was changed twice", undone)
	}
}

// netsOf compares a range of one line by what its commits changed, and by a
// walk over the trees of both its ends.
func netsOf(tb testing.TB, repo *Repo, rng boundary.Range) (byChain, byWalk boundary.History) {
	tb.Helper()
	for _, walk := range []bool{false, true} {
		c := newComparison(repo, rng)
		if !c.chained() {
			tb.Fatal("the range isn't one line")
		}
		c.irregular.Store(walk)
		if err := c.run(tb.Context()); err != nil {
			tb.Fatal(err)
		}
		byChain, byWalk = byWalk, c.result
	}
	return byChain, byWalk
}

func allChanges(h boundary.History) [][]boundary.Change {
	var all [][]boundary.Change
	for _, delta := range h.Deltas {
		all = append(all, delta.Changes)
	}
	return all
}
