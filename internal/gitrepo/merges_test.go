package gitrepo

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

// described gives decisions as text a person can read: the contents stand for
// the ids.
func described(git *gitDir, found []boundary.Decision) []string {
	show := func(e boundary.Entry) string {
		if e == (boundary.Entry{}) {
			return "-"
		}
		return git.run("cat-file", "blob", e.OID.String())
	}
	var lines []string
	for _, d := range found {
		line := d.Path + ":"
		for _, p := range d.Parents {
			line += " " + show(p)
		}
		line += " against"
		for i, b := range d.Bases {
			if d.BaseDecided[i] {
				line += " ?"
				continue
			}
			line += " " + show(b)
		}
		line += " got " + show(d.Got)
		switch {
		case d.Conflict:
			line += ", conflict"
		case d.Dropped:
			line += ", expected " + show(d.Expected) + ", dropped"
		default:
			line += ", expected " + show(d.Expected)
		}
		lines = append(lines, line)
	}
	return lines
}

// files is a commit's whole content; "" is no file.
type files map[string]string

// wholeCommit is a commit of a small history with all of its files; parents are
// given by index.
type wholeCommit struct {
	parents []int
	files   files
}

func (g *gitDir) whole(commits ...wholeCommit) []boundary.OID {
	m := &model{}
	for _, c := range commits {
		contents := map[string]string{}
		for path, content := range c.files {
			contents[path] = "100644 " + content
		}
		m.add(c.parents, contents)
	}
	var s stream
	m.write(&s)
	return g.load(&s)[1:]
}

