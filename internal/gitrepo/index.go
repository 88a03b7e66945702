package gitrepo

import (
	"bufio"
	"bytes"
	"crypto/sha1"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/index"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

// Index shows the index as a file system like that of Tree: what the next
// commit's tree would be. Paths that were added by intent alone (`git add -N`)
// are in no commit, and not in it. Reading a path with an unresolved conflict
// is an error. The directories that a sparse index leaves folded are read from
// their trees. A repository without an index has an empty one.
//
// file is the index file, relative to the work tree's root; empty: the
// repository's own. In a hook git names the one that is committed by
// GIT_INDEX_FILE.
func (r *Repo) Index(file string) (fs.FS, error) {
	if r.at.workTree == "" {
		return nil, &UnsupportedError{What: "a bare repository, which has no index,", Way: "name a work tree"}
	}
	path := r.indexFile(file)
	text, err := readIndexFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fileSystem{indexFS{repo: r}}, nil
	}
	if err != nil {
		return nil, err
	}
	entries, err := decodeIndex(path, text)
	if err != nil {
		return nil, err
	}
	return fileSystem{indexFS{repo: r, entries: staged(entries)}}, nil
}

func (r *Repo) indexFile(file string) string {
	switch {
	case file == "":
		return filepath.Join(r.at.own, "index")
	case filepath.IsAbs(file):
		return file
	}
	return filepath.Join(r.at.workTree, file)
}

// readIndexFile reads an index of at most MaxIndexBytes.
func readIndexFile(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open the index: %w", err)
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, MaxIndexBytes+1))
	if err != nil {
		return nil, fmt.Errorf("read the index %s: %w", path, err)
	}
	if len(text) > MaxIndexBytes {
		return nil, &LimitError{What: path, Name: "MaxIndexBytes", Limit: MaxIndexBytes}
	}
	return text, nil
}

// sparseExtension says that a directory may stand in an index for all that is
// in it. It has no content; go-git, which doesn't know it, reads such an index
// when it is named like an extension that may be passed over.
var sparseExtension = []byte("sdir")

// decodeIndex reads an index of version 2, 3 or 4.
func decodeIndex(path string, text []byte) ([]*index.Entry, error) {
	if err := verifyIndex(path, text); err != nil {
		return nil, err
	}
	for {
		var decoded index.Index
		name, err := decodeOnce(text, &decoded)
		switch {
		case err == nil:
			return decoded.Entries, nil
		case !errors.Is(err, index.ErrUnknownExtension):
			return nil, indexError(path, err)
		case bytes.Equal(name, sparseExtension):
			copy(name, bytes.ToUpper(name))
		default:
			return nil, unknownExtension(string(name))
		}
	}
}

// verifyIndex compares the sum at the end of an index with its content. With
// index.skipHash git writes zeros in its place.
func verifyIndex(path string, text []byte) error {
	if len(text) < sha1.Size {
		return indexError(path, io.ErrUnexpectedEOF)
	}
	content, sum := text[:len(text)-sha1.Size], text[len(text)-sha1.Size:]
	if want := sha1.Sum(content); !bytes.Equal(sum, want[:]) && !bytes.Equal(sum, make([]byte, sha1.Size)) {
		return indexError(path, index.ErrInvalidChecksum)
	}
	return nil
}

// decodeOnce has go-git read the index. Where an extension stops it, name is
// that extension's, in text itself.
func decodeOnce(text []byte, into *index.Index) (name []byte, err error) {
	end := len(text) - sha1.Size
	sum := sha1.Sum(text[:end])
	copy(text[end:], sum[:])
	unread := bytes.NewReader(text)
	buffered := bufio.NewReader(unread) // the decoder takes it as it is
	if err := index.NewDecoder(buffered).Decode(into); err != nil {
		const header = 8 // the extension's name and its length
		at := len(text) - unread.Len() - buffered.Buffered() - header
		if errors.Is(err, index.ErrUnknownExtension) && at >= 0 {
			return text[at : at+4], err
		}
		return nil, err
	}
	return nil, nil
}

func indexError(path string, err error) error {
	if errors.Is(err, index.ErrUnsupportedVersion) {
		return &UnsupportedError{What: "the version of the index", Way: "run `git update-index --index-version 4`"}
	}
	return &ConfigError{File: path, Why: fmt.Sprintf("%v; remove it, and `git reset` makes it anew", err)}
}

func unknownExtension(name string) error {
	if name == "link" {
		return &UnsupportedError{What: "a split index", Way: "run `git update-index --no-split-index`"}
	}
	return &UnsupportedError{What: fmt.Sprintf("the index extension %q", name), Way: "turn off the option of `git update-index` that wrote it"}
}

// indexEntry is what the index has at a path.
type indexEntry struct {
	path     string
	entry    boundary.Entry
	unmerged bool
}

// staged are the entries that belong to the next commit, by path, each path
// once.
func staged(entries []*index.Entry) []indexEntry {
	all := make([]indexEntry, 0, len(entries))
	for _, e := range entries {
		if e.IntentToAdd {
			continue
		}
		all = append(all, indexEntry{
			path:     strings.TrimSuffix(e.Name, "/"), // with which a folded directory ends
			entry:    boundary.Entry{Mode: canonicalMode(int(e.Mode)), OID: boundary.OID(e.Hash)},
			unmerged: e.Stage != 0,
		})
	}
	slices.SortStableFunc(all, func(a, b indexEntry) int { return strings.Compare(a.path, b.path) })
	return slices.CompactFunc(all, func(a, b indexEntry) bool { return a.path == b.path })
}
