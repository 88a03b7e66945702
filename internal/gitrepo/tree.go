package gitrepo

import (
	"bytes"

	"github.com/fleetgate/fleetgate/internal/boundary"
	"github.com/fleetgate/fleetgate/internal/gitrepo/packstore"
)

// emptyTree is the id of the tree without entries. Like git, it is known
// without being in the repository.
var emptyTree = boundary.OID{
	0x4b, 0x82, 0x5d, 0xc6, 0x42, 0xcb, 0x6e, 0xb9, 0xa0, 0x60,
	0xe5, 0x4b, 0xf8, 0xd6, 0x92, 0x88, 0xfb, 0xee, 0x49, 0x04,
}

// twice is what is wrong with a name that a tree holds more than once.
const twice = "appears twice"

// treeEntry is one entry of a tree. Its name is a part of the tree's bytes.
type treeEntry struct {
	name  []byte
	entry boundary.Entry
}

func (e treeEntry) isDir() bool { return e.entry.Mode == boundary.Dir }

// tree is a checked tree object: entries that all can be read, in git's order.
type tree struct {
	raw      []byte
	starts   []uint32 // where each entry begins
	problems []treeProblem
	held     *packstore.Object // whose content raw is, where a treeReader keeps it
}

// treeProblem is an entry that makes a tree malformed.
type treeProblem struct{ name, why string }

// parseTree checks a tree object's bytes. What can't be read as entries at all
// is a CorruptError that names the tree. Entries that no git would write are
// noted as problems, and a tree that is out of order is put in order, so that
// whatever it holds is still compared.
func parseTree(id boundary.OID, raw []byte) (*tree, error) {
	t := &tree{}
	return t, t.parse(id, raw)
}

// parse is parseTree into the room of a former tree.
func (t *tree) parse(id boundary.OID, raw []byte) error {
	t.begin(raw, len(raw)/usualEntry+1)
	check := orderCheck{tree: t}
	for rest := raw; len(rest) > 0; {
		entry, size, why := readEntry(rest)
		if why != "" {
			return &CorruptError{ID: id, Kind: "tree", Why: why}
		}
		if why := badName(entry.name); why != "" {
			t.problem(entry.name, why)
		}
		if entry.entry.OID.IsZero() {
			t.problem(entry.name, "names the null object")
		}
		check.next(entry)
		t.starts = append(t.starts, uint32(len(raw)-len(rest)))
		rest = rest[size:]
	}
	if check.unordered {
		t.reorder()
	}
	return nil
}

// begin empties a tree, with room for so many entries.
func (t *tree) begin(raw []byte, entries int) {
	if cap(t.starts) < entries {
		t.starts = make([]uint32, 0, entries)
	}
	t.raw, t.starts, t.problems = raw, t.starts[:0], nil
}

// usualEntry is about the length of an entry, by which room is made.
const usualEntry = 38

// readEntry reads the entry that begins the bytes, and gives its size.
func readEntry(raw []byte) (treeEntry, int, string) {
	const idSize = 20
	mode, digits, why := readMode(raw)
	if why != "" {
		return treeEntry{}, 0, why
	}
	name := raw[digits+1:]
	end := bytes.IndexByte(name, 0)
	if end < 0 || len(name) < end+1+idSize {
		return treeEntry{}, 0, "ends inside an entry"
	}
	entry := treeEntry{name: name[:end], entry: boundary.Entry{Mode: mode, OID: boundary.OID(name[end+1 : end+1+idSize])}}
	return entry, digits + 1 + end + 1 + idSize, ""
}

// readMode reads the mode that begins an entry, and gives its number of digits.
func readMode(raw []byte) (boundary.Mode, int, string) {
	// Nearly every entry is one of these two.
	if len(raw) > 7 && string(raw[:7]) == "100644 " {
		return boundary.Regular, 6, ""
	}
	if len(raw) > 6 && string(raw[:6]) == "40000 " {
		return boundary.Dir, 5, ""
	}
	mode, digits := 0, 0
	for ; digits < len(raw) && raw[digits] != ' '; digits++ {
		c := raw[digits]
		if c < '0' || c > '7' || mode > 0o7777777 {
			return 0, 0, "holds a mode that is no octal number"
		}
		mode = mode<<3 | int(c-'0')
	}
	if digits == 0 || digits == len(raw) {
		return 0, 0, "holds an entry without a mode"
	}
	return canonicalMode(mode), digits, ""
}

