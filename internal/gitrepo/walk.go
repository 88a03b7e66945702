package gitrepo

import (
	"container/heap"
	"context"
	"slices"
)

// colour says from which side a commit has been reached.
type colour uint8

const (
	ofHead colour = 1 << iota
	ofTips
	common = ofHead | ofTips
)

// walk paints the history backwards from a head and from tips, the newest
// commit first. Dates decide only how soon it ends, never what it finds: it
// ends when nothing that is still to be read could change the answer.
//
// First every commit that only one side has reached is followed, as git does
// for merge bases. The commits then left in the queue are all common. Whether
// one of them leads to a commit that seems to be head's alone, or to what seems
// a best common ancestor, would be a guess by dates; so each such commit gets
// a mark of its own that its ancestors inherit, and the walk goes on until
// every queued commit carries all marks: an ancestor can't lead back to its
// descendant. A late colour is handed on through everything already read.
//
// Where a shallow clone ends, or a commit is missing, the parents can't be
// read. That is harmless if the commit is common and carries all marks, for
// the same reason; otherwise what lies behind could change the answer, and
// the walk fails with a MissingObjectError that names the parent.
type walk struct {
	graph   *graph
	whole   bool // head's commits will be asked for as a whole
	serial  int
	queue   newest
	all     uint64  // the marks that there are
	open    int     // queued nodes that aren't common, or lack a mark
	touched []*node // in the order they were reached
	cuts    []*node
	waiting [common + 1]int // queued nodes of each colour
	steps   int
	stack   []*node
}

func newWalk(g *graph) *walk {
	g.walks++
	return &walk{graph: g, serial: g.walks}
}

// paint adds a colour and marks to a node and to all its ancestors that have
// been reached through nodes read before.
func (w *walk) paint(n *node, c colour, marks uint64) error {
	changed, err := w.touch(n, c, marks)
	if err != nil || !changed || !n.expanded {
		return err
	}
	w.stack = append(w.stack[:0], n)
	for len(w.stack) > 0 {
		last := len(w.stack) - 1
		child := w.stack[last]
		w.stack = w.stack[:last]
		for _, parent := range child.parents {
			changed, err := w.touch(parent, child.colour, child.marks)
			if err != nil {
				return err
			}
			if changed && parent.expanded {
				w.stack = append(w.stack, parent)
			}
		}
	}
	return nil
}

// touch paints one node, queueing it if it's new, and says whether that
// changed anything.
func (w *walk) touch(n *node, c colour, marks uint64) (bool, error) {
	if n.walk != w.serial {
		if err := w.reach(n, c); err != nil {
			return false, err
		}
	}
	if n.colour|c == n.colour && n.marks|marks == n.marks {
		return false, nil
	}
	if n.queued {
		w.count(n, -1)
		defer w.count(n, 1)
	}
	n.colour |= c
	n.marks |= marks
	return true, nil
}

// count keeps account of a node in the queue.
func (w *walk) count(n *node, by int) {
	w.waiting[n.colour] += by
	if n.colour != common || n.marks != w.all {
		w.open += by
	}
}

// reach brings a node into this walk.
func (w *walk) reach(n *node, c colour) error {
	if err := w.graph.load(n, w.whole && c == ofHead); err != nil {
		return err
	}
	n.walk, n.colour, n.marks, n.queued, n.expanded = w.serial, 0, 0, false, false
	w.touched = append(w.touched, n)
	if n.cut != nil {
		w.cuts = append(w.cuts, n)
		return nil
	}
	w.enqueue(n)
	return nil
}

func (w *walk) enqueue(n *node) {
	n.queued = true
	w.count(n, 1)
	heap.Push(&w.queue, n)
}

func (w *walk) dequeue() *node {
	n := heap.Pop(&w.queue).(*node)
	n.queued = false
	w.count(n, -1)
	return n
}

