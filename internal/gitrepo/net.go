package gitrepo

import (
	"fmt"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

// net lists the differences that hold from every merge base of a range to its
// head: each path whose entry at head is none of the bases'. Old is the first
// base's entry. Without a merge base it is the difference from the empty tree.
func (h *history) net() error {
	if err := h.netOf(h.rng.Head, h.rng.MergeBases); err != nil {
		return fmt.Errorf("compare %s with its merge bases: %w", h.rng.Head, err)
	}
	return nil
}

func (h *history) netOf(headCommit boundary.OID, baseCommits []boundary.OID) error {
	head, err := h.treeOf(headCommit)
	if err != nil {
		return err
	}
	bases := make([]boundary.OID, max(len(baseCommits), 1))
	for i, base := range baseCommits {
		if bases[i], err = h.treeOf(base); err != nil {
			return err
		}
	}
	if len(bases) == 1 {
		var delta boundary.Delta
		d := difference{history: h, delta: &delta}
		err := d.compare(bases[0], head, 0)
		h.result.Net, h.result.NetMalformed = delta.Changes, delta.Malformed
		return err
	}
	n := netDifference{history: h}
	err = n.compare(head, bases, 0)
	h.result.Net, h.result.NetMalformed = n.changes, n.malformed
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
	if err := n.enter(depth, n.path); err != nil {
		return err
	}
	row, err := n.openRow(append([]boundary.OID{head}, bases...), n.path)
	if err != nil {
		return err
	}
	n.malformed = append(n.malformed, problemsOf(row.trees[0], n.path)...)
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
	length := len(n.path)
	n.path = append(n.path, name...)
	defer func() { n.path = n.path[:length] }()
	if dir {
		n.path = append(n.path, '/')
		return n.compare(head.OID, trees, depth+1)
	}
	path, err := n.leaf(n.path)
	if err != nil {
		return err
	}
	n.changes = append(n.changes, boundary.Change{Path: path, Old: bases[0], New: head})
	return nil
}
