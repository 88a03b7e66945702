package gitrepo

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-billy/v5"
)

// gitFS shows a git directory to go-git, for reading only. It maps each name
// to where git keeps it: a linked work tree has its own HEAD and shares the
// rest, an alternate has objects and nothing else. The list of alternates is
// hidden, because they are opened apart, and so are packs without an index,
// which would make go-git refuse all the others.
type gitFS struct {
	own     string // the git directory; empty for an alternate
	common  string // the git directory shared by all work trees
	objects string // the object directory
}

var _ billy.Filesystem = gitFS{}

// filesOf gives the view of a repository's own files.
func filesOf(at layout) gitFS {
	return gitFS{own: at.own, common: at.common, objects: filepath.Join(at.common, "objects")}
}

// ownRefs are the references that each work tree has for itself.
var ownRefs = []string{"refs/bisect", "refs/worktree", "refs/rewritten"}

// commonNames are the names that all work trees share.
var commonNames = []string{"refs", "packed-refs", "config", "shallow"}

// place gives the file that a go-git name stands for.
func (f gitFS) place(name string) (string, error) {
	name = filepath.ToSlash(filepath.Clean(name))
	if name == ".." || strings.HasPrefix(name, "../") || strings.HasPrefix(name, "/") {
		return "", billy.ErrCrossedBoundary
	}
	if name == "objects/info/alternates" {
		return "", os.ErrNotExist
	}
	first, rest, _ := strings.Cut(name, "/")
	if first == "objects" {
		return filepath.Join(f.objects, filepath.FromSlash(rest)), nil
	}
	if f.own == "" {
		return "", os.ErrNotExist
	}
	if slices.Contains(commonNames, first) && !isOwnRef(name) {
		return filepath.Join(f.common, filepath.FromSlash(name)), nil
	}
	return filepath.Join(f.own, filepath.FromSlash(name)), nil
}

func isOwnRef(name string) bool {
	return slices.ContainsFunc(ownRefs, func(dir string) bool {
		return name == dir || strings.HasPrefix(name, dir+"/")
	})
}

// Open opens a file for reading.
func (f gitFS) Open(name string) (billy.File, error) {
	place, err := f.place(name)
	if err != nil {
		return nil, err
	}
	file, err := os.Open(place)
	if err != nil {
		return nil, err
	}
	return readOnlyFile{File: file, name: name}, nil
}

// OpenFile opens a file for reading, whatever else is asked.
func (f gitFS) OpenFile(name string, flag int, _ os.FileMode) (billy.File, error) {
	if flag != os.O_RDONLY {
		return nil, billy.ErrReadOnly
	}
	return f.Open(name)
}

// Stat describes a file, following symbolic links.
func (f gitFS) Stat(name string) (os.FileInfo, error) {
	place, err := f.place(name)
	if err != nil {
		return nil, err
	}
	return os.Stat(place)
}

// Lstat describes a file.
func (f gitFS) Lstat(name string) (os.FileInfo, error) {
	place, err := f.place(name)
	if err != nil {
		return nil, err
	}
	return os.Lstat(place)
}

// Readlink reads a symbolic link.
func (f gitFS) Readlink(name string) (string, error) {
	place, err := f.place(name)
	if err != nil {
		return "", err
	}
	return os.Readlink(place)
}

// ReadDir lists a directory; packs without an index are left out.
func (f gitFS) ReadDir(name string) ([]os.FileInfo, error) {
	place, err := f.place(name)
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(place)
	if err != nil {
		return nil, err
	}
	names := make(map[string]bool, len(entries))
	for _, entry := range entries {
		names[entry.Name()] = true
	}
	infos := make([]os.FileInfo, 0, len(entries))
	for _, entry := range entries {
		base, isPack := strings.CutSuffix(entry.Name(), ".pack")
		if isPack && !names[base+".idx"] {
			continue
		}
		info, err := entry.Info()
		if err != nil {
			continue // gone since the listing
		}
		infos = append(infos, info)
	}
	return infos, nil
}

// Join joins names.
func (gitFS) Join(names ...string) string { return filepath.Join(names...) }

// Root names the git directory, or an alternate's object directory.
func (f gitFS) Root() string {
	if f.own == "" {
		return f.objects
	}
	return f.own
}

// The writing half of billy.Filesystem: refused.

// Create is refused.
func (gitFS) Create(string) (billy.File, error) { return nil, billy.ErrReadOnly }

// Rename is refused.
func (gitFS) Rename(string, string) error { return billy.ErrReadOnly }

// Remove is refused.
func (gitFS) Remove(string) error { return billy.ErrReadOnly }

// TempFile is refused.
func (gitFS) TempFile(string, string) (billy.File, error) { return nil, billy.ErrReadOnly }

// MkdirAll is refused.
func (gitFS) MkdirAll(string, os.FileMode) error { return billy.ErrReadOnly }

// Symlink is refused.
func (gitFS) Symlink(string, string) error { return billy.ErrReadOnly }

// Chroot is refused.
func (gitFS) Chroot(string) (billy.Filesystem, error) { return nil, billy.ErrNotSupported }

// readOnlyFile is an open file under the name that go-git knows it by.
type readOnlyFile struct {
	*os.File
	name string
}

// Name gives the name that the file was opened with.
func (f readOnlyFile) Name() string { return f.name }

// Lock does nothing: nobody writes.
func (readOnlyFile) Lock() error { return nil }

// Unlock does nothing.
func (readOnlyFile) Unlock() error { return nil }

// Write is refused.
func (readOnlyFile) Write([]byte) (int, error) { return 0, billy.ErrReadOnly }

// Truncate is refused.
func (readOnlyFile) Truncate(int64) error { return billy.ErrReadOnly }
