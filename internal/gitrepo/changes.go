package gitrepo

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

// Changes lists what each commit of the range changed, and the net difference
// from the range's merge bases to its head. A commit of one line is compared
// with it, a root commit with the empty tree; a merge of several lines gives
// what it decides. Imported commits aren't judged and get an empty Delta. A
// tree or commit that is missing is a MissingObjectError, never an absence.
func (r *Repo) Changes(ctx context.Context, rng boundary.Range) (boundary.History, error) {
	h := history{repo: r, ctx: ctx, graph: newGraph(r), trees: map[boundary.OID]boundary.OID{}}
	for _, commit := range rng.Commits {
		h.trees[commit.ID] = commit.Tree
	}
	deltas := make([]boundary.Delta, len(rng.Commits))
	for i, commit := range rng.Commits {
		if commit.Imported {
			continue
		}
		if err := h.delta(commit, &deltas[i]); err != nil {
			return boundary.History{}, fmt.Errorf("compare commit %s: %w", commit.ID, err)
		}
		slices.SortStableFunc(deltas[i].Aliases, func(a, b boundary.Alias) int { return strings.Compare(a.Path, b.Path) })
	}
	net, malformed, err := h.net(rng)
	if err != nil {
		return boundary.History{}, fmt.Errorf("compare %s with its merge bases: %w", rng.Head, err)
	}
	return boundary.History{Deltas: deltas, Net: net, NetMalformed: malformed}, nil
}

// history is the state of one call of Changes.
type history struct {
	repo   *Repo
	ctx    context.Context
	graph  *graph                        // for the merge bases of the range's merges
	trees  map[boundary.OID]boundary.OID // commits' trees
	opened int                           // pairs of trees, against MaxSteps
	listed int                           // changes and decisions, against MaxChanges
}

// delta compares one commit with its lines.
func (h *history) delta(commit boundary.Commit, into *boundary.Delta) error {
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
	row, err := d.openRow([]boundary.OID{old, new}, trimSlash(string(d.path)))
	if err != nil {
		return err
	}
	before, after := row.trees[0], row.trees[1]
	d.delta.Malformed = append(d.delta.Malformed, problemsOf(after, d.path)...)
	var added []treeEntry
	for row.next() {
		was, is := row.entries[0], row.entries[1]
		if was == is {
			continue
		}
		if was.Mode == boundary.Absent {
			added = append(added, treeEntry{name: row.name, entry: is})
		}
		if err := d.entry(row.name, was, is, depth); err != nil {
			return err
		}
	}
	d.delta.Aliases = append(d.delta.Aliases, aliasesOf(string(d.path), before, after, added)...)
	return nil
}

// enter counts the opening of a directory, holds it against the limits, and
// looks whether to go on at all.
func (h *history) enter(depth int, path []byte) error {
	if depth > MaxDepth {
		return &LimitError{What: fmt.Sprintf("the depth of directory %.80q", path), Name: "MaxDepth", Limit: MaxDepth}
	}
	if h.opened++; h.opened > MaxSteps {
		return &LimitError{What: "the number of directories that the range touched", Name: "MaxSteps", Limit: MaxSteps}
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
	if h.listed++; h.listed > MaxChanges {
		return "", &LimitError{What: "the number of changes in the range", Name: "MaxChanges", Limit: MaxChanges}
	}
	return string(path), nil
}

// problemsOf gives what is wrong with a tree, for a walk that opened it.
func problemsOf(t *tree, path []byte) []boundary.TreeProblem {
	var found []boundary.TreeProblem
	for _, p := range t.problems {
		found = append(found, boundary.TreeProblem{Dir: trimSlash(string(path)), Name: p.name, Why: p.why})
	}
	return found
}

func trimSlash(path string) string { return strings.TrimSuffix(path, "/") }
