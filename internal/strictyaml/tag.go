package strictyaml

import (
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/fleetgate/fleetgate/internal/value"
)

const coreTags = "tag:yaml.org,2002:"

// tagName gives the full name that a tag stands for: "!" for the one without a
// name, "!name" for a local one.
func (c *composer) tagName(t token) string {
	text := c.textOf(t)
	if text == "!" {
		return text
	}
	if verbatim, ok := strings.CutPrefix(text, "!<"); ok {
		return c.verbatimTag(t, verbatim)
	}
	last := strings.LastIndexByte(text, '!')
	handle, suffix := text[:last+1], text[last+1:]
	switch {
	case suffix == "":
		c.badTag(t, "the tag "+quote(text)+" has no name behind its last !")
	case handle == "!":
		return text
	case handle == "!!":
		name, err := url.PathUnescape(suffix)
		if err != nil || !utf8.ValidString(name) {
			c.badTag(t, "the tag "+quote(text)+" holds a % that stands for nothing")
		}
		return coreTags + name
	default:
		c.badTag(t, "the tag "+quote(text)+" has a handle that is not declared")
	}
	return ""
}

func (c *composer) verbatimTag(t token, verbatim string) string {
	name, ok := strings.CutSuffix(verbatim, ">")
	if !ok {
		c.badTag(t, "a tag that starts with !< must end with >")
	}
	if name == "!" || name == "!!" {
		c.badTag(t, "the tag "+quote(c.textOf(t))+" is not one")
	}
	return name
}

func (c *composer) badTag(t token, message string) {
	c.fail(t, message, "take the tag out, or quote a text that starts with !")
}

// The tags that make what a policy cannot hold: bytes, dates, sets, ordered
// maps. They are refused where the runtime would apply them.
var (
	scalarObjects = map[string]bool{coreTags + "binary": true, coreTags + "timestamp": true, coreTags + "merge": true}
	listObjects   = map[string]bool{coreTags + "omap": true, coreTags + "pairs": true}
	mapObjects    = map[string]bool{coreTags + "set": true}
)

func (c *composer) objectTag(t token) {
	c.badTag(t, "the tag "+quote(c.textOf(t))+" makes an object that a policy cannot hold")
}

// collectionTag holds a list's or mapping's tag against the rules; it never
// changes the value.
func (c *composer) collectionTag(t token, k value.Kind) {
	name := c.tagName(t)
	if k == value.List && listObjects[name] || k == value.Map && mapObjects[name] {
		c.objectTag(t)
	}
}

// untaggedScalar resolves the text of a scalar of kind k by the core schema.
func untaggedScalar(k kind, text string) *value.Value {
	if k == kindPlain {
		return plainScalar(text)
	}
	return value.NewString(text)
}

// taggedScalar resolves a scalar's text by its tag. A text that isn't of the
// tag's form, and one with an unknown tag, stays a string.
func (c *composer) taggedScalar(t token, k kind, text string) *value.Value {
	name := c.tagName(t)
	if name == "" {
		return untaggedScalar(k, text)
	}
	if scalarObjects[name] {
		c.objectTag(t)
	}
	v := plainScalar(text)
	asTagged := false
	switch name {
	case coreTags + "null":
		asTagged = v.Kind == value.Null
	case coreTags + "bool":
		asTagged = v.Kind == value.Bool
	case coreTags + "int":
		asTagged = v.Kind == value.Number && isIntegerForm(text)
	case coreTags + "float":
		asTagged = v.Kind == value.Number && !isIntegerForm(text)
	}
	if !asTagged {
		return value.NewString(text)
	}
	return v
}
