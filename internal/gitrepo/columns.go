package gitrepo

import (
	"slices"
	"strings"
	"sync"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

// A range is compared directory by directory, not commit by commit: all that
// the range's commits did to one directory is gone through at once, the newest
// commit first, as packs store what they hold. Each version of a directory is
// so read once, right after the one that it is a delta of, and workers that
// have different directories need nothing of each other's.

// pair is a directory before and after a commit. The zero id is none.
type pair struct {
	number   int32 // of the commit in the range, or netNumber
	old, new boundary.OID
}

// column is one directory in all commits that changed it, the newest first.
type column struct {
	path  string // with a slash at its end
	depth int
	pairs []pair
}

// rootColumn gives the range's trees themselves, the net difference's before all
// where it is asked for and there is one merge base at most. What can't be
// found is noted as the commit's failure.
func (h *history) rootColumn(withNet bool) *column {
	root := &column{}
	if withNet {
		h.begin(root, netNumber, h.rng.Head, h.rng.MergeBases)
	}
	for i := len(h.rng.Commits) - 1; i >= 0; i-- {
		if c := &h.rng.Commits[i]; !c.Imported && len(c.Lines) < 2 {
			h.begin(root, int32(i), c.ID, c.Lines)
		}
	}
	return root
}

// begin adds a commit's tree and its line's, of which there is one at most.
func (h *history) begin(root *column, number int32, commit boundary.OID, lines []boundary.OID) {
	p := pair{number: number}
	var err error
	if p.new, err = h.treeOf(commit); err == nil && len(lines) == 1 {
		p.old, err = h.treeOf(lines[0])
	}
	if err == nil && p.old != p.new {
		err = h.add(root, p)
	}
	h.fail(number, "", err)
}

// add adds a pair to a column, and counts it.
func (h *history) add(to *column, p pair) error {
	if err := h.step(1); err != nil {
		return err
	}
	to.pairs = append(to.pairs, p)
	return nil
}

// compare compares one directory in all commits, and gives the directories
// in it that have to be compared, too.
func (h *history) compare(c *column) []*column {
	d := difference{history: h, column: c, inside: map[string]*column{}}
	for _, p := range c.pairs {
		if h.failed.stopped.Load() {
			break
		}
		h.fail(p.number, c.path, d.compare(p))
	}
	return d.dirs
}

// difference compares the versions of one directory.
type difference struct {
	*history
	column *column
	inside map[string]*column // by name
	dirs   []*column          // the same

	pair    pair
	changes []boundary.Change // of the pair
	added   []treeEntry       // by the pair
}

// compare lists the differences of one pair by a walk over both directories,
// as they are stored.
func (d *difference) compare(p pair) error {
	path := d.column.path
	if err := d.allowed(d.column.depth, path); err != nil {
		return err
	}
	before, after, err := d.reader.pair(p.old, p.new)
	if err != nil {
		return placed(err, path)
	}
	defer before.release()
	defer after.release()
	d.pair, d.changes, d.added = p, d.changes[:0], d.added[:0]
	for was, is := differing(before, after); was.valid || is.valid; {
		name, old, new := nextOf(&was, &is)
		if old == new {
			continue
		}
		if err := d.entry(name, old, new); err != nil {
			return err
		}
	}
	d.note(before, after)
	return nil
}

// note adds what was found to the commit's delta.
func (d *difference) note(before, after *tree) {
	path := d.column.path
	var aliases []boundary.Alias
	if len(d.added) > 0 {
		aliases = aliasesOf(path, before, after, d.added)
	}
	problems := problemsOf(after, path)
	if len(before.problems)+len(problems) > 0 {
		d.irregular.Store(true)
	}
	delta, lock := d.deltaOf(d.pair.number)
	lock.Lock()
	defer lock.Unlock()
	delta.Changes = append(delta.Changes, d.changes...)
	delta.Aliases = append(delta.Aliases, aliases...)
	delta.Malformed = append(delta.Malformed, problems...)
}

// entry takes up the difference at one name, where both sides are a directory,
// or absent, or both are something else, or absent.
func (d *difference) entry(name []byte, was, is boundary.Entry) error {
	if was.Mode == boundary.Absent {
		d.added = append(d.added, treeEntry{name: name, entry: is})
	}
	if was.Mode == boundary.Dir || is.Mode == boundary.Dir {
		if err := tooLong(d.column.path, name); err != nil {
			return err
		}
		return d.add(d.dir(name), pair{number: d.pair.number, old: was.OID, new: is.OID})
	}
	path, err := d.leaf(d.column.path, name)
	if err != nil {
		return err
	}
	d.changes = append(d.changes, boundary.Change{Path: path, Old: was, New: is})
	return nil
}

// dir gives the column of a directory in this one.
func (d *difference) dir(name []byte) *column {
	if known, ok := d.inside[string(name)]; ok {
		return known
	}
	made := &column{path: d.column.path + string(name) + "/", depth: d.column.depth + 1}
	d.inside[string(name)] = made
	d.dirs = append(d.dirs, made)
	return made
}

// netNumber stands for the net difference, which counts as the oldest commit.
const netNumber = -1

// deltaOf gives a commit's delta and the lock that guards it.
func (c *comparison) deltaOf(number int32) (*boundary.Delta, *sync.Mutex) {
	if number == netNumber {
		return &c.net, &c.locks[0]
	}
	return &c.result.Deltas[number], &c.locks[int(number)%len(c.locks)]
}

// sorted puts what was found directory by directory in the order of a walk
// over whole trees: that of the paths' bytes.
func sorted(d *boundary.Delta) {
	slices.SortStableFunc(d.Changes, func(a, b boundary.Change) int { return strings.Compare(a.Path, b.Path) })
	slices.SortStableFunc(d.Malformed, func(a, b boundary.TreeProblem) int { return comparePaths(a.Dir, b.Dir) })
}

// comparePaths orders directories as if their paths ended in a slash, so that
// each comes right before those in it.
func comparePaths(a, b string) int {
	if a == "" || b == "" {
		return len(a) - len(b)
	}
	return strings.Compare(a+"/", b+"/")
}
