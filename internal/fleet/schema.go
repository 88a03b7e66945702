package fleet

import (
	"math"
	"strings"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/value"
)

// schema says what one value must be. Which fields mean something depends on
// kind; min and max bound a number, a text's UTF-16 length, or the size of a
// list or mapping.
type schema struct {
	kind value.Kind
	what string // what the value is, for messages: "an agent step"

	min, max float64 // max 0: no upper bound

	whole bool // a number: without a fraction
	only  bool // a number: exactly min

	oneOf []string          // a text: the closed set
	form  func(string) bool // a text: what it must satisfy
	shape string            // a text: form in words

	item *schema // a list: every item

	keys  []key     // a mapping: what it may hold
	each  *schema   // a mapping with free keys: every value
	kinds []variant // a mapping that its kind tells apart
	unset string    // the kind that an absent one means; empty: kind is required
}

// key is one key of a mapping.
type key struct {
	name     string
	schema   *schema
	required bool
	since    int    // the first contract version that knows the key
	example  string // what to write, for a missing key
}

// variant is a mapping of one kind.
type variant struct {
	kind   string
	since  int
	schema *schema
}

// key finds a key that version knows. later is the version that brings it, if it isn't known yet.
func (s *schema) key(name string, version int) (found *key, later int) {
	for i := range s.keys {
		if s.keys[i].name != name {
			continue
		}
		if s.keys[i].since > version {
			return nil, s.keys[i].since
		}
		return &s.keys[i], 0
	}
	return nil, 0
}

// legal lists the keys that version knows.
func (s *schema) legal(version int) []string {
	var names []string
	for _, k := range s.keys {
		if k.since <= version {
			names = append(names, k.name)
		}
	}
	return names
}

// legalKinds lists the kinds that version knows.
func (s *schema) legalKinds(version int) []string {
	var names []string
	for _, v := range s.kinds {
		if v.since <= version {
			names = append(names, v.kind)
		}
	}
	return names
}

// checker holds one document against a schema and reports every fault.
type checker struct {
	family  string // the codes' first word
	version int    // the document's; keys and kinds that came later are unknown
	at      path
	key     *key // the innermost key on the way
	full    bool // enough was reported: nothing more is looked at
	report  func(at path, d diag.Diagnostic) (more bool)
	subject func(at path) (thing string, rest path)
}

func (c *checker) enter(s segment) { c.at = append(c.at, s) }
func (c *checker) leave()          { c.at = c.at[:len(c.at)-1] }

func (c *checker) check(v *value.Value, s *schema) {
	if c.full {
		return
	}
	if v.Kind != s.kind {
		c.wrongType(v, s)
		return
	}
	switch v.Kind {
	case value.Number:
		c.number(v, s)
	case value.String:
		c.text(v, s)
	case value.List:
		c.list(v, s)
	case value.Map:
		c.mapping(v, s)
	}
}

func (c *checker) number(v *value.Value, s *schema) {
	n := v.Number
	switch {
	case math.IsNaN(n) || math.IsInf(n, 0) || s.whole && !value.IsInteger(n):
		c.wrongType(v, s)
	case s.only && n != s.min:
		c.fault(faultValue, v, c.field()+" must be "+value.FormatNumber(s.min)+", not "+show(v), "")
	case n < s.min || s.max > 0 && n > s.max:
		c.fault(faultRange, v, c.field()+" must be "+interval(s)+", not "+show(v), "")
	}
}

func (c *checker) text(v *value.Value, s *schema) {
	if s.oneOf != nil {
		c.choice(v, s)
		return
	}
	if v.Text == "" && s.min > 0 {
		c.fault(faultRange, v, c.field()+" must not be empty", "")
		return
	}
	if units := value.UTF16Len(v.Text); s.max > 0 && float64(units) > s.max {
		c.fault(faultRange, v, c.field()+" has "+value.FormatNumber(float64(units))+" UTF-16 units; at most "+value.FormatNumber(s.max)+" are allowed", "")
		return
	}
	if s.form != nil && !s.form(v.Text) {
		c.fault(faultRange, v, c.field()+" must be "+s.shape+", not "+show(v), "")
	}
}

func (c *checker) choice(v *value.Value, s *schema) {
	for _, word := range s.oneOf {
		if v.Text == word {
			return
		}
	}
	c.fault(faultValue, v, c.field()+" must be "+either(s.oneOf)+", not "+show(v), strings.TrimSpace(diag.DidYouMean(v.Text, s.oneOf)))
}

func (c *checker) list(v *value.Value, s *schema) {
	c.size(v, s, len(v.Items), "entries")
	for i, item := range v.Items {
		c.enter(segment{index: i})
		c.check(item, s.item)
		c.leave()
	}
}

func (c *checker) size(v *value.Value, s *schema, size int, unit string) {
	switch n := float64(size); {
	case n < s.min:
		c.fault(faultRange, v, c.field()+" has no "+unit+"; at least one is needed", "")
	case s.max > 0 && n > s.max:
		c.fault(faultRange, v, c.field()+" has "+value.FormatNumber(n)+" "+unit+"; at most "+value.FormatNumber(s.max)+" are allowed", "")
	}
}

func (c *checker) mapping(v *value.Value, s *schema) {
	if s.each != nil {
		c.size(v, s, len(v.Members), "entries")
		c.values(v, s.each)
		return
	}
	if s.kinds != nil {
		if s = c.variant(v, s); s == nil {
			return
		}
	}
	for _, m := range v.Members {
		if c.full {
			return
		}
		k, later := s.key(m.Key, c.version)
		if k == nil {
			c.unknownKey(m, s, later)
			continue
		}
		outer := c.key
		c.key = k
		c.enter(segment{key: m.Key, index: -1})
		c.check(m.Value, k.schema)
		c.leave()
		c.key = outer
	}
	for i := range s.keys {
		c.required(v, s, &s.keys[i])
	}
}

func (c *checker) values(v *value.Value, each *schema) {
	for _, m := range v.Members {
		c.enter(segment{key: m.Key, index: -1})
		c.check(m.Value, each)
		c.leave()
	}
}

// variant picks the schema of a mapping's kind. A kind that isn't known says
// nothing about the other keys, so that it is the mapping's only fault.
func (c *checker) variant(v *value.Value, s *schema) *schema {
	kind := v.Get("kind")
	if kind == nil && s.unset == "" {
		c.required(v, s, &key{name: "kind", required: true, example: "kind: " + s.legalKinds(c.version)[0]})
		return nil
	}
	name := s.unset
	if kind != nil {
		name = kind.Text // empty, and so unknown, where it is no text
	}
	for _, known := range s.kinds {
		if known.kind == name && known.since <= c.version {
			return known.schema
		}
	}
	c.unknownKind(kind, s)
	return nil
}
