package strictyaml

// flow reads a flow collection from behind its opening bracket to its closing one.
func (p *parser) flow(n *node) {
	if !p.enter() {
		return
	}
	defer p.leave()
	for !p.done() && n.closed == nil && p.flowToken(n) {
	}
	if n.closed == nil && !p.failed() {
		p.unclosed(n, p.peek())
	}
}

// flowToken reads one token or value; it says whether the collection goes on.
func (p *parser) flowToken(n *node) bool {
	t, it := p.peek(), n.last()
	switch {
	case t.kind == kindUnclosed, t.kind == kindDocStart:
		return false
	case t.kind == kindComma, t.kind == kindQuestion:
		if it == nil || it.paired {
			it = p.item(item{})
			n.add(it)
		}
		p.take(&it.start)
	case t.kind == kindColon:
		p.flowColon(n)
	case t.isBlank(), t.kind == kindAnchor, t.kind == kindTag:
		p.flowProperty(n)
	case t.isFlow():
		p.flowScalar(n)
	case t.kind == kindMapClose, t.kind == kindListClose:
		n.closed = &p.tokens[p.at]
		p.at++
		n.end = p.none()
	default:
		p.flowValue(n)
	}
	return true
}

func (p *parser) flowColon(n *node) {
	it := n.last()
	switch {
	case it == nil || it.value != nil:
		n.add(p.item(item{sep: p.one(), paired: true}))
	case it.paired:
		p.take(&it.sep)
	default:
		it.sep, it.paired = p.one(), true
	}
}

func (p *parser) flowProperty(n *node) {
	it := n.last()
	switch {
	case it == nil || it.value != nil:
		n.add(p.item(item{start: p.one()}))
	case it.paired:
		p.take(&it.sep)
	default:
		p.take(&it.start)
	}
}

func (p *parser) flowScalar(n *node) {
	it := n.last()
	if it != nil && it.value == nil && it.paired {
		p.attachFlow(n, p.scalarTail(p.scalar(), n))
		return
	}
	p.attachFlow(n, p.scalar())
}

// flowValue reads a collection within a flow collection.
func (p *parser) flowValue(n *node) {
	t := p.peek()
	if t.kind == kindDash {
		p.fail(t, `a block list cannot stand in a flow collection`, `write [a, b], or quote a text that starts with "-"`)
		return
	}
	value := p.blockNode(n)
	if value == nil {
		p.unexpected(t)
		return
	}
	p.attachFlow(n, value)
}

// attachFlow puts a finished node into its flow collection.
func (p *parser) attachFlow(n, child *node) {
	if p.failed() {
		return
	}
	child.plainItems()
	it := n.last()
	switch {
	case it == nil || it.value != nil:
		n.add(p.item(item{key: child, sep: p.none(), paired: true}))
	case it.paired:
		it.value = child
	default:
		it.key, it.sep, it.paired = child, p.none(), true
	}
}

// plainItems makes values of those items of a flow list that turned out to be
// no pairs. It may be called again.
func (n *node) plainItems() {
	if n.shape != shapeFlow || n.head.kind != kindListOpen {
		return
	}
	for _, it := range n.items {
		if !it.paired || it.value != nil || has(it.start, kindQuestion) || has(it.sep, kindColon) {
			continue
		}
		it.value, it.key, it.paired = it.key, nil, false
		if it.value != nil && it.value.isFlowNode() {
			it.value.end = join(it.value.end, it.sep)
		} else {
			it.start = join(it.start, it.sep)
		}
		it.sep = nil
	}
}

// flowTail reads what stands behind a flow collection: a colon, which makes it
// a key, or the rest of its line.
func (p *parser) flowTail(n, parent *node) *node {
	for !p.done() {
		t := p.peek()
		if parent.shape == shapeBlockMap &&
			(t.kind == kindColon && parent.indent == n.indent || t.kind == kindNewline && !parent.last().paired) {
			return n
		}
		if t.kind == kindColon && parent.shape != shapeFlow {
			n.plainItems()
			return p.firstKey(n, parent)
		}
		if p.lineEnd(n) {
			return n
		}
	}
	return n
}
