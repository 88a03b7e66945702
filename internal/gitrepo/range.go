package gitrepo

import (
	"bytes"
	"container/heap"
	"context"
	"fmt"
	"slices"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

// Range lists every commit reachable from head and from no tip, the same set
// as `git rev-list head --not tips` gives on honest dates, and the right one on
// any dates. Without tips, or without a common ancestor, it is all of head's
// history.
//
// In a shallow clone the answer stands only if the missing history can't
// change it (see walk); otherwise, and for a missing commit, it is a
// MissingObjectError.
func (r *Repo) Range(ctx context.Context, head boundary.OID, tips []boundary.OID) (boundary.Range, error) {
	tips = sortedIDs(tips)
	rng := boundary.Range{Head: head, Tips: tips}
	g := newGraph(r)
	only, bases, err := g.exclusive(ctx, head, tips)
	if err != nil {
		return boundary.Range{}, fmt.Errorf("list the range of %s: %w", head, err)
	}
	rng.MergeBases = bases
	if rng.Commits, err = g.commits(ctx, only); err != nil {
		return boundary.Range{}, err
	}
	if err := markLines(&rng); err != nil {
		return boundary.Range{}, err
	}
	markFirstParents(&rng)
	r.walked.Store(g)
	return rng, nil
}

// commits gives the commits of nodes, parents first.
func (g *graph) commits(ctx context.Context, nodes []*node) ([]boundary.Commit, error) {
	for _, n := range nodes {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := g.complete(n); err != nil {
			return nil, err
		}
	}
	if len(nodes) == 0 {
		return nil, nil
	}
	commits := make([]boundary.Commit, 0, len(nodes))
	for _, n := range parentsFirst(nodes) {
		commits = append(commits, *n.commit)
	}
	return commits, nil
}

// IsAncestor says whether a is reachable from b. A commit is its own ancestor.
func (r *Repo) IsAncestor(ctx context.Context, a, b boundary.OID) (bool, error) {
	yes, err := newGraph(r).isAncestor(ctx, a, b)
	if err != nil {
		return false, fmt.Errorf("look for %s among the ancestors of %s: %w", a, b, err)
	}
	return yes, nil
}

// exclusive gives the commits that only head reaches, and the best common
// ancestors of head and the tips' union, in order of their ids.
func (g *graph) exclusive(ctx context.Context, head boundary.OID, tips []boundary.OID) ([]*node, []boundary.OID, error) {
	w, from, to, err := g.between(head, tips, true)
	if err != nil {
		return nil, nil, err
	}
	contained := func() bool { return from.colour == common }
	if err := w.separate(ctx, contained); err != nil {
		return nil, nil, err
	}
	if contained() {
		return nil, []boundary.OID{head}, nil
	}
	marked := func() []*node { return append(w.ends(), several(w.best())...) }
	if err := w.settle(ctx, marked); err != nil {
		return nil, nil, err
	}
	if len(to) == 0 {
		return w.headOnly(), nil, nil
	}
	return w.headOnly(), idsOf(w.best()), nil
}

// mergeBases gives the best common ancestors of a commit and the union of
// others, in order of their ids.
func (g *graph) mergeBases(ctx context.Context, one boundary.OID, others []boundary.OID) ([]boundary.OID, error) {
	w, from, to, err := g.between(one, others, false)
	if err != nil {
		return nil, err
	}
	contained := func() bool {
		return from.colour == common || len(to) == 1 && to[0].colour == common
	}
	if err := w.separate(ctx, contained); err != nil {
		return nil, err
	}
	switch {
	case from.colour == common:
		return []boundary.OID{one}, nil
	case contained():
		return []boundary.OID{to[0].id}, nil
	}
	if err := w.settle(ctx, func() []*node { return several(w.best()) }); err != nil {
		return nil, err
	}
	return idsOf(w.best()), nil
}

// between starts a walk from a head and tips. whole says that head's own
// commits will be asked for as a whole.
func (g *graph) between(head boundary.OID, tips []boundary.OID, whole bool) (*walk, *node, []*node, error) {
	from, err := g.start(head, whole)
	if err != nil {
		return nil, nil, nil, err
	}
	to, err := g.starts(tips)
	if err != nil {
		return nil, nil, nil, err
	}
	w := newWalk(g)
	w.whole = whole
	return w, from, to, w.begin(from, to)
}

// isAncestor paints a's history with one colour and b's with the other, until
// a has both, or until every commit left is a's own history, which can't lead
// back to a.
func (g *graph) isAncestor(ctx context.Context, a, b boundary.OID) (bool, error) {
	w, from, _, err := g.between(a, []boundary.OID{b}, false)
	if err != nil {
		return false, err
	}
	for from.colour != common && w.waiting[ofTips] > 0 {
		if err := w.expand(ctx, w.dequeue()); err != nil {
			return false, err
		}
	}
	if from.colour == common {
		return true, nil
	}
	for _, n := range w.cuts {
		if n.colour == ofTips {
			return false, n.cut
		}
	}
	return false, nil
}

// headOnly lists the commits that only head reaches.
func (w *walk) headOnly() []*node {
	var found []*node
	for _, n := range w.touched {
		if n.colour == ofHead {
			found = append(found, n)
		}
	}
	return found
}

// ends lists the commits that only head reaches and whose parents all are
// common, or that have none: every other one descends from one of these.
func (w *walk) ends() []*node {
	var found []*node
	for _, n := range w.headOnly() {
		if !slices.ContainsFunc(n.parents, func(p *node) bool { return p.colour == ofHead }) {
			found = append(found, n)
		}
	}
	return found
}

// best lists the common commits that no other common commit read so far
// leads to, in order of their ids.
func (w *walk) best() []*node {
	w.graph.looks++
	look := w.graph.looks
	for _, n := range w.touched {
		if n.colour != common {
			continue
		}
		for _, parent := range n.parents {
			parent.ledIn = look
		}
	}
	var found []*node
	for _, n := range w.touched {
		if n.colour == common && n.ledIn != look {
			found = append(found, n)
		}
	}
	slices.SortFunc(found, func(a, b *node) int { return compareIDs(a.id, b.id) })
	return found
}

// several gives the nodes if there is more than one: a single best common
// ancestor can't turn out to be led to by another.
func several(nodes []*node) []*node {
	if len(nodes) < 2 {
		return nil
	}
	return nodes
}

// parentsFirst orders commits so that parents come before their children, and
// otherwise by the committer's date and the id.
func parentsFirst(commits []*node) []*node {
	waiting := make(map[*node]int, len(commits)) // how many parents aren't listed yet
	children := map[*node][]*node{}
	for _, n := range commits {
		waiting[n] = 0
	}
	for _, n := range commits {
		for _, parent := range n.parents {
			if _, in := waiting[parent]; in {
				waiting[n]++
				children[parent] = append(children[parent], n)
			}
		}
	}
	var ready oldest
	for _, n := range commits {
		if waiting[n] == 0 {
			heap.Push(&ready, n)
		}
	}
	sorted := make([]*node, 0, len(commits))
	for len(ready.newest) > 0 {
		n := heap.Pop(&ready).(*node)
		sorted = append(sorted, n)
		for _, child := range children[n] {
			if waiting[child]--; waiting[child] == 0 {
				heap.Push(&ready, child)
			}
		}
	}
	return sorted
}

// oldest orders nodes the other way round.
type oldest struct{ newest }

func (q oldest) Less(i, j int) bool { return older(q.newest[i], q.newest[j]) }

func compareIDs(a, b boundary.OID) int { return bytes.Compare(a[:], b[:]) }

// sortedIDs gives each id once, in order.
func sortedIDs(ids []boundary.OID) []boundary.OID {
	sorted := slices.Clone(ids)
	slices.SortFunc(sorted, compareIDs)
	return slices.Compact(sorted)
}

func idsOf(nodes []*node) []boundary.OID {
	ids := make([]boundary.OID, len(nodes))
	for i, n := range nodes {
		ids[i] = n.id
	}
	return ids
}
