package discover

import (
	"slices"
	"strings"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/policy"
	"github.com/fleetgate/fleetgate/internal/value"
)

// Catalog is what may be dispatched: the effective recipes of a Set, as they
// are and as specs, and the external agents as specs (spec section 3.5).
type Catalog struct {
	set      Set
	external []ExternalAgent // as declared, for telling changes
	revision int
}

// NewCatalog opens a catalog on a discovered set. Its revision is 1.
func NewCatalog(set Set) *Catalog {
	return &Catalog{set: set, external: set.External, revision: 1}
}

// Revision counts rediscoveries and changes of the external agents; it only grows.
func (c *Catalog) Revision() int { return c.revision }

// Rediscover puts a newly discovered set in place of the old one.
func (c *Catalog) Rediscover(set Set) {
	c.set, c.external = set, set.External
	c.revision++
}

// SetExternal puts other external agents in place of the old ones, and gives
// what is wrong with them. Equal ones change nothing.
func (c *Catalog) SetExternal(external []ExternalAgent) []diag.Diagnostic {
	if slices.EqualFunc(external, c.external, sameExternal) {
		return nil
	}
	kept, found := joinExternal(external, c.set.Agents, nil)
	c.external, c.set.External = external, kept
	c.revision++
	return found
}

func sameExternal(a, b ExternalAgent) bool {
	return a.ID == b.ID && a.Command == b.Command && slices.Equal(a.Args, b.Args)
}

// List gives the effective recipes in id order.
func (c *Catalog) List() []*policy.Recipe {
	var recipes []*policy.Recipe
	for _, a := range c.set.Agents {
		if a.Effective() {
			recipes = append(recipes, a.Recipe)
		}
	}
	return recipes
}

// Get finds an effective recipe by id. An external agent has none.
func (c *Catalog) Get(id string) (*policy.Recipe, bool) {
	a, ok := c.set.Agent(id)
	if !ok {
		return nil, false
	}
	return a.Recipe, true
}

// ListSpecs gives every effective recipe and every external agent as a spec, in id order.
func (c *Catalog) ListSpecs() []policy.Spec {
	var specs []policy.Spec
	for _, r := range c.List() {
		specs = append(specs, r.Spec)
	}
	for _, e := range c.set.External {
		specs = append(specs, e.Spec())
	}
	slices.SortStableFunc(specs, func(a, b policy.Spec) int { return value.CompareIDs(a.ID, b.ID) })
	return specs
}

// GetSpec finds the spec of an effective recipe or an external agent by id.
func (c *Catalog) GetSpec(id string) (policy.Spec, bool) {
	if r, ok := c.Get(id); ok {
		return r.Spec, true
	}
	i := slices.IndexFunc(c.set.External, func(e ExternalAgent) bool { return e.ID == id })
	if i < 0 {
		return policy.Spec{}, false
	}
	return c.set.External[i].Spec(), true
}

// Diagnostics gives the findings of the last discovery.
func (c *Catalog) Diagnostics() []diag.Diagnostic { return c.set.Found }

// Spec gives what stands for the external process among the specs (spec
// section 3.5): no tools of the runtime's, its command line for a description.
func (e ExternalAgent) Spec() policy.Spec {
	spec := policy.Spec{
		ID:                 e.ID,
		Source:             policy.Custom,
		Name:               e.ID,
		Description:        strings.Join(append([]string{e.Command}, e.Args...), " "),
		Tools:              []string{},
		Required:           []policy.Requirement{},
		Optional:           []string{},
		Skills:             []string{},
		Audience:           policy.AudienceCustom,
		Category:           "explore",
		CapabilityClass:    policy.Orchestration,
		LatencyClass:       "deep",
		ProjectContextTier: "none",
		Budget:             policy.Budget{Figures: policy.Figures{ToolCalls: 1}},
		Tags:               []string{"delegation", "acp"},
	}
	spec.ResultContract.Kind = "external-delegation"
	return spec
}
