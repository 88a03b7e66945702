package fleet

import (
	"github.com/fleetgate/fleetgate/internal/boundary"
	"github.com/fleetgate/fleetgate/internal/value"
)

// Normalized gives the contract as the runtime holds it: defaults filled in,
// writes in their normal form, a step's kind first. It serves `show` and digests.
func (c *Contract) Normalized() *value.Value {
	steps := make([]*value.Value, len(c.Steps))
	for i := range c.Steps {
		steps[i] = c.Steps[i].normalized()
	}
	budget := value.NewNull()
	if c.BudgetUSD != nil {
		budget = value.NewNumber(*c.BudgetUSD)
	}
	m := members{}
	m.add("version", value.NewNumber(float64(c.Version)))
	m.text("name", c.Name.Value)
	m.text("description", c.Description)
	m.add("steps", value.NewList(steps...))
	m.add("maxWorkers", value.NewNumber(c.MaxWorkers))
	m.add("budgetUsd", budget)
	m.text("onFailure", c.OnFailure)
	if c.Writers {
		m.add("writers", value.NewNumber(1))
	}
	m.text("body", c.Body)
	m.text("path", c.Path)
	return value.NewMap(m...)
}

func (s *Step) normalized() *value.Value {
	m := members{}
	m.text("kind", string(s.Kind))
	m.text("id", s.ID.Value)
	switch s.Kind {
	case CodeStep:
		m.text("command", s.Command.Value)
		m.declared("args", s.Args)
	case LoopStep:
		m.add("maxAttempts", value.NewNumber(float64(s.MaxAttempts)))
	case GateStep:
		m.text("agent", s.Agent.Value)
		m.text("path", s.Path.Value)
		m.text("run", s.Run.Value)
	case PlanStep:
		m.text("agent", s.Agent.Value)
		m.declared("roster", s.Roster)
		m.add("maxTasks", value.NewNumber(float64(s.MaxTasks)))
		m.add("proposals", value.NewBool(s.Proposals))
	default:
		m.text("agent", s.Agent.Value)
	}
	m.optional("scope", s.Scope)
	m.declared("dependencies", s.Dependencies)
	m.declared("commitFrom", s.CommitFrom)
	m.writes(s.Writes)
	m.optional("target", s.Target.Value)
	m.optional("profile", s.Profile.Value)
	if s.Check != nil {
		m.add("check", s.Check.normalized())
		m.add("repair", s.Repair.normalized())
	}
	return value.NewMap(m...)
}

func (h *Half) normalized() *value.Value {
	m := members{}
	m.text("kind", string(h.Kind))
	m.optional("agent", h.Agent.Value)
	m.optional("command", h.Command.Value)
	m.declared("args", h.Args)
	m.optional("gate", h.Gate.Value)
	m.optional("scope", h.Scope)
	m.writes(h.Writes)
	m.optional("target", h.Target.Value)
	m.optional("profile", h.Profile.Value)
	return value.NewMap(m...)
}

// Normalized gives the registry as the runtime holds it, commands in its key order.
func (r *Registry) Normalized() *value.Value {
	commands := make([]*value.Value, len(r.Commands))
	for i := range r.Commands {
		commands[i] = r.Commands[i].normalized()
	}
	m := members{}
	m.add("version", value.NewNumber(1))
	m.add("commands", value.NewList(commands...))
	return value.NewMap(m...)
}

func (c *Command) normalized() *value.Value {
	m := members{}
	m.text("id", c.ID.Value)
	m.add("argv", value.Strings(c.Argv))
	if c.Slots != nil {
		m.add("argumentSlots", value.ListOf(c.Slots, Slot.Value))
	}
	m.text("cwd", c.Cwd)
	m.add("timeoutMs", value.NewNumber(c.TimeoutMs))
	m.add("env", value.Strings(c.Env))
	m.text("description", c.Description)
	return value.NewMap(m...)
}

// Value gives the slot as it is declared.
func (s Slot) Value() *value.Value {
	return value.NewMap(value.Field("name", value.NewString(s.Name)), value.Field("maxLength", value.NewNumber(float64(s.MaxLength))))
}

// members collects the members of a mapping.
type members []value.Member

func (m *members) add(key string, v *value.Value) { *m = append(*m, value.Field(key, v)) }
func (m *members) text(key, text string)          { m.add(key, value.NewString(text)) }

// optional adds a text that is never empty where it is declared.
func (m *members) optional(key, text string) {
	if text != "" {
		m.text(key, text)
	}
}

// declared adds a list where it is declared, even if empty.
func (m *members) declared(key string, list []value.Str) {
	if list != nil {
		m.add(key, value.Strings(plain(list)))
	}
}

func (m *members) writes(list []value.Str) {
	if len(list) > 0 {
		m.add("writes", value.Strings(boundary.Normalize(entries(list))))
	}
}

// plain gives the texts without their places.
func plain(list []value.Str) []string {
	texts := make([]string, len(list))
	for i, s := range list {
		texts[i] = s.Value
	}
	return texts
}
