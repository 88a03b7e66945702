package gitrepo

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

// compareCommits makes two commits with fast-import's commands and compares them.
func compareCommits(t *testing.T, before, after []string) boundary.Delta {
	t.Helper()
	git := newGit(t)
	var s stream
	old := s.commit(step{date: 1, message: "before", edits: before})
	head := s.commit(step{date: 2, message: "after", parents: []int{old}, edits: after})
	ids := git.load(&s)
	repo := git.open()
	rng, err := repo.Range(t.Context(), ids[head], []boundary.OID{ids[old]})
	if err != nil {
		t.Fatal(err)
	}
	history, err := repo.Changes(t.Context(), rng)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(history.Deltas[0].Changes, history.Net); diff != "" {
		t.Errorf("one commit's changes aren't the net difference:\n%s", diff)
	}
	return history.Deltas[0]
}

func file(path string) string { return inline("100644", cQuote(path), path) }

func TestEveryKindOfDifferenceCounts(t *testing.T) {
	const sub = "0123456789012345678901234567890123456789"
	cases := map[string]struct {
		before, after []string
		want          []string // mode, mode, path
	}{
		"added and deleted": {
			[]string{file("a")},
			[]string{"D a", file("b")},
			[]string{"100644 0 a", "0 100644 b"},
		},
		"content": {[]string{file("a")}, []string{inline("100644", "a", "new")}, []string{"100644 100644 a"}},
		"mode":    {[]string{file("a")}, []string{inline("100755", "a", "a")}, []string{"100644 100755 a"}},
		"type":    {[]string{file("a")}, []string{inline("120000", "a", "a")}, []string{"100644 120000 a"}},
		"a file becomes a directory": {
			[]string{file("a"), file("a.b")},
			[]string{file("a/x")},
			[]string{"100644 0 a", "0 100644 a/x"},
		},
		"a directory becomes a file": {
			[]string{file("a/x"), file("a/y"), file("a.b")},
			[]string{file("a")},
			[]string{"0 100644 a", "100644 0 a/x", "100644 0 a/y"},
		},
		"a directory becomes a symbolic link": {
			[]string{file("docs/x")},
			[]string{inline("120000", "docs", "src")},
			[]string{"0 120000 docs", "100644 0 docs/x"},
		},
		"a submodule moves": {
			[]string{"M 160000 " + sub + " m"},
			[]string{"M 160000 " + strings.Repeat("1", 40) + " m"},
			[]string{"160000 160000 m"},
		},
		"a submodule becomes a directory": {
			[]string{"M 160000 " + sub + " m"},
			[]string{file("m/x")},
			[]string{"160000 0 m", "0 100644 m/x"},
		},
		"a rename": {
			[]string{file("src/a")},
			[]string{"R src/a docs/a"},
			[]string{"0 100644 docs/a", "100644 0 src/a"},
		},
		"nothing": {[]string{file("a")}, nil, nil},
		"names as they are": {
			nil,
			[]string{file("bad-é.txt"), file("a\\tb"), file("a\tb"), file("new\nline"), file("\xff"), file("a\"b")},
			[]string{"0 100644 a\tb", "0 100644 a\"b", "0 100644 a\\tb", "0 100644 bad-é.txt", "0 100644 new\nline", "0 100644 \xff"},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, change := range compareCommits(t, c.before, c.after).Changes {
				got = append(got, fmt.Sprintf("%o %o %s", change.Old.Mode, change.New.Mode, change.Path))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// tree writes a tree by hand, as no git would.
func (g *gitDir) tree(entries ...treeEntry) boundary.OID {
	g.tb.Helper()
	var raw []byte
	for _, e := range entries {
		raw = appendEntry(raw, e)
	}
	return g.object("tree", raw)
}

func entryOf(mode boundary.Mode, name string, id boundary.OID) treeEntry {
	return treeEntry{name: []byte(name), entry: boundary.Entry{Mode: mode, OID: id}}
}

// commitTree commits a tree as it is.
func (g *gitDir) commitTree(tree boundary.OID, parents ...boundary.OID) boundary.OID {
	g.tb.Helper()
	g.date++
	var raw strings.Builder
	fmt.Fprintf(&raw, "tree %s\n", tree)
	for _, p := range parents {
		fmt.Fprintf(&raw, "parent %s\n", p)
	}
	fmt.Fprintf(&raw, "author A <a@example.com> %d +0000\ncommitter A <a@example.com> %d +0000\n\nx\n", g.date, g.date)
	return g.object("commit", []byte(raw.String()))
}

func changesOf(tb testing.TB, repo *Repo, head boundary.OID, tips ...boundary.OID) (boundary.Range, boundary.History, error) {
	tb.Helper()
	rng, err := repo.Range(tb.Context(), head, tips)
	if err != nil {
		return rng, boundary.History{}, err
	}
	history, err := repo.Changes(tb.Context(), rng)
	return rng, history, err
}

func TestMalformedTreesAreNotedWhereTheyAreWalked(t *testing.T) {
	git := newGit(t)
	base := git.put("docs/a", "a")
	blob := git.id("HEAD:docs/a")
	bad := git.tree(entryOf(boundary.Regular, "b", blob), entryOf(boundary.Regular, "a", blob), entryOf(boundary.Regular, "..", blob))
	head := git.commitTree(git.tree(entryOf(boundary.Dir, ".GIT", bad), entryOf(boundary.Dir, "docs", bad)), base)
	_, history, err := changesOf(t, git.open(), head, base)
	if err != nil {
		t.Fatal(err)
	}
	var want []boundary.TreeProblem
	want = append(want, boundary.TreeProblem{Dir: "", Name: ".GIT", Why: "is a spelling of .git"})
	for _, dir := range []string{".GIT", "docs"} {
		want = append(want,
			boundary.TreeProblem{Dir: dir, Name: "a", Why: "is out of order"},
			boundary.TreeProblem{Dir: dir, Name: "..", Why: "is .."},
			boundary.TreeProblem{Dir: dir, Name: "..", Why: "is out of order"})
	}
	if diff := cmp.Diff(want, history.Deltas[0].Malformed); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, history.NetMalformed); diff != "" {
		t.Errorf("net (-want +got):\n%s", diff)
	}
	paths := make([]string, 0, 6)
	for _, c := range history.Net {
		paths = append(paths, c.Path)
	}
	if diff := cmp.Diff([]string{".GIT/..", ".GIT/a", ".GIT/b", "docs/..", "docs/b"}, paths); diff != "" {
		t.Errorf("what a malformed tree holds is compared (-want +got):\n%s", diff)
	}
	// A commit that leaves the malformed tree alone doesn't walk it.
	next := git.commitTree(git.tree(entryOf(boundary.Dir, "docs", bad), entryOf(boundary.Regular, "new", blob)), head)
	_, history, err = changesOf(t, git.open(), next, head)
	if err != nil || len(history.Deltas[0].Malformed) > 0 {
		t.Errorf("gives %v, %v", history.Deltas, err)
	}
}

// In a history without decided paths, the net difference is the union of what
// the commits changed, but for what was put back.
func TestWithoutDecidedPathsTheNetDifferenceIsTheUnionOfTheChanges(t *testing.T) {
	git := newGit(t)
	models := loadModels(t, git, 41, modelCount(400), modelOptions{parents: 3, swaps: true, modes: true})
	repo := git.open()
	checked, crossed := 0, 0
	for _, m := range models {
		head := len(m.commits) - 1
		for tip := range m.commits[:head] {
			rng, history, err := changesOf(t, repo, m.id(head), m.id(tip))
			if err != nil {
				t.Fatal(err)
			}
			if slices.ContainsFunc(history.Deltas, func(d boundary.Delta) bool { return len(d.Decisions) > 0 }) || len(rng.Commits) == 0 {
				continue
			}
			m.checkUnion(t, rng, history)
			checked++
			if len(rng.MergeBases) > 1 {
				crossed++
			}
		}
	}
	t.Logf("%d ranges, %d with several merge bases", checked, crossed)
	if checked < 100 || crossed == 0 {
		t.Error("the histories hold too little")
	}
}

func (m *model) checkUnion(t *testing.T, rng boundary.Range, history boundary.History) {
	t.Helper()
	at := func(id boundary.OID, path string) string {
		return m.commits[slices.Index(m.ids, id)-m.first].files[path]
	}
	changed := map[string]bool{}
	for _, delta := range history.Deltas {
		for _, c := range delta.Changes {
			changed[c.Path] = true
		}
	}
	net := map[string]bool{}
	for _, c := range history.Net {
		net[c.Path] = true
		if !changed[c.Path] {
			t.Fatalf("range of %s: %q is in the net difference and no commit changed it", rng.Head, c.Path)
		}
	}
	for path := range changed {
		back := slices.ContainsFunc(rng.MergeBases, func(base boundary.OID) bool { return at(base, path) == at(rng.Head, path) })
		if net[path] == back {
			t.Fatalf("range of %s: %q is changed, put back: %v, in the net difference: %v", rng.Head, path, back, net[path])
		}
	}
}

func TestAPanicOfAWorkerIsTheCallers(t *testing.T) {
	git := newGit(t)
	git.put("a", "a")
	c := newComparison(git.open(), boundary.Range{})
	defer func() {
		if found := recover(); found != "here" {
			t.Errorf("recovered %v", found)
		}
	}()
	c.share(t.Context(), []task{
		func(*history) []task { return nil },
		func(*history) []task { panic("here") },
	})
	t.Error("share returned")
}
