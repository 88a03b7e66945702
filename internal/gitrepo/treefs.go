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
	return treeFS{repo: r, root: root}, nil
}

type treeFS struct {
	repo *Repo
	root boundary.OID
}

var (
	_ fs.ReadDirFS  = treeFS{}
	_ fs.ReadFileFS = treeFS{}
	_ fs.StatFS     = treeFS{}
	_ fs.ReadLinkFS = treeFS{}
)

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

// Open opens a file or directory.
func (f treeFS) Open(name string) (fs.File, error) {
	at, err := f.look("open", name)
	if err != nil {
		return nil, err
	}
	if !at.IsDir() {
		return &treeFile{treeEntryAt: at}, nil
	}
	entries, err := at.list()
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return &treeDir{treeEntryAt: at, entries: entries}, nil
}

// ReadDir lists a directory, by name.
func (f treeFS) ReadDir(name string) ([]fs.DirEntry, error) {
	at, err := f.look("readdir", name)
	if err != nil {
		return nil, err
	}
	if !at.IsDir() {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: errNotDir}
	}
	entries, err := at.list()
	if err != nil {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: err}
	}
	return entries, nil
}

// ReadFile reads a file of at most MaxFileBytes.
func (f treeFS) ReadFile(name string) ([]byte, error) {
	at, err := f.look("readfile", name)
	if err != nil {
		return nil, err
	}
	content, err := at.content()
	if err != nil {
		return nil, &fs.PathError{Op: "readfile", Path: name, Err: err}
	}
	return content, nil
}

// Stat describes a file; a symbolic link isn't followed.
func (f treeFS) Stat(name string) (fs.FileInfo, error) {
	at, err := f.look("stat", name)
	if err != nil {
		return nil, err
	}
	return at.Info()
}

// Lstat is Stat.
func (f treeFS) Lstat(name string) (fs.FileInfo, error) { return f.Stat(name) }

// ReadLink gives a symbolic link's target.
func (f treeFS) ReadLink(name string) (string, error) {
	at, err := f.look("readlink", name)
	if err != nil {
		return "", err
	}
	return at.target()
}
