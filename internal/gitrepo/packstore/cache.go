package packstore

import "container/list"

// key is an object's place.
type key struct {
	pack   int
	offset uint64
}

// cached is one inflated object.
type cached struct {
	key     key
	kind    Kind
	content []byte
}

// cache keeps the objects used last, up to a number of bytes.
type cache struct {
	limit, used int
	entries     map[key]*list.Element
	order       *list.List // front: used last
}

func newCache(limit int) *cache {
	return &cache{limit: limit, entries: map[key]*list.Element{}, order: list.New()}
}

func (c *cache) get(k key) (Kind, []byte, bool) {
	element, ok := c.entries[k]
	if !ok {
		return 0, nil, false
	}
	c.order.MoveToFront(element)
	entry := element.Value.(*cached)
	return entry.kind, entry.content, true
}

// put keeps an object, unless it alone would fill a quarter of the cache.
func (c *cache) put(k key, kind Kind, content []byte) {
	if len(content) > c.limit/4 || c.entries[k] != nil {
		return
	}
	c.entries[k] = c.order.PushFront(&cached{k, kind, content})
	c.used += len(content) + entryOverhead
	for c.used > c.limit {
		last := c.order.Back()
		entry := c.order.Remove(last).(*cached)
		delete(c.entries, entry.key)
		c.used -= len(entry.content) + entryOverhead
	}
}

// entryOverhead is about what an entry costs beside its content, so that many
// tiny objects stay within the limit too.
const entryOverhead = 200
