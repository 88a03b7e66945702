package gitrepo

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/klauspost/compress/zlib"

	"github.com/fleetgate/fleetgate/internal/boundary"
	"github.com/fleetgate/fleetgate/internal/gitrepo/packstore"
)

// looseObjects reads objects that lie in files of their own in one of some
// object directories.
type looseObjects []string

// maxLooseHeader is more than the longest header of a loose object: a type, a
// size and a NUL.
const maxLooseHeader = 64

// looseFile is an open loose object behind its header.
type looseFile struct {
	body io.Reader // inflated
	kind plumbing.ObjectType
	size int64
}

// read gives an object's type and content of at most limit bytes;
// packstore.ErrNotFound says that no directory has it.
func (l looseObjects) read(id boundary.OID, limit int64) (kind plumbing.ObjectType, content []byte, err error) {
	err = l.each(id, func(at *looseFile) (err error) {
		if at.size > limit {
			return tooLarge(at.kind, id, at.size, limit)
		}
		kind = at.kind
		content, err = readExactly(at.body, at.size)
		return err
	})
	return kind, content, err
}

// header gives an object's type and size.
func (l looseObjects) header(id boundary.OID) (kind plumbing.ObjectType, size int64, err error) {
	err = l.each(id, func(at *looseFile) error {
		kind, size = at.kind, at.size
		return nil
	})
	return kind, size, err
}

// each asks one directory after another until one has the object. One that
// fails is no reason not to look in the next; its failure counts only if nobody
// has the object.
func (l looseObjects) each(id boundary.OID, ask func(*looseFile) error) error {
	name, failed := id.String(), error(packstore.ErrNotFound)
	for _, dir := range l {
		err := askLoose(filepath.Join(dir, name[:2], name[2:]), ask)
		if err == nil {
			return nil
		}
		if !errors.Is(err, fs.ErrNotExist) && !isNotDir(err) && errors.Is(failed, packstore.ErrNotFound) {
			failed = err
		}
	}
	var broken *looseError
	if errors.As(failed, &broken) {
		return &CorruptError{ID: id, Kind: "object", Why: broken.why}
	}
	return failed
}

func askLoose(path string, ask func(*looseFile) error) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	inflate, err := inflaterOf(file)
	if err != nil {
		return err
	}
	defer inflaters.Put(inflate)
	at, err := readLooseHeader(inflate)
	if err != nil {
		return err
	}
	return ask(at)
}

// inflaters are those that no file is read by. Each has a window of 64 KiB.
var inflaters sync.Pool

// inflaterOf gives what inflates a file.
func inflaterOf(file io.Reader) (inflate io.ReadCloser, err error) {
	if used, ok := inflaters.Get().(io.ReadCloser); ok {
		inflate, err = used, used.(zlib.Resetter).Reset(file, nil)
	} else {
		inflate, err = zlib.NewReader(file)
	}
	if err != nil {
		return nil, &looseError{why: fmt.Sprintf("can't be inflated (%v)", err)}
	}
	return inflate, nil
}

// looseError says what is wrong with a file, as the end of "it …".
type looseError struct{ why string }

// Error says what is wrong.
func (e *looseError) Error() string { return e.why }

// readLooseHeader reads `TYPE SIZE` and a NUL.
func readLooseHeader(inflate io.Reader) (*looseFile, error) {
	start := make([]byte, maxLooseHeader)
	n, err := io.ReadFull(inflate, start)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, &looseError{why: fmt.Sprintf("can't be inflated (%v)", err)}
	}
	header, rest, ok := bytes.Cut(start[:n], []byte{0})
	kind, digits, _ := bytes.Cut(header, []byte(" "))
	if !ok {
		return nil, &looseError{why: "has a header without end"}
	}
	at := &looseFile{body: io.MultiReader(bytes.NewReader(rest), inflate)}
	if at.kind, err = plumbing.ParseObjectType(string(kind)); err != nil || at.kind.IsDelta() {
		return nil, &looseError{why: fmt.Sprintf("has the unknown type %.20q", kind)}
	}
	if at.size, err = strconv.ParseInt(string(digits), 10, 64); err != nil || at.size < 0 {
		return nil, &looseError{why: fmt.Sprintf("has the impossible size %.20q", digits)}
	}
	return at, nil
}

// readExactly reads the bytes that a header promises, and no more. What is
// promised and isn't there costs no memory.
func readExactly(from io.Reader, size int64) ([]byte, error) {
	content, err := io.ReadAll(io.LimitReader(from, size+1))
	switch {
	case err != nil:
		return nil, &looseError{why: fmt.Sprintf("can't be inflated (%v)", err)}
	case int64(len(content)) < size:
		return nil, &looseError{why: "is shorter than it says"}
	case int64(len(content)) > size:
		return nil, &looseError{why: "is longer than it says"}
	}
	return content, nil
}

// withPrefix lists the objects whose ids begin with the given lower-case
// digits, two at least, of which the first two name a folder.
func (l looseObjects) withPrefix(digits string) ([]boundary.OID, error) {
	var found []boundary.OID
	for _, dir := range l {
		entries, err := os.ReadDir(filepath.Join(dir, digits[:2]))
		if errors.Is(err, fs.ErrNotExist) || isNotDir(err) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("look for objects %s…: %w", digits, err)
		}
		for _, entry := range entries {
			text := digits[:2] + entry.Name()
			if id, ok := boundary.ParseOID(text); ok && text[:len(digits)] == digits {
				found = append(found, id)
			}
		}
	}
	return found, nil
}
