package packstore

import "io"

// head is an object's header in a pack.
type head struct {
	kind Kind
	size int64  // inflated
	body int64  // offset of the compressed bytes
	back uint64 // offsetDelta: the base's offset
	base ID     // refDelta: the base's id
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
