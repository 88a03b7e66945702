package gitrepo

import (
	"errors"
	"io/fs"
	"strings"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

// Tree shows a commit's tree as a read-only file system: an fs.ReadDirFS,
// fs.ReadFileFS, fs.StatFS and fs.ReadLinkFS. Trees and blobs are read when
// they are asked for; a file's size is known without reading it. Symbolic
// links are fs.ModeSymlink and are never followed, reading one as a file is an
// error; submodules are fs.ModeIrregular. Names are git's bytes: those that
// aren't UTF-8 are listed and can be opened, although fs.ValidPath excludes
// them; those that no path can hold ("..", a slash) are left out. An object
// that is missing is a MissingObjectError inside the *fs.PathError, never
// fs.ErrNotExist.
func (r *Repo) Tree(commit boundary.OID) (fs.FS, error) {
	root, err := r.TreeOf(commit)
	if err != nil {
		return nil, err
	}
	return fileSystem{treeFS{repo: r, root: root}}, nil
}

// treeFS is a tree as fileSystem shows it.
type treeFS struct {
	repo *Repo
	root boundary.OID
}

// Why something can't be read as what was asked for.
var (
	errSymlink   = errors.New("it is a symbolic link, which isn't followed")
	errSubmodule = errors.New("it is a submodule, which this repository doesn't hold")
	errDir       = errors.New("it is a directory")
	errNotDir    = errors.New("it is no directory")
)

// look finds an entry; the operation and the name are for its error.
func (f treeFS) look(op, name string) (treeEntryAt, error) {
	if !validPath(name) {
		return treeEntryAt{}, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	at := name
	if name == "." {
		at = ""
	}
	entry, err := f.repo.Entry(f.root, at)
	if err != nil {
		return treeEntryAt{}, &fs.PathError{Op: op, Path: name, Err: err}
	}
	if entry.Mode == boundary.Absent {
		return treeEntryAt{}, &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
	}
	return treeEntryAt{repo: f.repo, path: name, entry: entry}, nil
}

// validPath is fs.ValidPath but for names that aren't UTF-8.
func validPath(name string) bool {
	return fs.ValidPath(strings.ToValidUTF8(name, "?"))
}

// listable says whether a path can go through a name. "." can't: it would be
// the directory itself, and a walk over it would never end.
func listable(name string) bool {
	return name != "." && validPath(name) && !strings.Contains(name, "/")
}

// list gives a directory's entries by name.
func (f treeFS) list(at treeEntryAt) ([]fs.DirEntry, error) { return at.list() }
