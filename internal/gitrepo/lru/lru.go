// Package lru keeps the values that were used last, up to a number of bytes.
package lru

// Cache keeps values by key. It is not safe for concurrent use.
type Cache[K comparable, V any] struct {
	limit, used    int // bytes
	entries        map[K]*entry[K, V]
	newest, oldest *entry[K, V]
}

// entry is one value, a link of the list of all.
type entry[K comparable, V any] struct {
	key          K
	value        V
	cost         int
	newer, older *entry[K, V]
}

// entryBytes is about what an entry takes beside its value, so that many tiny
// values stay within the limit too.
const entryBytes = 160

// New gives an empty cache of at most limit bytes.
func New[K comparable, V any](limit int) *Cache[K, V] {
	return &Cache[K, V]{limit: limit, entries: map[K]*entry[K, V]{}}
}

// Get gives a value, which then counts as used last.
func (c *Cache[K, V]) Get(key K) (V, bool) {
	at, ok := c.entries[key]
	if !ok {
		var none V
		return none, false
	}
	if at != c.newest {
		c.unlink(at)
		c.link(at)
	}
	return at.value, true
}

// Put keeps a value of so many bytes, unless the key has one already or it
// alone would take more than half of the cache.
func (c *Cache[K, V]) Put(key K, value V, bytes int) {
	if _, ok := c.entries[key]; ok || bytes > c.limit/2 {
		return
	}
	added := &entry[K, V]{key: key, value: value, cost: bytes + entryBytes}
	c.entries[key] = added
	c.link(added)
	c.used += added.cost
	for c.used > c.limit {
		last := c.oldest
		c.unlink(last)
		delete(c.entries, last.key)
		c.used -= last.cost
	}
}

// Len is the number of values.
func (c *Cache[K, V]) Len() int { return len(c.entries) }

// Bytes is what the values take, at most the limit.
func (c *Cache[K, V]) Bytes() int { return c.used }

// link makes an entry the one used last.
func (c *Cache[K, V]) link(at *entry[K, V]) {
	at.newer, at.older = nil, c.newest
	if c.newest != nil {
		c.newest.newer = at
	}
	c.newest = at
	if c.oldest == nil {
		c.oldest = at
	}
}

func (c *Cache[K, V]) unlink(at *entry[K, V]) {
	if at.newer != nil {
		at.newer.older = at.older
	} else {
		c.newest = at.older
	}
	if at.older != nil {
		at.older.newer = at.newer
	} else {
		c.oldest = at.newer
	}
}
