package policy

import "slices"

// unmediated is listed as missing where a runtime offers dispatch and doesn't mediate it.
const unmediated = "dispatch(runtime mediation unavailable)"

// ToolCompatibility says how an agent fares with the tools at hand (spec 3.6).
type ToolCompatibility struct {
	Compatible      bool     // nothing required is missing
	MissingRequired []string // in declared order, a group as anyOf(a|b); then dispatch, if it isn't mediated
	LostOptional    []string // in declared order
}

// Compatibility holds an agent against the tools that a runtime offers, and
// whether that runtime mediates dispatch (spec 3.6). An offered dispatch that
// nobody mediates makes every agent incompatible, whether it uses it or not.
func Compatibility(spec Spec, available []string, mediatesDispatch bool) ToolCompatibility {
	offered := func(tool string) bool { return slices.Contains(available, tool) }
	c := ToolCompatibility{MissingRequired: []string{}, LostOptional: []string{}}
	for _, required := range spec.Required {
		if !slices.ContainsFunc(required.Names(), offered) {
			c.MissingRequired = append(c.MissingRequired, required.String())
		}
	}
	if offered(toolDispatch) && !mediatesDispatch {
		c.MissingRequired = append(c.MissingRequired, unmediated)
	}
	for _, tool := range spec.Optional {
		if !offered(tool) {
			c.LostOptional = append(c.LostOptional, tool)
		}
	}
	c.Compatible = len(c.MissingRequired) == 0
	return c
}
