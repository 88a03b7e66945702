package strictyaml

import (
	"fmt"
	"strings"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/value"
)

// MaxAliasProduct bounds what aliases multiply: along a nesting, the product of
// (uses so far + 1) of the anchors must not exceed it (spec section 1).
const MaxAliasProduct = 100

// anchor is a value that aliases may share.
type anchor struct {
	made       composed
	done       bool // the value is complete
	count      int  // uses so far, and one
	multiplies int  // the greatest product of the counts of the anchors used in it; 0 while unknown
	hasScalar  bool
	uses       []*anchor // what the aliases in it stand for
	size       int       // how many values it stands for

	firstUse, firstScalar, firstSize int // of the composer, when the value began
}

// declare notes the anchor of a value that begins here, if it has one.
func (c *composer) declare(p props) *anchor {
	if p.anchor == nil {
		return nil
	}
	name := c.textOf(*p.anchor)[len("&"):]
	if name == "" {
		c.fail(*p.anchor, "an anchor needs a name behind its &", "name it, or quote a text that starts with &")
	}
	a := &anchor{count: 1, firstUse: len(c.uses), firstScalar: c.scalars, firstSize: c.size - 1}
	c.anchors[name] = a
	return a
}

// complete keeps what an anchor stands for.
func (c *composer) complete(a *anchor, made composed) {
	a.made, a.done = made, true
	a.hasScalar = c.scalars > a.firstScalar
	a.uses = c.uses[a.firstUse:len(c.uses):len(c.uses)]
	a.size = c.size - a.firstSize
}

// aliasNode gives the value that an alias stands for.
func (c *composer) aliasNode(n *node, p props) composed {
	t := n.head
	name := c.textOf(t)[len("*"):]
	a := c.anchors[name]
	switch {
	case name == "":
		c.fail(t, "an alias needs a name behind its *", "name it, or quote a text that starts with *")
	case p.anchor != nil || p.tag != nil:
		c.fail(t, "an alias takes no anchor or tag of its own", "take it out")
	case a == nil && strings.HasSuffix(name, ":"):
		c.fail(t, "the colon belongs to the name of this alias", "put a space before the colon")
	case a == nil:
		c.fail(t, "the alias "+quote(name)+" has no anchor before it", "set the anchor first, or quote a text that starts with *")
	case !a.done:
		c.fail(t, "the alias "+quote(name)+" stands within its own anchor; a policy cannot contain itself", "write the value out")
	}
	c.checkEnd(n.end)
	if c.failed() {
		return composed{Value: value.NewNull()}
	}
	c.use(a, t)
	made := a.made
	made.id, made.alias = keyID{}, a
	return made
}

// use counts one use of an anchor and holds it against the bounds.
func (c *composer) use(a *anchor, t token) {
	a.count++
	if a.multiplies == 0 {
		a.multiplies = a.product()
	}
	if a.count*a.multiplies > MaxAliasProduct {
		message := fmt.Sprintf("aliases multiply what stands here more than %d-fold; the runtime refuses that as an attack", MaxAliasProduct)
		c.fail(t, message, "write the value out, or use fewer aliases within each other")
	}
	c.uses = append(c.uses, a)
	c.count(a.size, t)
}

func (a *anchor) product() int {
	product := 0
	if a.hasScalar {
		product = 1
	}
	for _, used := range a.uses {
		product = max(product, used.count*used.multiplies)
	}
	return product
}

func (c *composer) tooMany(t token) {
	message := fmt.Sprintf("the file stands for more than %d values here, aliases counted as what they stand for", MaxNodes)
	c.failAt(codeTooLarge, c.pos(t), message, "keep only policy in this file")
}

// checkHeight refuses a value that aliases nest too deep.
func (c *composer) checkHeight(made composed, pos diag.Pos) {
	if made.height > MaxDepth {
		c.failAt(codeTooLarge, pos, fmt.Sprintf("lists and mappings are nested more than %d deep here", MaxDepth), "flatten the value")
	}
}