// canonicalMode gives the mode that git takes an entry's mode for.
func canonicalMode(mode int) boundary.Mode {
	const typeMask, regular, symlink, dir, ownerExecutes = 0o170000, 0o100000, 0o120000, 0o040000, 0o100
	switch mode & typeMask {
	case regular:
		if mode&ownerExecutes != 0 {
			return boundary.Executable
		}
		return boundary.Regular
	case symlink:
		return boundary.Symlink
	case dir:
		return boundary.Dir
	}
	return boundary.Gitlink
}

// badName says what is wrong with an entry's name by itself, or "". A name
// can't hold a NUL: one would end it.
func badName(name []byte) string {
	if len(name) == 0 {
		return "is empty"
	}
	if bytes.IndexByte(name, '/') >= 0 {
		return "contains a slash"
	}
	first := name[0]
	if first != '.' && first != 'g' && first != 'G' && first < 0x80 {
		return "" // no spelling of .git begins so
	}
	switch text := string(name); {
	case text == ".", text == "..":
		return "is " + text
	case boundary.IsDotGit(text):
		return "is a spelling of .git"
	}
	return ""
}

func (t *tree) problem(name []byte, why string) {
	if len(t.problems) < maxProblems {
		t.problems = append(t.problems, treeProblem{name: string(name), why: why})
	}
}

// compareEntries is git's order of a tree's entries: by name, a directory's as
// if it ended in a slash.
func compareEntries(a, b treeEntry) int {
	n := min(len(a.name), len(b.name))
	if c := bytes.Compare(a.name[:n], b.name[:n]); c != 0 {
		return c
	}
	if c := int(a.byteAt(n)) - int(b.byteAt(n)); c != 0 {
		return c
	}
	return len(a.name) - len(b.name) // differs only if a name contains a slash
}

func (e treeEntry) byteAt(i int) byte {
	switch {
	case i < len(e.name):
		return e.name[i]
	case e.isDir():
		return '/'
	}
	return 0
}

// entries gives the tree's entries in git's order.
func (t *tree) entries() func(yield func(treeEntry) bool) {
	return func(yield func(treeEntry) bool) {
		for c := t.cursor(); c.valid; c.next() {
			if !yield(c.treeEntry) {
				return
			}
		}
	}
}

// find gives the entry of a name, a directory or not; zero where there is none.
func (t *tree) find(name []byte, dir bool) boundary.Entry {
	want := treeEntry{name: name}
	if dir {
		want.entry.Mode = boundary.Dir
	}
	low, high := 0, len(t.starts)
	for low < high {
		mid := (low + high) / 2
		entry := t.at(mid)
		switch c := compareEntries(entry, want); {
		case c == 0 && (mid == low || compareEntries(t.at(mid-1), want) < 0):
			return entry.entry
		case c < 0:
			low = mid + 1
		default:
			high = mid
		}
	}
	return boundary.Entry{}
}

// at gives an entry by its place.
func (t *tree) at(i int) treeEntry {
	entry, _, _ := readEntry(t.raw[t.starts[i]:])
	return entry
}

// cursor walks over a tree's entries.
type cursor struct {
	treeEntry
	rest  []byte
	valid bool
}

func (t *tree) cursor() cursor { return cursorOver(t.raw) }

func cursorOver(entries []byte) cursor {
	c := cursor{rest: entries}
	c.next()
	return c
}

// next goes to the next entry; the tree has been checked.
func (c *cursor) next() {
	if c.valid = len(c.rest) > 0; !c.valid {
		return
	}
	entry, size, _ := readEntry(c.rest)
	c.treeEntry, c.rest = entry, c.rest[size:]
}
