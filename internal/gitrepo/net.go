package gitrepo

import (
	"slices"
	"strings"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

// chained says that the range is one line of commits from its only merge base
// to its head: what they changed, one after another, is the net difference
// then, unless a tree of them is malformed.
func (c *comparison) chained() bool {
	commits, bases := c.rng.Commits, c.rng.MergeBases
	if len(commits) == 0 || len(bases) != 1 || commits[len(commits)-1].ID != c.rng.Head {
		return false
	}
	before := bases[0]
	for i := range commits {
		commit := &commits[i]
		if commit.Imported || len(commit.Lines) != 1 || commit.Lines[0] != before {
			return false
		}
		before = commit.ID
	}
	return true
}

// chain adds up what the commits of a line changed, the oldest first.
func (c *comparison) chain() {
	at := map[string]int{}
	var net []boundary.Change
	for i := range c.result.Deltas {
		for _, change := range c.result.Deltas[i].Changes {
			if known, ok := at[change.Path]; ok {
				net[known].New = change.New
				continue
			}
			at[change.Path] = len(net)
			net = append(net, change)
		}
	}
	net = slices.DeleteFunc(net, func(c boundary.Change) bool { return c.Old == c.New })
	// By their bytes whole paths stand as a walk over the trees meets them.
	slices.SortFunc(net, func(a, b boundary.Change) int { return strings.Compare(a.Path, b.Path) })
	c.net.Changes = net
}

// netOfSeveral lists the differences that hold from every one of several merge bases to
// the head: each path whose entry at head is none of the bases'. Old is the
// first base's entry.
func (h *history) netOfSeveral() error {
	head, err := h.treeOf(h.rng.Head)
	if err != nil {
		return err
	}
	bases := make([]boundary.OID, len(h.rng.MergeBases))
	for i, base := range h.rng.MergeBases {
		if bases[i], err = h.treeOf(base); err != nil {
			return err
		}
	}
	n := netDifference{history: h}
	err = n.compare(head, bases, 0)
	h.net.Changes, h.net.Malformed = n.changes, n.malformed
	return err
}

// netDifference compares one tree with several by one walk over all of them.
type netDifference struct {
	*history
	changes   []boundary.Change
	malformed []boundary.TreeProblem
	path      []byte
}

// compare lists the differences between head's directory and every base's. The
// zero id is none.
func (n *netDifference) compare(head boundary.OID, bases []boundary.OID, depth int) error {
	for _, base := range bases {
		if base == head {
			return nil
		}
	}
	if err := n.enter(depth, string(n.path)); err != nil {
		return err
	}
	row, err := n.openRow(append([]boundary.OID{head}, bases...), n.path)
	if err != nil {
		return err
	}
	defer row.close()
	n.malformed = append(n.malformed, problemsOf(row.trees[0], string(n.path))...)
	for row.next() {
		if err := n.entry(row.name, row.entries[0], row.entries[1:], depth); err != nil {
			return err
		}
	}
	return nil
}

// entry lists the difference at one name.
func (n *netDifference) entry(name []byte, head boundary.Entry, bases []boundary.Entry, depth int) error {
	dir := head.Mode == boundary.Dir
	trees := make([]boundary.OID, len(bases))
	for i, base := range bases {
		if base == head {
			return nil
		}
		dir = dir || base.Mode == boundary.Dir
		trees[i] = base.OID
	}
	if dir {
		if err := tooLong(string(n.path), name); err != nil {
			return err
		}
		length := len(n.path)
		defer func() { n.path = n.path[:length] }()
		n.path = append(append(n.path, name...), '/')
		return n.compare(head.OID, trees, depth+1)
	}
	path, err := n.leaf(string(n.path), name)
	if err != nil {
		return err
	}
	n.changes = append(n.changes, boundary.Change{Path: path, Old: bases[0], New: head})
	return nil
}
