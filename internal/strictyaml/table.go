package strictyaml

// few is up to how many keys a table is searched one by one.
const few = 16

// table is a map that costs little while it is small, as most mappings are.
type table[K comparable, V any] struct {
	entries []entry[K, V]
	index   map[K]int // among entries, once there are more than a few
}

type entry[K comparable, V any] struct {
	key   K
	value V
}

// get gives a key's value, if it has one.
func (t *table[K, V]) get(key K) (value V, ok bool) {
	if t.index != nil {
		i, ok := t.index[key]
		if !ok {
			return value, false
		}
		return t.entries[i].value, true
	}
	for i := range t.entries {
		if t.entries[i].key == key {
			return t.entries[i].value, true
		}
	}
	return value, false
}

// empty forgets all keys of a table that has a few, and keeps their room.
func (t *table[K, V]) empty() {
	clear(t.entries)
	t.entries = t.entries[:0]
}

// put gives a value to a key that has none.
func (t *table[K, V]) put(key K, value V) {
	t.entries = append(t.entries, entry[K, V]{key, value})
	switch {
	case t.index != nil:
		t.index[key] = len(t.entries) - 1
	case len(t.entries) > few:
		t.index = make(map[K]int, 2*len(t.entries))
		for i := range t.entries {
			t.index[t.entries[i].key] = i
		}
	}
}
