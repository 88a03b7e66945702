package boundary

import (
	"fmt"
	"strings"
	"testing"
)

// A chain of as many links as may be followed ends inside; one more doesn't.
func TestLinkHopsAreBounded(t *testing.T) {
	for hops, left := range map[int]bool{MaxLinkHops: false, MaxLinkHops + 1: true} {
		w := newWorld(t, "")
		var chain strings.Builder
		for n := 1; n < hops; n++ {
			fmt.Fprintf(&chain, "docs/l%d=->l%d ", n, n+1)
		}
		fmt.Fprintf(&chain, "docs/l%d=->./a", hops)
		w.outside("chained", chain.String())
		c := w.commits["chained"]
		got, err := links{w, c.Tree}.targetLeaves("docs/l0", "l1", Compile([]string{"docs/"}).holds)
		if err != nil || got != left {
			t.Errorf("%d hops: leaves is %v, %v; want %v", hops, got, err, left)
		}
	}
}

func TestLinksNeedTheirBlobs(t *testing.T) {
	inside := func(string) bool { return true }
	w := newWorld(t, "docs/m=->a")
	tree := w.commits["base"].Tree
	if _, _, err := (links{w, tree}).leaves("docs/l", id("no such blob"), inside); err == nil {
		t.Error("a link without its blob is judged")
	}
	delete(w.blobs, id("blob a"))
	w.entry("->m")
	if _, _, err := (links{w, tree}).leaves("docs/l", id("blob m"), inside); err == nil {
		t.Error("a link through one without its blob is judged")
	}
	w.missing["docs/m"] = true
	if _, _, err := (links{w, tree}).leaves("docs/l", id("blob m"), inside); err == nil {
		t.Error("a link through an entry that can't be read is judged")
	}
	w.entry("->" + strings.Repeat("x", linkReadLimit+1))
	if _, _, err := (links{w, tree}).leaves("docs/l", id("blob "+strings.Repeat("x", linkReadLimit+1)), inside); err == nil {
		t.Error("a link of more than a megabyte is read")
	}
}

func TestLinkOnEntry(t *testing.T) {
	isLink := func(path string) (bool, error) { return path == "docs" || path == "a/b", nil }
	for entry, want := range map[string]string{"docs/": "docs", "docs/x": "docs", "docs": "", "a/b": "", "a/b/": "a/b", "a/c/": ""} {
		if got, err := LinkOnEntry(entry, isLink); err != nil || got != want {
			t.Errorf("LinkOnEntry(%q) = %q, %v; want %q", entry, got, err, want)
		}
	}
	failing := func(string) (bool, error) { return false, errMissing }
	if _, err := LinkOnEntry("docs/", failing); err == nil {
		t.Error("an entry whose tree is missing passes")
	}
}

func TestNoLinkIsLookedForBeyondTheLongestPath(t *testing.T) {
	longest := strings.Repeat("a", longestPath)
	for entry, want := range map[string]int{longest + "/": 1, longest + "a/": 0, strings.Repeat("a/", 500_000): longestPath / 2} {
		looks := 0
		isLink := func(string) (bool, error) { looks++; return false, nil }
		if _, err := LinkOnEntry(entry, isLink); err != nil || looks != want {
			t.Errorf("an entry of %d bytes: %d look-ups, %v; want %d", len(entry), looks, err, want)
		}
	}
}
