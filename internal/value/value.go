// Package value is the one tree of typed, positioned values behind YAML and
// JSON texts, and the home of what the runtime's language (JavaScript) does
// with such values: trimming, UTF-16 order and lengths, number printing, id
// collation, canonical and stringified JSON.
//
// A string that the runtime could hold and UTF-8 cannot (an unpaired UTF-16
// surrogate) is held as its three-byte generalised encoding (WTF-8).
package value

import "github.com/fleetgate/fleetgate/internal/diag"

// Kind is the type of a value under the YAML 1.2 core schema, which is JSON's.
type Kind uint8

// The kinds. The zero Kind is not a value.
const (
	Null Kind = iota + 1
	Bool
	Number
	String
	List
	Map
)

// String names the kind as messages do: "null", "boolean", "number", "string", "list", "mapping".
func (k Kind) String() string {
	switch k {
	case Null:
		return "null"
	case Bool:
		return "boolean"
	case Number:
		return "number"
	case String:
		return "string"
	case List:
		return "list"
	case Map:
		return "mapping"
	}
	return "nothing"
}

// Value is one node. Only the field of its Kind is meaningful. A Value is
// not changed after it was parsed, so that an alias may share it.
type Value struct {
	Kind    Kind
	Bool    bool
	Number  float64
	Text    string
	Items   []*Value
	Members []Member // in the runtime's key order
	Pos     diag.Pos
	End     diag.Pos
}

// Member is one key of a mapping and its value.
type Member struct {
	Key    string
	KeyPos diag.Pos
	Value  *Value
}

// Get gives the value of a mapping's key, or nil where v is nil, not a mapping, or has no such key.
func (v *Value) Get(key string) *Value {
	m, _ := v.Member(key)
	return m.Value
}

// Member gives a mapping's member by key.
func (v *Value) Member(key string) (Member, bool) {
	if v == nil || v.Kind != Map {
		return Member{}, false
	}
	for _, m := range v.Members {
		if m.Key == key {
			return m, true
		}
	}
	return Member{}, false
}

// Str is a string that remembers where it came from.
type Str struct {
	Value string
	Pos   diag.Pos
}
