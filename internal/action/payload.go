package action

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// object is one JSON object, its members still unread. Decoding level by level
// keeps names exact (struct decoding matches them in any case) and skips the
// megabytes that nobody asks for.
type object map[string]json.RawMessage

// zeroSHA stands in a push for a branch that did not or does not exist.
const zeroSHA = "0000000000000000000000000000000000000000"

func parsePayload(event string, payload []byte) (object, error) {
	if len(payload) > MaxPayload {
		return nil, &PayloadError{Event: event, Why: fmt.Sprintf("it has %d bytes; at most %d are read", len(payload), MaxPayload)}
	}
	if !utf8.Valid(payload) {
		return nil, &PayloadError{Event: event, Why: "it is not valid UTF-8"}
	}
	var root object
	if err := json.Unmarshal(payload, &root); err != nil {
		return nil, &PayloadError{Event: event, Why: "it is not a JSON object: " + err.Error()}
	}
	if root == nil {
		return nil, &PayloadError{Event: event, Why: "it is not a JSON object but null"}
	}
	return root, nil
}

// reader reads fields by their dotted path and keeps the first failure, so
// that a table row reads as the list of its fields.
type reader struct {
	event string
	root  object
	err   error
}

func (r *reader) fail(field, format string, args ...any) {
	if r.err == nil {
		r.err = &PayloadError{Event: r.event, Field: field, Why: fmt.Sprintf(format, args...)}
	}
}

// find gives the raw value at a path; where a member is missing, at says
// which. A parent of another type than object is a failure of its own.
func (r *reader) find(path string) (value json.RawMessage, found bool) {
	members := r.root
	names := strings.Split(path, ".")
	for i, name := range names {
		value, found = members[name]
		if !found || i == len(names)-1 {
			return value, found
		}
		parent := strings.Join(names[:i+1], ".")
		members = nil
		if err := json.Unmarshal(value, &members); err != nil || members == nil {
			r.fail(parent, "must be an object, not %s", typeOf(value))
			return nil, false
		}
	}
	return nil, false
}

// has says whether a path holds anything but null.
func (r *reader) has(path string) bool {
	value, found := r.find(path)
	return found && string(value) != "null"
}

// isNull says whether a path is there and null; its absence is a failure.
func (r *reader) isNull(path string) bool {
	value, found := r.find(path)
	if !found {
		r.fail(path, "is missing")
	}
	return string(value) == "null"
}

func (r *reader) text(path string) string {
	value, found := r.find(path)
	if !found {
		r.fail(path, "is missing")
		return ""
	}
	var text *string
	if err := json.Unmarshal(value, &text); err != nil || text == nil {
		r.fail(path, "must be a string, not %s", typeOf(value))
		return ""
	}
	if *text == "" {
		r.fail(path, "is empty")
	}
	return *text
}

func (r *reader) optionalText(path string) string {
	if !r.has(path) {
		return ""
	}
	return r.text(path)
}

// flag reads an optional boolean; absent is false.
func (r *reader) flag(path string) bool {
	value, found := r.find(path)
	if !found {
		return false
	}
	var flag *bool
	if err := json.Unmarshal(value, &flag); err != nil || flag == nil {
		r.fail(path, "must be true or false, not %s", typeOf(value))
		return false
	}
	return *flag
}

// agree refuses a payload whose flag contradicts the ids that decide.
func (r *reader) agree(path string, want bool, id string) {
	if _, there := r.find(path); there && r.flag(path) != want {
		r.fail(path, "is %t, but %s says otherwise", !want, id)
	}
}

func (r *reader) commit(path string) string {
	sha := r.commitOrZero(path)
	if sha == "" {
		r.fail(path, "is all zeros: it names no commit")
	}
	return sha
}

// commitOrZero reads a commit id, in lower case; all zeros give the empty string.
func (r *reader) commitOrZero(path string) string {
	sha := strings.ToLower(r.text(path))
	if len(sha) != len(zeroSHA) || strings.Trim(sha, "0123456789abcdef") != "" {
		r.fail(path, "is %s, which is not a commit id of 40 hexadecimal digits", quote(sha))
	}
	if sha == zeroSHA {
		return ""
	}
	return sha
}

func (r *reader) branch(path string) string {
	name := r.text(path)
	if why := refProblem(name); why != "" {
		r.fail(path, "is %s, which is not a branch name: it %s", quote(name), why)
	}
	return name
}

func (r *reader) fullBranch(path string) string {
	name, tag := r.fullRef(path)
	if tag {
		r.fail(path, "names a tag, not a branch")
	}
	return name
}

// fullRef reads a full reference name and gives its branch or tag name.
func (r *reader) fullRef(path string) (name string, tag bool) {
	ref := r.text(path)
	name, branch := strings.CutPrefix(ref, "refs/heads/")
	if !branch {
		name, tag = strings.CutPrefix(ref, "refs/tags/")
	}
	if !branch && !tag {
		r.fail(path, "is %s, which is not a full name: it must begin with refs/heads/ or refs/tags/", quote(ref))
		return "", false
	}
	if why := refProblem(name); why != "" {
		r.fail(path, "is %s, which is not a reference name: it %s", quote(ref), why)
	}
	return name, tag
}

func (r *reader) repository(path string) string {
	name := r.text(path)
	if !IsRepository(name) {
		r.fail(path, "is %s, which is not OWNER/REPO", quote(name))
	}
	return name
}

// checkRepository refuses a payload of another repository than the one named.
// GitHub compares such names without regard to case.
func (r *reader) checkRepository(base, named string) {
	if named != "" && base != "" && !strings.EqualFold(base, named) {
		r.fail("", "it is about repository %s, not %s", base, named)
	}
	if !r.has("repository.full_name") {
		return
	}
	if own := r.text("repository.full_name"); base != "" && !strings.EqualFold(own, base) {
		r.fail("repository.full_name", "is %s, but the event is about %s", quote(own), base)
	}
}

func typeOf(value json.RawMessage) string {
	switch {
	case len(value) == 0 || value[0] == 'n':
		return "null"
	case value[0] == '{':
		return "an object"
	case value[0] == '[':
		return "a list"
	case value[0] == '"':
		return "a string"
	case value[0] == 't' || value[0] == 'f':
		return "a boolean"
	}
	return "a number"
}

// quote shows a value of the payload on one line, cut at a length that fits one.
func quote(text string) string {
	const shown = 80
	if len(text) > shown {
		text = text[:shown] + "…"
	}
	return fmt.Sprintf("%q", text)
}
