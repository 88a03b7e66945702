package strictyaml

import (
	"fmt"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/value"
)

// MaxKeyUnits is how many UTF-16 units may lie between the start of a key that
// isn't marked with ? and its colon.
const MaxKeyUnits = 1024

// MaxDuplicates is how many keys that stand twice are reported one by one.
const MaxDuplicates = 100

// mapping collects the pairs of one mapping.
type mapping struct {
	composed
	*keys
}

// keys is what is known of a mapping's keys while it is read.
type keys struct {
	places table[string, int]     // text of a key: its place among the members
	first  table[keyID, diag.Pos] // where a key stood first
}

// newMapping begins a mapping of so many pairs, or fewer.
func (c *composer) newMapping(pairs int) *mapping {
	return &mapping{
		composed: composed{Value: &value.Value{Kind: value.Map, Members: make([]value.Member, 0, pairs)}},
		keys:     c.borrowKeys(),
	}
}

// unique reports a key that the mapping has already. at is where the key stands.
func (c *composer) unique(m *mapping, key composed, at token) {
	if key.id == (keyID{}) || c.failed() {
		return
	}
	first, twice := m.first.get(key.id)
	if !twice {
		m.first.put(key.id, c.pos(at))
		return
	}
	if c.duplicates++; c.duplicates > MaxDuplicates {
		c.fail(at, fmt.Sprintf("more than %d keys stand twice", MaxDuplicates), "keep one of each two")
		return
	}
	message := "the key " + quote(keyText(key.Value)) + " stands twice in one mapping"
	c.found = append(c.found, diag.New(c.invalid, c.pos(at), "", message).
		WithHint("keep one of the two").WithRelated(first, "first written here"))
}

// put adds a pair. Of two keys with one text the later value wins, in the place of the first.
func (c *composer) put(m *mapping, key, content composed, at token) {
	if c.failed() {
		return
	}
	text := keyText(key.Value)
	if key.Kind == value.List || key.Kind == value.Map {
		text = c.collectionKey(key, at)
	}
	member := value.Member{Key: text, KeyPos: key.Pos, Value: content.Value}
	if key.alias != nil {
		member.KeyPos = c.pos(at)
	}
	if i, known := m.places.get(text); known {
		m.Members[i] = member
	} else {
		m.places.put(text, len(m.Members))
		m.Members = append(m.Members, member)
	}
	m.raise(key)
	m.raise(content)
}

// finish ends a mapping.
func (c *composer) finish(m *mapping) composed {
	value.OrderKeys(m.Members)
	c.giveBack(m.keys)
	return m.composed
}

func (c *composer) blockMap(n *node) composed {
	m := c.newMapping(len(n.items))
	blank, pair := false, false
	for _, it := range n.items {
		if c.failed() {
			break
		}
		pair = c.blockPair(m, n, it)
		blank = blank || !pair
	}
	if blank && pair { // the runtime takes the blank lines for the mapping's end
		c.fail(firstOf(n.last()), "a list or mapping cannot be the key behind an empty line or a comment", "write a text as the key, in quotes")
	}
	return c.finish(m)
}

// blockPair reads one pair of a block mapping. It is false where there is
// nothing but blanks.
func (c *composer) blockPair(m *mapping, n *node, it *item) bool {
	where := place{indicator: kindQuestion, next: nextOf(it.key, it.sep), parentIndent: n.indent, freshLine: true}
	p := c.readProps(it.start, where, startOf(it, n))
	implicit := p.found == nil
	if implicit && c.skipsKey(n, it, p) {
		return false
	}
	if !implicit && p.found.indent != n.indent {
		c.unevenKeys(*p.found)
	}
	keyAt := keyToken(it, p)
	key := c.node(it.key, p, keyAt)
	c.unique(m, key, keyAt)

	where = place{indicator: kindColon, next: nextOf(it.value, nil), parentIndent: n.indent, freshLine: it.key == nil || it.key.shape == shapeBlockText}
	v := c.readProps(it.sep, where, 0)
	if v.found == nil { // the runtime ignores what follows a marked key without a colon
		c.put(m, key, c.absent(key), keyAt)
		return true
	}
	if implicit {
		c.implicitKey(it, p, v)
	}
	c.put(m, key, c.node(it.value, v, keyAt), keyAt)
	return true
}

// absent is the null of a key that has no value.
func (c *composer) absent(key composed) composed {
	return composed{Value: &value.Value{Kind: value.Null, Pos: key.End, End: key.End}}
}

// startOf gives the byte at which the key of it begins, without properties.
func startOf(it *item, n *node) int {
	switch {
	case it.key != nil:
		return it.key.head.start
	case len(it.sep) > 0:
		return it.sep[0].start
	}
	return n.head.start
}

// keyToken gives the token that stands for a key in messages.
func keyToken(it *item, p props) token {
	switch {
	case it.key != nil:
		return it.key.head
	case p.end.kind != kindEnd:
		return p.end
	case len(it.sep) > 0:
		return it.sep[0]
	}
	return token{line: 1, column: 1}
}

// skipsKey holds a key that isn't marked with ? against its rules. It is true
// where there is no key at all, only white space.
func (c *composer) skipsKey(n *node, it *item, p props) bool {
	if it.key != nil {
		if it.key.shape == shapeBlockList {
			c.fail(it.key.head, "a list of lines cannot be a key", "write key: before it, and indent it")
		} else if it.key.indent != n.indent {
			c.unevenKeys(it.key.head)
		}
	}
	if p.anchor == nil && p.tag == nil && !it.paired {
		return true
	}
	if !has(it.sep, kindColon) {
		c.noPair(keyToken(it, p))
	}
	if p.newlineProp != nil || it.key.multiline(c.text) {
		c.fail(keyToken(it, p), "a key must stand on one line, with its colon", `write "key: value" on one line, or indent the line to join it to the value before`)
	}
	return false
}

func (c *composer) noPair(t token) {
	c.fail(t, "this line is no pair of a key and a value: a key is followed by a colon and a space",
		`write "key: value"; a line that goes on with the value before it is indented more than its key`)
}

func (c *composer) unevenKeys(t token) {
	c.fail(t, "all keys of a mapping must start at the same column", "give this line the indentation of the keys before it")
}

// implicitKey holds the pair of a key that isn't marked with ? against its rules.
func (c *composer) implicitKey(it *item, p, v props) {
	if it.value != nil && it.value.shape == shapeBlockMap && !v.newline {
		c.mappingOnKeyLine(it.value)
	}
	c.keyLength(p.start, *v.found)
}

func (c *composer) mappingOnKeyLine(n *node) {
	first := n.items[0]
	if first.key.multiline(c.text) && len(first.sep) > 0 {
		c.fail(first.sep[len(first.sep)-1], `this line is indented more than the key above it, so it goes on with that key's value, which cannot hold ": "`, "give the line the indentation of the keys above it, or quote the value")
		return
	}
	c.fail(n.head, "a mapping cannot start on the line of its key", `quote a text that holds ": "; start a mapping on the next line`)
}

// keyLength refuses a key that is too long to be one.
func (c *composer) keyLength(start int, colon token) {
	const bytesOfUnit = 3 // at most, in UTF-8
	length := colon.start - start
	if length <= MaxKeyUnits || length <= MaxKeyUnits*bytesOfUnit && value.UTF16Len(c.text[start:colon.start]) <= MaxKeyUnits {
		return
	}
	c.fail(colon, "a key must be followed by its colon within 1024 characters", `shorten the key`)
}