func TestWhatAMergeDecides(t *testing.T) {
	cases := map[string]struct {
		commits []wholeCommit // the last one is the merge
		want    []string
	}{
		"two disjoint changes": {
			[]wholeCommit{{nil, files{"a": "0", "b": "0"}}, {[]int{0}, files{"a": "1", "b": "0"}}, {[]int{0}, files{"a": "0", "b": "2"}}, {[]int{1, 2}, files{"a": "1", "b": "2"}}},
			nil,
		},
		"the same change twice": {
			[]wholeCommit{{nil, files{"a": "0"}}, {[]int{0}, files{"a": "1"}}, {[]int{0}, files{"a": "1"}}, {[]int{1, 2}, files{"a": "1"}}},
			nil,
		},
		"a file that no parent has": {
			[]wholeCommit{{nil, files{"a": "0"}}, {[]int{0}, files{"a": "1"}}, {[]int{0}, files{"a": "0", "b": "2"}}, {[]int{1, 2}, files{"a": "1", "b": "2", "evil": "3"}}},
			[]string{"evil: - - against - got 3, expected -"},
		},
		"a file that both parents have is gone": {
			[]wholeCommit{{nil, files{"a": "0", "k": "0"}}, {[]int{0}, files{"a": "1", "k": "0"}}, {[]int{0}, files{"a": "0", "k": "0", "b": "2"}}, {[]int{1, 2}, files{"a": "1", "b": "2"}}},
			[]string{"k: 0 0 against 0 got -, expected 0"},
		},
		"one side's change is thrown away": {
			[]wholeCommit{{nil, files{"a": "0"}}, {[]int{0}, files{"a": "0", "b": "1"}}, {[]int{0}, files{"a": "fix"}}, {[]int{1, 2}, files{"a": "0", "b": "1"}}},
			[]string{"a: 0 fix against 0 got 0, expected fix, dropped"},
		},
		"a deletion is thrown away": {
			[]wholeCommit{{nil, files{"a": "0"}}, {[]int{0}, files{"a": "0", "b": "1"}}, {[]int{0}, files{}}, {[]int{1, 2}, files{"a": "0", "b": "1"}}},
			[]string{"a: 0 - against 0 got 0, expected -, dropped"},
		},
		"both changed it": {
			[]wholeCommit{{nil, files{"a": "0"}}, {[]int{0}, files{"a": "1"}}, {[]int{0}, files{"a": "2"}}, {[]int{1, 2}, files{"a": "1"}}},
			[]string{"a: 1 2 against 0 got 1, conflict"},
		},
		"one changed what the other deleted": {
			[]wholeCommit{{nil, files{"a": "0"}}, {[]int{0}, files{"a": "1"}}, {[]int{0}, files{}}, {[]int{1, 2}, files{}}},
			[]string{"a: 1 - against 0 got -, conflict"},
		},
		"a whole directory from one side": {
			[]wholeCommit{{nil, files{"a": "0"}}, {[]int{0}, files{"a": "0", "d/x": "1", "d/y": "1"}}, {[]int{0}, files{"a": "2"}}, {[]int{1, 2}, files{"a": "2", "d/x": "1", "d/y": "9"}}},
			[]string{"d/y: 1 - against - got 9, expected 1"},
		},
		"a file and a directory of one name": {
			[]wholeCommit{{nil, files{"z": "0"}}, {[]int{0}, files{"z": "0", "a": "1"}}, {[]int{0}, files{"z": "0", "a/x": "2"}}, {[]int{1, 2}, files{"z": "0", "a": "1"}}},
			[]string{"a/x: - 2 against - got -, expected 2, dropped"},
		},
		"no common ancestor": {
			[]wholeCommit{{nil, files{"a": "1", "s": "0"}}, {nil, files{"b": "2", "s": "0"}}, {[]int{0, 1}, files{"a": "1", "b": "2", "s": "0"}}},
			nil,
		},
		"three parents that fork at different points": { // 0 - 1 - 2 main; 3 on 0, 4 on 1, 5 on 2
			[]wholeCommit{
				{nil, files{"m": "0"}},
				{[]int{0}, files{"m": "1"}},
				{[]int{1}, files{"m": "2"}},
				{[]int{0}, files{"m": "0", "x": "3"}},
				{[]int{1}, files{"m": "1", "y": "4"}},
				{[]int{2}, files{"m": "2", "z": "5"}},
				{[]int{3, 4, 5}, files{"m": "2", "x": "3", "y": "4", "z": "5"}},
			},
			nil,
		},
		"crosswise, and the merge reverts the base's fix": { // 1 and 2 on 0; 3 = 1+2, 4 = 2+1
			[]wholeCommit{
				{nil, files{"g": "0", "a": "0"}},
				{[]int{0}, files{"g": "fix", "a": "0"}},
				{[]int{0}, files{"g": "0", "a": "1"}},
				{[]int{1, 2}, files{"g": "fix", "a": "1"}},
				{[]int{2, 1}, files{"g": "fix", "a": "1", "b": "4"}},
				{[]int{4, 3}, files{"g": "0", "a": "1", "b": "4"}},
			},
			[]string{"g: fix fix against fix got 0, expected fix"},
		},
		"crosswise, and the base itself is decided": { // 1 and 2 conflict in c
			[]wholeCommit{
				{nil, files{"c": "0"}},
				{[]int{0}, files{"c": "1"}},
				{[]int{0}, files{"c": "2"}},
				{[]int{1, 2}, files{"c": "1"}},
				{[]int{2, 1}, files{"c": "2"}},
				{[]int{3, 4}, files{"c": "2"}},
			},
			[]string{"c: 1 2 against ? got 2, conflict"},
		},
		"the base is merged in": { // 1 main, 2 main, 3 branch on 1, 4 merges 2
			[]wholeCommit{
				{nil, files{"a": "0"}},
				{[]int{0}, files{"a": "1"}},
				{[]int{0}, files{"a": "0", ".github/x": "w"}},
				{[]int{1, 2}, files{"a": "1", ".github/x": "w"}},
			},
			nil,
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			git := newGit(t)
			ids := git.whole(c.commits...)
			got := described(git, decisions(t, git.open(), ids[len(ids)-1]))
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestAMergeIsHeldAgainstItsLinesOnly(t *testing.T) {
	git := newGit(t)
	ids := git.whole(
		wholeCommit{nil, files{"a": "0"}}, wholeCommit{[]int{0}, files{"a": "1"}}, wholeCommit{[]int{0}, files{"a": "0", "b": "2"}},
		wholeCommit{nil, files{"w": "3"}}, wholeCommit{[]int{1, 2, 3}, files{"a": "1", "b": "2", "w": "3"}})
	_, history, err := changesOf(t, git.open(), ids[4], ids[0])
	if err != nil {
		t.Fatal(err)
	}
	last := history.Deltas[len(history.Deltas)-1]
	want := []string{"w: - - against - got 3, expected -"}
	if diff := cmp.Diff(want, described(git, last.Decisions)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAnAliasThatAMergeBringsTogetherIsTheMerges(t *testing.T) {
	cases := map[string]struct {
		base, ours, theirs, merge files
		want                      []boundary.Alias
	}{
		"one from each side": {
			files{"d/z": "0"},
			files{"d/z": "0", "d/A": "1"},
			files{"d/z": "0", "d/a": "2"},
			files{"d/z": "0", "d/A": "1", "d/a": "2"},
			[]boundary.Alias{{Path: "d/a", Other: "d/A"}},
		},
		"both from one side": {
			files{"d/z": "0"},
			files{"d/z": "1"},
			files{"d/z": "0", "d/A": "1", "d/a": "2"},
			files{"d/z": "1", "d/A": "1", "d/a": "2"},
			nil,
		},
		"brought by the merge itself": {
			files{"z": "0"},
			files{"z": "0", "x": "1"},
			files{"z": "0", "y": "2"},
			files{"z": "0", "x": "1", "y": "2", "X": "3"},
			[]boundary.Alias{{Path: "x", Other: "X"}},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			git := newGit(t)
			ids := git.whole(wholeCommit{nil, c.base}, wholeCommit{[]int{0}, c.ours}, wholeCommit{[]int{0}, c.theirs}, wholeCommit{[]int{1, 2}, c.merge})
			_, history, err := changesOf(t, git.open(), ids[3], ids[0])
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, history.Deltas[2].Aliases); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Two branches that merge each other again and again, and never agree on one
// file: each merge's base is itself the merge of the two before.
func TestCrosswiseMergesAreFoldedDeepAndBounded(t *testing.T) {
	history := func(rounds int) []wholeCommit {
		commits := []wholeCommit{{nil, files{"f": "0"}}, {[]int{0}, files{"f": "a0"}}, {[]int{0}, files{"f": "b0"}}}
		one, other := 1, 2
		for i := range rounds {
			commits = append(commits,
				wholeCommit{[]int{one, other}, files{"f": fmt.Sprint("a", i+1)}},
				wholeCommit{[]int{other, one}, files{"f": fmt.Sprint("b", i+1)}})
			one, other = len(commits)-2, len(commits)-1
		}
		return append(commits, wholeCommit{[]int{one, other}, files{"f": "x"}})
	}
	git := newGit(t)
	ids := git.whole(history(20)...)
	found := decisions(t, git.open(), ids[len(ids)-1])
	if len(found) != 1 || !found[0].Conflict || !found[0].BaseDecided[0] {
		t.Errorf("gives %+v", found)
	}
	git = newGit(t)
	ids = git.whole(history(MaxBaseFolds + 5)...)
	_, _, err := changesOf(t, git.open(), ids[len(ids)-1], ids[len(ids)-2], ids[len(ids)-3])
	if !isError[*LimitError](err) {
		t.Errorf("%d crosswise merges give %v, want a LimitError", MaxBaseFolds+5, err)
	}
}

func TestNetDifferencesHoldFromEveryMergeBase(t *testing.T) {
	git := newGit(t)
	// 1 and 2 on 0; head 3 = 1+2 and more; tips 4 = 2+1: merge bases 1 and 2.
	ids := git.whole(
		wholeCommit{nil, files{"a": "0", "b": "0", "z": "0"}},
		wholeCommit{[]int{0}, files{"a": "1", "b": "0", "z": "0"}},
		wholeCommit{[]int{0}, files{"a": "0", "b": "2", "z": "0"}},
		wholeCommit{[]int{1, 2}, files{"a": "1", "b": "3", "d/x": "3"}},
		wholeCommit{[]int{2, 1}, files{"a": "1", "b": "2", "z": "0"}})
	rng, history, err := changesOf(t, git.open(), ids[3], ids[4])
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(pick(ids, 0, []int{1, 2}), rng.MergeBases); diff != "" {
		t.Fatalf("merge bases (-want +got):\n%s", diff)
	}
	var paths []string
	for _, c := range history.Net {
		paths = append(paths, c.Path)
	}
	if diff := cmp.Diff([]string{"b", "d/x", "z"}, paths); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
