// Package strictyaml reads front matter and YAML documents as the runtime
// does: YAML 1.2, core schema, one document, no coercion, every value and key
// with its line and column (spec sections 1 and 2).
//
// A text goes through three steps, each in files of its own:
//
//	scan     the text is cut into tokens          scan*.go, token.go
//	parse    tokens become a tree of nodes        parse*.go, node.go
//	compose  nodes become values, held to rules   compose*.go, props.go, text.go, blocktext.go, tag.go, alias.go, key.go, scalar.go
//
// The steps follow those of the runtime's own reader, so that a text is
// refused here exactly where it is refused there. A general YAML library in
// between would refuse texts that the runtime accepts, and accept others that
// it refuses; one serves the tests as a witness. The time is linear in the
// text, and nothing in it is executed.
package strictyaml

import (
	"fmt"
	"unicode/utf8"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/value"
)

// The bounds of one policy file.
const (
	MaxBytes = 1 << 20   // the largest text: 1 MiB
	MaxDepth = 1000      // how many lists and mappings may stand inside each other
	MaxNodes = 1_000_000 // how many values a text may stand for, each alias counted as what it stands for
)

// Parse reads one YAML document (spec section 1). Syntax findings carry the
// code invalid ("commands-invalid-yaml"); others are policy-not-utf8,
// policy-too-large and yaml-directive. An empty document is the null value.
func Parse(file string, text []byte, invalid diag.Code) (*value.Value, []diag.Diagnostic) {
	if found := checkText(file, text); found != nil {
		return nil, found
	}
	return parse(file, text, 1, invalid)
}

// checkText refuses a text by its size and encoding.
func checkText(file string, text []byte) []diag.Diagnostic {
	if len(text) > MaxBytes {
		message := fmt.Sprintf("the file has %d bytes; a policy file has at most %d", len(text), MaxBytes)
		return []diag.Diagnostic{diag.New(codeTooLarge, diag.Pos{File: file}, "", message).WithHint("keep only the policy in this file")}
	}
	if !utf8.Valid(text) {
		return []diag.Diagnostic{notUTF8(file, text)}
	}
	return nil
}

func notUTF8(file string, text []byte) diag.Diagnostic {
	pos := diag.Pos{File: file, Line: 1, Column: 1}
	for len(text) > 0 {
		r, width := utf8.DecodeRune(text)
		if r == utf8.RuneError && width == 1 {
			break
		}
		pos.Column++
		if r == '\n' {
			pos.Line, pos.Column = pos.Line+1, 1
		}
		text = text[width:]
	}
	message := fmt.Sprintf("byte 0x%02X is not UTF-8", text[0])
	return diag.New(codeNotUTF8, pos, "", message).WithHint("save the file as UTF-8")
}

// parse reads the document in block, whose first line is the file's line first.
func parse(file string, block []byte, first int, invalid diag.Code) (*value.Value, []diag.Diagnostic) {
	s := &source{file: file, text: string(block), first: first, invalid: invalid}
	own := rooms.Get().(*room)
	defer own.free()
	own.tokens = scan(s.text, own.tokens)
	p := &parser{source: s, room: own}
	doc := p.parseStream()
	if doc == nil && !s.failed() {
		return &value.Value{Kind: value.Null, Pos: diag.Pos{File: file, Line: first, Column: 1}}, s.found
	}
	c := &composer{source: s, room: own, anchors: map[string]*anchor{}}
	root := value.NewNull()
	if !s.failed() {
		root = c.composeDocument(doc)
	}
	if p.directive != nil && len(s.found) == 0 {
		s.directiveFound(*p.directive)
	}
	if len(s.found) > 0 {
		return nil, s.found
	}
	return root, nil
}
