package strictyaml

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/fleetgate/fleetgate/internal/diag"
)

// source is the text of one document, its place in a file, and what was found in it.
type source struct {
	file    string
	text    string
	first   int       // the file's line on which the text starts
	invalid diag.Code // of syntax findings
	broken  bool      // a finding after which the rest cannot be read
	found   []diag.Diagnostic
}

func (s *source) failed() bool { return s.broken }

// pos gives the place at which t starts.
func (s *source) pos(t token) diag.Pos {
	return diag.Pos{File: s.file, Line: t.line + s.first - 1, Column: t.column}
}

// posIn gives the place of the byte at an offset from t's start.
func (s *source) posIn(t token, offset int) diag.Pos {
	pos := s.pos(t)
	before := s.text[t.start : t.start+offset]
	if last := strings.LastIndexByte(before, '\n'); last >= 0 {
		pos.Line += strings.Count(before, "\n")
		pos.Column = 1
		before = before[last+1:]
	}
	pos.Column += utf8.RuneCountInString(before)
	return pos
}

// endOf gives the place right behind t.
func (s *source) endOf(t token) diag.Pos { return s.posIn(t, t.end-t.start) }

// textOf gives what t stands for in the text.
func (s *source) textOf(t token) string { return s.text[t.start:t.end] }

// fail reports a fault at t, if it is the first, and ends the reading.
func (s *source) fail(t token, message, hint string) {
	s.failAt(s.invalid, s.pos(t), message, hint)
}

func (s *source) failAt(code diag.Code, pos diag.Pos, message, hint string) {
	if s.broken {
		return
	}
	s.broken = true
	s.found = append(s.found, diag.New(code, pos, "", message).WithHint(hint))
}

// unexpected reports a token that can have no place where it stands.
func (s *source) unexpected(t token) {
	switch t.kind {
	case kindDocStart, kindDocument:
		s.secondDocument(t)
	case kindListClose, kindMapClose:
		s.fail(t, kindNames[t.kind]+" closes nothing", "quote a text that starts with it")
	case kindComma:
		s.fail(t, "a value cannot start with a comma", "quote the text")
	default:
		s.fail(t, kindNames[t.kind]+" cannot stand here", "give it the indentation of the keys or items that it belongs to")
	}
}

func (s *source) secondDocument(t token) {
	s.fail(t, "a second document starts here; there must be only one", "take out the --- or ... line, and keep one document")
}

// misplaced reports a value behind one that is complete already.
func (s *source) misplaced(n *node) {
	s.fail(n.head, "the key or item before this line has a value already", "indent it like the other keys or items, or join it to the value before")
}

// unclosed reports a flow collection that is not closed before t.
func (s *source) unclosed(n *node, t token) {
	opening, closing := s.textOf(n.head), "]"
	if n.isMap() {
		closing = "}"
	}
	message := fmt.Sprintf("this %s is never closed by a %s", opening, closing)
	hint := "close it; a # behind white space starts a comment, which hides the rest of its line"
	switch t.kind {
	case kindListClose, kindMapClose:
		message = fmt.Sprintf("this %s is closed by a %s, not by a %s", opening, s.textOf(t), closing)
		hint = "close it by its own bracket"
	case kindUnclosed:
		message = fmt.Sprintf("this %s is not closed before line %d, which is indented too little to belong to it", opening, s.pos(t).Line)
		hint = "indent every line of it more than the key that holds it"
	}
	s.fail(n.head, message, hint)
}

func (s *source) tooDeep(t token) {
	message := fmt.Sprintf("lists and mappings are nested more than %d deep here", MaxDepth)
	s.failAt(codeTooLarge, s.pos(t), message, "flatten the value")
}

// quote quotes a piece of the text for a message.
func quote(text string) string { return strconv.Quote(diag.Clip(text)) }

func (s *source) directiveFound(t token) {
	message := "the directive " + quote(s.textOf(t)) + " would make the runtime read this document by other rules"
	s.found = append(s.found, diag.New(codeDirective, s.pos(t), "", message).WithHint("take it out: the document is YAML 1.2 without it"))
}
