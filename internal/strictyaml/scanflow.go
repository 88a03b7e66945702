package strictyaml

// flow reads on inside a flow collection.
func (s *scanner) flow() state {
	indent := s.flowBlanks()
	if s.breaksOff(indent) {
		s.flowDepth = 0
		s.push(kindUnclosed, s.pos)
		return s.lineStart()
	}
	for s.at(0) == ',' {
		s.indicator()
		s.spaces(true)
		s.afterKey = false
	}
	s.properties()
	if s.pos == s.lineEnd() {
		return (*scanner).flow
	}
	return s.flowNode()
}

// flowNode reads one scalar, indicator or comment.
func (s *scanner) flowNode() state {
	switch s.text[s.pos] {
	case '#':
		s.restOfLine()
		return (*scanner).flow
	case '{', '[':
		s.indicator()
		s.afterKey = false
		s.flowDepth++
		return (*scanner).flow
	case '}', ']':
		s.indicator()
		s.afterKey = true
		s.flowDepth--
		return s.inside()
	case '*':
		s.push(kindAlias, s.nameEnd())
		return (*scanner).flow
	case '"', '\'':
		s.afterKey = true
		return s.quoted()
	case ':':
		if next := s.at(1); s.afterKey || isEmpty(next) || next == ',' {
			s.afterKey = false
			s.indicator()
			s.spaces(true)
			return (*scanner).flow
		}
	}
	s.afterKey = false
	return s.plain()
}

// inside gives the state that follows a scalar or a closing bracket.
func (s *scanner) inside() state {
	if s.flowDepth > 0 {
		return (*scanner).flow
	}
	return (*scanner).document
}

// flowBlanks reads line ends and white space. It gives the indentation of the
// line that it ends on, or -1 where it read no line end.
func (s *scanner) flowBlanks() int {
	indent := -1
	for {
		broken := s.newline()
		if broken {
			s.lineIndent = s.spaces(false)
			indent = s.lineIndent
		}
		if s.spaces(true) == 0 && !broken {
			return indent
		}
	}
}

// breaksOff says whether a line with this indentation cannot belong to the
// flow collection: it is indented too little, or is a document marker. Only
// the outermost closing bracket may stand as far left as what holds it.
func (s *scanner) breaksOff(indent int) bool {
	c := s.at(0)
	tooLittle := indent >= 0 && indent < s.need && c != '#'
	if !tooLittle && !(indent == 0 && s.documentMarker(s.pos) != 0) {
		return false
	}
	return !(indent == s.need-1 && s.flowDepth == 1 && (c == ']' || c == '}'))
}
