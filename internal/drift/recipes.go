package drift

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/discover"
	"github.com/fleetgate/fleetgate/internal/policy"
	"github.com/fleetgate/fleetgate/internal/value"
)

// recipes compares the project's own recipes by id, in id order.
func (c *comparison) recipes(base, head *discover.Set) {
	pairs(projectAgents(base), projectAgents(head), agentID, value.CompareIDs, c.recipe)
}

func agentID(a *discover.Agent) string { return a.ID }

func projectAgents(s *discover.Set) []*discover.Agent {
	return projects(s.Agents, func(a *discover.Agent) policy.Source { return a.Source })
}

// recipe compares one recipe; either may be nil, where there is none.
func (c *comparison) recipe(base, head *discover.Agent) {
	say := func(side diag.Side, path, what string) {
		c.note("drift-recipe", side, diag.Pos{File: path}, "", what, "")
	}
	switch {
	case head == nil:
		say(diag.Base, base.Path, fmt.Sprintf("recipe %s is gone at head", quote(base.ID)))
	case base == nil && head.Recipe == nil:
		say(diag.Head, head.Path, fmt.Sprintf("recipe %s is new, and not valid", quote(head.ID)))
	case base == nil:
		say(diag.Head, head.Path, fmt.Sprintf("recipe %s is new, of the class %s", quote(head.ID), head.Recipe.CapabilityClass))
	case base.Recipe != nil && head.Recipe == nil:
		say(diag.Head, head.Path, fmt.Sprintf("recipe %s is not valid any more", quote(head.ID)))
	case base.Recipe == nil && head.Recipe != nil:
		say(diag.Head, head.Path, fmt.Sprintf("recipe %s is valid now, of the class %s", quote(head.ID), head.Recipe.CapabilityClass))
	case base.Fingerprint != head.Fingerprint:
		c.changed(base.Recipe, head.Recipe)
	}
}

// changed says what of a recipe's meaning changed, and whether its class was raised.
func (c *comparison) changed(base, head *policy.Recipe) {
	var parts []string
	was, is := meaning(base), meaning(head)
	for i := range is {
		if was[i].text != is[i].text {
			parts = append(parts, is[i].name)
		}
	}
	c.note("drift-recipe", diag.Head, diag.Pos{File: head.Path}, "",
		fmt.Sprintf("recipe %s changed: %s", quote(head.ID), list(parts)), "its fingerprint is another one; who relies on it should know")
	if policy.ClassRank(head.CapabilityClass) > policy.ClassRank(base.CapabilityClass) {
		c.note("drift-capability", diag.Head, head.Positions["capabilityClass"], "capabilityClass",
			fmt.Sprintf("recipe %s is raised from %s to %s", quote(head.ID), base.CapabilityClass, head.CapabilityClass),
			"review what the agent may do now that it could not before")
		c.related(base.Positions["capabilityClass"], "its class at base")
	}
}

// part is one named part of a recipe's meaning, as text to compare.
type part struct{ name, text string }

// meaning lists the parts that a fingerprint covers (spec 3.4).
func meaning(r *policy.Recipe) []part {
	var required []string
	for _, requirement := range r.Required {
		required = append(required, sorted(requirement.Names()))
	}
	return []part{
		{"capabilityClass", r.CapabilityClass},
		{"tools.required", sorted(required)},
		{"tools.optional", sorted(r.Optional)},
		{"skills", sorted(r.Skills)},
		{"budget", value.Stringify(r.Budget.Value())},
		{"resultContract", value.Stringify(r.ResultContract.Value())},
		{"audience", r.Audience},
		{"latencyClass", r.LatencyClass},
		{"projectContextTier", r.ProjectContextTier},
		{"the persona", r.Body},
	}
}

func sorted(names []string) string {
	return strings.Join(slices.Sorted(slices.Values(names)), "\x00")
}
