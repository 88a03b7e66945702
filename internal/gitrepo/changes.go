package gitrepo

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

// Changes lists what each commit of the range changed, and the net difference
// from the range's merge bases to its head. A commit of one line is compared
// with it, a root commit with the empty tree; a merge of several lines gives
// what it decides. Imported commits aren't judged and get an empty Delta. A
// tree or commit that is missing is a MissingObjectError, never an absence.
// Of several errors the newest commit's counts, and MaxChanges and MaxSteps
// before all.
func (r *Repo) Changes(ctx context.Context, rng boundary.Range) (boundary.History, error) {
	c := comparison{repo: r, rng: rng, known: make(map[boundary.OID]*boundary.Commit, len(rng.Commits))}
	for i := range rng.Commits {
		c.known[rng.Commits[i].ID] = &rng.Commits[i]
	}
	c.result.Deltas = make([]boundary.Delta, len(rng.Commits))
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
	opened atomic.Int64 // directories, against MaxSteps
	listed atomic.Int64 // changes and decisions, against MaxChanges
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
	graph.known = c.known
	return &history{
		comparison: c, ctx: ctx, reader: c.repo.objects.treeReader(),
		graph: graph, trees: map[boundary.OID]boundary.OID{},
	}
}

// commit compares the range's commit number i.
func (h *history) commit(i int) error {
	commit, delta := &h.rng.Commits[i], &h.result.Deltas[i]
	if commit.Imported {
		return nil
	}
	if err := h.delta(commit, delta); err != nil {
		return fmt.Errorf("compare commit %s: %w", commit.ID, err)
	}
	slices.SortStableFunc(delta.Aliases, func(a, b boundary.Alias) int { return strings.Compare(a.Path, b.Path) })
	return nil
}

// delta compares one commit with its lines.
func (h *history) delta(commit *boundary.Commit, into *boundary.Delta) error {
	if len(commit.Lines) > 1 {
		return h.decide(commit, into)
	}
	var old boundary.OID
	if len(commit.Lines) == 1 {
		var err error
		if old, err = h.treeOf(commit.Lines[0]); err != nil {
			return err
		}
	}
	d := difference{history: h, delta: into}
	return d.compare(old, commit.Tree, 0)
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

// difference compares two trees by one walk over both, as they are stored.
type difference struct {
	*history
	delta *boundary.Delta
	path  []byte // of the directory being compared, with a slash at its end
}

// compare lists the differences between two directories. The zero id is none.
func (d *difference) compare(old, new boundary.OID, depth int) error {
	if old == new {
		return nil
	}
	if err := d.enter(depth, d.path); err != nil {
		return err
	}
	before, after, err := d.reader.pair(old, new, d.path)
	if err != nil {
		return err
	}
	d.delta.Malformed = append(d.delta.Malformed, problemsOf(after, d.path)...)
	var added []treeEntry
	for was, is := differing(before, after); was.valid || is.valid; {
		name, old, new := nextOf(&was, &is)
		if old == new {
			continue
		}
		if old.Mode == boundary.Absent {
			added = append(added, treeEntry{name: name, entry: new})
		}
		if err := d.entry(name, old, new, depth); err != nil {
			return err
		}
	}
	if len(added) > 0 {
		d.delta.Aliases = append(d.delta.Aliases, aliasesOf(string(d.path), before, after, added)...)
	}
	return nil
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

// enter counts the opening of a directory, holds it against the limits, and
// looks whether to go on at all.
func (h *history) enter(depth int, path []byte) error {
	if depth > MaxDepth {
		return &LimitError{What: fmt.Sprintf("the depth of directory %.80q", path), Name: "MaxDepth", Limit: MaxDepth}
	}
	if h.opened.Add(1) > MaxSteps {
		return errSteps
	}
	return h.ctx.Err()
}

// entry lists the difference at one name, where both sides are a directory,
// or absent, or both are something else, or absent.
func (d *difference) entry(name []byte, was, is boundary.Entry, depth int) error {
	length := len(d.path)
	d.path = append(d.path, name...)
	defer func() { d.path = d.path[:length] }()
	if was.Mode == boundary.Dir || is.Mode == boundary.Dir {
		d.path = append(d.path, '/')
		return d.compare(was.OID, is.OID, depth+1)
	}
	path, err := d.leaf(d.path)
	if err != nil {
		return err
	}
	d.delta.Changes = append(d.delta.Changes, boundary.Change{Path: path, Old: was, New: is})
	return nil
}

// leaf counts one listed path and holds it against the limits.
func (h *history) leaf(path []byte) (string, error) {
	if len(path) > MaxPath {
		return "", &LimitError{What: fmt.Sprintf("the length of path %.80q… (%d bytes)", path, len(path)), Name: "MaxPath", Limit: MaxPath}
	}
	if h.listed.Add(1) > MaxChanges {
		return "", errChanges
	}
	return string(path), nil
}

// The limits of a whole range.
var (
	errSteps   = &LimitError{What: "the number of directories that the range touched", Name: "MaxSteps", Limit: MaxSteps}
	errChanges = &LimitError{What: "the number of changes in the range", Name: "MaxChanges", Limit: MaxChanges}
)

// problemsOf gives what is wrong with a tree, for a walk that opened it.
func problemsOf(t *tree, path []byte) []boundary.TreeProblem {
	var found []boundary.TreeProblem
	for _, p := range t.problems {
		found = append(found, boundary.TreeProblem{Dir: trimSlash(string(path)), Name: p.name, Why: p.why})
	}
	return found
}

func trimSlash(path string) string { return strings.TrimSuffix(path, "/") }
