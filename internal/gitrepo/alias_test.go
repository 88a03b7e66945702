package gitrepo

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

func TestAnAddedNameThatIsAnotherOnSomeFileSystemIsAnAlias(t *testing.T) {
	cases := map[string]struct {
		before, after []string
		want          []boundary.Alias
	}{
		"case": {
			[]string{file("README.md")},
			[]string{file("readme.md")},
			[]boundary.Alias{{Path: "readme.md", Other: "README.md"}},
		},
		"a directory": {
			[]string{file("docs/a")},
			[]string{file("Docs/x/y")},
			[]boundary.Alias{{Path: "Docs", Other: "docs"}},
		},
		"a file beside a directory": {
			[]string{file("docs/a")},
			[]string{file("DOCS")},
			[]boundary.Alias{{Path: "DOCS", Other: "docs"}},
		},
		"deep inside": {
			[]string{file("a/b/c")},
			[]string{file("a/b/C")},
			[]boundary.Alias{{Path: "a/b/C", Other: "a/b/c"}},
		},
		"Unicode form": {
			[]string{file("caf\u00e9")},
			[]string{file("cafe\u0301")},
			[]boundary.Alias{{Path: "cafe\u0301", Other: "caf\u00e9"}},
		},
		"an ignorable letter, a trailing dot": {
			[]string{file("a")},
			[]string{file("a\u200c"), file("a.")},
			[]boundary.Alias{{Path: "a.", Other: "a"}, {Path: "a\u200c", Other: "a"}},
		},
		"two added ones": {
			[]string{file("x")},
			[]string{file("new/A"), file("new/a")},
			[]boundary.Alias{{Path: "new/a", Other: "new/A"}},
		},
		"one that stood there before": {
			[]string{file("A"), file("a")}, []string{file("b")}, nil,
		},
		"a file that becomes a directory is no new name": {
			[]string{file("A"), file("a")}, []string{file("a/x")}, nil,
		},
		"a renamed one": {
			[]string{file("a")}, []string{"R a A"}, nil,
		},
		"the same name elsewhere": {
			[]string{file("x/a")}, []string{file("y/A")}, nil,
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, compareCommits(t, c.before, c.after).Aliases); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestAPlainNameFoldsToItself(t *testing.T) {
	for _, name := range []string{"a", "a.b", "main_test.go", "x-1", "0", ".gitignore", ".git"} {
		if !plain([]byte(name)) || boundary.FoldName(name) != name {
			t.Errorf("%q: plain %v, folds to %q", name, plain([]byte(name)), boundary.FoldName(name))
		}
	}
	for _, name := range []string{"", "A", "a.", "a ", "a~1", "é", "a:b"} {
		if plain([]byte(name)) {
			t.Errorf("%q is taken for plain", name)
		}
	}
}

// aliasesByPairs is mergedAliases as its comment says it, pair by pair.
func aliasesByPairs(lines []*tree, got *tree, added []treeEntry) []boundary.Alias {
	var found []boundary.Alias
	for _, group := range aliasGroups(got, added) {
		for i, e := range group {
			other := slices.IndexFunc(group[:i], func(before treeEntry) bool {
				return !slices.ContainsFunc(lines, func(l *tree) bool { return contains(l, e.name) && contains(l, before.name) })
			})
			if other >= 0 {
				found = append(found, boundary.Alias{Path: string(e.name), Other: string(group[other].name)})
			}
		}
	}
	return found
}

func TestMergedAliasesAreThoseOfEachPair(t *testing.T) {
	rnd := rand.New(rand.NewPCG(4, 4))
	names := []string{"a", "A", "a\u200c", "A\u200c", "a\u200d", "b", "B", "b\u200c"}
	some := func() *tree {
		var entries []treeEntry
		for _, name := range names {
			if rnd.IntN(2) == 0 {
				entries = append(entries, entryOf(boundary.Regular, name, boundary.OID{1}))
			}
		}
		slices.SortFunc(entries, compareEntries)
		var raw []byte
		for _, e := range entries {
			raw = appendEntry(raw, e)
		}
		made, err := parseTree(boundary.OID{1}, raw)
		if err != nil {
			t.Fatal(err)
		}
		return made
	}
	aliases := 0
	for range 2_000 {
		got, lines := some(), []*tree{}
		for range 1 + rnd.IntN(4) {
			lines = append(lines, some())
		}
		added := slices.Collect(got.entries())
		want := aliasesByPairs(lines, got, added)
		if diff := cmp.Diff(want, mergedAliases("", lines, got, added)); diff != "" {
			t.Fatal(diff)
		}
		aliases += len(want)
	}
	if aliases < 1_000 {
		t.Errorf("only %d aliases", aliases)
	}
}
