package gitrepo

import (
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
