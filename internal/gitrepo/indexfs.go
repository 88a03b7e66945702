package gitrepo

import (
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

// indexFS is the index as fileSystem shows it. Its directories are those that its
// entries lie in; only a folded one has a tree.
type indexFS struct {
	repo    *Repo
	entries []indexEntry // by path
}

var errUnmerged = errors.New("it has a conflict that isn't resolved; resolve it and `git add` it")

// look finds what stands at a name; the operation is for its error.
func (f indexFS) look(op, name string) (treeEntryAt, error) {
	at := treeEntryAt{repo: f.repo, path: name, entry: boundary.Entry{Mode: boundary.Dir}}
	if !validPath(name) {
		return at, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	if name == "." {
		return at, nil
	}
	entry, err := f.entry(name)
	if err != nil {
		return at, &fs.PathError{Op: op, Path: name, Err: err}
	}
	if entry.Mode == boundary.Absent && !f.hasBelow(name) {
		return at, &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
	}
	if entry.Mode != boundary.Absent {
		at.entry = entry
	}
	return at, nil
}

// entry gives the entry at a path, which may lie in a folded directory. It is
// absent where nothing does, and at the directories of other entries.
func (f indexFS) entry(path string) (boundary.Entry, error) {
	for end := range len(path) + 1 {
		if end < len(path) && path[end] != '/' {
			continue
		}
		i, found := f.search(path[:end])
		switch {
		case !found:
			continue
		case f.entries[i].unmerged:
			return boundary.Entry{}, errUnmerged
		case end == len(path):
			return f.entries[i].entry, nil
		case f.entries[i].entry.Mode != boundary.Dir:
			return boundary.Entry{}, nil
		}
		entry, err := f.repo.Entry(f.entries[i].entry.OID, path[end+1:])
		return entry, placed(err, path)
	}
	return boundary.Entry{}, nil
}

func (f indexFS) search(path string) (int, bool) {
	return slices.BinarySearchFunc(f.entries, path, func(e indexEntry, path string) int { return strings.Compare(e.path, path) })
}

// hasBelow says whether anything lies in a directory.
func (f indexFS) hasBelow(dir string) bool {
	i, _ := f.search(dir + "/")
	return i < len(f.entries) && strings.HasPrefix(f.entries[i].path, dir+"/")
}

// list gives a directory's entries by name.
func (f indexFS) list(at treeEntryAt) ([]fs.DirEntry, error) {
	if !at.entry.OID.IsZero() {
		return at.list()
	}
	prefix := ""
	if at.path != "." {
		prefix = at.path + "/"
	}
	var entries []fs.DirEntry
	i, _ := f.search(prefix)
	for i < len(f.entries) && strings.HasPrefix(f.entries[i].path, prefix) {
		name, _, inside := strings.Cut(f.entries[i].path[len(prefix):], "/")
		one := treeEntryAt{repo: f.repo, path: prefix + name, entry: f.entries[i].entry}
		if inside {
			one.entry = boundary.Entry{Mode: boundary.Dir}
		}
		i++
		if listable(name) {
			entries = append(entries, one)
		}
		if inside {
			i = f.after(one.path + "/")
		}
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return slices.CompactFunc(entries, func(a, b fs.DirEntry) bool { return a.Name() == b.Name() }), nil
}

// after is the place behind all that begins with a prefix, which ends in a slash.
func (f indexFS) after(prefix string) int {
	i, _ := f.search(strings.TrimSuffix(prefix, "/") + "0") // what comes next to a slash
	return i
}
