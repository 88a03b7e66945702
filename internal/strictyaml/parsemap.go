package strictyaml

func (p *parser) blockMap(m *node) *node {
	if !p.enter() {
		return m
	}
	defer p.leave()
	for !p.done() && p.mapToken(m) {
	}
	return m
}

// mapToken reads one token or value of a block mapping; it says whether the
// mapping goes on.
func (p *parser) mapToken(m *node) bool {
	t := p.peek()
	if t.isBlank() {
		if t.kind == kindNewline {
			p.onKeyLine = false
		}
		p.blank(m)
		return true
	}
	if t.indent < m.indent {
		return false
	}
	it := m.last()
	next := !p.onKeyLine && t.indent == m.indent && (it.paired || it.explicit) && t.kind != kindDash
	start := p.none()
	if next && it.paired && it.value == nil {
		start = it.splitEmpty(m.indent, start)
	}
	switch {
	case t.kind == kindAnchor, t.kind == kindTag:
		p.mapProperty(m, next, start)
	case t.kind == kindQuestion:
		p.mapQuestion(m, next, start)
	case t.kind == kindColon:
		p.mapColon(m, next, start)
	case t.isFlow():
		p.mapScalar(m, next, start)
	default:
		return p.mapValue(m, start)
	}
	return true
}

// splitEmpty takes from an item without a value the lines behind its first
// empty one: they belong to the key that follows. none is what it gives if there are none.
func (it *item) splitEmpty(indent int, none []token) []token {
	var ends []int
	for i, t := range it.sep {
		switch {
		case t.kind == kindNewline:
			ends = append(ends, i)
		case t.kind == kindSpace, t.kind == kindComment && t.indent <= indent:
		default:
			ends = ends[:0]
		}
	}
	if len(ends) < 2 {
		return none
	}
	start := it.sep[ends[1]:]
	it.sep = it.sep[:ends[1]]
	return start
}

func (p *parser) mapProperty(m *node, next bool, start []token) {
	it := m.last()
	switch {
	case next || it.value != nil:
		p.take(&start)
		m.add(p.item(item{start: start}))
		p.onKeyLine = true
	case it.paired:
		p.take(&it.sep)
	default:
		p.take(&it.start)
	}
}

func (p *parser) mapQuestion(m *node, next bool, start []token) {
	it := m.last()
	switch {
	case !it.paired && !it.explicit:
		p.take(&it.start)
		it.explicit = true
	case next || it.value != nil:
		p.take(&start)
		m.add(p.item(item{start: start, explicit: true}))
	default:
		t := p.peek()
		p.nested(m, p.item(item{start: p.one(), explicit: true}), t)
		return
	}
	p.onKeyLine = true
}

// nested reads a block mapping that starts with it, at t, as a part of m.
func (p *parser) nested(m *node, it *item, t token) {
	p.onKeyLine = true
	p.attach(m, p.blockMap(p.node(node{shape: shapeBlockMap, head: t, indent: t.indent, items: []*item{it}})))
}

func (p *parser) mapScalar(m *node, next bool, start []token) {
	it := m.last()
	if !next && it.value == nil && it.paired {
		p.attach(m, p.scalarTail(p.scalar(), m))
		return
	}
	if next || it.value != nil {
		it = p.item(item{start: start})
		m.add(it)
	}
	it.key = p.scalar()
	it.sep, it.paired = p.none(), true
	p.onKeyLine = true
}

// mapValue reads a flow collection, a block list or a block text.
func (p *parser) mapValue(m *node, start []token) bool {
	t, it := p.peek(), m.last()
	switch t.kind {
	case kindDash:
		if !it.explicit && it.paired && !has(it.sep, kindNewline) {
			p.fail(t, `a block list cannot start on the line of its key`, `put the first "- " on a line of its own`)
			return false
		}
	case kindMapOpen, kindListOpen, kindHeader:
		if !p.onKeyLine && t.indent == m.indent {
			m.add(p.item(item{start: start}))
		}
	default:
		return false
	}
	p.attach(m, p.blockNode(m))
	return true
}

func (p *parser) mapColon(m *node, next bool, start []token) {
	t, it := p.peek(), m.last()
	p.onKeyLine = true
	switch {
	case !it.paired && it.explicit && !has(it.start, kindNewline):
		props := splitProps(&it.start)
		p.nested(m, p.item(item{start: props, sep: p.one(), paired: true}), t)
	case !it.paired:
		it.sep, it.paired = p.one(), true
	case it.value != nil, next && !it.explicit:
		if it.explicit {
			start = nil
		}
		m.add(p.item(item{start: start, sep: p.one(), paired: true}))
	case has(it.sep, kindColon):
		if !it.explicit {
			start = nil
		}
		p.nested(m, p.item(item{start: start, sep: p.one(), paired: true}), t)
	case it.explicit && it.key != nil && it.key.isFlowNode() && !has(it.sep, kindNewline):
		p.explicitPair(m, it)
	default:
		it.sep = join(it.sep, start)
		p.take(&it.sep)
	}
}

// explicitPair makes the key of it, and the colon behind it, the first pair of
// a block mapping that is the key in its place.
func (p *parser) explicitPair(m *node, it *item) {
	t := p.peek()
	inner := p.item(item{start: splitProps(&it.start), key: it.key, sep: it.sep, paired: true})
	p.take(&inner.sep)
	it.key, it.sep, it.paired = nil, nil, false
	p.nested(m, inner, t)
}

// isFlowNode says whether n is a scalar outside blocks, an alias or a flow collection.
func (n *node) isFlowNode() bool { return n.shape == shapeScalar || n.shape == shapeFlow }
