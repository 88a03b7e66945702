package strictyaml

// parser makes a tree of nodes of the tokens. It goes by the same steps as the
// runtime's own parser, so that it sees the same structure, and fails at the
// first token that can have no place in it.
type parser struct {
	*source
	*room     // with the tokens of all of the text
	at        int
	onKeyLine bool // on the line of a block mapping's key
	depth     int
	directive *token // the first directive
}

func (p *parser) node(n node) *node { return p.nodes.put(n) }

func (p *parser) item(it item) *item { return p.items.put(it) }

// peek gives the current token; at the end it stays kindEnd.
func (p *parser) peek() token { return p.tokens[p.at] }

// done says whether the document has no further token.
func (p *parser) done() bool {
	return p.failed() || p.peek().kind == kindEnd || p.peek().kind == kindDocEnd
}

// take adds the current token to list, which ends right before it.
func (p *parser) take(list *[]token) {
	if len(*list) == 0 {
		*list = p.tokens[p.at : p.at+1]
	} else {
		*list = (*list)[:len(*list)+1]
	}
	p.at++
}

// none is an empty list that take can begin.
func (p *parser) none() []token { return p.tokens[p.at:p.at] }

// one takes the current token as a list of its own.
func (p *parser) one() []token {
	var list []token
	p.take(&list)
	return list
}

// join gives the list that a, and b right behind it, make together.
func join(a, b []token) []token {
	if len(a) == 0 {
		return b
	}
	return a[:len(a)+len(b)]
}

// enter counts one level of nesting; leave takes it back.
func (p *parser) enter() bool {
	p.depth++
	if p.depth > MaxDepth {
		p.tooDeep(p.peek())
		return false
	}
	return true
}

func (p *parser) leave() { p.depth-- }

// blockNode reads the value that starts with the current token, in parent;
// nil if none does.
func (p *parser) blockNode(parent *node) *node {
	t := p.peek()
	switch {
	case t.isFlow():
		return p.scalarTail(p.scalar(), parent)
	case t.kind == kindHeader:
		return p.blockText()
	case t.kind == kindMapOpen, t.kind == kindListOpen:
		n := p.node(node{shape: shapeFlow, head: t, indent: t.indent})
		p.at++
		p.flow(n)
		return p.flowTail(n, parent)
	case t.kind == kindDash:
		return p.blockList(p.node(node{shape: shapeBlockList, head: t, indent: t.indent, items: []*item{p.item(item{start: p.one()})}}))
	case t.kind == kindQuestion:
		p.onKeyLine = true
		start := splitProps(parent.before())
		p.take(&start)
		return p.blockMap(p.node(node{shape: shapeBlockMap, head: start[0], indent: t.indent, items: []*item{p.item(item{start: start, explicit: true})}}))
	case t.kind == kindColon:
		p.onKeyLine = true
		it := p.item(item{start: splitProps(parent.before()), sep: p.one(), paired: true})
		return p.blockMap(p.node(node{shape: shapeBlockMap, head: t, indent: t.indent, items: []*item{it}}))
	}
	return nil
}

// scalar takes the current token as a node.
func (p *parser) scalar() *node {
	t := p.peek()
	p.at++
	return p.node(node{shape: shapeScalar, head: t, indent: t.indent, end: p.none()})
}

// splitProps takes from the end of list the properties that stand on the line
// of a key that follows, and gives them.
func splitProps(list *[]token) []token {
	if list == nil {
		return nil
	}
	i := len(*list)
	for i > 0 && !endsProps((*list)[i-1].kind) {
		i--
	}
	for i < len(*list) && (*list)[i].kind == kindSpace {
		i++
	}
	props := (*list)[i:]
	*list = (*list)[:i]
	return props
}

func endsProps(k kind) bool {
	return k == kindDocStart || k == kindQuestion || k == kindColon || k == kindDash || k == kindNewline
}

// scalarTail reads what stands behind a scalar: a colon, which makes it the
// first key of a block mapping, or the rest of its line.
func (p *parser) scalarTail(n, parent *node) *node {
	for !p.done() {
		if p.peek().kind == kindColon {
			return p.firstKey(n, parent)
		}
		if p.lineEnd(n) {
			break
		}
	}
	return n
}

// firstKey makes a block mapping whose first key is n.
func (p *parser) firstKey(n, parent *node) *node {
	sep := n.end
	n.end = nil
	p.take(&sep)
	it := p.item(item{start: splitProps(parent.before()), key: n, sep: sep, paired: true})
	p.onKeyLine = true
	return p.blockMap(p.node(node{shape: shapeBlockMap, head: n.head, indent: n.indent, items: []*item{it}}))
}

// lineEnd reads one token behind n, and says whether n ends with it.
func (p *parser) lineEnd(n *node) bool {
	t := p.peek()
	switch t.kind {
	case kindComma, kindDocStart, kindListClose, kindMapClose, kindColon, kindUnclosed:
		return true
	case kindNewline:
		p.onKeyLine = false
		p.take(&n.end)
		return true
	case kindSpace, kindComment:
		p.take(&n.end)
		return false
	}
	p.fail(t, "nothing may follow a value on its line, but "+kindNames[t.kind]+" does", "put it on a line of its own, or quote the whole value")
	return true
}

func (p *parser) blockText() *node {
	n := p.node(node{shape: shapeBlockText, head: p.peek(), props: p.one()})
	for !p.done() && p.peek().isBlank() {
		p.take(&n.props)
	}
	n.text = p.peek()
	if n.text.kind != kindBlockText {
		p.unexpected(n.text)
		return n
	}
	p.at++
	return n
}
