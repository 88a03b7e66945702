package verdict

import (
	"bytes"
	"encoding/json"
)

// oneLine is how many bytes of marshalled JSON are shown on one line.
const oneLine = 100

// rawMember is one member of an object that encoding/json has marshalled.
type rawMember struct {
	key   string
	value json.RawMessage
}

// raw writes marshalled JSON at the current depth, with the escapes that all
// other strings get. What is short stands on one line.
func (e *encoder) raw(value json.RawMessage) {
	switch value[0] {
	case '{':
		e.rawObject(value)
	case '[':
		e.rawList(value)
	case '"':
		var s string
		_ = json.Unmarshal(value, &s) // it was marshalled just now
		e.text(s)
	default:
		e.out.Write(value)
	}
}

func (e *encoder) rawObject(value json.RawMessage) {
	members := splitMembers(value)
	e.open('{', len(value) <= oneLine)
	for i, m := range members {
		e.next(i == 0)
		e.key(m.key)
		e.raw(m.value)
	}
	e.close('}', len(members) == 0)
}

func (e *encoder) rawList(value json.RawMessage) {
	var items []json.RawMessage
	_ = json.Unmarshal(value, &items)
	writeList(e, len(value) <= oneLine, items, func(e *encoder, item *json.RawMessage) { e.raw(*item) })
}

// splitMembers gives the members of a marshalled object in their order.
func splitMembers(object json.RawMessage) []rawMember {
	in := json.NewDecoder(bytes.NewReader(object))
	_, _ = in.Token() // the opening bracket
	var members []rawMember
	for in.More() {
		key, _ := in.Token()
		m := rawMember{}
		m.key, _ = key.(string)
		_ = in.Decode(&m.value)
		members = append(members, m)
	}
	return members
}
