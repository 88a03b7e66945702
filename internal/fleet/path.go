package fleet

import (
	"slices"
	"strconv"
	"strings"
)

// segment is one step into a value: a mapping's key, or a list's index.
type segment struct {
	key   string
	index int // -1 for a key
}

// path is the way from a document's root to a value: steps[2].check.writes[0].
type path []segment

// String writes the way as a finding's Field has it.
func (p path) String() string {
	var text strings.Builder
	for i, s := range p {
		if s.index >= 0 {
			text.WriteString("[" + strconv.Itoa(s.index) + "]")
			continue
		}
		if i > 0 {
			text.WriteByte('.')
		}
		text.WriteString(s.key)
	}
	return text.String()
}

func (p path) with(key string) path {
	return append(slices.Clip(p), segment{key: key, index: -1})
}

func (p path) at(index int) path {
	return append(slices.Clip(p), segment{index: index})
}

// stepPath is the way to a step, or to one of its parts or keys.
func stepPath(step int, keys ...string) path {
	p := path{{key: "steps", index: -1}, {index: step}}
	for _, key := range keys {
		if key != "" {
			p = p.with(key)
		}
	}
	return p
}
