package strictyaml

import "github.com/fleetgate/fleetgate/internal/value"

// flowCollection makes the value of [a, b] or {a: b}.
func (c *composer) flowCollection(n *node) composed {
	made := composed{Value: &value.Value{Kind: value.List, Items: []*value.Value{}}}
	if n.isMap() {
		made = c.flowMap(n)
	} else {
		c.flowList(&made, n)
	}
	c.flowClose(n)
	if n.closed != nil {
		made.End = c.endOf(*n.closed)
	}
	return made
}

func (c *composer) flowMap(n *node) composed {
	m := c.newMapping(len(n.items))
	for i, it := range n.items {
		if p, some := c.flowEntry(n, i, it); some {
			c.flowPair(m, n, it, p)
		}
	}
	return c.finish(m)
}

// flowList reads values, and pairs that are mappings by themselves.
func (c *composer) flowList(list *composed, n *node) {
	for i, it := range n.items {
		p, some := c.flowEntry(n, i, it)
		if !some {
			continue
		}
		entry := composed{}
		if it.paired || p.found != nil {
			entry = c.listPair(n, it, p)
		} else {
			entry = c.node(it.value, p, n.head)
			c.noBlock(it.value)
		}
		list.Items = append(list.Items, entry.Value)
		list.raise(entry)
	}
}

// listPair makes a mapping of one pair, which needs no braces in a flow list.
func (c *composer) listPair(n *node, it *item, p props) composed {
	if p.found == nil && it.key.multiline(c.text) {
		c.fail(it.key.head, "a key within a flow list must stand on one line", "put braces around the pair")
	}
	m := c.newMapping(1)
	m.Pos = c.pos(keyToken(it, p))
	c.count(1, n.head)
	c.flowPair(m, n, it, p)
	m.height++
	return c.finish(m)
}

func (c *composer) flowClose(n *node) {
	if c.failed() {
		return
	}
	want := kindListClose
	if n.isMap() {
		want = kindMapClose
	}
	if n.closed.kind != want {
		c.unclosed(n, *n.closed)
	}
	c.checkEnd(n.end)
}

// flowEntry reads what stands before the i-th entry; false where there is
// no entry, only white space or the comma behind the last.
func (c *composer) flowEntry(n *node, i int, it *item) (p props, some bool) {
	if c.failed() {
		return p, false
	}
	where := place{flow: true, indicator: kindQuestion, next: nextOf(it.key, it.sep), parentIndent: n.indent}
	p = c.readProps(it.start, where, startOf(it, n))
	some = p.found != nil || p.anchor != nil || p.tag != nil || it.paired || it.value != nil
	c.commas(p, n, i, it, some)
	return p, some && !c.failed()
}

// commas refuses a comma too many or too few before an entry.
func (c *composer) commas(p props, n *node, i int, it *item, some bool) {
	switch {
	case p.comma != nil && i == 0:
		c.fail(*p.comma, "there is nothing before this comma", "take it out")
	case !some && i < len(n.items)-1:
		c.fail(n.head, "an entry of this collection is empty", "take out the comma that is too many")
	case some && i > 0 && p.comma == nil:
		c.fail(firstOf(it), "a comma is missing before this entry", "write the comma, or quote a text that holds one of , [ ] { }")
	}
}

func (c *composer) noBlock(n *node) {
	if n.isBlock() {
		c.fail(n.head, `this value in a flow collection holds ": " and so would be a mapping`, "quote the value, or put braces around it")
	}
}

// flowPair reads one pair of a flow collection.
func (c *composer) flowPair(m *mapping, n *node, it *item, p props) {
	keyAt := keyToken(it, p)
	key := c.node(it.key, p, keyAt)
	c.noBlock(it.key)
	where := place{flow: true, indicator: kindColon, next: nextOf(it.value, nil), parentIndent: n.indent}
	v := c.readProps(it.sep, where, 0)
	switch {
	case v.found != nil && !n.isMap() && p.found == nil:
		c.flowListKey(it, p, v)
	case v.found == nil && it.value != nil:
		c.fail(it.value.head, "a comma, or a colon and a space, is missing before this text", "write it, or quote the whole text")
	}
	if n.isMap() {
		c.unique(m, key, keyAt)
	}
	var content composed
	if it.value != nil || v.found != nil {
		content = c.node(it.value, v, keyAt)
	} else {
		content = c.absent(key)
	}
	c.noBlock(it.value)
	c.put(m, key, content, keyAt)
}

// flowListKey holds the key of a pair in a flow list against its rules.
func (c *composer) flowListKey(it *item, p, v props) {
	for _, t := range it.sep {
		if t.kind == kindColon {
			break
		}
		if t.kind == kindNewline {
			c.fail(*v.found, "a key within a flow list must stand on one line with its colon", "put braces around the pair")
		}
	}
	c.keyLength(p.start, *v.found)
}
