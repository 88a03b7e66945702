package strictyaml

import (
	"slices"
	"strings"
)

// shape is what a node is.
type shape uint8

const (
	shapeDocument  shape = iota + 1
	shapeScalar          // or alias, as head.kind says
	shapeBlockText       // | or >
	shapeBlockMap
	shapeBlockList
	shapeFlow // list or mapping, as head.kind says
)

// node is a piece of the document's syntax before any rule on values is held
// against it.
type node struct {
	shape  shape
	head   token // its first token; of a flow collection, the opening bracket
	indent int
	items  []*item // of a collection, or the one of a document
	closed *token  // the closing bracket of a flow collection
	props  []token // of a block text: its header and what follows it on the line
	text   token   // of a block text: its lines
	end    []token // what stands behind it up to the line end

	measured, breaks bool // what multiline found
}

// item is one entry of a collection.
type item struct {
	start    []token // before the key, or before a list's value
	key      *node
	sep      []token // between key and value
	value    *node
	explicit bool // the key is marked with ?
	paired   bool // sep counts, even if it is empty: a key or a colon was read
}

func (n *node) last() *item {
	if len(n.items) == 0 {
		return nil
	}
	return n.items[len(n.items)-1]
}

func (n *node) add(it *item) { n.items = append(n.items, it) }

func (n *node) isMap() bool { return n.shape == shapeFlow && n.head.kind == kindMapOpen }

func (n *node) isBlock() bool {
	return n != nil && (n.shape == shapeBlockMap || n.shape == shapeBlockList)
}

// before gives the tokens that may hold properties of the value that comes next.
func (n *node) before() *[]token {
	it := n.last()
	switch {
	case n.shape == shapeFlow:
		return nil
	case n.shape == shapeBlockMap && it.paired:
		return &it.sep
	}
	return &it.start
}

// multiline says whether n, as a key, goes over a line end. What stands behind
// the brackets of a collection in it doesn't count.
func (n *node) multiline(text string) bool {
	if n == nil {
		return false
	}
	if !n.measured {
		n.measured, n.breaks = true, n.hasBreak(text)
	}
	return n.breaks
}

func (n *node) hasBreak(text string) bool {
	switch n.shape {
	case shapeScalar:
		return has(n.end, kindNewline) || strings.Contains(text[n.head.start:n.head.end], "\n")
	case shapeFlow:
		return slices.ContainsFunc(n.items, func(it *item) bool {
			return has(it.start, kindNewline) || has(it.sep, kindNewline) || it.key.multiline(text) || it.value.multiline(text)
		})
	}
	return true
}
