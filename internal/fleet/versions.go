package fleet

import (
	"fmt"

	"github.com/fleetgate/fleetgate/internal/boundary"
	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/value"
)

// refuseNewerKeys refuses, by name and before the schema, what a later version
// brought: a step that declares writes where nothing holds it to them must not
// pass for a misspelling (spec section 4, the order of checks).
func (p *parser) refuseNewerKeys() {
	if p.version < boundary.FirstBounded {
		p.eachStep(p.refuseWrites)
	}
	if p.version < routesSince {
		p.refuseWriters()
		p.eachStep(p.refuseKinds)
	} else {
		p.eachStep(p.refuseGateWrites)
	}
}

// eachStep calls look for every step that is a mapping. On a null the runtime
// fails at once, so that its finding comes before those of later steps.
func (p *parser) eachStep(look func(i int, step *value.Value)) {
	for i, step := range p.steps {
		switch step.Kind {
		case value.Map:
			look(i, step)
		case value.Null:
			p.addByName("fleet"+faultType, step.Pos, stepPath(i), stepPath(i).String()+" must be a mapping, not null", "")
		}
	}
}

// partNames are the places of a step that may hold writes or a route: the step itself first.
var partNames = [...]string{"", CheckPart, RepairPart}

// rawPart gives a step, its check or its repair, where that is a mapping.
func rawPart(step *value.Value, part string) *value.Value {
	if part != "" {
		step = step.Get(part)
	}
	if step == nil || step.Kind != value.Map {
		return nil
	}
	return step
}

func (p *parser) refuseWrites(i int, step *value.Value) {
	for _, part := range partNames {
		if m, ok := rawPart(step, part).Member("writes"); ok {
			p.refuseByName(codeWritesBefore, m, stepPath(i, part, m.Key), boundary.FirstBounded)
		}
	}
}

func (p *parser) refuseWriters() {
	if m, ok := p.root.Member("writers"); ok {
		p.refuseByName(codeWritersBefore, m, path{{key: m.Key, index: -1}}, routesSince)
	}
}

func (p *parser) refuseKinds(i int, step *value.Value) {
	if m, _ := step.Member("kind"); m.Value != nil && m.Value.Kind == value.String {
		if kind := StepKind(m.Value.Text); kind == PlanStep || kind == GateStep {
			thing, _ := p.subject(stepPath(i))
			p.addByName(codeKindBefore, m.Value.Pos, stepPath(i, m.Key),
				fmt.Sprintf("%s: kind %s needs contract version %d; this contract is version %d", thing, kind, routesSince, p.version),
				fmt.Sprintf("raise version to %d", routesSince))
		}
	}
	for _, part := range partNames {
		for _, name := range [...]string{"target", "profile"} {
			if m, ok := rawPart(step, part).Member(name); ok {
				p.refuseByName(codeRouteBefore, m, stepPath(i, part, name), routesSince)
			}
		}
	}
}

// refuseByName reports a key that only a later version has; a null value counts.
func (p *parser) refuseByName(code diag.Code, m value.Member, at path, since int) {
	subject := m.Key
	if thing, rest := p.subject(at); len(rest) < len(at) {
		subject = thing + ": " + rest.String()
	}
	p.addByName(code, m.KeyPos, at,
		fmt.Sprintf("%s needs contract version %d; this contract is version %d, where it would not be honoured", subject, since, p.version),
		fmt.Sprintf("raise version to %d, or take %s out", since, m.Key))
}

func (p *parser) refuseGateWrites(i int, step *value.Value) {
	kind, id := step.Get("kind"), step.Get("id")
	if kind == nil || kind.Text != string(GateStep) || id == nil || id.Text == "" {
		return
	}
	if m, ok := step.Member("writes"); ok {
		p.addByName(codeGateWrites, m.KeyPos, stepPath(i, m.Key),
			fmt.Sprintf("%s is a gate, whose boundary is its path; it must not declare writes", stepName(id.Text)), "take writes out")
	}
}
