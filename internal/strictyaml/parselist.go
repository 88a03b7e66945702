package strictyaml

func (p *parser) blockList(n *node) *node {
	if !p.enter() {
		return n
	}
	defer p.leave()
	for !p.done() && p.listToken(n) {
	}
	return n
}

// listToken reads one token or value of a block list; it says whether the list goes on.
func (p *parser) listToken(n *node) bool {
	t, it := p.peek(), n.last()
	switch {
	case t.isBlank():
		p.blank(n)
		return true
	case t.kind == kindAnchor, t.kind == kindTag:
		if it.value != nil || t.indent <= n.indent {
			break
		}
		p.take(&it.start)
		return true
	case t.kind == kindDash && t.indent == n.indent:
		if it.value != nil || has(it.start, kindDash) {
			n.add(p.item(item{start: p.one()}))
		} else {
			p.take(&it.start)
		}
		return true
	}
	if t.indent <= n.indent {
		return false
	}
	value := p.blockNode(n)
	if value == nil {
		return false
	}
	p.attach(n, value)
	return true
}

// blank reads white space, a line end or a comment in a block collection.
func (p *parser) blank(n *node) {
	t, it := p.peek(), n.last()
	switch {
	case it.value != nil:
		if end := it.value.end; t.kind == kindNewline && len(end) > 0 && end[len(end)-1].kind == kindComment {
			p.take(&it.value.end)
			return
		}
		n.add(p.item(item{start: p.one()}))
	case n.shape == shapeBlockMap && it.paired:
		p.take(&it.sep)
	case t.kind == kindComment && t.indent > n.indent && p.toPrevious(n):
	default:
		p.take(&it.start)
	}
}

// toPrevious gives an indented comment, and the white space before it, to the
// value of the item before, if they can follow it.
func (p *parser) toPrevious(n *node) bool {
	start := n.last().start
	if len(n.items) < 2 || has(start, kindComment) || !allBlank(start) {
		return false
	}
	value := n.items[len(n.items)-2].value
	if value == nil || value.shape != shapeFlow && len(value.end) == 0 {
		return false
	}
	value.end = join(value.end, start)
	p.take(&value.end)
	n.items = n.items[:len(n.items)-1]
	return true
}

// attach puts a finished value into its block collection.
func (p *parser) attach(parent, value *node) {
	if p.failed() {
		return
	}
	it := parent.last()
	switch {
	case it.value != nil && parent.shape == shapeBlockList:
		p.misplaced(value)
	case it.value != nil: // a key on the line behind a block text
		value.settle(parent)
		parent.add(p.item(item{key: value, sep: p.none(), paired: true}))
		p.onKeyLine = true
	case parent.shape == shapeBlockMap && !it.paired:
		value.settle(parent)
		it.key, it.sep, it.paired = value, p.none(), true
		p.onKeyLine = !it.explicit
	default:
		value.settle(parent)
		it.value = value
		if start, ok := value.giveBack(); ok {
			parent.add(p.item(item{start: start}))
		}
	}
}

// settle makes the last changes to n, once its parent is known to keep it.
func (n *node) settle(parent *node) {
	switch {
	case n.shape == shapeBlockText && parent.shape != shapeDocument:
		n.indent = parent.indent
	case n.shape == shapeFlow && parent.shape == shapeDocument:
		n.indent = 0
	}
	n.plainItems()
}

// giveBack takes a last item of nothing but blanks from a block collection:
// it belongs to what follows.
func (n *node) giveBack() (start []token, ok bool) {
	it := n.last()
	if !n.isBlock() || it.paired || it.value != nil || len(it.start) == 0 || !allBlank(it.start) {
		return nil, false
	}
	for _, t := range it.start {
		if n.indent > 0 && t.kind == kindComment && t.indent >= n.indent {
			return nil, false
		}
	}
	n.items = n.items[:len(n.items)-1]
	return it.start, true
}
