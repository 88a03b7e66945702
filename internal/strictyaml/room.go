package strictyaml

import "sync"

// room holds what the reading of one text makes on the way to its value. None
// of it outlives the reading, so that the next one may use it again.
type room struct {
	tokens []token
	nodes  slab[node]
	items  slab[item]
	keys   []*keys // that no mapping uses
}

// rooms are those that no reading uses.
var rooms = sync.Pool{New: func() any { return new(room) }}

// maxRoom is how many tokens, nodes or items a room may hold that is kept: a
// policy file has some hundreds. A larger one is left to the garbage collector.
const maxRoom = 1 << 12

// maxSpareKeys is of how many mappings the room for keys is kept.
const maxSpareKeys = 64

// free gives a room back, empty. Nothing of it may be in use.
func (r *room) free() {
	if cap(r.tokens) > maxRoom || cap(r.nodes.last) > maxRoom || cap(r.items.last) > maxRoom {
		return
	}
	r.nodes.empty()
	r.items.empty()
	rooms.Put(r)
}

// borrowKeys gives a mapping room for its keys.
func (r *room) borrowKeys() *keys {
	if len(r.keys) == 0 {
		return new(keys)
	}
	last := len(r.keys) - 1
	k := r.keys[last]
	r.keys = r.keys[:last]
	return k
}

// giveBack takes the keys of a mapping that is read.
func (r *room) giveBack(k *keys) {
	if k.places.index != nil || k.first.index != nil || len(r.keys) == maxSpareKeys {
		return // many keys, which are rare
	}
	k.places.empty()
	k.first.empty()
	r.keys = append(r.keys, k)
}

// slab makes many values of one type by few allocations. They stay where they are.
type slab[T any] struct{ last []T }

// leastSlab is how many values the first allocation has room for.
const leastSlab = 64

// put gives the place of a value.
func (s *slab[T]) put(v T) *T {
	if len(s.last) == cap(s.last) {
		s.last = make([]T, 0, max(leastSlab, 2*cap(s.last)))
	}
	s.last = append(s.last, v)
	return &s.last[len(s.last)-1]
}

// empty forgets all values, and keeps the room of the last.
func (s *slab[T]) empty() {
	clear(s.last)
	s.last = s.last[:0]
}
