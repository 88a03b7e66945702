package discover

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/fleetgate/fleetgate/internal/boundary"
	"github.com/fleetgate/fleetgate/internal/diag"
)

// reader reads the policy files of one root, each once and within the bounds.
// It never follows a symbolic link.
type reader struct {
	ctx     context.Context // says whether to go on
	fsys    fs.FS
	base    string // directory of the policy within fsys
	shown   string // what findings show in front of a path in fsys
	lenient bool   // what may not be read is a finding, not an error
	left    int    // bytes that may still be read
	tally   *tally // of what is read together
	found   []diag.Diagnostic
	seen    []seen
}

// file is one policy file that was read whole.
type file struct {
	name string // base name
	path string // as findings show it
	text []byte
}

// seen is what the digest knows of a policy file or directory.
type seen struct {
	path  string
	state string // "file", or why it was not read
	text  []byte
}

// enter makes dir the directory of the policy. It says false where there is
// none, and where there is one that can't be read, which is then a finding.
func (r *reader) enter(dir string) (bool, error) {
	r.base = dir
	return r.isDir("")
}

// at gives the path within fsys of a path within the policy's directory.
func (r *reader) at(name string) string { return path.Join(".", r.base, name) }

// show gives the path that findings show: valid UTF-8, whatever the name's bytes are.
func (r *reader) show(name string) string {
	return strings.ToValidUTF8(path.Join(r.shown, r.base, name), "\ufffd")
}

