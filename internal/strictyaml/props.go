package strictyaml

import "strings"

// place says where a list of tokens before a node stands.
type place struct {
	flow         bool
	indicator    kind // the indicator that may be among them
	next         next // what follows them
	parentIndent int
	freshLine    bool // they start on a line of their own
}

// next is what follows a list of tokens, as far as the rules on white space ask.
type next uint8

const (
	nextNothing next = iota // or white space, a comma, an empty scalar
	nextSolid               // anything else
	nextFlow                // a flow collection
	nextBlock               // a block mapping or list
)

// nextOf gives what n is, or what the first of sep is where there is no n.
func nextOf(n *node, sep []token) next {
	switch {
	case n == nil && (len(sep) == 0 || sep[0].kind == kindSpace || sep[0].kind == kindNewline || sep[0].kind == kindComma):
		return nextNothing
	case n == nil:
		return nextSolid
	case n.isBlock():
		return nextBlock
	case n.shape == shapeFlow:
		return nextFlow
	case n.shape == shapeScalar && n.head.kind == kindPlain && n.head.start == n.head.end:
		return nextNothing
	}
	return nextSolid
}

// props is what a list of tokens before a node says.
type props struct {
	found       *token // the indicator
	comma       *token
	anchor, tag *token
	newline     bool
	newlineProp *token // the last line end behind a property
	start       int    // the byte at which the properties, or else the node, begin
	end         token  // the last of the tokens that isn't blank; its kind is kindEnd if there is none

	// While reading:
	atNewline bool
	space     bool   // white space was last
	needSpace bool   // a property was last
	tab       *token // white space with a tab was last
}

// readProps reads a list of tokens; at is the byte behind it.
func (c *composer) readProps(tokens []token, where place, at int) props {
	p := props{start: -1, atNewline: where.freshLine, space: where.freshLine}
	for i := range tokens {
		c.readProp(&p, &tokens[i], where)
	}
	if len(tokens) > 0 {
		at = tokens[len(tokens)-1].end
		if p.needSpace && where.next != nextNothing {
			c.needsSpace(tokens[len(tokens)-1])
		}
	}
	if p.tab != nil && (p.atNewline && p.tab.indent <= where.parentIndent || where.next == nextBlock) {
		c.tabIndent(*p.tab)
	}
	if p.start < 0 {
		p.start = at
	}
	return p
}

func (c *composer) needsSpace(t token) {
	c.fail(t, kindNames[t.kind]+" must be followed by white space", "put a space behind it")
}

func (c *composer) tabIndent(t token) {
	c.fail(t, "a tab cannot indent", "indent with spaces")
}

func (c *composer) readProp(p *props, t *token, where place) {
	if p.needSpace && t.kind != kindSpace && t.kind != kindNewline && t.kind != kindComma {
		c.needsSpace(*t)
	}
	p.needSpace = false
	if p.tab != nil && p.atNewline && t.kind != kindComment && t.kind != kindNewline {
		c.tabIndent(*p.tab)
	}
	p.tab = nil
	switch t.kind {
	case kindSpace:
		if !where.flow && !(where.indicator == kindDocStart && where.next == nextFlow) && strings.Contains(c.textOf(*t), "\t") {
			p.tab = t
		}
		p.space = true
		return
	case kindComment:
		c.comment(*t, p.space)
		p.atNewline = false
		return
	case kindNewline:
		p.atNewline, p.newline, p.space = true, true, true
		if p.anchor != nil || p.tag != nil {
			p.newlineProp = t
		}
		return
	}
	p.end = *t
	p.space = false
	p.atNewline = t.kind == where.indicator && (t.kind == kindDash || t.kind == kindQuestion)
	c.readSolid(p, t, where)
}

// comment holds the comment t against the rule that white space comes before it.
func (c *composer) comment(t token, space bool) {
	if !space {
		c.fail(t, "a comment needs white space before its #", "put a space before it, or quote a text that holds #")
	}
}

// readSolid reads a property, an indicator or a comma.
func (c *composer) readSolid(p *props, t *token, where place) {
	switch {
	case t.kind == kindAnchor:
		c.once(p.anchor, t)
		p.anchor = t
		p.property(t)
	case t.kind == kindTag:
		c.once(p.tag, t)
		p.tag = t
		p.property(t)
	case t.kind == where.indicator:
		if p.anchor != nil || p.tag != nil {
			c.fail(*t, "an anchor or tag must stand behind "+kindNames[t.kind]+", not before it", "move it")
		}
		c.once(p.found, t)
		p.found = t
	case t.kind == kindComma && where.flow:
		c.once(p.comma, t)
		p.comma = t
	default:
		c.unexpected(*t)
	}
}

func (p *props) property(t *token) {
	p.needSpace = true
	if p.start < 0 {
		p.start = t.start
	}
}

// once refuses t where one of its kind came before.
func (c *composer) once(before, t *token) {
	switch {
	case before == nil:
	case t.kind == kindComma:
		c.fail(*t, "there is nothing between this comma and the one before", "take one out")
	default:
		c.fail(*t, kindNames[t.kind]+" stands twice before one value", "keep one")
	}
}

// checkEnd holds what stands behind a node against the rules: comments come after white space.
func (c *composer) checkEnd(end []token) {
	space := false
	for _, t := range end {
		switch t.kind {
		case kindComment:
			c.comment(t, space)
		case kindSpace, kindNewline:
			space = true
		default:
			c.unexpected(t)
		}
	}
}
