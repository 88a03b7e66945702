package discover

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fleetgate/fleetgate/internal/boundary"
	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/value"
)

// schema collects what is wrong with a configuration document.
type schema struct {
	found []diag.Diagnostic
}

func (s *schema) refuse(code diag.Code, pos diag.Pos, field, message, hint string) {
	s.found = addFinding(s.found, diag.New(code, pos, field, message).WithHint(hint))
}

func (s *schema) refuseTwice(pos diag.Pos, field, what string, before diag.Pos) {
	s.found = addFinding(s.found, diag.New("config-duplicate", pos, field, "a second "+what+" is never reached").
		WithHint("join the two, or take one out").WithRelated(before, "the first"))
}

// mapping admits a mapping with known keys only; any key where known is nil.
func (s *schema) mapping(v *value.Value, what, field string, known []string) bool {
	if v.Kind != value.Map {
		s.refuse("config-type", v.Pos, field, fmt.Sprintf("%s must be a mapping, not %s", what, describe(v)), "write key: value lines")
		return false
	}
	for _, m := range v.Members {
		if known == nil || slices.Contains(known, m.Key) {
			continue
		}
		s.refuse("config-unknown-key", m.KeyPos, join(field, m.Key), fmt.Sprintf("%s has no key %s", what, quote(m.Key)),
			diag.DidYouMean(m.Key, known)+"its keys are "+strings.Join(known, ", "))
	}
	return true
}

// list admits a list within MaxConfigEntries; nothing where v is absent.
func (s *schema) list(v *value.Value, field string) []*value.Value {
	if v == nil {
		return nil
	}
	if v.Kind != value.List {
		s.refuse("config-type", v.Pos, field, fmt.Sprintf("%s must be a list, not %s", field, describe(v)), "write "+field+": [one, two]")
		return nil
	}
	if !s.within(len(v.Items), v, field) {
		return nil
	}
	return v.Items
}

// within holds the number of a value's entries against MaxConfigEntries.
func (s *schema) within(n int, v *value.Value, field string) bool {
	if n <= MaxConfigEntries {
		return true
	}
	s.refuse("config-too-many", v.Pos, field, fmt.Sprintf("%s has %d entries; at most %d are read", field, n, MaxConfigEntries),
		"join entries, for instance by a branch prefix or a directory")
	return false
}

// strings admits a list of distinct, non-blank strings.
func (s *schema) strings(v *value.Value, field string) []value.Str {
	var texts []value.Str
	first := map[string]diag.Pos{}
	for i, item := range s.list(v, field) {
		at := fmt.Sprintf("%s[%d]", field, i)
		text := s.text(item, at)
		if text == "" {
			continue
		}
		if before, twice := first[text]; twice {
			s.refuseTwice(item.Pos, at, fmt.Sprintf("%s in %s", quote(text), field), before)
			continue
		}
		first[text] = item.Pos
		texts = append(texts, value.Str{Value: text, Pos: item.Pos})
	}
	return texts
}

// text admits a non-blank string; it is empty where v is none.
func (s *schema) text(v *value.Value, field string) string {
	if v.Kind != value.String {
		s.refuse("config-type", v.Pos, field, fmt.Sprintf("%s must be a string, not %s", field, describe(v)), "put it in quotes")
		return ""
	}
	if value.IsBlank(v.Text) {
		s.refuse("config-value", v.Pos, field, field+" must not be blank", "give it a value, or take the key out")
		return ""
	}
	return v.Text
}

// needed admits a key that must be there, with a non-blank string.
func (s *schema) needed(item *value.Value, field, key string) string {
	v := item.Get(key)
	if v == nil {
		s.refuse("config-missing-key", item.Pos, join(field, key), fmt.Sprintf("%s has no %s", field, key), "add "+key+": …")
		return ""
	}
	return s.text(v, join(field, key))
}

// checked admits a needed string in which problem finds nothing wrong.
func (s *schema) checked(item *value.Value, field, key string, problem func(string) string, hint string) string {
	text := s.needed(item, field, key)
	if text == "" {
		return ""
	}
	if why := problem(text); why != "" {
		s.refuse("config-value", item.Get(key).Pos, join(field, key), fmt.Sprintf("%s %s %s", key, quote(text), why), hint)
		return ""
	}
	return text
}

// choice admits one of a few words; it is empty where v is none of them.
func (s *schema) choice(v *value.Value, field string, words ...string) string {
	if v.Kind == value.String && slices.Contains(words, v.Text) {
		return v.Text
	}
	near := ""
	if v.Kind == value.String {
		near = diag.DidYouMean(v.Text, words)
	}
	s.refuse("config-value", v.Pos, field, fmt.Sprintf("%s must be %s, not %s", field, orList(words), describe(v)), near+"write one of these words")
	return ""
}

// oneOf admits exactly one of two keys, and says which; it is empty otherwise.
func (s *schema) oneOf(item *value.Value, field, a, b string) string {
	hasA, hasB := item.Get(a) != nil, item.Get(b) != nil
	switch {
	case hasA && hasB:
		s.refuse("config-choice", item.Pos, field, fmt.Sprintf("%s has both %s and %s", field, a, b), "make two entries of it")
	case hasA:
		return a
	case hasB:
		return b
	default:
		s.refuse("config-choice", item.Pos, field, fmt.Sprintf("%s has neither %s nor %s", field, a, b), "give it one of the two")
	}
	return ""
}

func join(field, key string) string {
	if field == "" {
		return key
	}
	return field + "." + key
}

// quote shows a text of the repository, shortened and on one line.
func quote(text string) string { return boundary.Quote(diag.Clip(text)) }

// describe shows a value in a message: a string as it is, anything else by kind.
func describe(v *value.Value) string {
	switch v.Kind {
	case value.String:
		return quote(v.Text)
	case value.Number:
		return "the number " + value.FormatNumber(v.Number)
	case value.Bool:
		return fmt.Sprintf("the boolean %t", v.Bool)
	case value.Null:
		return "null"
	}
	return "a " + v.Kind.String()
}

func orList(words []string) string {
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}
