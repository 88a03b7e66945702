package gitrepo

import (
	"errors"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

// node is one commit of a graph. The fields of the last group belong to the
// walk that the graph is under.
type node struct {
	id      boundary.OID
	tree    boundary.OID
	parents []*node
	date    int64
	// cut says why the parents can't be followed: the commit is one at which a
	// shallow clone ends, or isn't there itself. Such a node has no parents.
	cut    *MissingObjectError
	absent bool // the commit itself isn't there
	loaded bool

	walk     int
	colour   colour
	marks    uint64
	queued   bool
	expanded bool
}

// graph is the part of the history that has been read. It serves one
// goroutine, and may serve several walks, one after another.
type graph struct {
	repo  *Repo
	nodes map[boundary.OID]*node
	walks int
}

func newGraph(repo *Repo) *graph {
	return &graph{repo: repo, nodes: map[boundary.OID]*node{}}
}

// node gives the one node of a commit, which needn't have been read.
func (g *graph) node(id boundary.OID) *node {
	n, ok := g.nodes[id]
	if !ok {
		n = &node{id: id}
		g.nodes[id] = n
	}
	return n
}

// load reads a node's commit once. A commit that isn't there is a cut.
func (g *graph) load(n *node) error {
	if n.loaded {
		return nil
	}
	head, err := g.repo.header(n.id)
	var missing *MissingObjectError
	if errors.As(err, &missing) {
		n.cut, n.absent, n.loaded = missing, true, true
		return nil
	}
	if err != nil {
		return err
	}
	n.tree, n.date, n.loaded = head.tree, head.date, true
	if g.repo.shallow[n.id] && len(head.parents) > 0 {
		n.cut = &MissingObjectError{ID: head.parents[0], Kind: "commit", Shallow: true}
		return nil
	}
	n.parents = make([]*node, len(head.parents))
	for i, parent := range head.parents {
		n.parents[i] = g.node(parent)
	}
	return nil
}

// start gives a node that a walk begins at: its commit must be there.
func (g *graph) start(id boundary.OID) (*node, error) {
	n := g.node(id)
	if err := g.load(n); err != nil {
		return nil, err
	}
	if n.absent {
		return nil, n.cut
	}
	return n, nil
}

// starts gives several nodes that a walk begins at.
func (g *graph) starts(ids []boundary.OID) ([]*node, error) {
	nodes := make([]*node, len(ids))
	for i, id := range ids {
		var err error
		if nodes[i], err = g.start(id); err != nil {
			return nil, err
		}
	}
	return nodes, nil
}

// newest orders nodes for a walk: the newest first, the id deciding ties.
type newest []*node

func (q newest) Len() int           { return len(q) }
func (q newest) Less(i, j int) bool { return older(q[j], q[i]) }
func (q newest) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }

// Push is part of heap.Interface.
func (q *newest) Push(x any) { *q = append(*q, x.(*node)) }

// Pop is part of heap.Interface.
func (q *newest) Pop() any {
	last := len(*q) - 1
	n := (*q)[last]
	*q = (*q)[:last]
	return n
}

// older is a total order of commits by their committer's date.
func older(a, b *node) bool {
	if a.date != b.date {
		return a.date < b.date
	}
	return compareIDs(a.id, b.id) < 0
}
