package packstore

import (
	"bytes"
	"io"
)

// Reader reads objects with a cache of its own. It is not safe for concurrent use.
type Reader struct {
	store   *Store
	cache   *cache
	source  bytes.Reader
	inflate io.ReadCloser
	chain   []link  // room for descend
	deltas  scratch // room for a delta
	results scratch // room for what View gives
}

func newReader(s *Store) *Reader { return &Reader{store: s, cache: newCache()} }

// link is one delta of a chain, from the object wanted towards its base.
type link struct {
	pack   *pack
	offset uint64
	head   head
}

func (l link) place() place { return place{l.pack.number, l.offset} }

// Object gives an object's kind and whole content, which is the caller's.
func (r *Reader) Object(id ID) (Kind, []byte, error) {
	kind, content, err := r.View(id, MaxObjectBytes)
	return kind, bytes.Clone(content), err
}

// View gives an object of at most limit bytes, valid until the reader's next
// call; for a larger one its kind and a SizeError, without having held it in
// memory. The object itself isn't kept, what it is a delta of is.
func (r *Reader) View(id ID, limit int64) (Kind, []byte, error) {
	p, offset, err := r.store.locate(id)
	if err != nil {
		return 0, nil, err
	}
	chain, base, err := r.descend(p, offset)
	if err != nil {
		return 0, nil, err
	}
	if base == nil {
		return r.viewWhole(chain[0], limit)
	}
	defer func() { base.Release() }()
	if len(chain) == 0 {
		return checked(base.Kind, base.Content, limit)
	}
	if base, err = r.climb(chain[1:], base, MaxObjectBytes); err != nil {
		return 0, nil, err
	}
	content, err := r.apply(chain[0], base, limit, r.results.of)
	if err != nil {
		return base.Kind, nil, err
	}
	return base.Kind, content, nil
}

// viewWhole inflates an object that is no delta.
func (r *Reader) viewWhole(at link, limit int64) (Kind, []byte, error) {
	if at.head.size > limit {
		return at.head.kind, nil, &SizeError{Size: at.head.size}
	}
	if err := at.pack.plausible(at.head); err != nil {
		return 0, nil, err
	}
	content := r.results.of(at.head.size)
	if err := r.inflateInto(at.pack, at.head, content); err != nil {
		return 0, nil, err
	}
	return at.head.kind, content, nil
}

func checked(kind Kind, content []byte, limit int64) (Kind, []byte, error) {
	if size := int64(len(content)); size > limit {
		return kind, nil, &SizeError{Size: size}
	}
	return kind, content, nil
}

// Hold gives an object of at most limit bytes, which is kept in the cache and
// stays as it is until it is released. For a larger one it gives a SizeError.
func (r *Reader) Hold(id ID, limit int64) (*Object, error) {
	o := r.cache.named(id)
	if o == nil {
		var err error
		if o, err = r.resolve(id, limit); err != nil {
			return nil, err
		}
		r.cache.name(o, id)
	} else {
		o.holders++
	}
	if size := int64(len(o.Content)); size > limit {
		o.Release()
		return nil, &SizeError{Size: size}
	}
	return o, nil
}

// Keep holds an object that comes from elsewhere like one of the packs.
func (r *Reader) Keep(id ID, kind Kind, content []byte) *Object {
	o := &Object{Kind: kind, Content: content, holders: 1}
	r.cache.add(o, place{pack: outside})
	r.cache.name(o, id)
	return o
}

// Note attaches what was made of a held object's content, and how many bytes
// that takes.
func (r *Reader) Note(o *Object, note any, bytes int) {
	o.Note, o.Noted = note, true
	r.cache.grew(o, bytes)
}

// resolve finds an object, and holds it.
func (r *Reader) resolve(id ID, limit int64) (*Object, error) {
	p, offset, err := r.store.locate(id)
	if err != nil {
		return nil, err
	}
	chain, base, err := r.descend(p, offset)
	if err != nil {
		return nil, err
	}
	if base == nil {
		return r.holdWhole(chain[0], limit)
	}
	return r.climb(chain, base, limit)
}

// holdWhole inflates an object that is no delta into the cache.
func (r *Reader) holdWhole(at link, limit int64) (*Object, error) {
	if at.head.size > limit {
		return nil, &SizeError{Size: at.head.size}
	}
	if err := at.pack.plausible(at.head); err != nil {
		return nil, err
	}
	o := r.cache.room(int(at.head.size))
	if err := r.inflateInto(at.pack, at.head, o.Content); err != nil {
		r.cache.giveBack(o)
		return nil, err
	}
	o.Kind, o.holders = at.head.kind, 1
	r.cache.add(o, at.place())
	return o, nil
}

// descend follows deltas down to a whole object or one in the cache, which it
// holds. base is nil where the object itself is whole: it is the chain's only
// link then. The chain is valid until the next call.
func (r *Reader) descend(p *pack, offset uint64) (chain []link, base *Object, err error) {
	chain = r.chain[:0]
	defer func() { r.chain = chain[:0] }()
	for len(chain) <= MaxDeltaChain {
		if o := r.cache.stored(place{p.number, offset}); o != nil {
			o.holders++
			return chain, o, nil
		}
		h, err := r.header(p, offset)
		if err != nil {
			return chain, nil, err
		}
		at := link{p, offset, h}
		switch {
		case h.kind > Tag:
		case len(chain) == 0:
			return append(chain, at), nil, nil
		default:
			base, err := r.holdWhole(at, MaxObjectBytes)
			return chain, base, err
		}
		chain = append(chain, at)
		if p, offset, err = r.baseOf(p, h); err != nil {
			return chain, nil, err
		}
	}
	return chain, nil, p.data.malformed("has a chain of more than %d deltas", MaxDeltaChain)
}

// climb applies deltas, the last first, and keeps each result, of which the
// final one may have limit bytes. It releases the base and holds what it gives.
func (r *Reader) climb(chain []link, base *Object, limit int64) (*Object, error) {
	for i := len(chain) - 1; i >= 0; i-- {
		most := int64(MaxObjectBytes)
		if i == 0 {
			most = limit
		}
		next, err := r.step(chain[i], base, most)
		base.Release()
		if err != nil {
			return nil, err
		}
		base = next
	}
	return base, nil
}

// step makes an object of its base, and holds it.
func (r *Reader) step(at link, base *Object, limit int64) (*Object, error) {
	var made *Object
	_, err := r.apply(at, base, limit, func(n int64) []byte {
		made = r.cache.room(int(n))
		return made.Content
	})
	if err != nil {
		if made != nil {
			r.cache.giveBack(made)
		}
		return nil, err
	}
	made.Kind, made.holders = base.Kind, 1
	r.cache.add(made, at.place())
	return made, nil
}

// apply makes an object's content of its base's, in room that it is given.
func (r *Reader) apply(at link, base *Object, limit int64, room func(int64) []byte) ([]byte, error) {
	delta, err := r.delta(at.pack, at.head)
	if err != nil {
		return nil, err
	}
	size, instructions, err := deltaSizes(len(base.Content), delta)
	if err == nil && size > limit {
		return nil, &SizeError{Size: size}
	}
	if err == nil {
		content := room(size)
		if err = applyDelta(content, base.Content, instructions); err == nil {
			return content, nil
		}
	}
	return nil, at.pack.data.malformed("has a bad delta at offset %d: %v", at.offset, err)
}

func (r *Reader) baseOf(p *pack, h head) (*pack, uint64, error) {
	if h.kind == offsetDelta {
		return p, h.back, nil
	}
	return r.store.locate(h.base)
}
