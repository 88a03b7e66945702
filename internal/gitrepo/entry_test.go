package gitrepo

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

func TestEntryGivesWhatStandsAtAPath(t *testing.T) {
	git := newGit(t)
	git.write("docs/deep/a", "a")
	git.write("docs.txt", "x")
	git.commit("files")
	root := git.id("HEAD^{tree}")
	repo := git.open()
	blob := boundary.Entry{Mode: boundary.Regular, OID: git.id("HEAD:docs/deep/a")}
	cases := map[string]boundary.Entry{
		"": {Mode: boundary.Dir, OID: root}, "docs": {Mode: boundary.Dir, OID: git.id("HEAD:docs")},
		"docs/deep/a": blob, "docs.txt": {Mode: boundary.Regular, OID: git.id("HEAD:docs.txt")},
		"none": {}, "docs/none": {}, "docs.txt/x": {}, "Docs": {}, "docs/": {}, "/docs": {}, "docs//deep": {}, "docs/deep/a/": {}, "docs/..": {},
	}
	for path, want := range cases {
		if got, err := repo.Entry(root, path); err != nil || got != want {
			t.Errorf("Entry(%q) = %v, %v; want %v", path, got, err, want)
		}
	}
	git.remove(git.id("HEAD:docs/deep"))
	_, err := git.open().Entry(root, "docs/deep/a")
	want := &MissingObjectError{ID: git.id("HEAD:docs/deep"), Kind: "tree", Path: "docs/deep"}
	if err == nil || err.Error() != want.Error() {
		t.Errorf("a missing tree gives %v, want %v", err, want)
	}
}

func TestBlobReadsNothingAboveItsLimit(t *testing.T) {
	git := newGit(t)
	git.put("a", "12345")
	blob := git.id("HEAD:a")
	repo := git.open()
	if content, err := repo.Blob(blob, 5); string(content) != "12345" || err != nil {
		t.Errorf("gives %q, %v", content, err)
	}
	if _, err := repo.Blob(blob, 4); !isError[*LimitError](err) || !strings.Contains(err.Error(), "of 5 bytes exceeds the limit of 4") {
		t.Errorf("gives %v, want a LimitError", err)
	}
	if _, err := repo.Blob(git.id("HEAD^{tree}"), 1000); !isError[*CorruptError](err) {
		t.Errorf("a tree gives %v, want a CorruptError", err)
	}
	if _, err := repo.Blob(boundary.OID{9}, 1000); !isError[*MissingObjectError](err) {
		t.Errorf("nothing gives %v, want a MissingObjectError", err)
	}
}

func TestSubmodulesAreThoseThatGitmodulesDeclares(t *testing.T) {
	declared := "[submodule \"one\"]\n\tpath = vendor/one\n\turl = ../one\n[submodule \"two\"]\n\turl = ../two\n\tpath = \"a b/\"\n[other \"x\"]\n\tpath = no\n"
	cases := map[string]struct {
		edits []string
		want  map[string]bool
	}{
		"declared":       {[]string{inline("100644", ".gitmodules", declared)}, map[string]bool{"vendor/one": true, "a b": true}},
		"none":           {[]string{file("a")}, map[string]bool{}},
		"broken":         {[]string{inline("100644", ".gitmodules", declared+"[broken\n")}, map[string]bool{}},
		"not UTF-8":      {[]string{inline("100644", ".gitmodules", "[submodule \"\xff\"]\n\tpath = \xfe\n")}, map[string]bool{}},
		"a link":         {[]string{inline("100644", "real", declared), inline("120000", ".gitmodules", "real")}, map[string]bool{}},
		"a directory":    {[]string{inline("100644", ".gitmodules/x", declared)}, map[string]bool{}},
		"too large":      {[]string{inline("100644", ".gitmodules", declared+strings.Repeat("# x\n", maxGitmodules/4))}, map[string]bool{}},
		"in a subfolder": {[]string{inline("100644", "sub/.gitmodules", declared)}, map[string]bool{}},
		"without a path": {[]string{inline("100644", ".gitmodules", "[submodule \"a\"]\n\turl = x\n[submodule \"b\"]\n\tpath =\n")}, map[string]bool{}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			git := newGit(t)
			var s stream
			s.commit(step{date: 1, message: "x", edits: c.edits})
			commit := git.load(&s)[1]
			got, err := git.open().Submodules(git.id(commit.String() + "^{tree}"))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestAMissingGitmodulesIsNotAnEmptyOne(t *testing.T) {
	git := newGit(t)
	git.put(".gitmodules", "[submodule \"a\"]\n\tpath = a\n")
	git.remove(git.id("HEAD:.gitmodules"))
	if got, err := git.open().Submodules(git.id("HEAD^{tree}")); !isError[*MissingObjectError](err) {
		t.Errorf("gives %v, %v", got, err)
	}
}
