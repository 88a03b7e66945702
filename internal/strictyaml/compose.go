package strictyaml

import (
	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/value"
)

// composer makes values of nodes, and holds them against the rules that look
// at more than one token.
type composer struct {
	*source
	*room
	anchors map[string]*anchor
	uses    []*anchor // what each alias so far stands for, in order
	scalars int       // how many scalars were made
	size    int       // how many values the document stands for so far
	nested  bool      // some collection has begun

	duplicates int // keys that stood twice
}

// composed is a value, and what is known of it besides.
type composed struct {
	*value.Value
	height int     // how many collections are nested in it, itself included
	id     keyID   // of a scalar
	node   *node   // nil for what isn't written
	alias  *anchor // what an alias stands for
}

// composeDocument makes the value of a whole document.
func (c *composer) composeDocument(doc *node) *value.Value {
	it := doc.items[0]
	where := place{indicator: kindDocStart, next: nextOf(it.value, doc.end), freshLine: true}
	p := c.readProps(it.start, where, doc.head.end)
	if p.found != nil && it.value.isBlock() && !p.newline {
		c.fail(it.value.head, "a block mapping or list cannot start on the line of ---", "start it on the next line")
	}
	root := c.node(it.value, p, doc.head)
	for _, t := range doc.end {
		if !t.isBlank() {
			c.unexpected(t)
		}
	}
	return root.Value
}

// node makes the value of n with the properties p. Where n is nil the value is
// an empty one behind the token after.
func (c *composer) node(n *node, p props, after token) composed {
	if c.failed() {
		return composed{Value: value.NewNull()}
	}
	if n != nil && n.shape == shapeScalar && n.head.kind == kindAlias {
		return c.aliasNode(n, p)
	}
	c.count(1, p.at(after))
	a := c.declare(p)
	made := c.content(n, p, after)
	if a != nil {
		c.complete(a, made)
	}
	return made
}

// at gives the token behind which an empty value stands.
func (p props) at(after token) token {
	if p.end.kind != kindEnd {
		return p.end
	}
	return after
}

func (c *composer) content(n *node, p props, after token) composed {
	switch {
	case n == nil:
		pos := c.endOf(p.at(after))
		return c.scalar(kindPlain, "", p, pos, pos)
	case n.shape == shapeScalar:
		return c.flowScalar(n, p)
	case n.shape == shapeBlockText:
		return c.blockScalar(n, p)
	}
	c.nested = true
	return c.collection(n, p)
}

func (c *composer) collection(n *node, p props) composed {
	var made composed
	switch n.shape {
	case shapeBlockMap:
		made = c.blockMap(n)
	case shapeBlockList:
		c.newlineBeforeList(n, p)
		made = c.blockList(n)
	default:
		made = c.flowCollection(n)
	}
	if p.tag != nil {
		c.collectionTag(*p.tag, made.Kind)
	}
	made.Pos = c.pos(n.head)
	if made.End.Line == 0 {
		made.End = c.endOf(n.head)
	}
	made.height++
	made.node = n
	c.checkHeight(made, made.Pos)
	return made
}

// newlineBeforeList refuses properties on the line of a block list's first item.
func (c *composer) newlineBeforeList(n *node, p props) {
	last := p.anchor
	if last == nil || p.tag != nil && p.tag.start > last.start {
		last = p.tag
	}
	if last != nil && (p.newlineProp == nil || p.newlineProp.start < last.start) {
		c.fail(n.head, "a block list must start on a line below its anchor and tag", "put a line end behind them")
	}
}

func (c *composer) blockList(n *node) composed {
	list := composed{Value: &value.Value{Kind: value.List, Items: []*value.Value{}}}
	for _, it := range n.items {
		where := place{indicator: kindDash, next: nextOf(it.value, nil), parentIndent: n.indent, freshLine: true}
		p := c.readProps(it.start, where, n.head.start)
		if p.found == nil {
			if p.anchor == nil && p.tag == nil && it.value == nil {
				continue
			}
			c.fail(firstOf(it), `this item of a list lacks its "- ", or stands at another column than the others`, `start every item at the same column with "- "`)
		}
		item := c.node(it.value, p, n.head)
		list.Items = append(list.Items, item.Value)
		list.raise(item)
	}
	return list
}

// raise keeps height and end of a collection that child is the last part of so far.
func (m *composed) raise(child composed) {
	m.height = max(m.height, child.height)
	if child.alias != nil {
		return
	}
	m.End = child.End
}

// firstOf gives the token at which an item of a block collection starts.
func firstOf(it *item) token {
	for _, t := range it.start {
		if !t.isBlank() {
			return t
		}
	}
	for _, n := range []*node{it.key, it.value} {
		if n != nil {
			return n.head
		}
	}
	if len(it.sep) > 0 {
		return it.sep[0]
	}
	return token{line: 1, column: 1}
}

// flowScalar makes the value of a plain or quoted scalar.
func (c *composer) flowScalar(n *node, p props) composed {
	text := c.scalarText(n.head)
	c.checkEnd(n.end)
	made := c.scalar(n.head.kind, text, p, c.pos(n.head), c.endOf(n.head))
	made.node = n
	return made
}

// scalar makes the value of a scalar's text by its tag, or else by the core schema.
func (c *composer) scalar(k kind, text string, p props, pos, end diag.Pos) composed {
	c.scalars++
	v := untaggedScalar(k, text)
	if p.tag != nil {
		v = c.taggedScalar(*p.tag, k, text)
	}
	v.Pos, v.End = pos, end
	return composed{Value: v, id: idOf(v)}
}

// count adds values to the size of the document.
func (c *composer) count(values int, at token) {
	c.size += values
	if c.size > MaxNodes {
		c.tooMany(at)
	}
}
