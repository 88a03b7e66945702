package gitrepo

import (
	"errors"
	"slices"

	"github.com/fleetgate/fleetgate/internal/boundary"
	"github.com/fleetgate/fleetgate/internal/gitrepo/packstore"
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
	commit *boundary.Commit // the whole commit, if it has been read

	walk     int
	colour   colour
	marks    uint64
	queued   bool
	expanded bool
	ledIn    int // the graph's look in which a common commit led here
}

// graph is the part of the history that has been read. It serves one
// goroutine, and may serve several walks, one after another.
type graph struct {
	repo  *Repo
	nodes map[boundary.OID]*node
	known map[boundary.OID]*boundary.Commit // commits that needn't be read again
	older *graph                            // one that isn't changed any more
	walks int
	looks int
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

// load reads a node's commit once. A commit that isn't there is a cut. whole
// says that all of it will be asked for later.
func (g *graph) load(n *node, whole bool) error {
	if n.loaded {
		return nil
	}
	head, err := g.header(n, whole)
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

// header gives what a walk needs of a commit: from what is known, from the
// commit-graph, or from the commit itself.
func (g *graph) header(n *node, whole bool) (header, error) {
	if c, ok := g.known[n.id]; ok {
		return headerOf(c), nil
	}
	if read, ok := g.older.read(n.id); ok {
		return read, nil
	}
	if c, ok := g.repo.graph.Commit(packstore.ID(n.id)); ok {
		return headerOfGraph(c), nil
	}
	if !whole {
		return g.repo.header(n.id)
	}
	c, err := g.repo.Commit(n.id)
	if err != nil {
		return header{}, err
	}
	n.commit = &c
	return headerOf(&c), nil
}

// read gives what a graph knows of a commit whose parents it has followed.
func (g *graph) read(id boundary.OID) (header, bool) {
	if g == nil {
		return header{}, false
	}
	n, ok := g.nodes[id]
	if !ok || !n.loaded || n.cut != nil {
		return header{}, false
	}
	head := header{tree: n.tree, date: n.date, parents: make([]boundary.OID, len(n.parents))}
	for i, parent := range n.parents {
		head.parents[i] = parent.id
	}
	return head, true
}

// headerInGraph is header, of the commit-graph where it has the commit.
func (r *Repo) headerInGraph(id boundary.OID) (header, error) {
	if c, ok := r.graph.Commit(packstore.ID(id)); ok {
		return headerOfGraph(c), nil
	}
	return r.header(id)
}

func headerOf(c *boundary.Commit) header {
	return header{tree: c.Tree, parents: c.Parents, date: c.Committer.When.Unix()}
}

func headerOfGraph(c packstore.GraphCommit) header {
	head := header{tree: boundary.OID(c.Tree), date: c.Date, parents: make([]boundary.OID, len(c.Parents))}
	for i, parent := range c.Parents {
		head.parents[i] = boundary.OID(parent)
	}
	return head
}

// complete reads all of a node's commit. One that isn't what the commit-graph
// said is an error, since the walk went by that.
func (g *graph) complete(n *node) error {
	if n.commit != nil {
		return nil
	}
	c, err := g.repo.Commit(n.id)
	if err != nil {
		return err
	}
	sameParents := func(id boundary.OID, p *node) bool { return id == p.id }
	if c.Tree != n.tree || n.cut == nil && !slices.EqualFunc(c.Parents, n.parents, sameParents) {
		return &CorruptError{ID: n.id, Kind: "commit", Why: "isn't what the commit-graph says of it (`git commit-graph write --reachable` makes a new one)"}
	}
	n.commit, n.date = &c, c.Committer.When.Unix()
	return nil
}

// start gives a node that a walk begins at: its commit must be there.
func (g *graph) start(id boundary.OID, whole bool) (*node, error) {
	n := g.node(id)
	if err := g.load(n, whole); err != nil {
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
		if nodes[i], err = g.start(id, false); err != nil {
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
