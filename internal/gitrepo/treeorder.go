package gitrepo

import (
	"bytes"
	"slices"
)

// orderCheck looks at entries one after another for order and doubles.
type orderCheck struct {
	tree      *tree
	last      treeEntry
	any       bool
	unordered bool
	// files are the names of files that may still be followed by a directory
	// of the same name, each a prefix of the next.
	files [][]byte
}

func (c *orderCheck) next(e treeEntry) {
	order := -1
	if c.any {
		order = compareEntries(c.last, e)
	}
	switch {
	case order > 0:
		c.unordered = true
		c.tree.problem(e.name, "is out of order")
	case order == 0, c.doubled(e):
		c.tree.problem(e.name, twice)
	}
	c.last, c.any = e, true
}

// doubled says whether a directory has the name of a file before it. Between
// the two, in order, only names can stand that begin with the same.
func (c *orderCheck) doubled(e treeEntry) bool {
	for len(c.files) > 0 && !bytes.HasPrefix(e.name, c.files[len(c.files)-1]) {
		c.files = c.files[:len(c.files)-1]
	}
	if e.isDir() {
		return len(c.files) > 0 && len(c.files[len(c.files)-1]) == len(e.name)
	}
	c.files = append(c.files, e.name)
	return false
}

// reorder puts the entries in git's order; doubled ones are noted afresh.
func (t *tree) reorder() {
	t.problems = slices.DeleteFunc(t.problems, func(p treeProblem) bool { return p.why == twice })
	entries := slices.Collect(t.entries())
	slices.SortStableFunc(entries, compareEntries)
	sorted := make([]byte, 0, len(t.raw))
	check := orderCheck{tree: t}
	t.starts = t.starts[:0]
	for _, e := range entries {
		check.next(e)
		t.starts = append(t.starts, uint32(len(sorted)))
		sorted = appendEntry(sorted, e)
	}
	t.raw = sorted
}

// appendEntry writes an entry as git does.
func appendEntry(raw []byte, e treeEntry) []byte {
	raw = appendOctal(raw, uint32(e.entry.Mode))
	raw = append(raw, ' ')
	raw = append(raw, e.name...)
	raw = append(raw, 0)
	return append(raw, e.entry.OID[:]...)
}

func appendOctal(raw []byte, mode uint32) []byte {
	if mode >= 8 {
		raw = appendOctal(raw, mode/8)
	}
	return append(raw, byte('0'+mode%8))
}
