package policy

import (
	"fmt"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/result"
	"github.com/fleetgate/fleetgate/internal/strictyaml"
	"github.com/fleetgate/fleetgate/internal/value"
)

// Parse reads one recipe (schema only; the capability policy is PolicyErrors).
// It goes on after a failure where it safely can; the first finding is the one
// that the runtime would report. The recipe is nil when there is any.
func Parse(path, id string, source Source, text []byte) (*Recipe, []diag.Diagnostic) {
	front, found := strictyaml.ParseFrontMatter(path, text)
	if len(found) > 0 {
		return nil, found
	}
	p := &parser{root: front.Root, source: source}
	r := p.recipe(front, path)
	if len(p.found.List) > 0 {
		return nil, p.found.List
	}
	r.ID, r.Source, r.Path = id, source, path
	return r, nil
}

// parser collects the findings of one recipe, in the runtime's order.
type parser struct {
	root   *value.Value
	source Source
	found  diag.Findings
}

// recipe reads every key in the order in which the runtime checks them (spec section 3).
func (p *parser) recipe(front strictyaml.FrontMatter, path string) *Recipe {
	p.admitOnly(p.root, "recipe-unknown-key", "", "a recipe", keysOf(requiredKeys, optionalKey))
	p.require(p.root, "recipe-missing-key", "", "the recipe", requiredKeys)
	p.version()
	p.body(front, path)
	r := &Recipe{Spec: Spec{Body: front.Body}, Positions: p.positions()}
	p.tools(r)
	r.Budget = p.budget()
	r.Name = p.str("name")
	r.Description = p.str("description")
	r.Skills = p.list("skills")
	r.Audience = p.audience()
	r.Category = p.enum("category", categories)
	r.CapabilityClass = p.enum("capabilityClass", capabilityClasses)
	r.LatencyClass = p.enum("latencyClass", latencyClasses)
	r.ProjectContextTier = p.enum("projectContextTier", contextTiers)
	r.ResultContract = p.contract()
	r.Product = p.enum(optionalKey, products)
	r.Tags = p.list("tags")
	return r
}

// positions maps each top-level key to its place.
func (p *parser) positions() map[string]diag.Pos {
	at := make(map[string]diag.Pos, len(p.root.Members))
	for _, m := range p.root.Members {
		at[m.Key] = m.KeyPos
	}
	return at
}

func (p *parser) version() {
	v := p.root.Get("version")
	if v == nil || v.Kind == value.Number && v.Number == 1 {
		return
	}
	p.refuse("recipe-version", v, "version", "version must be the number 1, not "+show(v), "write version: 1, without quotes")
}

// body refuses a blank persona, at the delimiter that it should follow.
func (p *parser) body(front strictyaml.FrontMatter, path string) {
	if !value.IsBlank(front.Body) {
		return
	}
	at := &value.Value{Pos: diag.Pos{File: path, Line: front.Line - 1, Column: 1}}
	p.refuse("recipe-empty-body", at, "body", "the recipe has no persona: nothing but white space follows the front matter",
		"write below the closing --- what the agent is told")
}

// str reads a top-level string that must not be blank.
func (p *parser) str(key string) string {
	v := p.root.Get(key)
	if v == nil {
		return ""
	}
	if !isName(v) {
		p.refuseString(v, key)
	}
	return v.Text
}

// list reads a top-level list of strings.
func (p *parser) list(key string) []string {
	v := p.root.Get(key)
	if v == nil {
		return nil
	}
	return texts(p.names(v, key))
}

// names reads a list of strings that are not blank and differ. Repeated ones are left out.
func (p *parser) names(v *value.Value, field string) []value.Str {
	if v.Kind != value.List {
		p.refuse("recipe-string-array", v, field, fmt.Sprintf("%s must be a list of strings, not %s", field, show(v)),
			"write a list, such as [a, b], or [] for none")
		return nil
	}
	list := distinct{names: make([]value.Str, 0, len(v.Items))}
	for i, item := range v.Items {
		if !isName(item) {
			p.refuseString(item, fmt.Sprintf("%s[%d]", field, i))
			continue
		}
		list.add(value.Str{Value: item.Text, Pos: item.Pos})
	}
	p.refuseRepeated("recipe-string-array-duplicates", field, list)
	return list.names
}

// enum reads a top-level value of a closed set, "" where it is none or absent.
func (p *parser) enum(key string, legal []string) string {
	v := p.root.Get(key)
	if v == nil {
		return ""
	}
	for _, word := range legal {
		if v.Kind == value.String && v.Text == word {
			return word
		}
	}
	p.refuse("recipe-enum", v, key, fmt.Sprintf("%s cannot be %s", key, show(v)), diag.DidYouMean(v.Text, legal)+oneOf(legal))
	return ""
}

// audience reads the audience, which must fit where the recipe was found: it
// says where a recipe comes from, and is no wish of its author.
func (p *parser) audience() string {
	audience := p.enum("audience", audiences)
	v := p.root.Get("audience")
	switch {
	case audience == "":
		return ""
	case p.source == Builtin && audience == AudienceCustom:
		p.found.Add(diag.Diagnostic{
			Code: builtinCustom, Severity: diag.Error, Pos: v.Pos, Field: "audience",
			Message: "a builtin recipe must not declare audience custom",
		})
	case p.source != Builtin && audience != AudienceCustom:
		p.refuse("recipe-audience-provenance", v, "audience",
			fmt.Sprintf("a %s recipe must declare audience custom, not %s: the audience follows where the recipe was found", p.source, audience),
			"write audience: custom")
	}
	return audience
}

func (p *parser) contract() result.Contract {
	v := p.root.Get("resultContract")
	if v == nil {
		return result.Contract{}
	}
	contract, found := result.ParseContract(v, "resultContract", false)
	for _, d := range found {
		p.found.Add(d)
	}
	return contract
}