// lstat describes what lies at a name itself; nil where nothing does.
func (r *reader) lstat(name string) (fs.FileInfo, error) {
	info, err := fs.Lstat(r.fsys, r.at(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, r.tolerate(name, err)
	}
	return info, nil
}

// isDir says whether a directory lies at a name. Anything else that lies there
// is a finding: the runtime would look into it, or never.
func (r *reader) isDir(name string) (bool, error) {
	info, err := r.lstat(name)
	if info == nil || err != nil {
		return false, err
	}
	switch {
	case info.IsDir():
		return true, nil
	case info.Mode()&fs.ModeSymlink != 0:
		r.refuseLink(name)
	case info.Mode().IsRegular():
		r.refuse("policy-unreadable", name, "file in place of a directory", "is a file; a directory of policy files is expected here",
			"move the file away, or make it a directory")
	default:
		r.refuse("policy-unreadable", name, "no directory", "is a submodule or a special file; its content is no part of this repository",
			"keep the policy in the repository itself")
	}
	return false, nil
}

// list gives the entries of a directory by name; none where there is no such
// directory, or a finding says why it wasn't read.
func (r *reader) list(name string) ([]fs.DirEntry, error) {
	dir, err := r.isDir(name)
	if err != nil || !dir {
		return nil, err
	}
	entries, err := readDir(r.fsys, r.at(name), MaxDirEntries+1)
	if err != nil {
		return nil, r.tolerate(name, err)
	}
	if len(entries) > MaxDirEntries {
		r.refuse("policy-too-many-files", name, "too many entries",
			fmt.Sprintf("holds more than %d entries; none of them was read", MaxDirEntries),
			"keep only policy files in it")
		return nil, nil
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}

// readDir lists at most limit entries of a directory, in no order.
func readDir(fsys fs.FS, name string, limit int) ([]fs.DirEntry, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	dir, ok := f.(fs.ReadDirFile)
	if !ok {
		return fs.ReadDir(fsys, name)
	}
	var entries []fs.DirEntry
	for len(entries) < limit {
		more, err := dir.ReadDir(limit - len(entries))
		entries = append(entries, more...)
		if errors.Is(err, io.EOF) || err == nil && len(more) == 0 {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	return entries, nil
}

// readAhead is how many files of a directory are read at once, before any of
// them counts against the bounds.
const readAhead = 32

// body is what reading a file gave: its bytes, or only its size where that is
// beyond the bound.
type body struct {
	text []byte
	size int64
	err  error
}

// files reads the regular files of a directory that want admits, by name.
func (r *reader) files(dir string, entries []fs.DirEntry, want func(name string) bool) ([]file, error) {
	wanted := slices.DeleteFunc(slices.Clone(entries), func(e fs.DirEntry) bool { return !want(e.Name()) })
	var files []file
	for some := range slices.Chunk(wanted, readAhead) {
		bodies, err := r.bodies(dir, some)
		if err != nil {
			return nil, err
		}
		for i, entry := range some {
			f, ok, err := r.entry(path.Join(dir, entry.Name()), entry.Type(), bodies[i])
			if err != nil {
				return nil, err
			}
			if ok {
				files = append(files, f)
			}
		}
	}
	return files, nil
}

// bodies reads files side by side. Its only error is the context's.
func (r *reader) bodies(dir string, entries []fs.DirEntry) ([]body, error) {
	bodies := make([]body, len(entries))
	return bodies, share(r.ctx, len(entries), func(i int) {
		bodies[i] = r.body(path.Join(dir, entries[i].Name()), entries[i].Type())
	})
}

// single reads one file by name. ok says that it was read, there that
// something lies at the name; what lies there and can't be read is a finding.
func (r *reader) single(name string) (f file, ok, there bool, err error) {
	before := len(r.found)
	info, err := r.lstat(name)
	if err != nil || info == nil {
		return file{}, false, len(r.found) > before, err
	}
	mode := info.Mode().Type()
	f, ok, err = r.entry(name, mode, r.body(name, mode))
	if err == nil && !ok && len(r.found) == before && r.left >= 0 {
		r.refuse("policy-unreadable", name, "no file", "is a directory, a submodule or a special file; a file is expected here",
			"move it away, or put the file in its place")
	}
	return f, ok, true, err
}

// entry reads one entry of a directory. Only regular files count (spec 3.5);
// a symbolic link in a policy file's place is a finding. b is what reading gave.
func (r *reader) entry(name string, mode fs.FileMode, b body) (f file, ok bool, err error) {
	switch {
	case mode&fs.ModeSymlink != 0:
		r.refuseLink(name)
		return file{}, false, nil
	case !mode.IsRegular():
		return file{}, false, nil
	case !utf8.ValidString(name):
		r.refuse("policy-unreadable", name, "name", "has a name that isn't valid UTF-8; the runtime can't open it", "rename the file")
		return file{}, false, nil
	case r.left < 0:
		return file{}, false, nil
	}
	text, err := r.text(name, b)
	if text == nil || err != nil {
		return file{}, false, err
	}
	f = file{name: path.Base(name), path: r.show(name), text: text}
	r.seen = append(r.seen, seen{path: f.path, state: "file", text: text})
	return f, true, nil
}

// text gives a file's bytes; nil where a finding says why not.
func (r *reader) text(name string, b body) ([]byte, error) {
	if b.err != nil {
		return nil, r.tolerate(name, b.err)
	}
	if b.size > MaxFileBytes {
		r.refuse("policy-too-large", name, fmt.Sprint("too large: ", b.size),
			fmt.Sprintf("is larger than %d bytes; it was not read", MaxFileBytes),
			"a policy file has a few kilobytes; split it or move the rest away")
		return nil, nil
	}
	r.left -= len(b.text)
	if r.left < 0 {
		r.refuse("policy-too-large", name, "beyond the total",
			fmt.Sprintf("brings the policy files to more than %d bytes; it and the files after it were not read", MaxTotalBytes),
			"keep only policy files under "+path.Dir(r.show(name)))
		return nil, nil
	}
	return b.text, nil
}

// body reads a regular file of at most MaxFileBytes, unless the bounds are
// reached already. Of a larger one it gives the size alone, without reading it
// where the file system knows it.
func (r *reader) body(name string, mode fs.FileMode) body {
	if r.left < 0 || !mode.IsRegular() {
		return body{}
	}
	f, err := r.fsys.Open(r.at(name))
	if err != nil {
		return body{err: err}
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return body{err: err}
	}
	if info.Size() > MaxFileBytes {
		return body{size: info.Size()}
	}
	content := bytes.NewBuffer(make([]byte, 0, info.Size()+bytes.MinRead))
	size, err := content.ReadFrom(io.LimitReader(f, MaxFileBytes+1))
	return body{text: content.Bytes(), size: size, err: err}
}

// tolerate makes a finding of what may not be read in a work tree. Anything
// else stays an error, a missing git object above all.
func (r *reader) tolerate(name string, err error) error {
	if !r.lenient || !errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("reading %s: %w", r.show(name), err)
	}
	r.refuse("policy-unreadable", name, "permission", "may not be read: permission denied", "give the user that runs the gate the right to read it")
	return nil
}

func (r *reader) refuseLink(name string) {
	r.refuse("policy-symlink", name, "symbolic link", "is a symbolic link; the policy is what lies in the repository itself, so it wasn't followed",
		"replace the link by the file or directory that it points at")
}

// refuse makes a finding about a whole file or directory.
func (r *reader) refuse(code diag.Code, name, state, says, hint string) {
	shown := r.show(name)
	message := fmt.Sprintf("%s %s", boundary.Quote(path.Join(r.shown, r.base, name)), says)
	r.found = append(r.found, diag.New(code, diag.Pos{File: shown}, "", message).WithHint(hint))
	r.seen = append(r.seen, seen{path: shown, state: state})
}
