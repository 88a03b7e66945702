package gitrepo

import (
	"bytes"
	"errors"
	"io"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/storer"

	"github.com/fleetgate/fleetgate/internal/gitrepo/packstore"
)

// packedObjects is the pack store as go-git's object storage: it reads what packs
// hold and says of everything else that it isn't found.
type packedObjects struct{ store *packstore.Store }

var _ storer.EncodedObjectStorer = packedObjects{}

// errReadOnly answers every request to write.
var errReadOnly = errors.New("the object store is only read")

// EncodedObject gives an object of the given type, or of any.
func (p packedObjects) EncodedObject(want plumbing.ObjectType, id plumbing.Hash) (plumbing.EncodedObject, error) {
	kind, content, err := p.store.Object(id)
	if err != nil {
		return nil, notFound(err)
	}
	if found := plumbing.ObjectType(kind); want != plumbing.AnyObject && want != found {
		return nil, plumbing.ErrObjectNotFound
	}
	return &packedObject{id: id, kind: plumbing.ObjectType(kind), content: content}, nil
}

// HasEncodedObject gives plumbing.ErrObjectNotFound where no pack has the object.
func (p packedObjects) HasEncodedObject(id plumbing.Hash) error {
	has, err := p.store.Has(id)
	if err == nil && !has {
		return plumbing.ErrObjectNotFound
	}
	return err
}

// EncodedObjectSize gives an object's size without inflating all of it.
func (p packedObjects) EncodedObjectSize(id plumbing.Hash) (int64, error) {
	_, size, err := p.store.Header(id)
	return size, notFound(err)
}

// NewEncodedObject gives an object that can't be stored here.
func (p packedObjects) NewEncodedObject() plumbing.EncodedObject { return &plumbing.MemoryObject{} }

// SetEncodedObject refuses: nothing is ever written.
func (p packedObjects) SetEncodedObject(plumbing.EncodedObject) (plumbing.Hash, error) {
	return plumbing.ZeroHash, errReadOnly
}

// AddAlternate refuses: nothing is ever written.
func (p packedObjects) AddAlternate(string) error { return errReadOnly }

// IterEncodedObjects refuses: the gate asks for objects by their ids alone.
func (p packedObjects) IterEncodedObjects(plumbing.ObjectType) (storer.EncodedObjectIter, error) {
	return nil, errors.ErrUnsupported
}

func notFound(err error) error {
	if errors.Is(err, packstore.ErrNotFound) {
		return plumbing.ErrObjectNotFound
	}
	return err
}

// packedObject is one object's content, which may be shared and isn't changed.
type packedObject struct {
	id      plumbing.Hash
	kind    plumbing.ObjectType
	content []byte
}

// Hash gives the object's id.
func (o *packedObject) Hash() plumbing.Hash { return o.id }

// Type gives the object's type.
func (o *packedObject) Type() plumbing.ObjectType { return o.kind }

// Size gives the content's length in bytes.
func (o *packedObject) Size() int64 { return int64(len(o.content)) }

// SetType changes nothing: a stored object has its type.
func (o *packedObject) SetType(plumbing.ObjectType) {}

// SetSize changes nothing: a stored object has its size.
func (o *packedObject) SetSize(int64) {}

// Reader reads the content.
func (o *packedObject) Reader() (io.ReadCloser, error) {
	return io.NopCloser(bytes.NewReader(o.content)), nil
}

// Writer refuses: nothing is ever written.
func (o *packedObject) Writer() (io.WriteCloser, error) { return nil, errReadOnly }
