package gitrepo

import (
	"github.com/fleetgate/fleetgate/internal/boundary"
)

// net lists the differences that hold from every merge base of a range to its
// head: each path whose entry at head is none of the bases'. Old is the first
// base's entry. Without a merge base it is the difference from the empty tree.
func (h *history) net(rng boundary.Range) ([]boundary.Change, []boundary.TreeProblem, error) {
	head, err := h.treeOf(rng.Head)
	if err != nil {
		return nil, nil, err
	}
	bases := make([]boundary.OID, max(len(rng.MergeBases), 1))
	for i, base := range rng.MergeBases {
		if bases[i], err = h.treeOf(base); err != nil {
			return nil, nil, err
		}
	}
	n := netDifference{history: h}
	if err := n.compare(head, bases, 0); err != nil {
		return nil, nil, err
	}
	return n.changes, n.malformed, nil
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
	dir := trimSlash(string(n.path))
	row, err := n.openRow(append([]boundary.OID{head}, bases...), dir)
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
