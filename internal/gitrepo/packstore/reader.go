package packstore

import (
	"bytes"
	"io"

	"github.com/klauspost/compress/zlib"
)

// Reader reads objects with a cache of delta bases of its own.
type Reader struct {
	store   *Store
	cache   *cache
	source  bytes.Reader
	inflate io.ReadCloser
}

func newReader(s *Store) *Reader { return &Reader{store: s, cache: newCache(CacheBytes)} }

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
func (r *Reader) Object(id ID) (Kind, []byte, error) {
	p, offset, err := r.store.locate(id)
	if err != nil {
		return 0, nil, err
	}
	chain, kind, content, err := r.descend(p, offset)
	if err != nil {
		return 0, nil, err
	}
	for i := len(chain) - 1; i >= 0; i-- {
		delta, err := r.body(chain[i].pack, chain[i].head)
		if err != nil {
			return 0, nil, err
		}
		if content, err = applyDelta(content, delta); err != nil {
			return 0, nil, chain[i].pack.data.malformed("has a bad delta at offset %d: %v", chain[i].offset, err)
		}
		r.cache.put(key{chain[i].pack.number, chain[i].offset}, kind, content)
	}
	return kind, content, nil
}

// descend follows deltas down to a whole object, or to one in the cache.
func (r *Reader) descend(p *pack, offset uint64) (chain []link, kind Kind, content []byte, err error) {
	for len(chain) <= MaxDeltaChain {
		if kind, content, ok := r.cache.get(key{p.number, offset}); ok {
			return chain, kind, content, nil
		}
		h, err := r.header(p, offset)
		if err != nil {
			return nil, 0, nil, err
		}
		if h.kind <= Tag {
			content, err := r.body(p, h)
			if err != nil {
				return nil, 0, nil, err
			}
			r.cache.put(key{p.number, offset}, h.kind, content)
			return chain, h.kind, content, nil
		}
		chain = append(chain, link{p, offset, h})
		if p, offset, err = r.baseOf(p, h); err != nil {
			return nil, 0, nil, err
		}
	}
	return nil, 0, nil, p.data.malformed("has a chain of more than %d deltas", MaxDeltaChain)
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

// body inflates exactly the bytes that the header promises.
func (r *Reader) body(p *pack, h head) ([]byte, error) {
	if h.size > (p.end-h.body)*maxRatio {
		return nil, p.data.malformed("promises %d bytes in %d", h.size, p.end-h.body)
	}
	if err := r.start(p, h); err != nil {
		return nil, err
	}
	content := make([]byte, h.size)
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
