package fleet

import (
	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/value"
)

// read builds the contract. Where the schema found a fault, what isn't of the
// right type stays zero; the checks that follow leave such steps out.
func (p *parser) read() {
	steps, _ := p.root.Member("steps")
	c := &Contract{Version: p.version, Path: p.path, Pos: steps.KeyPos}
	for _, m := range p.root.Members {
		readContractKey(c, m)
	}
	c.Steps = make([]Step, len(p.steps))
	c.index = make(map[string]int, len(p.steps))
	for i, v := range p.steps {
		c.Steps[i] = readStep(v)
		if id := c.Steps[i].ID.Value; id != "" {
			if _, twice := c.index[id]; !twice {
				c.index[id] = i
			}
		}
	}
	p.contract = c
}

func readContractKey(c *Contract, m value.Member) {
	switch m.Key {
	case "name":
		c.Name = str(m.Value)
	case "description":
		c.Description = m.Value.Text
	case "maxWorkers":
		c.MaxWorkers = m.Value.Number
	case "budgetUsd":
		if m.Value.Kind == value.Number {
			c.BudgetUSD = &m.Value.Number
		}
	case "onFailure":
		c.OnFailure = m.Value.Text
	case "writers":
		c.Writers = true
	}
}

func readStep(v *value.Value) Step {
	s := Step{Kind: AgentStep, Pos: v.Pos}
	if kind := v.Get("kind"); kind != nil {
		s.Kind = StepKind(kind.Text)
	}
	for _, m := range v.Members {
		readStepKey(&s, m)
		s.read(m)
	}
	switch {
	case s.Kind == GateStep:
		s.Scope = Workspace
	case s.Kind == PlanStep && s.Agent.Value == "":
		s.Agent, s.AgentDefault = value.Str{Value: defaultPlanAgent, Pos: v.Pos}, true
	}
	return s
}

func readStepKey(s *Step, m value.Member) {
	switch m.Key {
	case "id":
		s.ID = str(m.Value)
	case "dependencies":
		s.Dependencies = strs(m.Value)
	case "commitFrom":
		s.CommitFrom = strs(m.Value)
	case "maxAttempts":
		s.MaxAttempts = whole(m.Value, MaxLoopAttempts)
	case "check":
		s.Check = readHalf(m.Value, "")
	case "repair":
		s.Repair = readHalf(m.Value, AgentStep)
	case "path":
		s.Path = str(m.Value)
	case "run":
		s.Run = str(m.Value)
	case "roster":
		s.Roster = strs(m.Value)
	case "maxTasks":
		s.MaxTasks = whole(m.Value, MaxPlanTasks)
	case "proposals":
		s.Proposals = m.Value.Bool
	}
}

func readHalf(v *value.Value, unset StepKind) *Half {
	h := &Half{Kind: unset, Pos: v.Pos}
	for _, m := range v.Members {
		switch m.Key {
		case "kind":
			h.Kind = StepKind(m.Value.Text)
		case "gate":
			h.Gate = str(m.Value)
		}
		h.read(m)
	}
	return h
}

// read takes a key that steps and halves have in common.
func (w *Work) read(m value.Member) {
	switch m.Key {
	case "agent":
		w.Agent = str(m.Value)
	case "command":
		w.Command = str(m.Value)
	case "args":
		w.Args = strs(m.Value)
	case "scope":
		w.Scope = m.Value.Text
	case "writes":
		w.Writes, w.WritesPos = strs(m.Value), m.KeyPos
	case "target":
		w.Target = str(m.Value)
	case "profile":
		w.Profile = str(m.Value)
	}
}

func str(v *value.Value) value.Str { return value.Str{Value: v.Text, Pos: v.Pos} }

func strs(v *value.Value) []value.Str {
	list := make([]value.Str, len(v.Items))
	for i, item := range v.Items {
		list[i] = str(item)
	}
	return list
}

// whole reads a number that the schema bounds by limit; anything else is 0.
func whole(v *value.Value, limit float64) int {
	if v.Kind != value.Number || !value.IsInteger(v.Number) || v.Number < 0 || v.Number > limit {
		return 0
	}
	return int(v.Number)
}

// or gives the first position that is known.
func or(first, second diag.Pos) diag.Pos {
	if first.Line > 0 {
		return first
	}
	return second
}
