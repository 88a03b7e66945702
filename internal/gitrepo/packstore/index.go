package packstore

import (
	"bytes"
	"encoding/binary"
	"errors"
	"sync"
)

const (
	indexHeader  = 8
	fanoutBytes  = 256 * 4
	idBytes      = 20
	trailerBytes = 2 * idBytes
	largeOffset  = 1 << 31
)

// table is a sorted table of ids behind a fan-out, in an index of either kind.
type table struct {
	data   *file
	fanout [256]uint32
	start  int64 // of the first id
}

// readTable reads the fan-out at an offset and checks that it never falls.
func readTable(data *file, fanoutAt int64) (table, error) {
	t := table{data: data}
	raw, err := data.slice(fanoutAt, fanoutBytes)
	if err != nil {
		return t, err
	}
	last := uint32(0)
	for i := range t.fanout {
		t.fanout[i] = binary.BigEndian.Uint32(raw[4*i:])
		if t.fanout[i] < last {
			return t, data.malformed("its fan-out falls at %02x", i)
		}
		last = t.fanout[i]
	}
	return t, nil
}

func (t *table) count() int64 { return int64(t.fanout[255]) }

// position finds an id's place in the table.
func (t *table) position(id ID) (int64, bool) {
	low, high := int64(0), int64(t.fanout[id[0]])
	if id[0] > 0 {
		low = int64(t.fanout[id[0]-1])
	}
	if t.data.mapped != nil {
		return t.inMapping(id, low, high)
	}
	for low < high {
		mid := (low + high) / 2
		at, err := t.at(mid)
		if err != nil {
			return 0, false
		}
		switch c := bytes.Compare(at, id[:]); {
		case c == 0:
			return mid, true
		case c < 0:
			low = mid + 1
		default:
			high = mid
		}
	}
	return 0, false
}

// inMapping is position's search where the ids lie in memory. It begins where
// the id would be if the ids were evenly spread, as hashes are.
func (t *table) inMapping(id ID, low, high int64) (int64, bool) {
	if high > t.count() || t.start+t.count()*idBytes > int64(len(t.data.mapped)) {
		return 0, false
	}
	ids := t.data.mapped[t.start:]
	mid := low + (high-low)*int64(id[1])>>8
	for low < high {
		switch c := bytes.Compare(ids[mid*idBytes:mid*idBytes+idBytes], id[:]); {
		case c == 0:
			return mid, true
		case c < 0:
			low = mid + 1
		default:
			high = mid
		}
		mid = (low + high) / 2
	}
	return 0, false
}

func (t *table) at(i int64) ([]byte, error) { return t.data.slice(t.start+i*idBytes, idBytes) }

// between appends the ids from low to high, both included.
func (t *table) between(low, high ID, limit int, found []ID) []ID {
	from, to := int64(0), t.count()
	for from < to { // the first id that is not below low
		mid := (from + to) / 2
		at, err := t.at(mid)
		if err != nil {
			return found
		}
		if bytes.Compare(at, low[:]) < 0 {
			from = mid + 1
			continue
		}
		to = mid
	}
	for ; from < t.count() && len(found) < limit; from++ {
		at, err := t.at(from)
		if err != nil || bytes.Compare(at, high[:]) > 0 {
			return found
		}
		found = append(found, ID(at))
	}
	return found
}

// index is a pack's own index, version 2.
type index struct {
	data    *file
	ids     table
	offsets int64 // of the 32-bit offsets
	large   int64 // of the 64-bit offsets
	larges  int64 // how many
}

func openIndex(path string) (*index, error) {
	data, err := openFile(path)
	if err != nil {
		return nil, err
	}
	x, err := readIndex(data)
	if err != nil {
		data.close()
		return nil, err
	}
	return x, nil
}

func readIndex(data *file) (*index, error) {
	head, err := data.slice(0, indexHeader)
	if err != nil {
		return nil, data.malformed("is too short for an index")
	}
	if !bytes.Equal(head[:4], []byte("\377tOc")) {
		return nil, &FormatError{File: data.path, Reason: "is a version 1 index, or none", Version1: true}
	}
	if v := binary.BigEndian.Uint32(head[4:]); v != 2 {
		return nil, data.malformed("is an index of the unknown version %d", v)
	}
	x := &index{data: data}
	if x.ids, err = readTable(data, indexHeader); err != nil {
		return nil, err
	}
	n := x.ids.count()
	x.ids.start = indexHeader + fanoutBytes
	x.offsets = x.ids.start + n*(idBytes+4)
	x.large = x.offsets + n*4
	rest := data.size - trailerBytes - x.large
	if rest < 0 || rest%8 != 0 {
		return nil, data.malformed("has %d bytes, which do not fit %d objects", data.size, n)
	}
	x.larges = rest / 8
	return x, nil
}

func (x *index) find(id ID) (uint64, bool, error) {
	i, found := x.ids.position(id)
	if !found {
		return 0, false, nil
	}
	raw, err := x.data.slice(x.offsets+4*i, 4)
	if err != nil {
		return 0, false, err
	}
	offset := uint64(binary.BigEndian.Uint32(raw))
	if offset < largeOffset {
		return offset, true, nil
	}
	offset, err = readLarge(x.data, x.large, x.larges, int64(offset-largeOffset))
	return offset, true, err
}

// readLarge reads the i-th 64-bit offset.
func readLarge(data *file, start, count, i int64) (uint64, error) {
	if i >= count {
		return 0, data.malformed("points past its 64-bit offsets")
	}
	raw, err := data.slice(start+8*i, 8)
	if err != nil {
		return 0, err
	}
	return binary.BigEndian.Uint64(raw), nil
}

// pack is a pack, opened when first needed, and its own index, which a pack
// that a multi-pack index covers doesn't need.
type pack struct {
	base   string // path without ending
	number int
	once   sync.Once
	err    error
	index  *index
	data   *file
	end    int64 // where the trailer begins
}

const packHeader = 12

func (p *pack) open() error {
	p.once.Do(func() { p.err = p.load() })
	return p.err
}

func (p *pack) load() (err error) {
	if p.data, err = openFile(p.base + ".pack"); err != nil {
		return err
	}
	head, err := p.data.slice(0, packHeader)
	if err != nil || !bytes.Equal(head[:4], []byte("PACK")) {
		return p.data.malformed("is not a pack")
	}
	if v := binary.BigEndian.Uint32(head[4:]); v != 2 && v != 3 {
		return p.data.malformed("is a pack of the unknown version %d", v)
	}
	if n := binary.BigEndian.Uint32(head[8:]); p.index != nil && int64(n) != p.index.ids.count() {
		return p.data.malformed("holds %d objects, its index lists %d", n, p.index.ids.count())
	}
	p.end = p.data.size - idBytes
	if p.end < packHeader {
		return p.data.malformed("is truncated")
	}
	return nil
}

func (p *pack) close() error {
	p.once.Do(func() {}) // a store that is closed opens nothing any more
	if p.index != nil {
		return errors.Join(p.index.data.close(), p.data.close())
	}
	return p.data.close()
}
