package gitrepo

import (
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/storer"
	"github.com/go-git/go-git/v5/storage/filesystem"

	"github.com/fleetgate/fleetgate/internal/boundary"
	"github.com/fleetgate/fleetgate/internal/gitrepo/packstore"
)

// objects reads objects from the repository's own store and from those that
// it borrows from. This is the only place that asks for an object. What packs
// hold is read by the pack store, which serves many readers at once; the rest
// (loose objects, and what isn't there) is asked of go-git's storage, which
// serves one reader at a time.
type objects struct {
	packs *packstore.Store
	mu    sync.Mutex
	loose []storer.EncodedObjectStorer
}

// openStorage opens the packs and go-git's storage over a repository and its alternates.
func openStorage(at layout) (storer.ReferenceStorer, *objects, error) {
	files := filesOf(at)
	borrowed, err := alternates(files.objects)
	if err != nil {
		return nil, nil, err
	}
	packs, err := packstore.Open(append([]string{files.objects}, borrowed...))
	if err != nil {
		return nil, nil, packError(err)
	}
	inflated := cache.NewObjectLRU(ObjectCacheBytes)
	options := filesystem.Options{
		MaxOpenDescriptors:   OpenPacks,
		LargeObjectThreshold: LargeObjectBytes,
	}
	own := filesystem.NewStorageWithOptions(files, inflated, options)
	loose := []storer.EncodedObjectStorer{own}
	for _, dir := range borrowed {
		loose = append(loose, filesystem.NewStorageWithOptions(gitFS{objects: dir}, inflated, options))
	}
	return own, &objects{packs: packs, loose: loose}, nil
}

// packError names the way out of packs that can't be read.
func packError(err error) error {
	var format *packstore.FormatError
	if errors.As(err, &format) && format.Version1 {
		return &UnsupportedError{What: "a pack index of version 1", Way: "run `git -c pack.indexVersion=2 repack -a -d`"}
	}
	return fmt.Errorf("read the packs: %w; run `git fsck`", err)
}

// read gives an object's content. It must be of the given type and of at most
// limit bytes. A store that fails in one place is no reason not to look in the
// next; its failure counts only if nobody has the object.
func (o *objects) read(id boundary.OID, want plumbing.ObjectType, limit int64) ([]byte, error) {
	var content []byte
	err := o.each(id, want.String(), func(store storer.EncodedObjectStorer) error {
		object, err := store.EncodedObject(plumbing.AnyObject, plumbing.Hash(id))
		if err != nil {
			return err
		}
		if object.Type() != want {
			return &CorruptError{ID: id, Kind: want.String(), Why: "is a " + object.Type().String()}
		}
		content, err = contentOf(object, id, limit)
		return err
	})
	return content, err
}

// kind gives an object's type.
func (o *objects) kind(id boundary.OID) (plumbing.ObjectType, error) {
	var kind plumbing.ObjectType
	err := o.each(id, "object", func(store storer.EncodedObjectStorer) error {
		object, err := store.EncodedObject(plumbing.AnyObject, plumbing.Hash(id))
		if err == nil {
			kind = object.Type()
		}
		return err
	})
	return kind, err
}

// size gives a blob's size in bytes without inflating it where possible.
func (o *objects) size(id boundary.OID) (int64, error) {
	var size int64
	err := o.each(id, "blob", func(store storer.EncodedObjectStorer) (err error) {
		size, err = store.EncodedObjectSize(plumbing.Hash(id))
		return err
	})
	return size, err
}

// each asks one store after another until one has the object.
func (o *objects) each(id boundary.OID, kind string, ask func(storer.EncodedObjectStorer) error) error {
	failed := guarded(id, kind, func() error { return ask(packedObjects{o.packs}) })
	if failed == nil {
		return nil
	}
	if errors.Is(failed, plumbing.ErrObjectNotFound) {
		failed = nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, store := range o.loose {
		err := guarded(id, kind, func() error { return ask(store) })
		if err == nil {
			return nil
		}
		if failed == nil && !errors.Is(err, plumbing.ErrObjectNotFound) {
			failed = err
		}
	}
	if failed == nil {
		return &MissingObjectError{ID: id, Kind: kind}
	}
	return named(id, kind, failed)
}

// guarded turns a panic over a malformed pack into an error.
func guarded(id boundary.OID, kind string, ask func() error) (err error) {
	defer func() {
		if failure := recover(); failure != nil {
			err = &CorruptError{ID: id, Kind: kind, Why: fmt.Sprintf("can't be decoded (%v)", failure)}
		}
	}()
	return ask()
}

// named adds the object's id to an error that doesn't name it.
func named(id boundary.OID, kind string, err error) error {
	var corrupt *CorruptError
	var limit *LimitError
	var unsupported *UnsupportedError
	if errors.As(err, &corrupt) || errors.As(err, &limit) || errors.As(err, &unsupported) {
		return err
	}
	return fmt.Errorf("read %s %s: %w", kind, id, err)
}

// contentOf reads an object's content, exactly as long as it says it is.
func contentOf(object plumbing.EncodedObject, id boundary.OID, limit int64) ([]byte, error) {
	kind, size := object.Type().String(), object.Size()
	if size > limit {
		return nil, tooLarge(kind, id, size, limit)
	}
	if whole, ok := object.(*packedObject); ok {
		return whole.content, nil
	}
	reader, err := object.Reader()
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	content := make([]byte, size)
	if _, err := io.ReadFull(reader, content); err != nil {
		return nil, &CorruptError{ID: id, Kind: kind, Why: "is shorter than it says"}
	}
	return content, nil
}

func tooLarge(kind string, id boundary.OID, size, limit int64) error {
	names := map[int64]string{MaxTreeBytes: "MaxTreeBytes", MaxCommitBytes: "MaxCommitBytes", MaxFileBytes: "MaxFileBytes"}
	name, ok := names[limit]
	if !ok {
		name = "the caller's"
	}
	return &LimitError{What: fmt.Sprintf("%s %s of %d bytes", kind, id, size), Name: name, Limit: limit}
}
