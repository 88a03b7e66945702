package packstore

import (
	"bytes"
	"io"

	"github.com/klauspost/compress/zlib"

	"github.com/fleetgate/fleetgate/internal/gitrepo/lru"
)

// Reader reads objects with a cache of delta bases of its own.
type Reader struct {
	store   *Store
	cache   *lru.Cache[key, cached]
	source  bytes.Reader
	inflate io.ReadCloser
	chain   []link // room for descend
	scratch []byte // room for deltas
}

func newReader(s *Store) *Reader { return &Reader{store: s, cache: lru.New[key, cached](CacheBytes)} }

// key is an object's place.
type key struct {
	pack   int
	offset uint64
}

// cached is one inflated object.
type cached struct {
	kind    Kind
	content []byte
}

func (r *Reader) keep(p *pack, offset uint64, kind Kind, content []byte) {
	r.cache.Put(key{p.number, offset}, cached{kind, content}, len(content))
}

// head is an object's header in a pack.
type head struct {
	kind Kind
	size int64  // inflated
	body int64  // offset of the compressed bytes
	back uint64 // offsetDelta: the base's offset
	base ID     // refDelta: the base's id
}

// link is one delta of a chain, from the object wanted towards its base.
type link struct {
	pack   *pack
	offset uint64
	head   head
}

// Object gives an object's kind and whole content, which may not be changed.
func (r *Reader) Object(id ID) (Kind, []byte, error) { return r.ObjectUpTo(id, MaxObjectBytes) }

// ObjectUpTo gives an object of at most limit bytes; for a larger one its kind
// and a SizeError, without having held it in memory.
func (r *Reader) ObjectUpTo(id ID, limit int64) (Kind, []byte, error) {
	p, offset, err := r.store.locate(id)
	if err != nil {
		return 0, nil, err
	}
	chain, kind, content, err := r.descend(p, offset, limit)
	if err != nil {
		return kind, nil, err
	}
	for i := len(chain) - 1; i >= 0; i-- {
		delta, err := r.delta(chain[i].pack, chain[i].head)
		if err != nil {
			return 0, nil, err
		}
		if size := resultSize(delta); i == 0 && size > uint64(limit) && size <= MaxObjectBytes {
			return kind, nil, &SizeError{Size: int64(size)}
		}
		if content, err = applyDelta(content, delta); err != nil {
			return 0, nil, chain[i].pack.data.malformed("has a bad delta at offset %d: %v", chain[i].offset, err)
		}
		r.keep(chain[i].pack, chain[i].offset, kind, content)
	}
	if size := int64(len(content)); size > limit {
		return kind, nil, &SizeError{Size: size}
	}
	return kind, content, nil
}

// descend follows deltas down to a whole object, or to one in the cache. The
// chain is valid until the next call.
func (r *Reader) descend(p *pack, offset uint64, limit int64) (chain []link, kind Kind, content []byte, err error) {
	chain = r.chain[:0]
	defer func() { r.chain = chain[:0] }()
	for len(chain) <= MaxDeltaChain {
		if known, ok := r.cache.Get(key{p.number, offset}); ok {
			return chain, known.kind, known.content, nil
		}
		h, err := r.header(p, offset)
		if err != nil {
			return chain, 0, nil, err
		}
		if h.kind <= Tag && len(chain) == 0 && h.size > limit {
			return chain, h.kind, nil, &SizeError{Size: h.size}
		}
		if h.kind <= Tag {
			content, err := r.body(p, h, nil)
			if err != nil {
				return chain, 0, nil, err
			}
			// A tree is likely to be its neighbours' base; a whole commit is
			// read once and is nobody's.
			if h.kind == Tree || len(chain) > 0 {
				r.keep(p, offset, h.kind, content)
			}
			return chain, h.kind, content, nil
		}
		chain = append(chain, link{p, offset, h})
		if p, offset, err = r.baseOf(p, h); err != nil {
			return chain, 0, nil, err
		}
	}
	return chain, 0, nil, p.data.malformed("has a chain of more than %d deltas", MaxDeltaChain)
}

func (r *Reader) baseOf(p *pack, h head) (*pack, uint64, error) {
	if h.kind == offsetDelta {
		return p, h.back, nil
	}
	return r.store.locate(h.base)
}

// Header gives an object's kind and size. Of a delta only the first bytes are inflated.
func (r *Reader) Header(id ID) (Kind, int64, error) {
	p, offset, err := r.store.locate(id)
	if err != nil {
		return 0, 0, err
	}
	size := int64(-1)
	for range MaxDeltaChain + 1 {
		h, err := r.header(p, offset)
		if err != nil {
			return 0, 0, err
		}
		if size < 0 {
			if size, err = r.size(p, h); err != nil {
				return 0, 0, err
			}
		}
		if h.kind <= Tag {
			return h.kind, size, nil
		}
		if p, offset, err = r.baseOf(p, h); err != nil {
			return 0, 0, err
		}
	}
	return 0, 0, p.data.malformed("has a chain of more than %d deltas", MaxDeltaChain)
}

