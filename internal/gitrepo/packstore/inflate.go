package packstore

import (
	"io"

	"github.com/klauspost/compress/zlib"
)

// maxRatio is more than deflate can compress: 1,032 bytes into one.
const maxRatio = 1040

// minScratch is the least room that is made, and maxScratch the most that is
// kept for the next use.
const (
	minScratch = 1 << 10
	maxScratch = 1 << 20
)

// scratch is room that is used again and again.
type scratch []byte

// of gives n bytes of any value, valid until the next call.
func (s *scratch) of(n int64) []byte {
	if int64(cap(*s)) >= n {
		return (*s)[:n]
	}
	room := make([]byte, n, max(n, minScratch))
	if n <= maxScratch {
		*s = room[:0]
	}
	return room
}

// delta inflates a delta, which is valid until the next one is read.
func (r *Reader) delta(p *pack, h head) ([]byte, error) {
	if err := p.plausible(h); err != nil {
		return nil, err
	}
	raw := r.deltas.of(h.size)
	return raw, r.inflateInto(p, h, raw)
}

// plausible refuses a size that the bytes behind a header can't give.
func (p *pack) plausible(h head) error {
	if h.size > (p.end-h.body)*maxRatio {
		return p.data.malformed("promises %d bytes in %d", h.size, p.end-h.body)
	}
	return nil
}

// inflateInto inflates exactly the bytes that the header promises.
func (r *Reader) inflateInto(p *pack, h head, content []byte) error {
	if err := r.start(p, h); err != nil {
		return err
	}
	if _, err := io.ReadFull(r.inflate, content); err != nil {
		return p.data.malformed("has an object that can't be inflated: %v", err)
	}
	var more [1]byte
	if n, err := r.inflate.Read(more[:]); n != 0 || err != io.EOF {
		return p.data.malformed("has an object longer than its header says")
	}
	return nil
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
