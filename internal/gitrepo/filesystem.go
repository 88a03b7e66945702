package gitrepo

import "io/fs"

// entries is what a fileSystem shows: a tree, or the index.
type entries interface {
	// look finds what stands at a name; the operation is for its error.
	look(op, name string) (treeEntryAt, error)
	// list gives the entries of a directory that look found, by name.
	list(at treeEntryAt) ([]fs.DirEntry, error)
}

// fileSystem shows entries as Tree describes it.
type fileSystem struct{ entries }

var (
	_ fs.ReadDirFS  = fileSystem{}
	_ fs.ReadFileFS = fileSystem{}
	_ fs.StatFS     = fileSystem{}
	_ fs.ReadLinkFS = fileSystem{}
)

// Open opens a file or directory.
func (f fileSystem) Open(name string) (fs.File, error) {
	at, err := f.look("open", name)
	if err != nil {
		return nil, err
	}
	if !at.IsDir() {
		return &treeFile{treeEntryAt: at}, nil
	}
	entries, err := f.list(at)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return &treeDir{treeEntryAt: at, entries: entries}, nil
}

// ReadDir lists a directory, by name.
func (f fileSystem) ReadDir(name string) ([]fs.DirEntry, error) {
	at, err := f.look("readdir", name)
	if err != nil {
		return nil, err
	}
	if !at.IsDir() {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: errNotDir}
	}
	entries, err := f.list(at)
	if err != nil {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: err}
	}
	return entries, nil
}

// ReadFile reads a file of at most MaxFileBytes.
func (f fileSystem) ReadFile(name string) ([]byte, error) {
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
func (f fileSystem) Stat(name string) (fs.FileInfo, error) {
	at, err := f.look("stat", name)
	if err != nil {
		return nil, err
	}
	return at.Info()
}

// Lstat is Stat.
func (f fileSystem) Lstat(name string) (fs.FileInfo, error) { return f.Stat(name) }

// ReadLink gives a symbolic link's target.
func (f fileSystem) ReadLink(name string) (string, error) {
	at, err := f.look("readlink", name)
	if err != nil {
		return "", err
	}
	return at.target()
}