// size is the size of the object that a header stands for.
func (r *Reader) size(p *pack, h head) (int64, error) {
	if h.kind <= Tag {
		return h.size, nil
	}
	if err := r.start(p, h); err != nil {
		return 0, err
	}
	buf := make([]byte, min(h.size, 2*maxVarint))
	n, err := io.ReadFull(r.inflate, buf)
	if err != nil {
		return 0, p.data.malformed("has a delta that can't be inflated: %v", err)
	}
	_, rest, ok := varint(buf[:n])
	if !ok {
		return 0, p.data.malformed("has a delta without sizes")
	}
	size, _, ok := varint(rest)
	if !ok || size > MaxObjectBytes {
		return 0, p.data.malformed("has a delta with an absurd size")
	}
	return int64(size), nil
}

// maxHeader is more than the longest object header: a size of 64 bits and a base.
const maxHeader = 40

func (r *Reader) header(p *pack, offset uint64) (head, error) {
	if offset < packHeader || offset >= uint64(p.end) {
		return head{}, p.data.malformed("has no object at offset %d", offset)
	}
	raw, err := p.data.slice(int64(offset), min(maxHeader, p.end-int64(offset)))
	if err != nil {
		return head{}, err
	}
	h, used, reason := parseHeader(raw, offset)
	if reason != "" {
		return head{}, p.data.malformed("has at offset %d %s", offset, reason)
	}
	h.body = int64(offset) + int64(used)
	return h, nil
}

func parseHeader(raw []byte, offset uint64) (h head, used int, reason string) {
	h.kind = Kind(raw[0] >> 4 & 7)
	size, shift := uint64(raw[0]&15), 4
	for used = 1; raw[used-1]&0x80 != 0; used++ {
		if used == len(raw) || shift > 57 {
			return h, 0, "a header without end"
		}
		size |= uint64(raw[used]&0x7f) << shift
		shift += 7
	}
	if size > MaxObjectBytes {
		return h, 0, "an object of more than 512 MiB"
	}
	h.size = int64(size)
	switch h.kind {
	case Commit, Tree, Blob, Tag:
		return h, used, ""
	case offsetDelta:
		return parseBack(h, raw, used, offset)
	case refDelta:
		if len(raw)-used < idBytes {
			return h, 0, "a delta without its base"
		}
		h.base = ID(raw[used : used+idBytes])
		return h, used + idBytes, ""
	}
	return h, 0, "an object of an unknown type"
}

// parseBack reads how far back the base of an offset delta lies.
func parseBack(h head, raw []byte, used int, offset uint64) (head, int, string) {
	if used == len(raw) {
		return h, 0, "a delta without its base"
	}
	back := uint64(raw[used] & 0x7f)
	for raw[used]&0x80 != 0 {
		used++
		if used == len(raw) || back > offset {
			return h, 0, "a delta whose base lies outside the pack"
		}
		back = (back+1)<<7 | uint64(raw[used]&0x7f)
	}
	if back == 0 || back > offset-packHeader {
		return h, 0, "a delta whose base lies outside the pack"
	}
	h.back = offset - back
	return h, used + 1, ""
}

// maxRatio is more than deflate can compress: 1,032 bytes into one.
const maxRatio = 1040

// maxScratch is the largest delta whose room is kept for the next one.
const maxScratch = 1 << 20

// delta inflates a delta, which is valid until the next one is read.
func (r *Reader) delta(p *pack, h head) ([]byte, error) {
	raw, err := r.body(p, h, r.scratch)
	if cap(raw) <= maxScratch && cap(raw) > cap(r.scratch) {
		r.scratch = raw[:0]
	}
	return raw, err
}

// body inflates exactly the bytes that the header promises, into room if they fit.
func (r *Reader) body(p *pack, h head, room []byte) ([]byte, error) {
	if h.size > (p.end-h.body)*maxRatio {
		return nil, p.data.malformed("promises %d bytes in %d", h.size, p.end-h.body)
	}
	if err := r.start(p, h); err != nil {
		return nil, err
	}
	content := room[:0]
	if int64(cap(content)) < h.size {
		content = make([]byte, h.size)
	}
	content = content[:h.size]
	if _, err := io.ReadFull(r.inflate, content); err != nil {
		return nil, p.data.malformed("has an object that can't be inflated: %v", err)
	}
	var more [1]byte
	if n, err := r.inflate.Read(more[:]); n != 0 || err != io.EOF {
		return nil, p.data.malformed("has an object longer than its header says")
	}
	return content, nil
}

// start points the inflater at an object's compressed bytes.
func (r *Reader) start(p *pack, h head) error {
	var source io.Reader
	if p.data.mapped != nil {
		raw, err := p.data.slice(h.body, p.end-h.body)
		if err != nil {
			return err
		}
		r.source.Reset(raw)
		source = &r.source
	} else {
		source = io.NewSectionReader(p.data.handle, h.body, p.end-h.body)
	}
	if r.inflate == nil {
		inflate, err := zlib.NewReader(source)
		if err != nil {
			return p.data.malformed("has an object that can't be inflated: %v", err)
		}
		r.inflate = inflate
		return nil
	}
	if err := r.inflate.(zlib.Resetter).Reset(source, nil); err != nil {
		return p.data.malformed("has an object that can't be inflated: %v", err)
	}
	return nil
}
