package discover

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/fleet"
	"github.com/fleetgate/fleetgate/internal/policy"
)

// CrossCheck reports how the project's files fit together: agents that a
// fleet names and nobody has, workspace steps whose agent can't write, and
// permit entries that name no step. All are warnings: what the runtime
// resolves only at dispatch, from roots that a repository may not have, can't
// be proved wrong here. Fleets come in name order, findings in step order.
func CrossCheck(s *Set) []diag.Diagnostic {
	c := crossCheck{set: s, agents: map[string]*Agent{}, external: map[string]bool{}}
	for i := range s.Agents {
		a := &s.Agents[i]
		if _, known := c.agents[a.ID]; !known {
			c.agents[a.ID] = a
			c.ids = append(c.ids, a.ID)
		}
	}
	for _, e := range s.External {
		c.external[e.ID] = true
	}
	for i := range s.Fleets {
		if f := &s.Fleets[i]; f.Parsed != nil && f.Source != policy.Builtin {
			c.fleet(f)
		}
	}
	if c.left > 0 {
		last := len(c.found) - 1
		c.found[last] = standingFor(c.found[last], c.left)
	}
	return append(c.found, c.permits()...)
}

type crossCheck struct {
	set      *Set
	agents   map[string]*Agent // the effective one of each id, else a quarantined one
	ids      []string
	external map[string]bool
	guessed  int // for how many unknown agents a nearest name was looked for
	found    []diag.Diagnostic
	left     int // how many aren't in found any more
}

func (c *crossCheck) fleet(f *Fleet) {
	plans := map[string]bool{}
	for _, step := range f.Parsed.Steps {
		plans[step.ID.Value] = step.Kind == fleet.PlanStep
	}
	for _, use := range f.Parsed.Agents() {
		c.agent(f, use, plans[use.Position])
	}
}

// agent checks one place that names an agent. Whoever plans, or stands in a
// plan's roster, need not write itself.
func (c *crossCheck) agent(f *Fleet, use fleet.AgentUse, plan bool) {
	name := use.Agent.Value
	if c.external[name] {
		return
	}
	a, known := c.agents[name]
	switch {
	case !known:
		c.warn("agent-missing", f, use, fmt.Sprintf("names the agent %s, which is no builtin and has no recipe in %s/%s/", quote(name), Dir, agentsDir),
			c.didYouMean(name)+"add the recipe, or pass the root that has it with --root")
	case !a.Effective():
		c.warn("agent-missing", f, use, fmt.Sprintf("names the agent %s, whose recipe %s is not valid", quote(name), a.Path),
			"repair the recipe")
	case !plan && use.Scope == fleet.Workspace && !policy.CanWrite(a.Recipe):
		c.warn("agent-cannot-write", f, use, fmt.Sprintf("has the scope workspace, but its agent %s is of the class %s and can't write", quote(name), a.Recipe.CapabilityClass),
			"make the step readonly, or give it an agent that can write, such as coder")
	}
}

// didYouMean begins a hint with the nearest agent, for the first few unknown ones.
func (c *crossCheck) didYouMean(name string) string {
	c.guessed++
	if c.guessed > maxSuggestions {
		return ""
	}
	return diag.DidYouMean(name, c.ids)
}

func (c *crossCheck) warn(code diag.Code, f *Fleet, use fleet.AgentUse, says, hint string) {
	if len(c.found) >= MaxFindings {
		c.left++
		return
	}
	message := fmt.Sprintf("step %s %s", quote(f.Name+"/"+use.Position), says)
	c.found = append(c.found, diag.New(code, use.Agent.Pos, "", message).WithHint(hint))
}

// permits warns about permit entries that name no step of the project's own fleets.
func (c *crossCheck) permits() (found []diag.Diagnostic) {
	known := map[string]steps{}
	for i := range c.set.Fleets {
		if f := &c.set.Fleets[i]; f.Source == policy.Project {
			known[f.Name] = stepsOf(f)
		}
	}
	for i, entry := range c.set.Config.Rules.Permit {
		for j, step := range entry.Steps {
			why := permitProblem(known, step)
			if why == "" {
				continue
			}
			found = addFinding(found, diag.New("permit-unknown-step", entry.Pos, fmt.Sprintf("permit[%d].steps[%d]", i, j),
				fmt.Sprintf("the permitted step %s %s", quote(step), why)).
				WithHint("name a step of a fleet in "+Dir+"/"+fleetsDir+"/; `fleetgate show fleet/NAME` lists them"))
		}
	}
	return found
}

func permitProblem(fleets map[string]steps, step string) string {
	name, position, _ := strings.Cut(step, "/")
	known, ok := fleets[name]
	switch {
	case !ok:
		return "names no fleet of this repository"
	case known == nil, position == "*", known.has(position):
		return ""
	}
	return "names no step of fleet " + quote(name)
}

// steps are the claimable names of one contract, each with how many attempts
// a suffix may name.
type steps map[string]int

// stepsOf lists a contract's positions; nil where it isn't valid, so that nothing is known.
func stepsOf(f *Fleet) steps {
	if f.Parsed == nil {
		return nil
	}
	known := steps{}
	for _, p := range f.Parsed.Positions() {
		known[p.ID] = max(known[p.ID], p.Attempts)
	}
	return known
}

// has says whether a claim may name this position, with or without an attempt.
func (s steps) has(position string) bool {
	if _, ok := s[position]; ok {
		return true
	}
	dot := strings.LastIndexByte(position, '.')
	if dot < 0 {
		return false
	}
	attempt, err := strconv.Atoi(position[dot+1:])
	return err == nil && attempt >= 1 && attempt <= s[position[:dot]]
}