// expand hands a node's colour and marks to its parents.
func (w *walk) expand(ctx context.Context, n *node) error {
	const interval = 256
	if w.steps++; w.steps%interval == 0 && ctx.Err() != nil {
		return ctx.Err()
	}
	n.expanded = true
	for _, parent := range n.parents {
		if err := w.paint(parent, n.colour, n.marks); err != nil {
			return err
		}
	}
	return nil
}

// separate follows every commit that only one side has reached, until there
// is none, or until done.
func (w *walk) separate(ctx context.Context, done func() bool) error {
	for w.waiting[ofHead]+w.waiting[ofTips] > 0 && !done() {
		if err := w.expand(ctx, w.dequeue()); err != nil {
			return err
		}
	}
	return nil
}

// maxRounds is how often the marks are set anew before the walk just goes on
// to the end of the history; maxMarks is how many fit into a node. They
// change how much is read, never the answer.
const (
	maxRounds = 8
	maxMarks  = 64
)

// begin paints the commits that the walk begins at.
func (w *walk) begin(head *node, tips []*node) error {
	if err := w.paint(head, ofHead, 0); err != nil {
		return err
	}
	for _, tip := range tips {
		if err := w.paint(tip, ofTips, 0); err != nil {
			return err
		}
	}
	return nil
}

// settle goes on until nothing unread could change what marked gives: the
// commits that no queued commit may lead to.
func (w *walk) settle(ctx context.Context, marked func() []*node) error {
	var before []*node
	for round := 0; ; round++ {
		now := marked()
		if round > 0 && slices.Equal(now, before) {
			break
		}
		if len(now) > maxMarks || round == maxRounds {
			return w.exhaust(ctx, marked)
		}
		if err := w.mark(now, allMarks(len(now))); err != nil {
			return err
		}
		if err := w.follow(ctx); err != nil {
			return err
		}
		before = now
	}
	if w.unsettledCut(allMarks(len(before))) == nil {
		return nil
	}
	return w.exhaust(ctx, marked)
}

// mark gives each of the nodes its own mark, and takes away all others; all
// are the marks that a commit must carry for nothing behind it to matter.
func (w *walk) mark(nodes []*node, all uint64) error {
	for _, n := range w.touched {
		n.marks = 0
	}
	w.all, w.open = all, 0
	for _, n := range w.queue {
		if n.colour != common || all != 0 {
			w.open++
		}
	}
	for i, n := range nodes {
		if err := w.paint(n, n.colour, 1<<i); err != nil {
			return err
		}
	}
	return nil
}

// follow expands queued commits until all that are left carry all marks. Those
// that do are expanded in their turn, too: an ancestor of theirs that was reached
// on another way doesn't know of the marks before.
func (w *walk) follow(ctx context.Context) error {
	for w.open > 0 {
		if err := w.expand(ctx, w.dequeue()); err != nil {
			return err
		}
	}
	return nil
}

// exhaust reads all of the history that is there, and holds the cuts against
// the marks, as many at a time as fit.
func (w *walk) exhaust(ctx context.Context, marked func() []*node) error {
	const none = 0 // no node carries a mark, so that each is expanded
	if err := w.mark(nil, ^uint64(none)); err != nil {
		return err
	}
	if err := w.follow(ctx); err != nil {
		return err
	}
	if len(w.cuts) == 0 {
		return nil
	}
	if cut := w.unsettledCut(none); cut != nil {
		return cut.cut
	}
	for some := range slices.Chunk(marked(), maxMarks) {
		if err := w.mark(some, allMarks(len(some))); err != nil {
			return err
		}
		if cut := w.unsettledCut(allMarks(len(some))); cut != nil {
			return cut.cut
		}
	}
	return nil
}

// unsettledCut gives a commit whose unread parents could change the answer.
func (w *walk) unsettledCut(all uint64) *node {
	for _, n := range w.cuts {
		if n.colour != common || n.marks&all != all {
			return n
		}
	}
	return nil
}

// allMarks is the mask of the first n marks.
func allMarks(n int) uint64 {
	if n == maxMarks {
		return ^uint64(0)
	}
	return 1<<n - 1
}
