package strictyaml

import (
	"math"
	"strconv"
	"strings"

	"github.com/fleetgate/fleetgate/internal/value"
)

// keyID is equal for scalars that are one key, as the runtime compares resolved
// values: 1, 1.0 and 0x1 are, 1 and "1" are not. The zero keyID equals no key.
type keyID struct {
	kind value.Kind
	text string
}

// idOf gives the identity of a scalar as a key; NaN has none.
func idOf(v *value.Value) keyID {
	if v.Kind == value.Number && math.IsNaN(v.Number) {
		return keyID{}
	}
	return keyID{v.Kind, keyText(v)}
}

// keyText gives the string that a scalar key becomes in the runtime's object.
func keyText(v *value.Value) string {
	switch v.Kind {
	case value.String:
		return v.Text
	case value.Bool:
		return strconv.FormatBool(v.Bool)
	case value.Number:
		return value.FormatNumber(v.Number)
	}
	return ""
}

// maxCollectionKey is how long a list or mapping may be, written out, that
// stands as a key: the runtime breaks longer ones, and those that go over
// several lines, in its own way.
const maxCollectionKey = 60

// simpleKeyPart is a scalar that the runtime writes into such a key as it stands.
var simpleKeyPart = lazyRegexp(`^(?:[A-Za-z_][A-Za-z0-9_./-]*(?: [A-Za-z0-9_./]+)*|0|-?[1-9][0-9]{0,14})$`)

// collectionKey gives the string that a list or mapping becomes as a key: the
// runtime writes it out, "[ a, b ]" or "{ a: 1 }". One that isn't simple is refused.
func (c *composer) collectionKey(key composed, at token) string {
	text, ok := "", key.alias == nil && key.End.Line == key.Pos.Line
	if ok {
		text, ok = c.writeKey(key.node)
	}
	if !ok || len(text) > maxCollectionKey {
		c.fail(at, "a list or mapping is a key here, which has no name that policy could use", "write a text as the key, in quotes")
	}
	return text
}

func (c *composer) writeKey(n *node) (string, bool) {
	switch {
	case n == nil:
		return "", false
	case n.shape == shapeScalar:
		text := c.textOf(n.head)
		return text, n.head.kind == kindPlain && simpleKeyPart().MatchString(text) && allBlank(n.end) && !has(n.end, kindComment)
	case n.shape == shapeBlockText:
		return "", false
	}
	var parts []string
	isMap := n.isMap() || n.shape == shapeBlockMap
	for _, it := range n.items {
		part, ok := c.writeEntry(it, isMap)
		if !ok {
			return "", false
		}
		parts = append(parts, part)
	}
	opening, closing := "[", "]"
	if isMap {
		opening, closing = "{", "}"
	}
	if len(parts) == 0 {
		return opening + closing, true
	}
	return opening + " " + strings.Join(parts, ", ") + " " + closing, true
}

// writeEntry writes one entry that has neither properties nor comments.
func (c *composer) writeEntry(it *item, isMap bool) (string, bool) {
	for _, list := range [][]token{it.start, it.sep} {
		if has(list, kindAnchor) || has(list, kindTag) || has(list, kindComment) {
			return "", false
		}
	}
	content, ok := c.writeKey(it.value)
	if !ok || !isMap {
		return content, ok && !it.paired
	}
	key, ok := c.writeKey(it.key)
	return key + ": " + content, ok && it.key.shape == shapeScalar
}
