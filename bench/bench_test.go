package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestALogIsReadByCommit(t *testing.T) {
	const one, two = "1111111111111111111111111111111111111111", "2222222222222222222222222222222222222222"
	log := one + "\x00\n:100644 100644 aa bb M\x00a b\x00:000000 100644 00 cc A\x00:odd\nname\x00" + "\x00" + two + "\x00"
	want := map[string][]string{one: {"M a b", "A :odd\nname"}, two: nil}
	if diff := cmp.Diff(want, readLog([]byte(log))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTheDigestTellsEveryDifference(t *testing.T) {
	same := digest(map[string][]string{"a": {"M x", "A y"}, "b": nil})
	for name, changes := range map[string]map[string][]string{
		"another path":   {"a": {"M x", "A z"}, "b": nil},
		"another letter": {"a": {"M x", "D y"}, "b": nil},
		"one less":       {"a": {"M x"}, "b": nil},
		"no commit b":    {"a": {"M x", "A y"}},
		"joined":         {"a": {"M x\" \"A y"}, "b": nil},
	} {
		if digest(changes) == same {
			t.Errorf("%s: the digest is the same", name)
		}
	}
	if digest(map[string][]string{"b": nil, "a": {"A y", "M x"}}) != same {
		t.Error("the order of changes counts")
	}
}

func TestTheGateAndGitListTheSameOfASyntheticRepository(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the gate")
	}
	dir := t.TempDir()
	shapes["test"] = shape{files: 300, commits: 30, edits: 2, path: nested(10, 5)}
	defer delete(shapes, "test")
	if err := generate("test", dir+"/r"); err != nil {
		t.Fatal(err)
	}
	b := &bench{runs: 1}
	t.Chdir("..")
	if err := b.build(); err != nil {
		t.Fatal(err)
	}
	defer b.close()
	if err := b.repository("test", dir+"/r"); err != nil {
		t.Fatal(err)
	}
	if len(b.rows) != 2 || b.rows[1].digest == "" { // 1 and 20 commits
		t.Errorf("%d rows: %+v", len(b.rows), b.rows)
	}
}
