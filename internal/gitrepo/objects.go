package gitrepo

import (
	"errors"
	"fmt"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/storer"
	"github.com/go-git/go-git/v5/storage/filesystem"

	"github.com/fleetgate/fleetgate/internal/boundary"
	"github.com/fleetgate/fleetgate/internal/gitrepo/packstore"
)

// objects reads objects from the repository's own store and from those that
// it borrows from. This is the only place that asks for an object: of the
// packs first, then of the loose ones.
type objects struct {
	packs   *packstore.Store
	loose   looseObjects
	readers chan *packstore.Reader // idle ones, kept with their caches
}

// openStorage opens go-git's view of the references, and the object store of a
// repository with its alternates.
func openStorage(at layout) (storer.ReferenceStorer, *objects, error) {
	files := filesOf(at)
	borrowed, err := alternates(files.objects)
	if err != nil {
		return nil, nil, err
	}
	dirs := append([]string{files.objects}, borrowed...)
	packs, err := packstore.Open(dirs)
	if err != nil {
		return nil, nil, packError(err)
	}
	refs := filesystem.NewStorage(files, cache.NewObjectLRU(0)) // objects aren't asked of it
	return refs, &objects{packs: packs, loose: dirs, readers: make(chan *packstore.Reader, idleReaders)}, nil
}

// packError names the way out of packs that can't be read.
func packError(err error) error {
	var format *packstore.FormatError
	if errors.As(err, &format) && format.Version1 {
		return &UnsupportedError{What: "a pack index of version 1", Way: "run `git -c pack.indexVersion=2 repack -a -d`"}
	}
	return fmt.Errorf("read the packs: %w; run `git fsck`", err)
}

// borrow gives a pack reader to one worker, until it is given back.
func (o *objects) borrow() *packstore.Reader {
	select {
	case reader := <-o.readers:
		return reader
	default:
		return o.packs.Reader()
	}
}

func (o *objects) giveBack(reader *packstore.Reader) {
	select {
	case o.readers <- reader:
	default:
	}
}

// read gives an object's content. It must be of the given type and of at most
// limit bytes.
func (o *objects) read(id boundary.OID, want plumbing.ObjectType, limit int64) (content []byte, err error) {
	err = o.view(id, want, limit, func(view []byte) error {
		content = append([]byte{}, view...)
		return nil
	})
	return content, err
}

// view is read for a look at the content, which is valid until look returns. A
// pack that fails is no reason not to look among the loose objects; its failure
// counts only if the object isn't there either.
func (o *objects) view(id boundary.OID, want plumbing.ObjectType, limit int64, look func([]byte) error) error {
	reader := o.borrow()
	defer o.giveBack(reader)
	packedKind, content, err := reader.View(packstore.ID(id), limit)
	kind := plumbing.ObjectType(packedKind)
	if err != nil {
		kind, content, err = o.afterPacks(kind, err, id, want, limit)
	}
	if err != nil {
		return err
	}
	if kind != want {
		return notA(want, id, kind)
	}
	return look(content)
}

func notA(want plumbing.ObjectType, id boundary.OID, kind plumbing.ObjectType) error {
	return &CorruptError{ID: id, Kind: want.String(), Why: "is a " + kind.String()}
}

// hold is view by a worker's own pack reader, which keeps the object.
func (o *objects) hold(reader *packstore.Reader, id boundary.OID, want plumbing.ObjectType, limit int64) (*packstore.Object, error) {
	held, err := reader.Hold(packstore.ID(id), limit)
	if err != nil {
		kind, content, err := o.afterPacks(want, err, id, want, limit)
		if err != nil {
			return nil, err
		}
		held = reader.Keep(packstore.ID(id), packstore.Kind(kind), content)
	}
	if kind := plumbing.ObjectType(held.Kind); kind != want {
		held.Release()
		return nil, notA(want, id, kind)
	}
	return held, nil
}

// afterPacks looks among the loose objects after the packs gave an error. An
// object that is too large is no failure of the packs: nobody has a smaller one.
func (o *objects) afterPacks(kind plumbing.ObjectType, failed error, id boundary.OID, want plumbing.ObjectType, limit int64) (plumbing.ObjectType, []byte, error) {
	var size *packstore.SizeError
	if errors.As(failed, &size) {
		return 0, nil, tooLarge(kind, id, size.Size, limit)
	}
	kind, content, err := o.loose.read(id, limit)
	if err == nil {
		return kind, content, nil
	}
	return 0, nil, failure(failed, err, id, want.String())
}

// failure chooses between what the packs and what the loose objects gave.
func failure(packed, loose error, id boundary.OID, kind string) error {
	switch {
	case !errors.Is(packed, packstore.ErrNotFound):
		return named(id, kind, packed)
	case !errors.Is(loose, packstore.ErrNotFound):
		return named(id, kind, loose)
	}
	return &MissingObjectError{ID: id, Kind: kind}
}

// header gives an object's type, and its size in bytes without inflating all of it.
func (o *objects) header(id boundary.OID, what string) (plumbing.ObjectType, int64, error) {
	reader := o.borrow()
	defer o.giveBack(reader)
	kind, size, err := reader.Header(packstore.ID(id))
	if err == nil {
		return plumbing.ObjectType(kind), size, nil
	}
	looseKind, size, looseErr := o.loose.header(id)
	if looseErr == nil {
		return looseKind, size, nil
	}
	return 0, 0, failure(err, looseErr, id, what)
}

// kind gives an object's type.
func (o *objects) kind(id boundary.OID) (plumbing.ObjectType, error) {
	kind, _, err := o.header(id, "object")
	return kind, err
}

// size gives a blob's size in bytes.
func (o *objects) size(id boundary.OID) (int64, error) {
	_, size, err := o.header(id, "blob")
	return size, err
}

// named adds the object's id to an error that doesn't name it.
func named(id boundary.OID, kind string, err error) error {
	var corrupt *CorruptError
	var limit *LimitError
	if errors.As(err, &corrupt) || errors.As(err, &limit) {
		return err
	}
	return fmt.Errorf("read %s %s: %w; run `git fsck`", kind, id, err)
}

func tooLarge(kind plumbing.ObjectType, id boundary.OID, size, limit int64) error {
	names := map[int64]string{MaxTreeBytes: "MaxTreeBytes", MaxCommitBytes: "MaxCommitBytes", MaxFileBytes: "MaxFileBytes"}
	name, ok := names[limit]
	if !ok {
		name = "the caller's"
	}
	return &LimitError{What: fmt.Sprintf("%s %s of %d bytes", kind, id, size), Name: name, Limit: limit}
}

func (o *objects) close() error { return o.packs.Close() }
