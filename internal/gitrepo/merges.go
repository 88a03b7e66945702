package gitrepo

import (
	"slices"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

// decide lists what a merge decides (design.md, Merges): the paths at which
// folding its lines gives no entry, and those at which the merge has another
// one. Entries are compared path by path: a file and what lies in a directory
// of the same name are different paths, so that a merge that can't have both
// decides one of them.
//
// It walks over the trees of all lines and of the merge at once, and enters no
// directory where the answer is known: where all are equal, or where one line's
// is the base's and the merge has the other's.
func (h *history) decide(commit *boundary.Commit, into *boundary.Delta) error {
	m := merge{
		folder: folder{history: h, sides: map[boundary.OID]*side{}, folds: map[string]*fold{}},
		delta:  into,
	}
	var err error
	if m.expected, err = m.fold(commit.Lines); err != nil {
		return err
	}
	whole, err := m.rootAt(m.expected)
	if err != nil || whole.known && whole.id == commit.Tree {
		return err
	}
	ids := make([]boundary.OID, len(m.expected.sides))
	for i, s := range m.expected.sides {
		ids[i] = s.levels[0].id
	}
	return m.walk(ids, commit.Tree)
}

// merge is the walk over one merge's trees.
type merge struct {
	folder
	delta    *boundary.Delta
	expected *fold
}

// walk looks at one directory: the lines' and the merge's own.
func (m *merge) walk(lines []boundary.OID, got boundary.OID) error {
	dir := string(m.path)
	if err := m.enter(len(m.dirs), dir); err != nil {
		return err
	}
	row, err := m.openRow(append(slices.Clone(lines), got), m.path)
	if err != nil {
		return err
	}
	defer row.close()
	last := len(lines)
	m.delta.Malformed = append(m.delta.Malformed, problemsOf(row.trees[last], dir)...)
	var added []treeEntry // that the first line doesn't have
	for row.next() {
		lines, got := row.entries[:last], row.entries[last]
		if allEqual(row.entries) {
			continue
		}
		if lines[0].Mode == boundary.Absent && got.Mode != boundary.Absent {
			added = append(added, treeEntry{name: row.name, entry: got})
		}
		if err := m.name(row.name, row.dir, lines, got); err != nil {
			return err
		}
	}
	m.delta.Aliases = append(m.delta.Aliases, mergedAliases(dir, row.trees[:last], row.trees[last], added)...)
	return nil
}

// name looks at one name at which the lines and the merge aren't all equal.
func (m *merge) name(name []byte, dir bool, lines []boundary.Entry, got boundary.Entry) error {
	m.query++
	if dir {
		return m.directory(name, lines, got)
	}
	expected, err := m.foldFiles(m.expected, lines, name)
	if err != nil || !expected.decided && expected.entry == got {
		return err
	}
	decision := boundary.Decision{Conflict: expected.decided, Expected: expected.entry, Got: got, Parents: slices.Clone(lines)}
	decision.Dropped = !decision.Conflict && slices.Contains(lines, got)
	for i := 1; i < len(lines); i++ {
		against, err := m.base(m.expected, i)
		if err != nil {
			return err
		}
		base, err := m.fileAt(against, name)
		if err != nil {
			return err
		}
		decision.Bases = append(decision.Bases, base.entry)
		decision.BaseDecided = append(decision.BaseDecided, base.decided)
	}
	if decision.Path, err = m.leaf(string(m.path), name); err != nil {
		return err
	}
	m.delta.Decisions = append(m.delta.Decisions, decision)
	return nil
}

// directory enters a directory unless the merge has what was expected.
func (m *merge) directory(name []byte, lines []boundary.Entry, got boundary.Entry) error {
	ids := make([]boundary.OID, len(lines))
	for i, line := range lines {
		ids[i] = line.OID
	}
	expected, err := m.foldDirs(m.expected, ids, func(base *fold) (subtree, error) { return m.dirAt(base, name) })
	if err != nil || expected.known && expected.id == got.OID {
		return err
	}
	if err := tooLong(string(m.path), name); err != nil {
		return err
	}
	m.enterDir(name)
	defer m.leaveDir()
	return m.walk(ids, got.OID)
}

func allEqual(entries []boundary.Entry) bool {
	for _, e := range entries[1:] {
		if e != entries[0] {
			return false
		}
	}
	return true
}

// mergedAliases lists the aliases that a merge brings together: pairs of which
// no line has both.
func mergedAliases(dir string, lines []*tree, got *tree, added []treeEntry) []boundary.Alias {
	if len(added) == 0 {
		return nil
	}
	var found []boundary.Alias
	for _, group := range aliasGroups(got, added) {
		var before []nameIn // of each set of lines the first name
		for _, e := range group {
			at := nameIn{name: e.name, lines: linesWith(lines, e.name)}
			if i := slices.IndexFunc(before, at.apart); i >= 0 {
				found = append(found, boundary.Alias{Path: dir + string(e.name), Other: dir + string(before[i].name)})
			}
			if !slices.ContainsFunc(before, at.alike) {
				before = append(before, at)
			}
		}
	}
	return found
}

// nameIn is a name and the lines that have it, a bit each.
type nameIn struct {
	name  []byte
	lines []uint64
}

// apart says whether no line has both names.
func (n nameIn) apart(other nameIn) bool {
	for i := range n.lines {
		if n.lines[i]&other.lines[i] != 0 {
			return false
		}
	}
	return true
}

func (n nameIn) alike(other nameIn) bool { return slices.Equal(n.lines, other.lines) }

func linesWith(lines []*tree, name []byte) []uint64 {
	const word = 64
	set := make([]uint64, (len(lines)+word-1)/word)
	for i, line := range lines {
		if contains(line, name) {
			set[i/word] |= 1 << (i % word)
		}
	}
	return set
}
