package fleet

import "github.com/fleetgate/fleetgate/internal/value"

// AgentUse is one place where a contract names an agent.
type AgentUse struct {
	Agent    value.Str // where the agent is a default, the place is the step's
	Position string    // the position that the agent works for
	Scope    string    // that position's scope: readonly or workspace
	Roster   bool      // one of a plan's roster
	Default  bool      // the plan step names none
}

// Agents lists every agent that a step, a loop's half, a roster or a default
// names, in step order, as often as it is named.
func (c *Contract) Agents() []AgentUse {
	var uses []AgentUse
	for i := range c.Steps {
		step := &c.Steps[i]
		if step.Agent.Value != "" {
			uses = append(uses, AgentUse{Agent: step.Agent, Position: step.ID.Value, Scope: step.Scope, Default: step.AgentDefault})
		}
		for _, agent := range step.Roster {
			uses = append(uses, AgentUse{Agent: agent, Position: step.ID.Value, Scope: step.Scope, Roster: true})
		}
		for _, part := range halves {
			if half := step.part(part); half != nil && half.Agent.Value != "" {
				uses = append(uses, AgentUse{Agent: half.Agent, Position: c.positionID(i, part), Scope: half.Scope})
			}
		}
	}
	return uses
}
