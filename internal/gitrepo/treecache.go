package gitrepo

import (
	"errors"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/fleetgate/fleetgate/internal/boundary"
	"github.com/fleetgate/fleetgate/internal/gitrepo/lru"
	"github.com/fleetgate/fleetgate/internal/gitrepo/packstore"
)

// treeReader reads and checks trees, for one worker, with a pack reader of its
// own, so that neighbouring commits share what they have in common.
type treeReader struct {
	objects *objects
	packs   *packstore.Reader
}

func (o *objects) treeReader() *treeReader { return &treeReader{objects: o, packs: o.borrow()} }

func (r *treeReader) close() { r.objects.giveBack(r.packs) }

// noEntries is the tree that absence and the empty tree's id stand for.
var noEntries = &tree{}

// tree reads and checks a tree, which stays as it is until it is released; the
// zero id is a tree without entries. near is a tree that is likely to be much
// the same, or nil.
func (r *treeReader) tree(id boundary.OID, near *tree) (*tree, error) {
	if id.IsZero() || id == emptyTree {
		return noEntries, nil
	}
	o, err := r.objects.hold(r.packs, id, plumbing.TreeObject, MaxTreeBytes)
	if err != nil {
		return nil, err
	}
	t, ok := o.Note.(*tree)
	if o.Noted {
		return t, nil
	}
	if !ok {
		t = &tree{held: o}
	}
	if err := t.parseNear(id, o.Content, near); err != nil {
		o.Release()
		return nil, err
	}
	r.packs.Note(o, t, t.cost())
	return t, nil
}

func (t *tree) release() {
	if t != nil {
		t.held.Release()
	}
}

// pair reads two trees that are likely to be much the same. The newer one is
// the one that has been read before, where commits are gone through from the
// newest to the oldest.
func (r *treeReader) pair(older, newer boundary.OID) (before, after *tree, err error) {
	if after, err = r.tree(newer, nil); err != nil {
		return nil, nil, err
	}
	if before, err = r.tree(older, after); err != nil {
		after.release()
		return nil, nil, err
	}
	return before, after, nil
}

// cost is about how many bytes a tree takes beside its content.
func (t *tree) cost() int {
	const itself, ofStart = 96, 4
	return itself + ofStart*cap(t.starts)
}

// placed adds to a MissingObjectError where the object is needed: in the
// directory of a path, of which a slash at the end is no part.
func placed(err error, path string) error {
	var missing *MissingObjectError
	if !errors.As(err, &missing) {
		return err
	}
	at := *missing
	at.Path = trimSlash(path)
	return &at
}

// sharedTrees keeps the trees used last for whoever asks about single ones.
type sharedTrees struct {
	mu   sync.Mutex
	last *lru.Cache[boundary.OID, *tree] // made when first needed
}

// tree reads and checks a tree, which the caller may keep.
func (r *Repo) tree(id boundary.OID, path string) (*tree, error) {
	if id.IsZero() || id == emptyTree {
		return noEntries, nil
	}
	r.trees.mu.Lock()
	defer r.trees.mu.Unlock()
	if r.trees.last == nil {
		r.trees.last = lru.New[boundary.OID, *tree](TreeCacheBytes)
	}
	if t, ok := r.trees.last.Get(id); ok {
		return t, nil
	}
	raw, err := r.objects.read(id, plumbing.TreeObject, MaxTreeBytes)
	if err != nil {
		return nil, placed(err, path)
	}
	t, err := parseTree(id, raw)
	if err != nil {
		return nil, err
	}
	r.trees.last.Put(id, t, len(raw)+t.cost())
	return t, nil
}
