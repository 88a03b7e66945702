package gitrepo

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

// rawTree writes entries as `mode name` in the given order, each with an id
// made of its number.
func rawTree(entries ...string) []byte {
	var raw []byte
	for i, entry := range entries {
		raw = append(raw, entry...)
		raw = append(raw, 0)
		raw = append(raw, bytes.Repeat([]byte{byte(i + 1)}, 20)...)
	}
	return raw
}

func TestParseTreeNotesWhatNoGitWouldWrite(t *testing.T) {
	many := make([]string, maxProblems+5)
	for i := range many {
		many[i] = "100644 .git"
	}
	cases := map[string]struct {
		entries []string
		want    []treeProblem
	}{
		"nothing wrong":            {[]string{"100644 a", "100644 a.b", "40000 a0", "100644 b"}, nil},
		"a directory sorts later":  {[]string{"100644 a.b", "40000 a", "100644 a0"}, nil},
		"empty name":               {[]string{"100644 ", "100644 a"}, []treeProblem{{"", "is empty"}}},
		"dot":                      {[]string{"40000 ."}, []treeProblem{{".", "is ."}}},
		"dot dot":                  {[]string{"40000 .."}, []treeProblem{{"..", "is .."}}},
		"a slash":                  {[]string{"100644 a/b"}, []treeProblem{{"a/b", "contains a slash"}}},
		".git":                     {[]string{"40000 .git"}, []treeProblem{{".git", "is a spelling of .git"}}},
		".GIT":                     {[]string{"40000 .GIT"}, []treeProblem{{".GIT", "is a spelling of .git"}}},
		"its short name":           {[]string{"40000 GIT~1"}, []treeProblem{{"GIT~1", "is a spelling of .git"}}},
		"with a trailing dot":      {[]string{"40000 .git."}, []treeProblem{{".git.", "is a spelling of .git"}}},
		"with an ignorable letter": {[]string{"40000 .g\u200cit"}, []treeProblem{{".g\u200cit", "is a spelling of .git"}}},
		"led by an ignorable one":  {[]string{"40000 \u200c.git"}, []treeProblem{{"\u200c.git", "is a spelling of .git"}}},
		".gitignore is no .git":    {[]string{"100644 .gitignore", "100644 git"}, nil},
		"twice":                    {[]string{"100644 a", "100644 a"}, []treeProblem{{"a", "appears twice"}}},
		"file and directory":       {[]string{"100644 a", "40000 a"}, []treeProblem{{"a", "appears twice"}}},
		"file and directory apart": {[]string{"100644 a", "100644 a-x", "100644 a-y", "100644 a.b", "40000 a"}, []treeProblem{{"a", "appears twice"}}},
		"file, longer file, dir":   {[]string{"100644 a", "100644 a-", "40000 a-+", "40000 a-", "40000 a"}, []treeProblem{{"a-", "appears twice"}, {"a", "appears twice"}}},
		"out of order":             {[]string{"100644 b", "100644 a"}, []treeProblem{{"a", "is out of order"}}},
		"a directory too early":    {[]string{"40000 a", "100644 a.b"}, []treeProblem{{"a.b", "is out of order"}}},
		"twice and out of order":   {[]string{"100644 a", "100644 b", "100644 a"}, []treeProblem{{"a", "is out of order"}, {"a", "appears twice"}}},
		"more than are named":      {many, slices.Repeat([]treeProblem{{".git", "is a spelling of .git"}}, maxProblems)},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			parsed, err := parseTree(boundary.OID{1}, rawTree(c.entries...))
			if err != nil {
				t.Fatal(err)
			}
			got := parsed.problems
			if len(got) == maxProblems { // the doubles beside them don't matter here
				got = slices.Repeat(got[:1], maxProblems)
			}
			if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(treeProblem{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if !slices.IsSortedFunc(slices.Collect(parsed.entries()), compareEntries) {
				t.Error("the entries aren't in order")
			}
			if n := len(slices.Collect(parsed.entries())); n != len(c.entries) {
				t.Errorf("%d entries of %d", n, len(c.entries))
			}
		})
	}
}

