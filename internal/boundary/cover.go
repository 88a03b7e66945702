package boundary

import (
	"slices"

	"github.com/fleetgate/fleetgate/internal/diag"
)

// covers says whether the boundary covers a change; why is the exception where
// a directory entry would cover the path but not this kind of change.
func (w *work) covers(path string, before, after Entry, escape string) (why string, covered bool) {
	if w.list.Names(path) {
		return "", true
	}
	if w.list.Dir(path) == "" {
		return "", false
	}
	switch {
	case before.Mode == Gitlink || after.Mode == Gitlink:
		return "a directory entry covers no submodule", false
	case escape != "":
		return "a directory entry covers no link that leaves the boundary", false
	case NeedsExactEntry(path):
		return "a directory entry covers no file of this name", false
	}
	return "", true
}

// escape gives the target of a link that leaves its boundary, or, where there
// is none that it lies in, the repository. A link that an entry names exactly
// may point anywhere.
func (w *work) escape(path string, after Entry) (string, error) {
	if after.Mode != Symlink || w.list.Names(path) {
		return "", nil
	}
	inside := func(string) bool { return true }
	if w.list.Dir(path) != "" {
		inside = w.list.holds
	}
	trees, err := w.linkTrees(path, after)
	if err != nil {
		return "", err
	}
	for _, tree := range trees {
		target, left, err := links{w.in.Trees, tree}.leaves(path, after.OID, inside)
		if err != nil || left {
			return Quote(diag.Clip(target)), err
		}
	}
	return "", nil
}

// linkTrees are the trees through whose links a new link is followed: its
// commit's, and head's if the link still stands there. What it leads through
// may have been made a link by another commit of the range.
func (w *work) linkTrees(path string, link Entry) ([]OID, error) {
	atHead, err := w.entry(w.in.Range.Head, path)
	if err != nil || atHead != link {
		return []OID{w.commit.Tree}, err
	}
	head, err := w.treeOf(w.in.Range.Head)
	return slices.Compact([]OID{w.commit.Tree, head}), err
}

// holds says whether a place is inside the boundary: a covered file, or an
// entry's own directory, or one under it.
func (l Allowlist) holds(place string) bool {
	return l.Names(place) || place != "" && l.Dir(place+"/") != ""
}

func (w *work) gitlink(path string) {
	declared, err := w.in.Trees.Submodules(w.commit.Tree)
	if w.fail(err) || declared[path] {
		return
	}
	w.add(w.gitlinkFinding(path))
}
