package gitrepo

import (
	"sort"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

// maxNear is how many entries of a tree may differ from its neighbour's for the
// neighbour to be of use in checking it.
const maxNear = 64

// parseNear is parse for a tree that is likely to be much the same as one that
// is checked already, or nil: only the entries in which they differ are looked
// at. The answer is the same.
func (t *tree) parseNear(id boundary.OID, raw []byte, near *tree) error {
	if near.changedTo(raw, t) {
		return nil
	}
	return t.parse(id, raw)
}

// changedTo makes a tree by what of it differs from this one. It fails where
// it isn't so simple, or something is wrong with either.
func (t *tree) changedTo(raw []byte, made *tree) bool {
	if t == nil || len(t.problems) > 0 || len(t.starts) == 0 {
		return false
	}
	kept, tail := t.shared(raw)
	from, until := t.boundary(kept), len(raw)-(len(t.raw)-t.boundary(tail))
	made.begin(raw, len(t.starts)+maxNear)
	made.starts = append(made.starts, t.starts[:kept]...)
	for at := from; at < until; {
		entry, size, why := readEntry(raw[at:])
		if why != "" || badName(entry.name) != "" || entry.entry.OID.IsZero() || len(made.starts)-kept == maxNear {
			return false
		}
		made.starts = append(made.starts, uint32(at))
		if at += size; at > until {
			return false // what looks like the same end begins inside an entry
		}
	}
	changed := len(made.starts)
	shift := until - t.boundary(tail)
	for _, start := range t.starts[tail:] {
		made.starts = append(made.starts, uint32(int(start)+shift))
	}
	return made.sameNames(t, kept, changed, tail) || made.inOrder(kept, changed)
}

// sameNames says whether the entries between two places stand for the same
// names as another tree's up to its tail, as where only contents changed. Then
// their order is the other's too.
func (t *tree) sameNames(other *tree, from, to, tail int) bool {
	if to != tail {
		return false
	}
	for i := from; i < to; i++ {
		if compareEntries(t.at(i), other.at(i)) != 0 {
			return false
		}
	}
	return true
}

// inOrder says whether the entries between two places stand in order among
// themselves and to their neighbours, and none is doubled.
func (t *tree) inOrder(from, to int) bool {
	for i := max(from, 1); i < min(to+1, len(t.starts)); i++ {
		if compareEntries(t.at(i-1), t.at(i)) >= 0 {
			return false
		}
	}
	for i := from; i < to; i++ {
		entry := t.at(i)
		if t.find(entry.name, !entry.isDir()) != (boundary.Entry{}) {
			return false
		}
	}
	return true
}

// boundary is where entry number i begins, or the tree ends.
func (t *tree) boundary(i int) int {
	if i < len(t.starts) {
		return int(t.starts[i])
	}
	return len(t.raw)
}

// shared compares a tree with another's bytes: the entries before the first
// number are the same in both, and the bytes from the second number's on end both.
func (t *tree) shared(raw []byte) (kept, tail int) {
	same := commonPrefix(t.raw, raw)
	kept = sort.Search(len(t.starts), func(i int) bool { return t.boundary(i+1) > same })
	from := t.boundary(kept)
	same = commonSuffix(t.raw[from:], raw[from:])
	tail = sort.Search(len(t.starts), func(i int) bool { return t.boundary(i) >= len(t.raw)-same })
	return kept, tail
}

// differing gives cursors over the parts of two trees in which they can differ.
func differing(before, after *tree) (cursor, cursor) {
	if len(before.problems)+len(after.problems) > 0 || len(before.starts) == 0 || len(after.starts) == 0 {
		return before.cursor(), after.cursor()
	}
	kept, tail := before.shared(after.raw)
	until := len(after.raw) - (len(before.raw) - before.boundary(tail))
	for !after.begins(until) { // the same bytes need not be the same entries
		tail++
		until = len(after.raw) - (len(before.raw) - before.boundary(tail))
	}
	return cursorOver(before.raw[before.boundary(kept):before.boundary(tail)]), cursorOver(after.raw[before.boundary(kept):until])
}

// begins says whether an entry begins at an offset, or the tree ends there.
func (t *tree) begins(offset int) bool {
	i := sort.Search(len(t.starts), func(i int) bool { return int(t.starts[i]) >= offset })
	return t.boundary(i) == offset
}

// span is how many bytes are compared at once.
const span = 64

// commonPrefix is how many bytes two slices begin with that are the same.
func commonPrefix(a, b []byte) int {
	n := min(len(a), len(b))
	at := 0
	for at+span <= n && string(a[at:at+span]) == string(b[at:at+span]) {
		at += span
	}
	for at < n && a[at] == b[at] {
		at++
	}
	return at
}

// commonSuffix is how many bytes two slices end with that are the same.
func commonSuffix(a, b []byte) int {
	n := min(len(a), len(b))
	a, b = a[len(a)-n:], b[len(b)-n:]
	at := n
	for at >= span && string(a[at-span:at]) == string(b[at-span:at]) {
		at -= span
	}
	for at > 0 && a[at-1] == b[at-1] {
		at--
	}
	return n - at
}
