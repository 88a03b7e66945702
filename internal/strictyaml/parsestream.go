package strictyaml

// parseStream reads the one document of a text; nil if there is none.
func (p *parser) parseStream() *node {
	var doc *node
	for !p.failed() && p.peek().kind != kindEnd {
		t := p.peek()
		switch {
		case t.isBlank(), t.kind == kindMark:
			p.at++
		case t.kind == kindDirective:
			p.streamDirective(t)
		case t.kind == kindDocEnd:
			p.streamEnd()
		case doc != nil:
			p.unexpected(t)
		case t.kind == kindDocument, t.kind == kindDocStart:
			doc = p.parseDocument()
			p.needsStart(doc)
		default:
			p.unexpected(t)
		}
	}
	if doc == nil {
		p.needsStart(nil)
	}
	return doc
}

func (p *parser) streamDirective(t token) {
	if p.directive == nil {
		p.directive = &t
	}
	p.at++
}

// needsStart refuses a directive that no --- follows.
func (p *parser) needsStart(doc *node) {
	if p.directive == nil || doc != nil && has(doc.items[0].start, kindDocStart) {
		return
	}
	p.fail(*p.directive, "a directive, which starts with %, must be followed by a line ---", "take it out, or quote a text that starts with %")
}

// streamEnd reads a ... and the rest of its line.
func (p *parser) streamEnd() {
	p.at++
	for k := p.peek().kind; k == kindSpace || k == kindComment || k == kindDocument; k = p.peek().kind {
		p.at++
	}
	if k := p.peek().kind; k != kindNewline && k != kindEnd {
		p.secondDocument(p.peek())
	}
}

// parseDocument reads one document from its first token.
func (p *parser) parseDocument() *node {
	doc := p.node(node{shape: shapeDocument, head: p.peek(), items: []*item{p.item(item{start: p.none()})}})
	it := doc.items[0]
	if p.peek().kind == kindDocument {
		p.at++
		it.start = p.none()
	}
	for !p.done() {
		t := p.peek()
		switch {
		case t.kind == kindDocStart && !allBlank(it.start):
			return doc
		case t.kind == kindDocStart, t.kind == kindAnchor, t.kind == kindTag, t.isBlank():
			p.take(&it.start)
			continue
		}
		it.value = p.blockNode(doc)
		if it.value == nil {
			p.unexpected(t)
			return doc
		}
		it.value.settle(doc)
		it.value.giveBack()
		p.documentEnd(doc)
		return doc
	}
	return doc
}

// documentEnd passes over what may stand behind a document's value.
func (p *parser) documentEnd(doc *node) {
	for !p.done() && p.peek().isBlank() {
		p.take(&doc.end)
	}
}
