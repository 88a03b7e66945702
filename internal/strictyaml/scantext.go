package strictyaml

import "strings"

// continues says where the content of the line at i starts, if that line
// belongs to the scalar before it; -1 if it doesn't.
func (s *scanner) continues(i int) int {
	if s.need == 0 {
		if s.documentMarker(i) != 0 {
			return -1
		}
		return i
	}
	start := i
	for s.byteAt(i) == ' ' {
		i++
	}
	if s.byteAt(i) == '\r' && s.byteAt(i+1) == '\n' {
		return i + 1
	}
	if s.byteAt(i) == '\n' || i-start >= s.need {
		return i
	}
	return -1
}

// plain reads a plain scalar, which may go over several lines.
func (s *scanner) plain() state {
	s.push(kindPlain, s.plainEnd())
	return s.inside()
}

func (s *scanner) plainEnd() int {
	inFlow := s.flowDepth > 0
	end := s.pos
	for i := s.pos; i < len(s.text); i++ {
		c, next := s.byteAt(i), s.byteAt(i+1)
		switch {
		case c == ':':
			if isEmpty(next) || inFlow && isFlowIndicator(next) {
				return end
			}
			end = i + 1
		case !isEmpty(c):
			if inFlow && isFlowIndicator(c) {
				return end
			}
			end = i + 1
		default:
			if c == '\r' && next == '\n' {
				i++
				c, next = '\n', s.byteAt(i+1)
			}
			if c == '\r' {
				end = i + 1
			}
			if next == '#' || inFlow && isFlowIndicator(next) {
				return end
			}
			if c != '\n' {
				continue
			}
			content := s.continues(i + 1)
			if content < 0 {
				return end
			}
			i = max(i, content-2) // the byte before the content may come before a comment
		}
	}
	return end
}

// quoted reads a scalar in quotes. Without a closing quote, or at a line that
// is indented too little, it ends where it must; the closing quote is then missing.
func (s *scanner) quoted() state {
	k, closing := kindSingle, s.closingSingle
	if s.text[s.pos] == '"' {
		k, closing = kindDouble, s.closingDouble
	}
	end := closing()
	if end < 0 {
		s.push(k, len(s.text))
		return s.inside()
	}
	s.push(k, s.unbroken(end))
	return s.inside()
}

// closingSingle gives where the closing single quote stands, or -1.
func (s *scanner) closingSingle() int {
	for i := s.pos + 1; ; i += 2 {
		found := strings.IndexByte(s.text[min(i, len(s.text)):], '\'')
		if found < 0 {
			return -1
		}
		i += found
		if s.byteAt(i+1) != '\'' {
			return i
		}
	}
}

// closingDouble gives where the closing double quote stands, or -1.
func (s *scanner) closingDouble() int {
	for i := s.pos + 1; ; i++ {
		found := strings.IndexByte(s.text[i:], '"')
		if found < 0 {
			return -1
		}
		i += found
		before := s.text[s.pos:i]
		if backslashes := len(before) - len(strings.TrimRight(before, `\`)); backslashes%2 == 0 {
			return i
		}
	}
}

// unbroken gives where a quoted scalar ends whose closing quote is at closing:
// behind it, or before the first line that is indented too little.
func (s *scanner) unbroken(closing int) int {
	from := s.pos
	for {
		found := strings.IndexByte(s.text[from:closing], '\n')
		if found < 0 {
			return closing + 1
		}
		end := from + found
		if from = s.continues(end + 1); from < 0 {
			return end - boolWidth(s.text[end-1] == '\r')
		}
		from = min(from, closing)
	}
}

func boolWidth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// header reads a block scalar's header line.
func (s *scanner) header() {
	s.headerIndent, s.headerKeep = -1, false
	for i := s.pos + 1; ; i++ {
		c := s.byteAt(i)
		if c == '+' {
			s.headerKeep = true
		} else if c >= '1' && c <= '9' {
			s.headerIndent = c - '1'
		} else if c != '-' {
			break
		}
	}
	end := s.pos
	for !isEmpty(s.byteAt(end)) && s.text[end] != '#' {
		end++
	}
	s.push(kindHeader, end)
	s.spaces(true)
	s.restOfLine()
	s.newline()
}

// blockText reads the lines of a block scalar.
func (s *scanner) blockText() state {
	last, indent := s.leadingLines()
	if indent >= s.need {
		last = s.contentLines(last, indent)
	}
	s.push(kindBlockText, min(s.trailingLines(last, indent)+1, len(s.text)))
	return s.lineStart()
}

// leadingLines passes over empty lines. It gives the last line end before the
// first line with content, and how far that line is indented.
func (s *scanner) leadingLines() (last, indent int) {
	last = s.pos - 1
	for i := s.pos; i < len(s.text); i++ {
		switch c := s.text[i]; {
		case c == ' ':
			indent++
		case c == '\n':
			last, indent = i, 0
		case c == '\r' && s.byteAt(i+1) == '\n':
		default:
			return last, indent
		}
	}
	return last, indent
}

// contentLines passes over the lines that are indented enough, and gives the
// line end behind them.
func (s *scanner) contentLines(last, indent int) int {
	if s.headerIndent < 0 {
		s.need = indent
	} else {
		s.need = s.headerIndent + max(s.need, 1)
	}
	for {
		content := s.continues(last + 1)
		if content < 0 {
			return last
		}
		found := -1
		if content <= len(s.text) {
			found = strings.IndexByte(s.text[content:], '\n')
		}
		if found < 0 {
			return len(s.text)
		}
		last = content + found
	}
}

// trailingLines says with which line end the text ends, once the empty lines
// behind it are given back, unless the header keeps them. A tab there is kept,
// so that it is seen and refused.
func (s *scanner) trailingLines(last, indent int) int {
	i := last + 1
	for s.byteAt(i) == ' ' {
		i++
	}
	if s.byteAt(i) == '\t' {
		for i < len(s.text) && isEmpty(int(s.text[i])) {
			i++
		}
		return i - 1
	}
	for !s.headerKeep {
		i := last - 1
		if i >= s.pos && s.text[i] == '\r' {
			i--
		}
		content := i
		for i >= s.pos && s.text[i] == ' ' {
			i--
		}
		if i < s.pos || s.text[i] != '\n' || i+1+indent <= content {
			break
		}
		last = i
	}
	return last
}
