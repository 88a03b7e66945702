package result

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/value"
)

// fault is the first thing that is wrong with a report.
type fault struct {
	code   Code
	at     string // the field concerned: checks[1].passed
	reason string // names the field and the legal values
}

// probe reads the fields of a report in the order of its contract. The first
// fault stays; what is asked after it is not looked at, so that a validator
// reads from top to bottom.
type probe struct{ fault *fault }

// partOfShape is the code of faults that only occur in reports with one code for their whole shape.
const partOfShape Code = ""

func (p *probe) failed() bool { return p.fault != nil }

// fail notes a fault, if it is the first.
func (p *probe) fail(code Code, at, format string, args ...any) {
	if p.fault == nil {
		p.fault = &fault{code: code, at: at, reason: fmt.Sprintf(format, args...)}
	}
}

// whole gives the fault under the one code that a kind has for its whole
// shape. The reason still names the field.
func (p *probe) whole(code Code, kind Kind) *fault {
	if p.fault == nil {
		return nil
	}
	return &fault{code: code, reason: fmt.Sprintf("%s: %s", kind, p.fault.reason)}
}

// object wants a mapping without other keys than these.
func (p *probe) object(v *value.Value, at string, notObject Code, keys ...string) {
	if p.failed() {
		return
	}
	if v == nil || v.Kind != value.Map {
		p.fail(notObject, at, "%s must be an object with %s; it is %s", named(at), listed(keys), found(v))
		return
	}
	p.onlyKeys(v, at, keys...)
}

// onlyKeys wants no other keys than these; the fault is at the first other one.
func (p *probe) onlyKeys(v *value.Value, at string, keys ...string) {
	if p.failed() {
		return
	}
	for _, m := range v.Members {
		if !slices.Contains(keys, m.Key) {
			p.fail(UnknownKey, member(at, m.Key), "%s is no field; the fields of %s are %s", member(at, diag.Clip(m.Key)), named(at), listed(keys))
			return
		}
	}
}

// text wants a non-blank string.
func (p *probe) text(v *value.Value, at string) string {
	if p.failed() {
		return ""
	}
	if !isText(v) {
		p.fail(NoString, at, "%s must be a non-blank string; it is %s", at, found(v))
		return ""
	}
	return v.Text
}

// optionalText wants a non-blank string, if there is the field at all.
func (p *probe) optionalText(v *value.Value, at string) {
	if v != nil {
		p.text(v, at)
	}
}

// anyText wants a string, which may be blank.
func (p *probe) anyText(v *value.Value, at string) {
	if !p.failed() && (v == nil || v.Kind != value.String) {
		p.fail(NoString, at, "%s must be a string; it is %s", at, found(v))
	}
}

// list wants a list of at least least entries; of says of what.
func (p *probe) list(v *value.Value, at string, least int, of string) []*value.Value {
	if p.failed() {
		return nil
	}
	if v == nil || v.Kind != value.List {
		p.fail(NoArray, at, "%s must be a list of %s; it is %s", at, of, found(v))
		return nil
	}
	if len(v.Items) < least {
		p.fail(NoArray, at, "%s must have at least %d of %s", at, least, of)
		return nil
	}
	return v.Items
}

// texts wants a list of non-blank strings.
func (p *probe) texts(v *value.Value, at string) []string {
	var texts []string
	for i, item := range p.list(v, at, 0, "non-blank strings") {
		texts = append(texts, p.text(item, index(at, i)))
	}
	return texts
}

// boolean wants true or false.
func (p *probe) boolean(v *value.Value, at string) bool {
	if p.failed() {
		return false
	}
	if v == nil || v.Kind != value.Bool {
		p.fail(NoBoolean, at, "%s must be true or false; it is %s", at, found(v))
		return false
	}
	return v.Bool
}

// oneOf wants one of the legal words.
func (p *probe) oneOf(v *value.Value, at string, code Code, legal ...string) string {
	if p.failed() {
		return ""
	}
	if v == nil || v.Kind != value.String || !slices.Contains(legal, v.Text) {
		p.fail(code, at, "%s must be one of %s; it is %s", at, strings.Join(legal, ", "), found(v))
		return ""
	}
	return v.Text
}

// integer wants a whole number of at least least.
func (p *probe) integer(v *value.Value, at string, least float64) {
	if p.failed() {
		return
	}
	if v == nil || v.Kind != value.Number || !value.IsInteger(v.Number) || v.Number < least {
		p.fail(partOfShape, at, "%s must be a whole number of at least %s; it is %s", at, value.FormatNumber(least), found(v))
	}
}

// isText says whether v is a non-blank string.
func isText(v *value.Value) bool {
	return v != nil && v.Kind == value.String && !value.IsBlank(v.Text)
}

// isLine says whether v can be the number of a line.
func isLine(v *value.Value) bool {
	return v != nil && v.Kind == value.Number && value.IsSafeInteger(v.Number) && v.Number >= 1
}

// found says in a word or a few what stands where something else should.
func found(v *value.Value) string {
	switch {
	case v == nil:
		return "absent"
	case v.Kind == value.String && v.Text == "":
		return "an empty string"
	case v.Kind == value.String && value.IsBlank(v.Text):
		return "a blank string"
	case v.Kind == value.String:
		return fmt.Sprintf("%q", diag.Clip(v.Text))
	case v.Kind == value.Number:
		return value.FormatNumber(v.Number)
	case v.Kind == value.Bool:
		return fmt.Sprint(v.Bool)
	case v.Kind == value.Null:
		return "null"
	}
	return "a " + v.Kind.String()
}

func named(at string) string {
	if at == "" {
		return "the report"
	}
	return at
}

func member(at, key string) string {
	if at == "" {
		return key
	}
	return at + "." + key
}

func index(at string, i int) string { return at + "[" + strconv.Itoa(i) + "]" }

// listed joins field names as a sentence does: "a, b and c".
func listed(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}
