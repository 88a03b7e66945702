package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/value"
)

// builtinCustom refuses a builtin that calls itself custom. It is in no rule
// table: builtins are embedded, and a defect in one is an error of the
// program, never a finding in somebody's repository.
const builtinCustom diag.Code = "recipe-audience-builtin-custom"

// refuse adds a finding about a value.
func (p *parser) refuse(code diag.Code, v *value.Value, field, message, hint string) {
	d := diag.New(code, v.Pos, field, message).WithHint(hint)
	d.End = v.End
	p.found.Add(d)
}

func (p *parser) refuseString(v *value.Value, field string) {
	p.refuse("recipe-string", v, field, fmt.Sprintf("%s must be a string that is not blank, not %s", field, show(v)), stringHint(v))
}

// stringHint shows a scalar that YAML reads as something else than text in the quotes that make it text.
func stringHint(v *value.Value) string {
	if v.Kind == value.Number || v.Kind == value.Bool {
		return fmt.Sprintf("if the text is meant, quote it: \"%s\"", show(v))
	}
	return "write some text"
}

// refuseRepeated adds a finding for each name of a list that stood there before.
func (p *parser) refuseRepeated(code diag.Code, field string, list distinct) {
	for _, again := range list.repeated {
		d := diag.New(code, again.Pos, field, fmt.Sprintf("%s names %q twice", field, diag.Clip(again.Value)))
		p.found.Add(d.WithHint("name it once").WithRelated(list.first[again.Value], "first named here"))
	}
}

// admitOnly refuses, by name, every key of a mapping that is not among the legal ones.
func (p *parser) admitOnly(v *value.Value, code diag.Code, field, what string, legal []string) {
	for _, m := range v.Members {
		if p.found.Overflowed() {
			return
		}
		if slices.Contains(legal, m.Key) {
			continue
		}
		at := &value.Value{Pos: m.KeyPos}
		p.refuse(code, at, within(field, m.Key), fmt.Sprintf("%s has no key %q", what, diag.Clip(m.Key)),
			diag.DidYouMean(m.Key, legal)+"its keys are "+strings.Join(legal, ", "))
	}
}

// require refuses a mapping that lacks one of the keys of a table.
func (p *parser) require(v *value.Value, code diag.Code, field, what string, table []keyExample) {
	for _, entry := range table {
		if _, present := v.Member(entry.key); present {
			continue
		}
		p.refuse(code, &value.Value{Pos: v.Pos}, within(field, entry.key), fmt.Sprintf("%s has no %s", what, entry.key), "add "+entry.example)
	}
}

// within gives the path of a key in a field, which is "" at the top.
func within(field, key string) string {
	if field == "" {
		return key
	}
	return field + "." + key
}

// isName says whether a value is a string that is not blank.
func isName(v *value.Value) bool { return v.Kind == value.String && !value.IsBlank(v.Text) }

// oneOf lists the members of a closed set for a hint.
func oneOf(legal []string) string {
	if len(legal) == 1 {
		return "the only value is " + legal[0]
	}
	return "the values are " + strings.Join(legal, ", ")
}

// show describes a value in a message.
func show(v *value.Value) string {
	switch v.Kind {
	case value.String:
		return fmt.Sprintf("%q", diag.Clip(v.Text))
	case value.Number:
		return value.FormatNumber(v.Number)
	case value.Bool:
		return fmt.Sprint(v.Bool)
	case value.Null:
		return "empty"
	}
	return "a " + v.Kind.String()
}