func TestANullObjectIsAProblem(t *testing.T) {
	raw := append([]byte("40000 a\x00"), make([]byte, 20)...)
	parsed, err := parseTree(boundary.OID{1}, raw)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]treeProblem{{"a", "names the null object"}}, parsed.problems, cmp.AllowUnexported(treeProblem{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestModesAreReadAsGitReadsThem(t *testing.T) {
	cases := map[string]boundary.Mode{
		"100644": boundary.Regular, "100664": boundary.Regular, "100600": boundary.Regular, "100655": boundary.Regular,
		"100755": boundary.Executable, "100700": boundary.Executable, "100777": boundary.Executable,
		"120000": boundary.Symlink, "120777": boundary.Symlink, "40000": boundary.Dir, "040000": boundary.Dir, "40755": boundary.Dir,
		"160000": boundary.Gitlink, "644": boundary.Gitlink, "0": boundary.Gitlink, "60000": boundary.Gitlink,
	}
	for text, want := range cases {
		parsed, err := parseTree(boundary.OID{1}, rawTree(text+" a"))
		if err != nil {
			t.Fatal(err)
		}
		if got := parsed.cursor().entry.Mode; got != want {
			t.Errorf("mode %s is read as %o, want %o", text, got, want)
		}
	}
}

func TestWhatIsNoTreeIsAnErrorThatNamesIt(t *testing.T) {
	whole := rawTree("100644 a", "40000 b")
	cases := map[string][]byte{
		"ends inside an entry":              whole[:len(whole)-1],
		"holds an entry without a mode":     []byte(" a\x00" + strings.Repeat("x", 20)),
		"holds a mode that is no octal":     rawTree("100648 a"),
		"holds a mode that is no octal num": rawTree("77777777777 a"),
	}
	for want, raw := range cases {
		id := boundary.OID{0xab}
		_, err := parseTree(id, raw)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), id.String()) {
			t.Errorf("gives %v, want %q", err, want)
		}
	}
	for size := range whole {
		if size == 0 || size == len(whole)/2 {
			continue // whole entries
		}
		if _, err := parseTree(boundary.OID{1}, whole[:size]); err == nil && size != len(rawTree("100644 a")) {
			t.Errorf("the first %d bytes are taken for a tree", size)
		}
	}
}

func TestFindFindsEveryEntryAndNoOther(t *testing.T) {
	parsed, err := parseTree(boundary.OID{1}, rawTree("100644 a", "100644 a.b", "40000 a0", "40000 b", "100755 c"))
	if err != nil {
		t.Fatal(err)
	}
	for e := range parsed.entries() {
		if got := parsed.find(e.name, e.isDir()); got != e.entry {
			t.Errorf("find %q gives %v", e.name, got)
		}
		if got := parsed.find(e.name, !e.isDir()); got != (boundary.Entry{}) {
			t.Errorf("find %q of the other kind gives %v", e.name, got)
		}
	}
	for _, name := range []string{"", "A", "a1", "zz", "a.", "b/"} {
		if got := parsed.entryNamed(name); got != (boundary.Entry{}) {
			t.Errorf("find %q gives %v", name, got)
		}
	}
}

func FuzzParseTree(f *testing.F) {
	f.Add(rawTree("100644 a", "40000 b"))
	f.Add(rawTree("40000 a", "100644 a"))
	f.Add(rawTree("100644 b", "100644 a", "100644 a"))
	f.Add(rawTree("100644 .git", "0 ", "120000 a/b"))
	f.Add([]byte("100644 a\x00short"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		parsed, err := parseTree(boundary.OID{1}, raw)
		if err != nil {
			return
		}
		size := 0
		entries := slices.Collect(parsed.entries())
		for _, e := range entries {
			size += len(e.name)
			if found := parsed.find(e.name, e.isDir()); found == (boundary.Entry{}) {
				t.Fatalf("entry %q isn't found", e.name)
			}
		}
		if size > len(raw) || !slices.IsSortedFunc(entries, compareEntries) {
			t.Fatalf("%d bytes of names in %d, %v", size, len(raw), entries)
		}
		again, err := parseTree(boundary.OID{1}, parsed.raw)
		if err != nil || len(slices.Collect(again.entries())) != len(entries) {
			t.Fatalf("read again: %v", err)
		}
		if doubled := hasDoubles(entries); doubled != hasProblem(parsed, twice) && len(parsed.problems) < maxProblems {
			t.Fatalf("doubled is %v: %v", doubled, parsed.problems)
		}
	})
}

func hasDoubles(entries []treeEntry) bool {
	seen := map[string]bool{}
	for _, e := range entries {
		if seen[string(e.name)] {
			return true
		}
		seen[string(e.name)] = true
	}
	return false
}

func hasProblem(t *tree, why string) bool {
	return slices.ContainsFunc(t.problems, func(p treeProblem) bool { return p.why == why })
}
