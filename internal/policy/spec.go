package policy

import (
	"strings"

	"github.com/fleetgate/fleetgate/internal/result"
	"github.com/fleetgate/fleetgate/internal/value"
)

// SpecVersion is the version of every spec, and the only version of a recipe.
const SpecVersion = 1

// Spec is an agent as the rest of a fleet knows it: a recipe normalized, or
// what stands for an external process (spec section 3 and 3.5).
type Spec struct {
	ID                 string
	Source             Source
	Name               string
	Description        string
	Tools              []string // flattened: required (groups expanded in place), then optional
	Required           []Requirement
	Optional           []string
	Skills             []string
	Audience           string
	Category           string
	CapabilityClass    string
	LatencyClass       string
	ProjectContextTier string
	Product            string // empty when not declared
	Budget             Budget
	ResultContract     result.Contract
	Tags               []string
	Body               string // untrimmed; empty for an external process
}

// Normalized gives the recipe as one value, in the layout of the runtime's specs.
func (r *Recipe) Normalized() *value.Value { return r.Spec.Value() }

// Value gives the spec as one value, in the runtime's layout.
func (s Spec) Value() *value.Value {
	members := []value.Member{
		value.Field("version", value.NewNumber(SpecVersion)),
		value.Field("id", value.NewString(s.ID)),
		value.Field("name", value.NewString(s.Name)),
		value.Field("description", value.NewString(s.Description)),
		value.Field("tools", value.Strings(s.Tools)),
		value.Field("toolRequirements", value.NewMap(
			value.Field("required", requirementList(s.Required)),
			value.Field("optional", value.Strings(s.Optional)),
		)),
		value.Field("skills", value.Strings(s.Skills)),
		value.Field("audience", value.NewString(s.Audience)),
		value.Field("category", value.NewString(s.Category)),
		value.Field("capabilityClass", value.NewString(s.CapabilityClass)),
		value.Field("latencyClass", value.NewString(s.LatencyClass)),
		value.Field("projectContextTier", value.NewString(s.ProjectContextTier)),
		value.Field("budget", s.Budget.Value()),
		value.Field("resultContract", s.ResultContract.Value()),
	}
	if s.Product != "" {
		members = append(members, value.Field("product", value.NewString(s.Product)))
	}
	return value.NewMap(append(members,
		value.Field("tags", value.Strings(s.Tags)),
		value.Field("source", value.NewString(string(s.Source))),
		value.Field("body", value.NewString(s.Body)),
	)...)
}

// Value gives the budget as it is declared; maximum only where there is one.
func (b Budget) Value() *value.Value {
	members := append(b.Figures.fields(), value.Field("synthesis", value.NewBool(b.Synthesis)))
	if b.Maximum != nil {
		members = append(members, value.Field("maximum", value.NewMap(b.Maximum.fields()...)))
	}
	return value.NewMap(members...)
}

func (f Figures) fields() []value.Member {
	return []value.Member{
		value.Field("toolCalls", value.NewNumber(f.ToolCalls)),
		value.Field("readReserve", value.NewNumber(f.ReadReserve)),
	}
}

// Names lists the tools of which one satisfies the requirement.
func (r Requirement) Names() []string {
	if r.AnyOf != nil {
		return r.AnyOf
	}
	return []string{r.Tool}
}

// String gives a plain name as it is, and a group as anyOf(a|b) in declared order.
func (r Requirement) String() string { return groupText(r, r.AnyOf) }

// groupText writes a requirement with its group's names in the given order.
func groupText(r Requirement, names []string) string {
	if r.AnyOf == nil {
		return r.Tool
	}
	return "anyOf(" + strings.Join(names, "|") + ")"
}

func requirementList(required []Requirement) *value.Value {
	return value.ListOf(required, func(r Requirement) *value.Value {
		if r.AnyOf != nil {
			return value.NewMap(value.Field("anyOf", value.Strings(r.AnyOf)))
		}
		return value.NewString(r.Tool)
	})
}
