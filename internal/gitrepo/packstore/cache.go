package packstore

import (
	"encoding/binary"
	"math/bits"
)

// The bounds of what one reader keeps.
const (
	// CacheBytes bounds the inflated objects that one reader keeps: 4 MiB.
	CacheBytes = 4 << 20
	// MaxCacheBytes is the most that one reader keeps of inflated objects which
	// are so large that fewer than 128 would fit otherwise: 64 MiB.
	MaxCacheBytes = 64 << 20

	minKept    = 128     // about two chains of deltas, as git writes them
	maxSpare   = 1 << 20 // bytes of room that waits to be used again
	objectCost = 192     // about what an object takes beside its content
	slots      = 1 << 11 // of the table of ids
)

// Object is an inflated object in a Reader's cache. It stays as it is while
// somebody holds it; its room may be another object's after that.
type Object struct {
	Kind    Kind
	Content []byte // may not be changed

	// Note is what a holder made of the content. With Noted false it is a
	// former object's, and only good for its room.
	Note  any
	Noted bool

	id           ID
	at           place
	listed       bool
	holders      int
	cost         int // bytes
	newer, older *Object
}

// place is where an object is stored.
type place struct {
	pack   int // outside, if it comes from no pack
	offset uint64
}

const outside = -1

// Release ends what Hold began.
func (o *Object) Release() {
	if o != nil {
		o.holders--
	}
}

// cache keeps the objects used last. It is not safe for concurrent use.
type cache struct {
	at     map[place]*Object
	byID   [slots]*Object // the last object that was asked for by an id of this slot
	ends   Object         // of the ring of all that are listed
	limit  int            // bytes
	most   int            // bytes, where fewer than minKept objects would fit
	used   int            // bytes of what is listed
	count  int
	spare  int // bytes of room
	spares map[int][]*Object
}

func newCache() *cache {
	c := &cache{limit: CacheBytes, most: MaxCacheBytes, at: map[place]*Object{}, spares: map[int][]*Object{}}
	c.ends.newer, c.ends.older = &c.ends, &c.ends
	return c
}

// stored gives the object that is stored at a place, as the one used last.
func (c *cache) stored(at place) *Object {
	o := c.at[at]
	if o != nil {
		c.touch(o)
	}
	return o
}

// named gives an object by its id, if it was asked for lately.
func (c *cache) named(id ID) *Object {
	o := c.byID[slotOf(id)]
	if o == nil || o.id != id || !o.listed {
		return nil
	}
	c.touch(o)
	return o
}

func (c *cache) name(o *Object, id ID) {
	o.id = id
	c.byID[slotOf(id)] = o
}

func slotOf(id ID) int { return int(binary.LittleEndian.Uint16(id[:])) % slots }

// add lists an object and gives up what was used longest ago and is too much.
func (c *cache) add(o *Object, at place) {
	o.at, o.listed, o.cost = at, true, cap(o.Content)+objectCost
	if at.pack != outside {
		c.at[at] = o
	}
	c.link(o)
	c.used += o.cost
	c.count++
	c.shrink(0)
}

// grew says that an object's note takes so many bytes.
func (c *cache) grew(o *Object, bytes int) {
	if !o.listed {
		return
	}
	cost := cap(o.Content) + objectCost + bytes
	c.used += cost - o.cost
	o.cost = cost
	c.shrink(0)
}

// shrink gives up objects until there is room for so many bytes more. Those
// that are held stay.
func (c *cache) shrink(more int) {
	for o := c.ends.newer; o != &c.ends && c.tooMuch(more); {
		next := o.newer
		if o.holders == 0 {
			c.remove(o)
		}
		o = next
	}
}

func (c *cache) tooMuch(more int) bool {
	used := c.used + c.spare + more
	return used > c.limit && (c.count > minKept || used > c.most)
}

func (c *cache) remove(o *Object) {
	c.unlink(o)
	c.used -= o.cost
	c.count--
	if o.at.pack != outside {
		delete(c.at, o.at)
	}
	if slot := &c.byID[slotOf(o.id)]; *slot == o {
		*slot = nil
	}
	o.listed = false
	c.giveBack(o)
}

// room gives an unlisted object with a content of n bytes, of any value.
func (c *cache) room(n int) *Object {
	size := roomFor(n)
	c.shrink(size)
	if spares := c.spares[size]; len(spares) > 0 {
		last := len(spares) - 1
		o := spares[last]
		c.spares[size] = spares[:last]
		c.spare -= size
		o.Content = o.Content[:n]
		return o
	}
	return &Object{Content: make([]byte, n, size)}
}

// giveBack keeps an unlisted object's room for another, if it is like the
// rooms that are made here. Where that would be too many, the others are of
// sizes that nobody asks for.
func (c *cache) giveBack(o *Object) {
	size := cap(o.Content)
	if size != roomFor(size) || size > maxSpare {
		return
	}
	if c.spare+size > maxSpare {
		c.spare = 0
		clear(c.spares)
	}
	o.Noted, o.holders = false, 0
	c.spare += size
	c.spares[size] = append(c.spares[size], o)
}

// roomFor rounds a size up by less than an eighth, so that rooms can be used again.
func roomFor(n int) int {
	const least, steps = 64, 4 // a room's size has at most so many bits that count
	if n <= least {
		return least
	}
	unit := 1 << (bits.Len(uint(n-1)) - steps)
	return (n + unit - 1) / unit * unit
}

func (c *cache) touch(o *Object) {
	if c.ends.older != o {
		c.unlink(o)
		c.link(o)
	}
}

// link makes an object the one used last: the ring's end is older than it.
func (c *cache) link(o *Object) {
	o.newer, o.older = &c.ends, c.ends.older
	o.older.newer, c.ends.older = o, o
}

func (c *cache) unlink(o *Object) { o.newer.older, o.older.newer = o.older, o.newer }
