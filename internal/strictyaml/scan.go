package strictyaml

import (
	"strings"
)

// scanner cuts a text into tokens at the places where the runtime's own reader
// does. It refuses nothing: what cannot stand where it does, the parser sees.
type scanner struct {
	text   string
	tokens []token
	pos    int
	line   int // of pos, 1-based
	column int // of pos, 1-based
	eol    int // where the line ends on which it was last asked for

	fresh  bool // nothing but spaces and block indicators so far on this line
	indent int  // how far they reach

	lineIndent   int // indentation of the line, with the block indicators that were read
	need         int // how far a line must be indented to go on with the scalar or flow collection before it
	flowDepth    int
	afterKey     bool // in a flow collection: a ":" right here ends a key
	headerIndent int  // the indentation that a block scalar's header gives, less one; -1 for none
	headerKeep   bool // the header keeps trailing lines
}

// state reads on and gives the state that follows.
type state func(*scanner) state

// scan gives the tokens of text, the last of which is kindEnd, in the room of
// others that nobody needs.
func scan(text string, others []token) []token {
	s := &scanner{text: text, tokens: others[:0], line: 1, column: 1, eol: -1, fresh: true}
	for next := state((*scanner).stream); s.pos < len(text); {
		next = next(s)
	}
	s.push(kindEnd, len(text))
	return s.tokens
}

// stream reads what stands between documents, to the first line of one.
func (s *scanner) stream() state {
	const mark = "\uFEFF"
	if strings.HasPrefix(s.text[s.pos:], mark) {
		s.push(kindMark, s.pos+len(mark))
	}
	if s.at(0) == '%' {
		s.directive()
		return (*scanner).stream
	}
	rest := strings.TrimLeft(s.text[s.pos:s.lineEnd()], " \t")
	if rest == "" || rest[0] == '#' {
		s.spaces(true)
		s.restOfLine()
		s.newline()
		return (*scanner).stream
	}
	s.push(kindDocument, s.pos)
	return s.lineStart()
}

// directive reads a line that starts with %, and the comment behind it.
func (s *scanner) directive() {
	line := s.text[s.pos:s.lineEnd()]
	for i := 1; i < len(line); i++ {
		if line[i] == '#' && (line[i-1] == ' ' || line[i-1] == '\t') {
			line = line[:i-1]
			break
		}
	}
	s.push(kindDirective, s.pos+len(strings.TrimRight(line, " \t")))
	s.spaces(true)
	s.restOfLine()
}

// lineStart reads a line of a document from its first byte.
func (s *scanner) lineStart() state {
	if marker := s.documentMarker(s.pos); marker != 0 {
		s.lineIndent, s.need = 0, 0
		s.push(marker, s.pos+len("---"))
		if marker == kindDocEnd {
			return (*scanner).stream
		}
		return (*scanner).document
	}
	s.lineIndent = s.spaces(false)
	if s.need > s.lineIndent && !isEmpty(s.at(1)) {
		s.need = s.lineIndent
	}
	return s.blockStart()
}

// documentMarker says which marker of documents stands at i, or 0.
func (s *scanner) documentMarker(i int) kind {
	const length = len("---")
	if i+length > len(s.text) || !isEmpty(s.byteAt(i+length)) {
		return 0
	}
	switch s.text[i : i+length] {
	case "---":
		return kindDocStart
	case "...":
		return kindDocEnd
	}
	return 0
}

// indicators are the bytes that are tokens by themselves.
var indicators = map[byte]kind{
	'-': kindDash, '?': kindQuestion, ':': kindColon, ',': kindComma,
	'[': kindListOpen, ']': kindListClose, '{': kindMapOpen, '}': kindMapClose,
}

// indicator reads one byte that is a token by itself.
func (s *scanner) indicator() { s.push(indicators[s.text[s.pos]], s.pos+1) }

// blockStart reads the block indicators at a line's start.
func (s *scanner) blockStart() state {
	if c := s.at(0); (c == '-' || c == '?' || c == ':') && isEmpty(s.at(1)) {
		s.indicator()
		width := 1 + s.spaces(true)
		s.need = s.lineIndent + 1
		s.lineIndent += width
		return (*scanner).blockStart
	}
	return (*scanner).document
}

// document reads on inside a document, outside flow collections.
func (s *scanner) document() state {
	s.spaces(true)
	s.properties()
	if s.pos == s.lineEnd() {
		s.newline()
		return s.lineStart()
	}
	switch s.text[s.pos] {
	case '#':
		s.restOfLine()
		s.newline()
		return s.lineStart()
	case '{', '[':
		s.indicator()
		s.afterKey, s.flowDepth = false, 1
		return (*scanner).flow
	case '}', ']':
		s.indicator()
		return (*scanner).document
	case '*':
		s.push(kindAlias, s.nameEnd())
		return (*scanner).document
	case '"', '\'':
		return s.quoted()
	case '|', '>':
		s.header()
		return s.blockText()
	}
	return s.plain()
}

// properties reads tags and anchors, and indicators among them.
func (s *scanner) properties() {
	for {
		switch s.at(0) {
		case '!':
			s.push(kindTag, s.tagEnd())
		case '&':
			s.push(kindAnchor, s.nameEnd())
		case '-', '?', ':':
			inFlow := s.flowDepth > 0
			if next := s.at(1); !isEmpty(next) && !(inFlow && isFlowIndicator(next)) {
				return
			}
			if inFlow {
				s.afterKey = false
			} else {
				s.need = s.lineIndent + 1
			}
			s.indicator()
		default:
			return
		}
		s.spaces(true)
	}
}

// nameEnd gives where the anchor or alias that starts here ends.
func (s *scanner) nameEnd() int {
	if i := strings.IndexAny(s.text[s.pos:], " ,[]{}\n\r\t"); i >= 0 {
		return s.pos + i
	}
	return len(s.text)
}

// tagEnd gives where the tag that starts here ends.
func (s *scanner) tagEnd() int {
	if s.at(1) == '<' {
		i := s.pos + 2
		for !isEmpty(s.byteAt(i)) && s.text[i] != '>' {
			i++
		}
		if s.byteAt(i) == '>' {
			i++
		}
		return i
	}
	i := s.pos + 1
	for i < len(s.text) {
		switch {
		case isTagByte(s.text[i]):
			i++
		case s.text[i] == '%' && isHex(s.byteAt(i+1)) && isHex(s.byteAt(i+2)):
			i += len("%00")
		default:
			return i
		}
	}
	return i
}
