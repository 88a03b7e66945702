package fleet

import (
	"fmt"
	"strings"

	"github.com/fleetgate/fleetgate/internal/boundary"
	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/value"
)

func (p *parser) checkBudget() {
	budget := p.root.Get("budgetUsd")
	if budget == nil || budget.Kind != value.Number || !(budget.Number <= 0) {
		return
	}
	p.addAt(codeBudget, budget.Pos, path{{key: "budgetUsd", index: -1}},
		"budgetUsd must be more than 0, not "+show(budget), "take budgetUsd out for no limit")
}

func (p *parser) checkBody() {
	c, body := p.contract, p.front.Body
	c.Body = value.Trim(body)
	c.BodyPos = bodyPos(diag.Pos{File: p.path, Line: p.front.Line, Column: 1}, body, c.Body)
	if c.Body != "" {
		return
	}
	p.addAt(codeEmptyBody, diag.Pos{File: p.path, Line: p.closing}, path{{key: "body", index: -1}},
		"nothing stands below the front matter; the body is the prompt template", "write the prompt below the closing ---")
}

// checkGrammar holds every writes entry against the boundary grammar.
func (p *parser) checkGrammar() {
	if p.version < boundary.FirstBounded {
		return
	}
	for i := range p.contract.Steps {
		step := &p.contract.Steps[i]
		p.checkEntries(i, "", step.Writes)
		for _, part := range halves {
			if half := step.part(part); half != nil {
				p.checkEntries(i, part, half.Writes)
			}
		}
	}
}

func (p *parser) checkEntries(i int, part string, entries []value.Str) {
	for n, entry := range entries {
		if entry.Value == "" {
			continue // the schema's matter
		}
		_, refusal, bad := boundary.ParseEntry(entry.Value)
		if refusal == "" {
			continue
		}
		message, hint := boundary.Refusal(refusal, entry.Value, bad)
		p.addAt(refusal, entry.Pos, stepPath(i, part, "writes").at(n), stepName(p.contract.positionID(i, part))+": "+message, hint)
	}
}

// checkBoundaries holds scope against writes, from version 4: first what every
// workspace position needs, then what no readonly one may have.
func (p *parser) checkBoundaries() {
	if p.version < boundary.FirstBounded {
		return
	}
	p.eachDeclared(func(i int, part string, d declared) {
		if d.scope != Workspace || len(d.writes) > 0 {
			return
		}
		p.addAt(codeNeedsWrites, or(d.writesPos, d.pos), stepPath(i, part, "writes"),
			fmt.Sprintf("%s has scope workspace and no writes; from version %d on it needs at least one entry", stepName(p.contract.positionID(i, part)), boundary.FirstBounded),
			"add the files and directories that it may change, such as writes: [docs/], or make its scope readonly")
	})
	p.eachDeclared(func(i int, part string, d declared) {
		if d.scope != ReadOnly || d.writesPos.Line == 0 {
			return
		}
		p.addAt(codeReadOnlyWrites, d.writesPos, stepPath(i, part, "writes"),
			stepName(p.contract.positionID(i, part))+" is readonly, which is the empty allowlist; it must not declare writes",
			"take writes out, or give it scope: workspace")
	})
}

// declared is what a step or half says about its own boundary.
type declared struct {
	scope     string
	writes    []value.Str
	writesPos diag.Pos
	pos       diag.Pos
}

// eachDeclared calls look for every position that declares its own boundary
// and whose step is without fault: not for gates, whose path is theirs.
func (p *parser) eachDeclared(look func(i int, part string, d declared)) {
	for i := range p.contract.Steps {
		step := &p.contract.Steps[i]
		if p.faults[i].any {
			continue
		}
		switch step.Kind {
		case AgentStep, CodeStep, PlanStep:
			look(i, "", declared{step.Scope, step.Writes, step.WritesPos, step.Pos})
		case LoopStep:
			for _, part := range halves {
				if half := step.part(part); half.Kind != GateStep {
					look(i, part, declared{half.Scope, half.Writes, half.WritesPos, half.Pos})
				}
			}
		}
	}
}

// checkRoutes are the rules of version 5, step by step.
func (p *parser) checkRoutes() {
	if p.version < routesSince {
		return
	}
	for i := range p.contract.Steps {
		step := &p.contract.Steps[i]
		if p.faults[i].any {
			continue
		}
		p.checkRoute(i, "", step.Target, step.Profile, step.Pos)
		p.checkRoster(i, step)
		p.checkGatePath(i, step)
		for _, part := range halves {
			if half := step.part(part); half != nil {
				p.checkRoute(i, part, half.Target, half.Profile, half.Pos)
			}
		}
	}
}

func (p *parser) checkRoute(i int, part string, target, profile value.Str, pos diag.Pos) {
	if target.Value == "" || profile.Value == "" {
		return
	}
	d := p.addAt(codeRouteBoth, pos, stepPath(i, part),
		stepName(p.contract.positionID(i, part))+" declares a target and a profile; they exclude each other", "keep one of the two")
	*d = d.WithRelated(target.Pos, "the target").WithRelated(profile.Pos, "the profile")
}

func (p *parser) checkRoster(i int, step *Step) {
	first := make(map[string]value.Str, len(step.Roster))
	for _, agent := range step.Roster {
		earlier, twice := first[agent.Value]
		if !twice {
			first[agent.Value] = agent
			continue
		}
		d := p.addAt(codeRosterDuplicate, agent.Pos, stepPath(i, "roster"),
			fmt.Sprintf("%s names agent %s twice in its roster", stepName(step.ID.Value), quote(agent.Value)), "name each agent once")
		*d = d.WithRelated(earlier.Pos, "first named here")
		return
	}
}

func (p *parser) checkGatePath(i int, step *Step) {
	if step.Kind != GateStep {
		return
	}
	entry, refusal, bad := boundary.ParseEntry(step.Path.Value)
	if refusal != "" {
		message, hint := boundary.Refusal(refusal, step.Path.Value, bad)
		p.addAt(codeGatePath, step.Path.Pos, stepPath(i, "path"), stepName(step.ID.Value)+": the gate's path"+strings.TrimPrefix(message, "writes entry"), hint)
		return
	}
	if entry == step.Path.Value {
		return
	}
	p.addAt(codeGatePathForm, step.Path.Pos, stepPath(i, "path"),
		fmt.Sprintf("%s: path %s is not in its normal form, which is %s", stepName(step.ID.Value), quote(step.Path.Value), quote(entry)),
		"write path: "+quote(entry))
}
