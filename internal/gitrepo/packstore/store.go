// Package packstore reads git objects out of packs: memory-mapped packs and
// indexes, multi-pack indexes, delta chains, alternates. It only reads, it is
// safe for concurrent use, and malformed files give errors, never a panic or
// an endless loop. Loose objects are not its business.
package packstore

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// ID is a SHA-1 object id.
type ID = [20]byte

// Kind is an object's type, by git's pack numbering.
type Kind uint8

// The kinds of objects.
const (
	Commit Kind = 1
	Tree   Kind = 2
	Blob   Kind = 3
	Tag    Kind = 4

	offsetDelta Kind = 6
	refDelta    Kind = 7
)

// The bounds of what is read.
const (
	// MaxObjectBytes is the largest object that is inflated: 512 MiB.
	MaxObjectBytes = 512 << 20
	// MaxDeltaChain is the longest chain of deltas that is followed; git itself writes at most 4,095.
	MaxDeltaChain = 4096
	// MaxPacks is how many packs one repository, its alternates included, may have.
	MaxPacks = 20_000
	// MaxPackNames bounds how many entries of one pack folder are looked at.
	MaxPackNames = 200_000
)

// ErrNotFound says that no pack holds the object.
var ErrNotFound = errors.New("object not in any pack")

// FormatError says which file is malformed, and how.
type FormatError struct {
	File     string
	Reason   string
	Version1 bool // an index of the version before the one that is read
}

// Error names the file and what is wrong with it.
func (e *FormatError) Error() string { return fmt.Sprintf("%s: %s", filepath.Base(e.File), e.Reason) }

// SizeError says that an object is larger than was asked for.
type SizeError struct{ Size int64 } // in bytes

// Error gives the size.
func (e *SizeError) Error() string { return fmt.Sprintf("object of %d bytes", e.Size) }

// Store is an open set of packs.
type Store struct {
	packs   []*pack
	midxes  []*multiIndex
	singles []*pack // packs that no multi-pack index covers
	readers sync.Pool
}

// Open reads the indexes in the pack folders of the given object folders (a
// repository's own, then its alternates'). A folder without packs is fine; an
// index that can't be read is an error, since what it lists would seem missing.
func Open(objectDirs []string) (*Store, error) {
	s := &Store{}
	s.readers.New = func() any { return newReader(s) }
	for _, dir := range objectDirs {
		if err := s.addFolder(filepath.Join(dir, "pack")); err != nil {
			s.Close()
			return nil, err
		}
	}
	return s, nil
}

// Close unmaps every file. The store may not be used any more.
func (s *Store) Close() error {
	var errs []error
	for _, p := range s.packs {
		errs = append(errs, p.close())
	}
	for _, m := range s.midxes {
		errs = append(errs, m.data.close())
	}
	return errors.Join(errs...)
}

// Packs says how many packs are open.
func (s *Store) Packs() int { return len(s.packs) }

func (s *Store) addFolder(dir string) error {
	names, err := packNames(dir)
	if err != nil {
		return err
	}
	byName := map[string]*pack{}
	for _, name := range names {
		if len(s.packs) == MaxPacks {
			return &FormatError{File: dir, Reason: fmt.Sprintf("more than %d packs", MaxPacks)}
		}
		p := &pack{base: filepath.Join(dir, name), number: len(s.packs)}
		s.packs = append(s.packs, p)
		byName[name] = p
	}
	covered, err := s.addMultiIndex(dir, byName)
	if err != nil {
		return err
	}
	for _, name := range names {
		if covered[name] {
			continue
		}
		p := byName[name]
		if p.index, err = openIndex(p.base + ".idx"); err != nil {
			return err
		}
		s.singles = append(s.singles, p)
	}
	return nil
}

// packNames lists the packs of a folder, without their ending, in name order,
// so that of two packs with one object always the same one answers.
func packNames(dir string) ([]string, error) {
	folder, err := os.Open(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	entries, err := folder.Readdirnames(MaxPackNames)
	if err != nil && len(entries) == 0 {
		return nil, nil // an empty folder
	}
	if len(entries) == MaxPackNames {
		return nil, &FormatError{File: dir, Reason: fmt.Sprintf("more than %d files", MaxPackNames)}
	}
	have := make(map[string]bool, len(entries))
	for _, name := range entries {
		have[name] = true
	}
	var names []string
	for _, name := range entries {
		base, isIndex := strings.CutSuffix(name, ".idx")
		if isIndex && have[base+".pack"] {
			names = append(names, base)
		}
	}
	slices.Sort(names)
	return names, nil
}

// addMultiIndex opens the folder's multi-pack-index, if it has one, and says
// which packs it covers. One that names a pack which is gone is not used.
func (s *Store) addMultiIndex(dir string, byName map[string]*pack) (map[string]bool, error) {
	path := filepath.Join(dir, "multi-pack-index")
	if _, err := os.Stat(path); err != nil {
		return nil, nil
	}
	m, err := openMultiIndex(path)
	if err != nil {
		return nil, err
	}
	covered := map[string]bool{}
	for _, name := range m.names {
		p, ok := byName[name]
		if !ok {
			return nil, m.data.close()
		}
		m.packs = append(m.packs, p)
		covered[name] = true
	}
	s.midxes = append(s.midxes, m)
	return covered, nil
}

// Object gives an object's kind and whole content. The content is the
// caller's to read, never to change. ErrNotFound says that no pack has it.
func (s *Store) Object(id ID) (Kind, []byte, error) {
	r := s.readers.Get().(*Reader)
	defer s.readers.Put(r)
	return r.Object(id)
}

// Header gives an object's kind and size without inflating all of it.
func (s *Store) Header(id ID) (Kind, int64, error) {
	r := s.readers.Get().(*Reader)
	defer s.readers.Put(r)
	return r.Header(id)
}

// Has says whether some pack holds the object.
func (s *Store) Has(id ID) (bool, error) {
	_, _, err := s.locate(id)
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// Reader gives a reader with a cache of its own: one worker's. It is not safe
// for concurrent use.
func (s *Store) Reader() *Reader { return newReader(s) }

// locate finds the pack and the offset of an object.
func (s *Store) locate(id ID) (*pack, uint64, error) {
	for _, m := range s.midxes {
		p, offset, found, err := m.find(id)
		if err != nil {
			return nil, 0, err
		}
		if found {
			return p, offset, p.open()
		}
	}
	for _, p := range s.singles {
		offset, found, err := p.index.find(id)
		if err != nil {
			return nil, 0, err
		}
		if found {
			return p, offset, p.open()
		}
	}
	return nil, 0, ErrNotFound
}

// Prefix lists the ids that begin with the given hexadecimal digits, at most
// limit of them, in no particular order and without duplicates removed.
func (s *Store) Prefix(low, high ID, limit int) []ID {
	var found []ID
	for _, m := range s.midxes {
		found = m.ids.between(low, high, limit, found)
	}
	for _, p := range s.singles {
		found = p.index.ids.between(low, high, limit, found)
	}
	return found
}
