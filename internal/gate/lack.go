package gate

import (
	"context"
	"errors"
	"io/fs"
	"slices"

	"github.com/fleetgate/fleetgate/internal/boundary"
	"github.com/fleetgate/fleetgate/internal/discover"
	"github.com/fleetgate/fleetgate/internal/gitrepo"
)

// lackError is a failure that a fetch may mend. Without one it is what it wraps.
type lackError struct {
	need Need
	err  error
}

// Error is the failure's own.
func (e *lackError) Error() string { return e.err.Error() }

// Unwrap gives the failure without the fetch.
func (e *lackError) Unwrap() error { return e.err }

// lacks joins what several look-ups lack, so that one fetch brings it all.
type lacks struct {
	need  Need
	first error
}

// took says whether err is a lack, and if so notes it.
func (l *lacks) took(err error) bool {
	var lack *lackError
	if !errors.As(err, &lack) {
		return false
	}
	l.need.Branches = append(l.need.Branches, lack.need.Branches...)
	l.need.Commits = append(l.need.Commits, lack.need.Commits...)
	if l.first == nil {
		l.first = lack.err
	}
	return true
}

// err is what was noted; nil where nothing is lacking.
func (l *lacks) err() error {
	if l.first == nil {
		return nil
	}
	return &lackError{need: l.need, err: l.first}
}

// lacking says what a run ended for lack of.
func (r *run) lacking(ctx context.Context, err error) (Need, bool) {
	var lack *lackError
	var missing *gitrepo.MissingObjectError
	switch {
	case errors.As(err, &lack):
		return lack.need, true
	case !errors.As(err, &missing):
		return Need{}, false
	case missing.Kind == "commit" && r.repo.Shallow(): // how deep is for fetches to say
		return Need{Commits: r.named, Deepen: 1}, len(r.named) > 0
	case missing.Kind == "commit":
		return Need{Commits: []boundary.OID{missing.ID}}, true
	case missing.Kind == "tree":
		return Need{Objects: missingLike(missing.ID, func() []boundary.OID { return r.missingTrees(ctx) })}, true
	case boundary.IsPolicyPath(missing.Path):
		return Need{Objects: missingLike(missing.ID, r.missingPolicy)}, true
	}
	return Need{Objects: missingLike(missing.ID, r.missingTargets)}, true
}

// there notes a commit that the run begins at, and says if it isn't there.
func (r *run) there(id boundary.OID) error {
	r.named = append(r.named, id)
	_, err := r.repo.TreeOf(id)
	if isMissing(err) {
		return &lackError{need: Need{Commits: []boundary.OID{id}}, err: err}
	}
	return err
}

// missingLike is an object that isn't there, and its like, which would be
// missed next: one fetch brings them all.
func missingLike(id boundary.OID, alike func() []boundary.OID) []boundary.OID {
	ids := append(alike(), id)
	slices.SortFunc(ids, func(a, b boundary.OID) int { return slices.Compare(a[:], b[:]) })
	return slices.Compact(ids)
}

// ahead is what an audit looks at one commit after the other, so that one
// fetch brings what all of it lacks.
type ahead struct {
	line    []boundary.OID // whose policies are read
	rng     boundary.Range
	history boundary.History // of rng; empty until a target is missed
}

// missingTrees are the root trees of the range, of its parents, of what its
// merges are compared with, and of the ends.
func (r *run) missingTrees(ctx context.Context) []boundary.OID {
	commits := slices.Concat(r.named, r.ahead.line, r.rng.MergeBases)
	for i := range r.rng.Commits {
		commits = append(append(commits, r.rng.Commits[i].ID), r.rng.Commits[i].Parents...)
	}
	bases, _ := r.repo.MergeBases(ctx, r.rng) // what isn't found is missed one by one
	commits = append(commits, bases...)
	var ids []boundary.OID
	for _, commit := range commits {
		tree, err := r.repo.TreeOf(commit)
		if err != nil {
			continue
		}
		_, err = r.repo.Entry(tree, discover.Dir)
		ids = append(ids, lacked(err, "tree")...)
	}
	return ids
}

// policyDirs are the directories that hold policy files directly.
var policyDirs = []string{discover.Dir, discover.Dir + "/agents", discover.Dir + "/fleets", discover.Dir + "/playbooks"}

// missingPolicy are the policy files of the ends, and of what lies ahead.
func (r *run) missingPolicy() []boundary.OID {
	var ids []boundary.OID
	for _, commit := range slices.Concat(r.named, r.ahead.line) {
		tree, err := r.repo.Tree(commit)
		if err != nil {
			continue
		}
		for _, dir := range policyDirs {
			ids = append(ids, missingIn(tree, dir)...)
		}
	}
	return ids
}

// missingIn are the files directly in a directory that aren't there.
func missingIn(tree fs.FS, dir string) []boundary.OID {
	entries, err := fs.ReadDir(tree, dir)
	if err != nil {
		return nil
	}
	var ids []boundary.OID
	for _, entry := range entries {
		if entry.Type().IsRegular() {
			_, err := entry.Info()
			ids = append(ids, lacked(err, "blob")...)
		}
	}
	return ids
}

// missingTargets are the targets of the links that the range, or what lies
// ahead, changed, and the declarations of the submodules.
func (r *run) missingTargets() []boundary.OID {
	return append(r.targetsIn(r.rng, r.history), r.targetsIn(r.ahead.rng, r.ahead.history)...)
}

func (r *run) targetsIn(rng boundary.Range, history boundary.History) []boundary.OID {
	var ids []boundary.OID
	for i := range history.Deltas {
		commit := rng.Commits[i].ID
		for _, change := range history.Deltas[i].Changes {
			ids = append(ids, r.missingBehind(commit, change.New)...)
		}
		for _, decision := range history.Deltas[i].Decisions {
			ids = append(ids, r.missingBehind(commit, decision.Got)...)
		}
	}
	return ids
}

// missingBehind is the blob that the judgement of an entry reads, if it isn't there.
func (r *run) missingBehind(commit boundary.OID, at boundary.Entry) []boundary.OID {
	var err error
	switch at.Mode {
	case boundary.Symlink:
		_, err = r.repo.Blob(at.OID, boundary.MaxLinkTarget)
	case boundary.Gitlink:
		var tree boundary.OID
		if tree, err = r.repo.TreeOf(commit); err == nil {
			_, err = r.repo.Submodules(tree)
		}
	}
	return lacked(err, "blob")
}

// lacked is the object of a kind for lack of which something failed.
func lacked(err error, kind string) []boundary.OID {
	var missing *gitrepo.MissingObjectError
	if errors.As(err, &missing) && missing.Kind == kind {
		return []boundary.OID{missing.ID}
	}
	return nil
}

// fetchedTip is the tip of a branch that a fetch has asked for.
func (r *run) fetchedTip(branch string) (boundary.OID, bool, error) {
	tip, known := r.tips[branch]
	if !known {
		return boundary.OID{}, false, &lackError{need: Need{Branches: []string{branch}}, err: r.missingBase(branch)}
	}
	return tip, !tip.IsZero(), nil
}

// lackedBy is the lack of a revision that is a full id of a commit that isn't there.
func (r *run) lackedBy(rev string, err error) error {
	if id, ok := boundary.ParseOID(rev); ok {
		return &lackError{need: Need{Commits: []boundary.OID{id}}, err: err}
	}
	return err
}
