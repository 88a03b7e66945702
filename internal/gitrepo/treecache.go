package gitrepo

import (
	"errors"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/fleetgate/fleetgate/internal/boundary"
	"github.com/fleetgate/fleetgate/internal/gitrepo/lru"
	"github.com/fleetgate/fleetgate/internal/gitrepo/packstore"
)

// treeReader reads and checks trees, for one worker: with a pack reader and
// the trees used last of its own, so that neighbouring commits share what they
// have in common.
type treeReader struct {
	objects *objects
	packs   *packstore.Reader
	last    *lru.Cache[boundary.OID, *tree]
}

func (o *objects) treeReader() *treeReader {
	return &treeReader{objects: o, packs: o.borrow(), last: lru.New[boundary.OID, *tree](TreeCacheBytes)}
}

func (r *treeReader) close() { r.objects.giveBack(r.packs) }

// noEntries is the tree that absence and the empty tree's id stand for.
var noEntries = &tree{}

// tree reads and checks a tree; the zero id is a tree without entries. near is
// a tree that is likely to be much the same, or nil. path, of which a slash at
// the end is no part, says where the tree is needed.
func (r *treeReader) tree(id boundary.OID, near *tree, path []byte) (*tree, error) {
	if id.IsZero() || id == emptyTree {
		return noEntries, nil
	}
	if t, ok := r.last.Get(id); ok {
		return t, nil
	}
	raw, err := r.objects.readWith(r.packs, id, plumbing.TreeObject, MaxTreeBytes)
	if err != nil {
		return nil, placed(err, trimSlash(string(path)))
	}
	t, err := parseNear(id, raw, near)
	if err != nil {
		return nil, err
	}
	r.last.Put(id, t, t.cost())
	return t, nil
}

// pair reads two trees that are likely to be much the same. The newer one is
// the one that has been read before, where commits are gone through from the
// newest to the oldest.
func (r *treeReader) pair(older, newer boundary.OID, path []byte) (before, after *tree, err error) {
	near, _ := r.last.Get(older)
	if after, err = r.tree(newer, near, path); err != nil {
		return nil, nil, err
	}
	before, err = r.tree(older, after, path)
	return before, after, err
}

// cost is about how many bytes a tree takes.
func (t *tree) cost() int {
	const ofStart = 4
	return len(t.raw) + ofStart*cap(t.starts)
}

// placed adds to a MissingObjectError where the object is needed.
func placed(err error, path string) error {
	var missing *MissingObjectError
	if !errors.As(err, &missing) {
		return err
	}
	at := *missing
	at.Path = path
	return &at
}

// sharedTrees is a treeReader for whoever asks about single trees.
type sharedTrees struct {
	mu     sync.Mutex
	reader *treeReader // made when first needed
}

// tree reads and checks a tree, as treeReader.tree does.
func (r *Repo) tree(id boundary.OID, path string) (*tree, error) {
	r.trees.mu.Lock()
	defer r.trees.mu.Unlock()
	if r.trees.reader == nil {
		r.trees.reader = r.objects.treeReader()
	}
	return r.trees.reader.tree(id, nil, []byte(path))
}
