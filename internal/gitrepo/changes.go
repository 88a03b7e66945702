package gitrepo

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

// Changes lists what each commit of the range changed, and the net difference
// from the range's merge bases to its head. A commit of one line is compared
// with it, a root commit with the empty tree; a merge of several lines gives
// what it decides. Imported commits aren't judged and get an empty Delta. A
// tree or commit that is missing is a MissingObjectError, never an absence.
// Of several errors the newest commit's counts, but MaxSteps before all.
func (r *Repo) Changes(ctx context.Context, rng boundary.Range) (boundary.History, error) {
	c := newComparison(r, rng)
	if err := c.run(ctx); err != nil {
		return boundary.History{}, err
	}
	return c.result, nil
}

// comparison is one call of Changes, which several workers carry out.
type comparison struct {
	repo   *Repo
	rng    boundary.Range
	known  map[boundary.OID]*boundary.Commit // the range's
	result boundary.History
	net    boundary.Delta
	locks  [64]sync.Mutex // of deltas, by the numbers of their commits
	failed failures

	steps     atomic.Int64 // against MaxSteps
	irregular atomic.Bool  // a malformed tree was met
}

func newComparison(r *Repo, rng boundary.Range) *comparison {
	c := &comparison{repo: r, rng: rng, known: make(map[boundary.OID]*boundary.Commit, len(rng.Commits))}
	for i := range rng.Commits {
		c.known[rng.Commits[i].ID] = &rng.Commits[i]
	}
	c.result.Deltas = make([]boundary.Delta, len(rng.Commits))
	return c
}

// history is one worker's part in a comparison.
type history struct {
	*comparison
	ctx    context.Context
	reader *treeReader
	graph  *graph                        // for the merge bases of the range's merges
	trees  map[boundary.OID]boundary.OID // of commits outside the range
}

func (c *comparison) worker(ctx context.Context) *history {
	graph := newGraph(c.repo)
	graph.known, graph.older = c.known, c.repo.walked.Load()
	return &history{
		comparison: c, ctx: ctx, reader: c.repo.objects.treeReader(),
		graph: graph, trees: map[boundary.OID]boundary.OID{},
	}
}

// run compares the range: directories, merges, and its ends.
func (c *comparison) run(ctx context.Context) error {
	several, chained := len(c.rng.MergeBases) > 1, c.chained()
	var work []task
	for _, some := range c.merges() {
		work = append(work, func(h *history) []task { return h.decideAll(some) })
	}
	if several {
		work = append(work, func(h *history) []task { h.fail(netNumber, "", h.netOfSeveral()); return nil })
	}
	c.share(ctx, append(work, func(h *history) []task { return h.column(h.rootColumn(!several && !chained)) }))
	if chained && c.failure() == nil {
		c.chainNet(ctx)
	}
	if err := c.failure(); err != nil {
		return err
	}
	c.finish()
	return nil
}

// chainNet gives the net difference of a range that is one line.
func (c *comparison) chainNet(ctx context.Context) {
	if !c.irregular.Load() {
		c.chain()
		return
	}
	c.share(ctx, []task{func(h *history) []task {
		root := &column{}
		h.begin(root, netNumber, h.rng.Head, h.rng.MergeBases)
		return h.column(root)
	}})
}

// finish puts what was found in order.
func (c *comparison) finish() {
	for i := range c.result.Deltas {
		delta := &c.result.Deltas[i]
		sorted(delta)
		slices.SortStableFunc(delta.Aliases, func(a, b boundary.Alias) int { return strings.Compare(a.Path, b.Path) })
	}
	sorted(&c.net)
	c.result.Net, c.result.NetMalformed = c.net.Changes, c.net.Malformed
}

// column compares a directory, then the ones in it.
func (h *history) column(c *column) []task {
	var more []task
	for _, dir := range h.compare(c) {
		more = append(more, func(h *history) []task { return h.column(dir) })
	}
	return more
}

