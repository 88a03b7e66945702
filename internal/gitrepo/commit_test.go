package gitrepo

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

func TestCommitKeepsTheMessageByteForByte(t *testing.T) {
	git := newSmall(t)
	tree := git.id("HEAD^{tree}")
	people := "author A <a@example.com> 1 +0000\ncommitter C <c@example.com> 2 +0000\n"
	cases := map[string]struct{ raw, want string }{
		"plain":                {"\nsubject\n\nbody\n", "subject\n\nbody\n"},
		"empty":                {"\n", ""},
		"without a blank line": {"", ""},
		"leading blank lines":  {"\n\n\nsubject\n", "\n\nsubject\n"},
		"bytes":                {"\n\xff\x01\r\n", "\xff\x01\r\n"},
		"after other headers":  {"encoding latin1\ngpgsig -----BEGIN\n \n line\n -----END\n\nsubject\n", "subject\n"},
		"header-like text":     {"\nauthor X <x@example.com> 9 +0000\n", "author X <x@example.com> 9 +0000\n"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			id := git.object("commit", fmt.Appendf(nil, "tree %s\n%s%s", tree, people, c.raw))
			commit, err := git.open().Commit(id)
			if err != nil {
				t.Fatal(err)
			}
			want := boundary.Commit{
				ID: id, Tree: tree, Message: c.want,
				Author:    boundary.Signature{Name: "A", Email: "a@example.com", When: time.Unix(1, 0).UTC()},
				Committer: boundary.Signature{Name: "C", Email: "c@example.com", When: time.Unix(2, 0).UTC()},
			}
			if diff := cmp.Diff(want, commit); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestSignaturesAreReadAsGitReadsThem(t *testing.T) {
	cases := map[string]struct {
		name, email string
		seconds     int64
		offset      int
	}{
		"A U Thor <a@example.com> 1700000000 +0130": {"A U Thor", "a@example.com", 1700000000, 5400},
		"A <a@example.com> 1 -1100":                 {"A", "a@example.com", 1, -39600},
		"é <>  5 +0000":                             {"é", "", 5, 0},
		"<only@example.com> 7 +0000":                {"", "only@example.com", 7, 0},
		"A <a@example.com>":                         {"A", "a@example.com", 0, 0},
		"A <a@b> c> 9 +0000":                        {"A", "a@b", 9, 0},
		"A <a@example.com> x +0000":                 {"A", "a@example.com", 0, 0},
		"A <a@example.com> -5 +0000":                {"A", "a@example.com", 0, 0},
		"A <a@example.com> 99999999999999999999 +1": {"A", "a@example.com", maxTime, 0},
		"A <a@example.com> 300000000000 +0000":      {"A", "a@example.com", maxTime, 0},
		"A <a@example.com> 3 +9999":                 {"A", "a@example.com", 3, 0},
		"no address":                                {"no address", "", 0, 0},
		"":                                          {"", "", 0, 0},
	}
	for line, want := range cases {
		got := parseSignature([]byte(line))
		_, offset := got.When.Zone()
		if got.Name != want.name || got.Email != want.email || got.When.Unix() != want.seconds || offset != want.offset {
			t.Errorf("%q gives %+v (%d, %d), want %+v", line, got, got.When.Unix(), offset, want)
		}
		if year := got.When.Year(); year > 9999 {
			t.Errorf("%q gives the year %d", line, year)
		}
	}
}

func TestAMalformedCommitIsAnErrorThatNamesIt(t *testing.T) {
	git := newSmall(t)
	tree, blob := git.id("HEAD^{tree}"), git.id("HEAD:a.txt")
	parents := strings.Repeat(fmt.Sprintf("parent %s\n", git.id("HEAD")), MaxParents+1)
	cases := map[string]struct {
		raw, want string
	}{
		"nothing":          {"", "doesn't begin with a tree"},
		"no tree":          {"author A <a@example.com> 1 +0000\n\n", "doesn't begin with a tree"},
		"a short tree id":  {"tree 1234\n\n", "doesn't begin with a tree"},
		"a bad parent":     {fmt.Sprintf("tree %s\nparent 12\n\n", tree), "has a parent that is no object id"},
		"too many parents": {fmt.Sprintf("tree %s\n%s\n", tree, parents), "(MaxParents)"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			id := git.object("commit", []byte(c.raw))
			_, err := git.open().Commit(id)
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), id.String()) {
				t.Errorf("gives %v, want %q", err, c.want)
			}
		})
	}
	if _, err := git.open().Commit(blob); err == nil || !strings.Contains(err.Error(), "is a blob") {
		t.Errorf("a blob read as a commit gives %v", err)
	}
}

func TestACommitOfTooManyBytesIsRefused(t *testing.T) {
	git := newSmall(t)
	raw := fmt.Sprintf("tree %s\n\n%s", git.id("HEAD^{tree}"), strings.Repeat("x", MaxCommitBytes))
	if _, err := git.open().Commit(git.object("commit", []byte(raw))); !isError[*LimitError](err) {
		t.Errorf("gives %v, want a LimitError", err)
	}
}

func FuzzParseCommit(f *testing.F) {
	id := strings.Repeat("ab", 20)
	f.Add([]byte("tree " + id + "\nparent " + id + "\nauthor A <a@example.com> 1 +0100\ncommitter C <c> 2 -0030\n\nmessage\n"))
	f.Add([]byte("tree " + id + "\nauthor <> 99999999999999999999 +99999\n\n"))
	f.Add([]byte("tree " + id + "\n\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		head, rest, err := parseHeader(boundary.OID{1}, raw)
		if err != nil {
			return
		}
		fields, message := splitMessage(rest)
		who := parseSignature(field(fields, "committer"))
		if year := who.When.Year(); year < 1969 || year > 9999 {
			t.Errorf("the year is %d", year)
		}
		if len(head.parents) > MaxParents || len(fields)+len(message) > len(raw) {
			t.Errorf("%d parents, %d and %d of %d bytes", len(head.parents), len(fields), len(message), len(raw))
		}
	})
}
