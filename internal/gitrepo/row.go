package gitrepo

import "github.com/fleetgate/fleetgate/internal/boundary"

// row walks over several directories at once: name by name, with each one's
// entry. A file and a directory of the same name are two names, so that
// entries of one row are all directories (or absent), or all something else.
type row struct {
	trees   []*tree
	cursors []cursor
	name    []byte
	dir     bool
	entries []boundary.Entry
}

// openRow opens directories, until the row is closed; the zero id is an empty one.
func (h *history) openRow(ids []boundary.OID, path []byte) (*row, error) {
	r := &row{
		trees:   make([]*tree, len(ids)),
		cursors: make([]cursor, len(ids)),
		entries: make([]boundary.Entry, len(ids)),
	}
	var near *tree
	for i, id := range ids {
		t, err := h.reader.tree(id, near)
		if err != nil {
			r.close()
			return nil, placed(err, string(path))
		}
		r.trees[i], r.cursors[i], near = t, t.cursor(), t
	}
	return r, nil
}

func (r *row) close() {
	for _, t := range r.trees {
		t.release()
	}
}

// next goes to the next name, and says whether there is one.
func (r *row) next() bool {
	var least *cursor
	for i := range r.cursors {
		c := &r.cursors[i]
		if c.valid && (least == nil || compareEntries(c.treeEntry, least.treeEntry) < 0) {
			least = c
		}
	}
	if least == nil {
		return false
	}
	at := least.treeEntry
	r.name, r.dir = at.name, at.isDir()
	for i := range r.cursors {
		c := &r.cursors[i]
		r.entries[i] = boundary.Entry{}
		if c.valid && compareEntries(c.treeEntry, at) == 0 {
			r.entries[i] = c.entry
			c.next()
		}
	}
	return true
}