// merges gives the numbers of the range's merges, in a few parts of neighbours.
func (c *comparison) merges() [][]int32 {
	const parts, least = 8, 8
	var all []int32
	for i := len(c.rng.Commits) - 1; i >= 0; i-- {
		if commit := &c.rng.Commits[i]; !commit.Imported && len(commit.Lines) > 1 {
			all = append(all, int32(i))
		}
	}
	return slices.Collect(slices.Chunk(all, max((len(all)+parts-1)/parts, least)))
}

// decideAll lists what some merges decide.
func (h *history) decideAll(numbers []int32) []task {
	for _, number := range numbers {
		if !h.failed.stopped.Load() {
			h.fail(number, "", h.decide(&h.rng.Commits[number], &h.result.Deltas[number]))
		}
	}
	return nil
}

// treeOf gives a commit's tree, reading each commit once.
func (h *history) treeOf(commit boundary.OID) (boundary.OID, error) {
	if known, ok := h.known[commit]; ok {
		return known.Tree, nil
	}
	if id, ok := h.trees[commit]; ok {
		return id, nil
	}
	id, err := h.repo.TreeOf(commit)
	if err != nil {
		return boundary.OID{}, err
	}
	h.trees[commit] = id
	return id, nil
}

// nextOf gives the next name of two directories, and what stands there in
// each. At least one must have a next one.
func nextOf(was, is *cursor) (name []byte, old, new boundary.Entry) {
	order := 0
	switch {
	case !was.valid:
		order = 1
	case !is.valid:
		order = -1
	default:
		order = compareEntries(was.treeEntry, is.treeEntry)
	}
	if order <= 0 {
		name, old = was.name, was.entry
		was.next()
	}
	if order >= 0 {
		name, new = is.name, is.entry
		is.next()
	}
	return name, old, new
}

// enter counts the opening of a directory, and looks whether it may be opened.
func (h *history) enter(depth int, path string) error {
	if err := h.step(1); err != nil {
		return err
	}
	return h.allowed(depth, path)
}

// step counts work.
func (h *history) step(by int64) error {
	if h.steps.Add(by) > MaxSteps {
		return errSteps
	}
	return nil
}

// allowed holds a directory against the limits, and looks whether to go on at all.
func (h *history) allowed(depth int, path string) error {
	if depth > MaxDepth {
		return &LimitError{What: fmt.Sprintf("the depth of directory %.80q", path), Name: "MaxDepth", Limit: MaxDepth}
	}
	return h.ctx.Err()
}

// leaf counts one listed path and holds it against the limits.
func (h *history) leaf(dir string, name []byte) (string, error) {
	if err := tooLong(dir, name); err != nil {
		return "", err
	}
	if err := h.step(changeSteps); err != nil {
		return "", err
	}
	return dir + string(name), nil
}

// tooLong holds the length of a path against its limit, before it is made.
func tooLong(dir string, name []byte) error {
	if length := len(dir) + len(name); length > MaxPath {
		return &LimitError{What: fmt.Sprintf("the length of path %.80q… (%d bytes)", dir+string(name[:min(len(name), MaxPath)]), length), Name: "MaxPath", Limit: MaxPath}
	}
	return nil
}

// errSteps is the limit of a whole range. There is one for all that is counted:
// of two, chance would decide which is met first.
var errSteps = &LimitError{What: "the number of directories that the range touched, and four times that of its changes,", Name: "MaxSteps", Limit: MaxSteps}

// problemsOf gives what is wrong with a tree, for a walk that opened it.
func problemsOf(t *tree, path string) []boundary.TreeProblem {
	var found []boundary.TreeProblem
	for _, p := range t.problems {
		found = append(found, boundary.TreeProblem{Dir: trimSlash(path), Name: p.name, Why: p.why})
	}
	return found
}

func trimSlash(path string) string { return strings.TrimSuffix(path, "/") }
