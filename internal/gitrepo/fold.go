package gitrepo

import (
	"fmt"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

// fold is the merge of some commits' trees by the rule of design.md (Merges):
// left to right, each against the merge bases of that commit and those already
// folded, and several bases folded by the same rule first. It is worked out
// only at the names where it is asked for, and its bases only where its
// commits differ.
type fold struct {
	commits []boundary.OID
	sides   []*side
	bases   []*fold // of each commit after the first, once needed

	// What the last name gave, so that a base that several folds share is
	// worked out once for each name.
	asked   int
	value   value
	subtree subtree
}

// value is what a fold gives at a name that is no directory.
type value struct {
	entry   boundary.Entry
	decided bool // no rule gives it; it is unequal to everything
}

// subtree is what a fold gives for a directory as a whole.
type subtree struct {
	id    boundary.OID // zero where there is none
	known bool         // otherwise it has to be looked into
}

// folder works out folds at the directory that a walk is in.
type folder struct {
	*history
	dirs   []dirName
	path   []byte // of the directory, with a slash at its end
	serial int    // numbers the directories entered
	query  int    // numbers the names asked for
	sides  map[boundary.OID]*side
	folds  map[string]*fold
}

// dirName is a directory that the walk is in.
type dirName struct {
	name   string
	serial int
}

// side is one commit's tree, opened as far as the walk's directory.
type side struct {
	levels []level // the root's first
}

// level is one directory of a side; serial says which directory of the walk it
// stands for.
type level struct {
	id     boundary.OID
	serial int
}

// fold gives the one fold of a list of commits.
func (f *folder) fold(commits []boundary.OID) (*fold, error) {
	key := ""
	for _, id := range commits {
		key += string(id[:])
	}
	if known, ok := f.folds[key]; ok {
		return known, nil
	}
	if len(f.folds) > MaxBaseFolds {
		return nil, &LimitError{What: "the number of merges of merge bases", Name: "MaxBaseFolds", Limit: MaxBaseFolds}
	}
	made := &fold{commits: commits, bases: make([]*fold, len(commits))}
	for _, id := range commits {
		s, err := f.side(id)
		if err != nil {
			return nil, err
		}
		made.sides = append(made.sides, s)
	}
	f.folds[key] = made
	return made, nil
}

func (f *folder) side(commit boundary.OID) (*side, error) {
	if known, ok := f.sides[commit]; ok {
		return known, nil
	}
	root, err := f.treeOf(commit)
	if err != nil {
		return nil, err
	}
	made := &side{levels: []level{{id: root}}}
	f.sides[commit] = made
	return made, nil
}

// base gives the fold of the merge bases that a fold's commit number i, from
// the second on, is folded against.
func (f *folder) base(of *fold, i int) (*fold, error) {
	if of.bases[i] != nil {
		return of.bases[i], nil
	}
	commits, err := f.graph.mergeBases(f.ctx, of.commits[i], of.commits[:i])
	if err != nil {
		return nil, fmt.Errorf("find the merge bases of %s: %w", of.commits[i], err)
	}
	of.bases[i], err = f.fold(commits)
	return of.bases[i], err
}

// enterDir and leaveDir keep the walk's place.
func (f *folder) enterDir(name []byte) {
	f.serial++
	f.dirs = append(f.dirs, dirName{name: string(name), serial: f.serial})
	f.path = append(append(f.path, name...), '/')
}

func (f *folder) leaveDir() {
	last := len(f.dirs) - 1
	f.path = f.path[:len(f.path)-len(f.dirs[last].name)-1]
	f.dirs = f.dirs[:last]
}

// lookUp gives a side's entry of a name in the walk's directory.
func (f *folder) lookUp(s *side, name []byte, dir bool) (boundary.Entry, error) {
	kept := 1
	for kept < len(s.levels) && kept <= len(f.dirs) && s.levels[kept].serial == f.dirs[kept-1].serial {
		kept++
	}
	s.levels = s.levels[:kept]
	for depth := kept; depth <= len(f.dirs); depth++ {
		into := f.dirs[depth-1]
		found, err := f.find(s, depth-1, []byte(into.name), true)
		if err != nil {
			return boundary.Entry{}, err
		}
		s.levels = append(s.levels, level{id: found.OID, serial: into.serial})
	}
	return f.find(s, len(f.dirs), name, dir)
}

// find gives the entry of a name in one directory of a side.
func (f *folder) find(s *side, depth int, name []byte, dir bool) (boundary.Entry, error) {
	length := 0
	for i := range depth {
		length += len(f.dirs[i].name) + 1
	}
	t, err := f.reader.tree(s.levels[depth].id, nil)
	if err != nil {
		return boundary.Entry{}, placed(err, string(f.path[:length]))
	}
	defer t.release()
	return t.find(name, dir), nil
}

func joinPath(dir, name string) string {
	if dir == "" {
		return name
	}
	return dir + "/" + name
}

// fileAt works out a fold at a name that is no directory.
func (f *folder) fileAt(of *fold, name []byte) (value, error) {
	if of.asked == f.query {
		return of.value, nil
	}
	entries := make([]boundary.Entry, len(of.sides))
	for i, s := range of.sides {
		var err error
		if entries[i], err = f.lookUp(s, name, false); err != nil {
			return value{}, err
		}
	}
	result, err := f.foldFiles(of, entries, name)
	of.asked, of.value = f.query, result
	return result, err
}

// foldFiles folds the entries that a fold's commits have at a name.
func (f *folder) foldFiles(of *fold, entries []boundary.Entry, name []byte) (value, error) {
	var folded value
	for i, entry := range entries {
		if i == 0 {
			folded.entry = entry
			continue
		}
		if folded.entry == entry {
			continue
		}
		against, err := f.base(of, i)
		if err != nil {
			return value{}, err
		}
		base, err := f.fileAt(against, name)
		if err != nil {
			return value{}, err
		}
		switch {
		case !base.decided && base.entry == folded.entry:
			folded.entry = entry
		case !base.decided && base.entry == entry:
		default:
			return value{decided: true}, nil
		}
	}
	return folded, nil
}

// dirAt works out a fold for a directory as a whole.
func (f *folder) dirAt(of *fold, name []byte) (subtree, error) {
	if of.asked == f.query {
		return of.subtree, nil
	}
	ids := make([]boundary.OID, len(of.sides))
	for i, s := range of.sides {
		entry, err := f.lookUp(s, name, true)
		if err != nil {
			return subtree{}, err
		}
		ids[i] = entry.OID
	}
	result, err := f.foldDirs(of, ids, func(base *fold) (subtree, error) { return f.dirAt(base, name) })
	of.asked, of.subtree = f.query, result
	return result, err
}

// rootAt works out a fold for the whole tree.
func (f *folder) rootAt(of *fold) (subtree, error) {
	ids := make([]boundary.OID, len(of.sides))
	for i, s := range of.sides {
		ids[i] = s.levels[0].id
	}
	return f.foldDirs(of, ids, f.rootAt)
}

// foldDirs folds directories as wholes: what the rule gives for a whole
// directory it gives for each path in it.
func (f *folder) foldDirs(of *fold, ids []boundary.OID, baseAt func(*fold) (subtree, error)) (subtree, error) {
	folded := subtree{known: true}
	for i, id := range ids {
		if i == 0 {
			folded.id = id
			continue
		}
		if folded.id == id {
			continue
		}
		against, err := f.base(of, i)
		if err != nil {
			return subtree{}, err
		}
		base, err := baseAt(against)
		if err != nil {
			return subtree{}, err
		}
		switch {
		case base.known && base.id == folded.id:
			folded.id = id
		case base.known && base.id == id:
		default:
			return subtree{}, nil
		}
	}
	return folded, nil
}
