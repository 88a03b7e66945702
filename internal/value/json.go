package value

import (
	"fmt"
	"unicode/utf8"

	"github.com/fleetgate/fleetgate/internal/diag"
)

// The bounds of ParseJSON.
const (
	MaxJSONBytes = 16 << 20 // the largest text that is read: 16 MiB
	MaxJSONDepth = 1000     // how many lists and mappings may stand inside each other
)

// JSONLimits bounds what ParseJSONLimited reads.
type JSONLimits struct {
	Bytes int // the largest text
	Depth int // the deepest nesting of lists and mappings
}

// SyntaxError is a text that is not one JSON value, or that is over a bound.
type SyntaxError struct {
	Pos     diag.Pos
	Message string
}

// Error gives file:line:column: message.
func (e *SyntaxError) Error() string { return e.Pos.String() + ": " + e.Message }

// ParseJSON reads text as the runtime's JSON.parse does: one value, nothing
// after it but white space, every value with its place in file. Of two equal
// keys the later value wins, at the place of the first; members stand in the
// runtime's key order. An unpaired surrogate, escaped or in its three-byte
// form, is kept. The error is a *SyntaxError; MaxJSONBytes and MaxJSONDepth bound the text.
func ParseJSON(file string, text []byte) (*Value, error) {
	return ParseJSONLimited(file, text, JSONLimits{Bytes: MaxJSONBytes, Depth: MaxJSONDepth})
}

// ParseJSONLimited is ParseJSON with other bounds.
func ParseJSONLimited(file string, text []byte, limits JSONLimits) (*Value, error) {
	if len(text) > limits.Bytes {
		return nil, &SyntaxError{Pos: diag.Pos{File: file}, Message: fmt.Sprintf("the text has %d bytes; at most %d are read", len(text), limits.Bytes)}
	}
	p := &jsonParser{text: string(text), file: file, line: 1, maxDepth: limits.Depth}
	p.space()
	v, err := p.value(0)
	if err != nil {
		return nil, err
	}
	p.space()
	if p.at < len(p.text) {
		return nil, p.fail("only white space may follow the value, not %s", p.here())
	}
	return v, nil
}

// jsonParser reads text from at on; line, counted and columns say where at is.
type jsonParser struct {
	text     string
	file     string
	at       int
	line     int
	counted  int // bytes of the line whose code points are in columns
	columns  int
	maxDepth int
}

// pos gives the place of the current byte. Each byte is counted once.
func (p *jsonParser) pos() diag.Pos {
	p.columns += utf8.RuneCountInString(p.text[p.counted:p.at])
	p.counted = p.at
	return diag.Pos{File: p.file, Line: p.line, Column: p.columns + 1}
}

func (p *jsonParser) fail(format string, args ...any) error {
	return &SyntaxError{Pos: p.pos(), Message: fmt.Sprintf(format, args...)}
}

// peek gives the current byte, or 0 at the end.
func (p *jsonParser) peek() byte {
	if p.at == len(p.text) {
		return 0
	}
	return p.text[p.at]
}

// here names what stands at the current byte.
func (p *jsonParser) here() string {
	if p.at == len(p.text) {
		return "the end of the text"
	}
	r, _ := decodeRune(p.text[p.at:])
	return fmt.Sprintf("%q", r)
}

func (p *jsonParser) space() {
	for p.at < len(p.text) {
		switch p.text[p.at] {
		case '\n':
			p.line++
			p.counted, p.columns = p.at+1, 0
		case ' ', '\t', '\r':
		default:
			return
		}
		p.at++
	}
}

func (p *jsonParser) value(depth int) (*Value, error) {
	v := &Value{Pos: p.pos()}
	if err := p.fill(v, depth); err != nil {
		return nil, err
	}
	v.End = p.pos()
	return v, nil
}

// fill reads the value that starts here into v.
func (p *jsonParser) fill(v *Value, depth int) (err error) {
	switch c := p.peek(); {
	case (c == '{' || c == '[') && depth == p.maxDepth:
		return p.fail("lists and mappings are nested more than %d deep here", p.maxDepth)
	case c == '{':
		v.Kind = Map
		v.Members, err = p.members(depth)
	case c == '[':
		v.Kind = List
		v.Items, err = p.items(depth)
	case c == '"':
		v.Kind = String
		v.Text, err = p.quoted()
	case c == '-' || c >= '0' && c <= '9':
		v.Kind = Number
		v.Number, err = p.number()
	default:
		err = p.word(v)
	}
	return err
}

func (p *jsonParser) items(depth int) ([]*Value, error) {
	p.at++
	p.space()
	items := []*Value{}
	if p.peek() == ']' {
		p.at++
		return items, nil
	}
	for {
		p.space()
		item, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		items = append(items, item)
		p.space()
		switch p.peek() {
		case ',':
			p.at++
		case ']':
			p.at++
			return items, nil
		default:
			return nil, p.fail("a list goes on with , or ends with ], not with %s", p.here())
		}
	}
}

func (p *jsonParser) members(depth int) ([]Member, error) {
	p.at++
	p.space()
	members := []Member{}
	if p.peek() == '}' {
		p.at++
		return members, nil
	}
	places := map[string]int{}
	for {
		p.space()
		m, err := p.member(depth)
		if err != nil {
			return nil, err
		}
		if i, twice := places[m.Key]; twice {
			members[i] = m
		} else {
			places[m.Key] = len(members)
			members = append(members, m)
		}
		p.space()
		switch p.peek() {
		case ',':
			p.at++
		case '}':
			p.at++
			OrderKeys(members)
			return members, nil
		default:
			return nil, p.fail("a mapping goes on with , or ends with }, not with %s", p.here())
		}
	}
}

func (p *jsonParser) member(depth int) (m Member, err error) {
	if p.peek() != '"' {
		return m, p.fail("a key in double quotes is expected here, not %s", p.here())
	}
	m.KeyPos = p.pos()
	if m.Key, err = p.quoted(); err != nil {
		return m, err
	}
	p.space()
	if p.peek() != ':' {
		return m, p.fail("a key is followed by :, not by %s", p.here())
	}
	p.at++
	p.space()
	m.Value, err = p.value(depth + 1)
	return m, err
}
