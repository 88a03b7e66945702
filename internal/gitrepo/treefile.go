package gitrepo

import (
	"bytes"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

// treeEntryAt is what stands at a path of a tree, as an fs.DirEntry.
type treeEntryAt struct {
	repo  *Repo
	path  string
	entry boundary.Entry
}

// Name gives the path's last element.
func (e treeEntryAt) Name() string { return path.Base(e.path) }

// IsDir says whether it is a directory.
func (e treeEntryAt) IsDir() bool { return e.entry.Mode == boundary.Dir }

// Type gives the type bits of its mode.
func (e treeEntryAt) Type() fs.FileMode { return fileMode(e.entry.Mode).Type() }

// Info describes it; the size of a file is found without reading it.
func (e treeEntryAt) Info() (fs.FileInfo, error) {
	info := treeInfo{name: e.Name(), mode: fileMode(e.entry.Mode)}
	if e.IsDir() || e.entry.Mode == boundary.Gitlink {
		return info, nil
	}
	size, err := e.repo.objects.size(e.entry.OID)
	if err != nil {
		return nil, &fs.PathError{Op: "stat", Path: e.path, Err: placed(err, e.path)}
	}
	info.size = size
	return info, nil
}

// content reads a file of at most MaxFileBytes.
func (e treeEntryAt) content() ([]byte, error) {
	switch e.entry.Mode {
	case boundary.Symlink:
		return nil, errSymlink
	case boundary.Gitlink:
		return nil, errSubmodule
	case boundary.Dir:
		return nil, errDir
	}
	content, err := e.repo.Blob(e.entry.OID, MaxFileBytes)
	return content, placed(err, e.path)
}

// target reads where a symbolic link points.
func (e treeEntryAt) target() (string, error) {
	if e.entry.Mode != boundary.Symlink {
		return "", &fs.PathError{Op: "readlink", Path: e.path, Err: fs.ErrInvalid}
	}
	target, err := e.repo.Blob(e.entry.OID, MaxPath)
	if err != nil {
		return "", &fs.PathError{Op: "readlink", Path: e.path, Err: placed(err, e.path)}
	}
	return string(target), nil
}

// list gives a directory's entries by name, each name once.
func (e treeEntryAt) list() ([]fs.DirEntry, error) {
	dir := e.path
	if dir == "." {
		dir = ""
	}
	t, err := e.repo.tree(e.entry.OID, dir)
	if err != nil {
		return nil, err
	}
	var entries []fs.DirEntry
	seen := map[string]bool{}
	for entry := range t.entries() {
		name := string(entry.name)
		if seen[name] || !listable(name) {
			continue
		}
		seen[name] = true
		entries = append(entries, treeEntryAt{repo: e.repo, path: joinPath(dir, name), entry: entry.entry})
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}

// fileMode gives the mode that a file system shows for a git mode.
func fileMode(mode boundary.Mode) fs.FileMode {
	const readable, executable = 0o644, 0o755
	switch mode {
	case boundary.Dir:
		return fs.ModeDir | executable
	case boundary.Executable:
		return executable
	case boundary.Symlink:
		return fs.ModeSymlink | fs.ModePerm
	case boundary.Gitlink:
		return fs.ModeIrregular | executable
	}
	return readable
}

// treeInfo is an fs.FileInfo. Git keeps no times.
type treeInfo struct {
	name string
	mode fs.FileMode
	size int64
}

// Name gives the last element of the path.
func (i treeInfo) Name() string { return i.name }

// Size gives the size in bytes; a directory and a submodule have none.
func (i treeInfo) Size() int64 { return i.size }

// Mode gives type and permissions.
func (i treeInfo) Mode() fs.FileMode { return i.mode }

// ModTime gives the zero time.
func (i treeInfo) ModTime() time.Time { return time.Time{} }

// IsDir says whether it is a directory.
func (i treeInfo) IsDir() bool { return i.mode.IsDir() }

// Sys gives nothing.
func (i treeInfo) Sys() any { return nil }

// treeFile is an open file. It is read as a whole at the first Read.
type treeFile struct {
	treeEntryAt
	reader *bytes.Reader
}

// Stat describes the file.
func (f *treeFile) Stat() (fs.FileInfo, error) { return f.Info() }

// Close does nothing.
func (f *treeFile) Close() error { return nil }

// Read reads on; a file larger than MaxFileBytes is a LimitError.
func (f *treeFile) Read(into []byte) (int, error) {
	if f.reader == nil {
		content, err := f.content()
		if err != nil {
			return 0, &fs.PathError{Op: "read", Path: f.path, Err: err}
		}
		f.reader = bytes.NewReader(content)
	}
	return f.reader.Read(into)
}

// treeDir is an open directory.
type treeDir struct {
	treeEntryAt
	entries []fs.DirEntry // not yet given out
}

// Stat describes the directory.
func (d *treeDir) Stat() (fs.FileInfo, error) { return d.Info() }

// Close does nothing.
func (d *treeDir) Close() error { return nil }

// Read is an error.
func (d *treeDir) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.path, Err: errDir}
}

// ReadDir lists on, as fs.ReadDirFile has it.
func (d *treeDir) ReadDir(n int) ([]fs.DirEntry, error) {
	if n > 0 && len(d.entries) == 0 {
		return nil, io.EOF
	}
	if n <= 0 || n > len(d.entries) {
		n = len(d.entries)
	}
	given := d.entries[:n:n]
	d.entries = d.entries[n:]
	return given, nil
}
