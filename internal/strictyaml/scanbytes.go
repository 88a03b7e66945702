package strictyaml

import (
	"strings"
	"unicode/utf8"
)

const endOfText = -1

// at gives the byte at an offset from here, or endOfText.
func (s *scanner) at(offset int) int { return s.byteAt(s.pos + offset) }

func (s *scanner) byteAt(i int) int {
	if i >= len(s.text) {
		return endOfText
	}
	return int(s.text[i])
}

func isEmpty(c int) bool {
	return c == endOfText || c == ' ' || c == '\n' || c == '\r' || c == '\t'
}

func isFlowIndicator(c int) bool {
	return c == ',' || c == '[' || c == ']' || c == '{' || c == '}'
}

// push makes a token of the text from here to end, and goes there.
func (s *scanner) push(k kind, end int) {
	text := s.text[s.pos:end]
	s.tokens = append(s.tokens, token{kind: k, indent: s.indent, start: s.pos, end: end, line: s.line, column: s.column})
	s.measure(k, text)
	s.pos = end
	if last := strings.LastIndexByte(text, '\n'); last >= 0 {
		s.line += strings.Count(text, "\n")
		s.column = 1
		text = text[last+1:]
	}
	s.column += utf8.RuneCountInString(text)
}

// measure keeps the indentation that the next token has.
func (s *scanner) measure(k kind, text string) {
	switch k {
	case kindNewline, kindBlockText:
		s.fresh, s.indent = true, 0
	case kindSpace:
		if s.fresh && text[0] == ' ' {
			s.indent += len(text)
		}
	case kindDash, kindQuestion, kindColon:
		if s.fresh {
			s.indent += len(text)
		}
	case kindDocument, kindUnclosed:
	default:
		s.fresh = false
	}
}

// spaces reads spaces, and tabs where they count, and says how many.
func (s *scanner) spaces(tabs bool) int {
	end := s.pos
	for end < len(s.text) && (s.text[end] == ' ' || tabs && s.text[end] == '\t') {
		end++
	}
	n := end - s.pos
	if n > 0 {
		s.push(kindSpace, end)
	}
	return n
}

func (s *scanner) newline() bool {
	switch {
	case s.at(0) == '\n':
		s.push(kindNewline, s.pos+1)
	case s.at(0) == '\r' && s.at(1) == '\n':
		s.push(kindNewline, s.pos+2)
	default:
		return false
	}
	return true
}

// lineEnd gives where the line's text ends, before its line end.
func (s *scanner) lineEnd() int {
	if s.eol < s.pos {
		s.eol = len(s.text)
		if i := strings.IndexByte(s.text[s.pos:], '\n'); i >= 0 {
			s.eol = s.pos + i
		}
	}
	if s.eol < len(s.text) && s.eol > s.pos && s.text[s.eol-1] == '\r' {
		return s.eol - 1
	}
	return s.eol
}

// restOfLine makes one token of what is left of the line: a comment, if it is one.
func (s *scanner) restOfLine() {
	end := s.lineEnd()
	switch {
	case end == s.pos:
	case s.at(0) == '#':
		s.push(kindComment, end)
	default:
		s.push(kindStray, end)
	}
}

func isTagByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || strings.IndexByte("-#;/?:@&=+$_.!~*'()", c) >= 0
}

func isHex(c int) bool {
	return c >= '0' && c <= '9' || c >= 'A' && c <= 'F' || c >= 'a' && c <= 'f'
}
