package result

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"unicode/utf8"
)

// The bounds of a Tree.
const (
	MaxFileBytes = 16 << 20 // the largest file whose text is read
	MaxReadBytes = 1 << 30  // what one Tree reads in all
	maxLinks     = 40       // how many symbolic links one path may pass through
	maxPathBytes = 4_096    // a longer path names nothing
	maxNameBytes = 255      // nor does one with a longer segment
)

// Tree is the one live Filesystem, shared by every caller: the files of a work
// tree (os.Root.FS) or of a commit's tree. Symbolic links are followed inside
// it; whatever lies outside can't be read, isn't there and is no directory.
type Tree struct {
	dir   workspace
	files fs.FS
	left  int64
	err   error
}

// NewTree makes the file system of a run that worked in dir (see Run.Dir),
// whose root is the root of files.
func NewTree(dir string, files fs.FS) *Tree {
	return &Tree{dir: workspace(dir), files: files, left: MaxReadBytes}
}

// Err gives what went wrong other than that a file isn't there or can't be
// read as one: an object that is missing, a device that fails, MaxReadBytes.
// Answers that were given after it are not to be trusted.
func (t *Tree) Err() error { return t.err }

// Why a path gives nothing to read.
var (
	errOutside = errors.New("it lies outside the tree")
	errLinks   = errors.New("it passes through too many symbolic links")
	errNoFile  = errors.New("it is no regular file")
	errTooBig  = fmt.Errorf("it has more than %d bytes", MaxFileBytes)
	errSpent   = fmt.Errorf("more than %d bytes would have to be read to ground the reports", MaxReadBytes)
)

// ReadFile gives a file's text as the runtime decodes it: what isn't UTF-8 becomes U+FFFD.
func (t *Tree) ReadFile(name string) (text string, ok bool) {
	content, err := t.read(name)
	if err != nil {
		t.note(err)
		return "", false
	}
	return decode(content), true
}

// PathExists says whether anything stands at a path.
func (t *Tree) PathExists(name string) bool {
	_, _, err := t.find(name)
	t.note(err)
	return err == nil
}

// IsDirectory says whether a directory stands at a path.
func (t *Tree) IsDirectory(name string) bool {
	_, info, err := t.find(name)
	t.note(err)
	return err == nil && info.IsDir()
}

// note keeps the first error that says nothing about the file itself.
func (t *Tree) note(err error) {
	for _, answer := range []error{nil, fs.ErrNotExist, fs.ErrInvalid, fs.ErrPermission, errOutside, errLinks, errNoFile, errTooBig} {
		if errors.Is(err, answer) {
			return
		}
	}
	if t.err == nil {
		t.err = err
	}
}

func (t *Tree) read(name string) ([]byte, error) {
	real, info, err := t.find(name)
	if err != nil {
		return nil, err
	}
	switch {
	case !info.Mode().IsRegular():
		return nil, errNoFile
	case info.Size() > MaxFileBytes:
		return nil, errTooBig
	case info.Size() > t.left:
		return nil, errSpent
	}
	file, err := t.files.Open(real)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, MaxFileBytes))
	t.left -= int64(len(content))
	return content, err
}

// find follows a path through symbolic links, one segment after the other.
func (t *Tree) find(name string) (real string, info fs.FileInfo, err error) {
	relative, inside := t.dir.relative(name)
	switch {
	case !inside:
		return "", nil, errOutside
	case len(relative) > maxPathBytes, strings.ContainsRune(relative, 0):
		return "", nil, fs.ErrNotExist
	}
	at, rest, links := ".", strings.Split(relative, "/"), 0
	if info, err = fs.Lstat(t.files, at); err != nil {
		return "", nil, err
	}
	for len(rest) > 0 {
		segment := rest[0]
		rest = rest[1:]
		next, stands, err := t.step(at, info, segment)
		if err != nil {
			return "", nil, err
		}
		if stands.Mode()&fs.ModeSymlink == 0 {
			at, info = next, stands
			continue
		}
		if links++; links > maxLinks {
			return "", nil, errLinks
		}
		target, err := t.target(next)
		if err != nil {
			return "", nil, err
		}
		rest = append(target, rest...)
	}
	return at, info, nil
}

// step goes from a directory to what one segment names in it.
func (t *Tree) step(at string, dir fs.FileInfo, segment string) (next string, stands fs.FileInfo, err error) {
	switch {
	case segment == ".." && at == ".":
		return "", nil, errOutside
	case !dir.IsDir() || len(segment) > maxNameBytes:
		return "", nil, fs.ErrNotExist
	}
	next = path.Join(at, segment)
	stands, err = fs.Lstat(t.files, next)
	return next, stands, err
}

// target gives the segments that a symbolic link stands for, from the directory that it is in.
func (t *Tree) target(link string) ([]string, error) {
	target, err := fs.ReadLink(t.files, link)
	if err != nil {
		return nil, err
	}
	if path.IsAbs(target) {
		return nil, errOutside
	}
	return strings.Split(target, "/"), nil
}

// decode reads text as the runtime does: each longest part of an encoding that
// isn't completed becomes one U+FFFD.
func decode(content []byte) string {
	if utf8.Valid(content) {
		return string(content)
	}
	var text strings.Builder
	for len(content) > 0 {
		r, width := utf8.DecodeRune(content)
		if r == utf8.RuneError && width == 1 {
			width = brokenLength(content)
		}
		text.WriteRune(r)
		content = content[width:]
	}
	return text.String()
}

// brokenLength is how many bytes of a broken encoding belong together.
func brokenLength(content []byte) int {
	length := 1
	for length < len(content) && length < utf8.UTFMax && !utf8.FullRune(content[:length+1]) {
		length++
	}
	return length
}
