package fleet

import (
	"fmt"
	"strings"

	"github.com/fleetgate/fleetgate/internal/boundary"
	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/value"
)

// field names the value under the checker, as messages begin: `step "a":
// dependencies[0]`, and the document's own keys by themselves.
func (c *checker) field() string {
	thing, rest := c.subject(c.at)
	if len(rest) == 0 {
		return thing
	}
	if len(rest) == len(c.at) {
		return rest.String()
	}
	return thing + ": " + rest.String()
}

// fault reports the value under the checker. Where no hint fits better, it
// says what the key is for.
func (c *checker) fault(code string, v *value.Value, message, hint string) {
	if hint == "" && c.key != nil && c.key.example != "" {
		hint = "write " + c.key.example
	}
	c.reportAt(c.at, code, v.Pos, v.End, message, hint)
}

func (c *checker) reportAt(at path, code string, pos, end diag.Pos, message, hint string) {
	d := diag.New(diag.Code(c.family+code), pos, at.String(), message).WithHint(hint)
	d.End = end
	c.full = !c.report(at, d)
}

func (c *checker) wrongType(v *value.Value, s *schema) {
	if s.only {
		c.fault(faultType, v, c.field()+" must be the number "+value.FormatNumber(s.min)+", not "+show(v), "")
		return
	}
	c.fault(faultType, v, c.field()+" must be "+typeName(s)+", not "+show(v), typeHint(v, s))
}

func typeName(s *schema) string {
	switch s.kind {
	case value.Null:
		return "null"
	case value.Bool:
		return "true or false"
	case value.Number:
		if s.whole {
			return "a whole number"
		}
		return "a finite number"
	case value.List:
		return "a list"
	case value.Map:
		return "a mapping"
	}
	return "a string"
}

// typeHint says what to write where the slip is a common one.
func typeHint(v *value.Value, s *schema) string {
	switch {
	case s.kind == value.String && (v.Kind == value.Number || v.Kind == value.Bool):
		return "put it in quotes"
	case s.kind == value.List && v.Kind == value.String:
		return "write a list of one entry: [" + boundary.Quote(diag.Clip(v.Text)) + "]"
	case s.kind == value.List && v.Kind == value.Null:
		return "write [] for an empty list"
	case v.Kind == value.String && (s.kind == value.Number || s.kind == value.Bool):
		return "write it without quotes"
	}
	return ""
}

func (c *checker) unknownKey(m value.Member, s *schema, later int) {
	legal := s.legal(c.version)
	hint := diag.DidYouMean(m.Key, legal) + "the keys of " + s.what + c.inVersion() + " are " + strings.Join(legal, ", ")
	if later > 0 {
		hint = fmt.Sprintf("%s needs contract version %d; raise version, or take the key out", m.Key, later)
	}
	message := c.field() + " has the unknown key " + boundary.Quote(diag.Clip(m.Key))
	c.reportAt(c.at.with(m.Key), faultUnknownKey, m.KeyPos, diag.Pos{}, message, hint)
}

// inVersion tells a contract's version where it decides which keys there are.
func (c *checker) inVersion() string {
	if c.version == 0 {
		return ""
	}
	return fmt.Sprintf(" in version %d", c.version)
}

func (c *checker) required(v *value.Value, s *schema, k *key) {
	if !k.required || k.since > c.version || v.Get(k.name) != nil {
		return
	}
	message := c.field() + " lacks the key " + k.name + ", which " + s.what + " must have"
	c.reportAt(c.at.with(k.name), faultMissingKey, v.Pos, diag.Pos{}, message, "add "+k.example)
}

func (c *checker) unknownKind(kind *value.Value, s *schema) {
	c.enter(segment{key: "kind", index: -1})
	defer c.leave()
	legal := s.legalKinds(c.version)
	hint := strings.TrimSpace(diag.DidYouMean(kind.Text, legal))
	for _, v := range s.kinds {
		if v.kind == kind.Text {
			hint = fmt.Sprintf("kind %s needs contract version %d; raise version", v.kind, v.since)
		}
	}
	c.fault(faultValue, kind, fmt.Sprintf("%s must be %s, not %s", c.field(), either(legal), show(kind)), hint)
}

// show prints a bad value: a text in quotes, cut short; a list or mapping as its kind.
func show(v *value.Value) string {
	switch v.Kind {
	case value.String:
		return boundary.Quote(diag.Clip(v.Text))
	case value.Number:
		return value.FormatNumber(v.Number)
	case value.Bool:
		return fmt.Sprint(v.Bool)
	case value.Null:
		return "null"
	}
	return "a " + v.Kind.String()
}

// either joins the words of a closed set: "a", "a or b", "a, b or c".
func either(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

func interval(s *schema) string {
	if s.max == 0 {
		return "at least " + value.FormatNumber(s.min)
	}
	return "from " + value.FormatNumber(s.min) + " to " + value.FormatNumber(s.max)
}
