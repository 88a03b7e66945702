package gitrepo

import (
	"container/list"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

// treeCache keeps the trees that were used last, so that neighbouring commits
// share what they have in common. It is safe for concurrent use.
type treeCache struct {
	mu    sync.Mutex
	limit int // bytes
	size  int
	order *list.List // of *cachedTree, the one used last in front
	trees map[boundary.OID]*list.Element
}

type cachedTree struct {
	id   boundary.OID
	tree *tree
}

func newTreeCache(limit int) *treeCache {
	return &treeCache{limit: limit, order: list.New(), trees: map[boundary.OID]*list.Element{}}
}

// cost is about how many bytes a tree takes: its own, its index (an int for
// entries of hardly less than 32 bytes) and the cache's.
func (c *cachedTree) cost() int {
	const overhead = 256
	return len(c.tree.raw) + len(c.tree.raw)/4 + overhead
}

func (c *treeCache) get(id boundary.OID) (*tree, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, ok := c.trees[id]
	if !ok {
		return nil, false
	}
	c.order.MoveToFront(at)
	return at.Value.(*cachedTree).tree, true
}

func (c *treeCache) put(id boundary.OID, t *tree) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.trees[id]; ok {
		return
	}
	added := &cachedTree{id: id, tree: t}
	c.trees[id] = c.order.PushFront(added)
	c.size += added.cost()
	for c.size > c.limit && c.order.Len() > 1 {
		oldest := c.order.Remove(c.order.Back()).(*cachedTree)
		delete(c.trees, oldest.id)
		c.size -= oldest.cost()
	}
}

// noEntries is the tree that absence and the empty tree's id stand for.
var noEntries = &tree{}

// tree reads and checks a tree; the zero id is a tree without entries. path
// says where it is needed.
func (r *Repo) tree(id boundary.OID, path string) (*tree, error) {
	if id.IsZero() || id == emptyTree {
		return noEntries, nil
	}
	if t, ok := r.trees.get(id); ok {
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
	r.trees.put(id, t)
	return t, nil
}

// placed adds to a MissingObjectError where the object is needed.
func placed(err error, path string) error {
	if missing, ok := err.(*MissingObjectError); ok {
		at := *missing
		at.Path = path
		return &at
	}
	return err
}
