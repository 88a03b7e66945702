package gate

import (
	"github.com/fleetgate/fleetgate/internal/fleet"
	"github.com/fleetgate/fleetgate/internal/verdict"
)

// Picture draws a contract: a node for every position, an edge for every
// dependency. A loop is its two halves, joined both ways.
func Picture(name string, c *fleet.Contract) verdict.Fleet {
	picture := verdict.Fleet{Name: name, Path: c.Path, Steps: []verdict.Step{}, Edges: []verdict.Edge{}}
	for _, p := range c.Positions() {
		picture.Steps = append(picture.Steps, pictureStep(c, p))
	}
	ends := map[string]string{}
	for i := range c.Steps {
		ends[c.Steps[i].ID.Value] = node(&c.Steps[i])
	}
	for i := range c.Steps {
		picture.Edges = append(picture.Edges, edges(&c.Steps[i], ends)...)
	}
	return picture
}

// edges are a step's dependencies, and a loop's way round.
func edges(step *fleet.Step, ends map[string]string) []verdict.Edge {
	var out []verdict.Edge
	for _, dependency := range step.Dependencies {
		out = append(out, verdict.Edge{From: ends[dependency.Value], To: node(step)})
	}
	if step.Kind != fleet.LoopStep {
		return out
	}
	check, repair := step.ID.Value+".check", step.ID.Value+".repair"
	return append(out,
		verdict.Edge{From: check, To: repair, Loop: true},
		verdict.Edge{From: repair, To: check, Loop: true})
}

// node is where a step begins and ends: a loop does both with its check.
func node(step *fleet.Step) string {
	if step.Kind == fleet.LoopStep {
		return step.ID.Value + ".check"
	}
	return step.ID.Value
}

func pictureStep(c *fleet.Contract, p fleet.Position) verdict.Step {
	step := &c.Steps[p.Step]
	drawn := verdict.Step{ID: p.ID, Kind: string(step.Kind), Agent: step.Agent.Value, Scope: p.Scope, Writes: []string{}}
	if half := halfOf(step, p.Part); half != nil {
		drawn.Kind, drawn.Agent = string(half.Kind), half.Agent.Value
	}
	allow, _ := c.Allow(p)
	drawn.Writes = append(drawn.Writes, allow...)
	return drawn
}

func halfOf(step *fleet.Step, part string) *fleet.Half {
	switch part {
	case "check":
		return step.Check
	case "repair":
		return step.Repair
	}
	return nil
}
