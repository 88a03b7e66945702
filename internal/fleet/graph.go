package fleet

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/value"
)

// What keeps hints cheap and short in a contract of thousands of faults.
const (
	maxListed     = 20   // names in one message; the rest is counted
	maxGuesses    = 20   // unknown names of one contract for which the nearest id is looked for
	maxCandidates = 1000 // steps among which it is looked for
)

// checkGraph holds the steps against each other in the runtime's order: ids,
// then gates and dependencies step by step, cycles, commit sources (spec
// section 4, Graph). A step whose kind, id or dependencies the schema refuses
// takes part only by its id.
func (p *parser) checkGraph() {
	p.named = p.idsKnown()
	unique := p.checkUniqueIDs()
	p.checkCollisions()
	for i := range p.contract.Steps {
		p.checkGate(i)
		p.checkDependencies(i)
	}
	g := p.contract.graph()
	sound := unique && !p.anyGraphFault()
	var order []int
	if sound {
		var rest []int
		order, rest = g.order()
		p.reportCycle(g, rest)
		sound = len(rest) == 0
	}
	p.checkCommitSources(g, order, sound)
}

func (p *parser) anyGraphFault() bool {
	for _, fault := range p.faults {
		if fault.graph {
			return true
		}
	}
	return false
}

// idsKnown says whether every step has a readable id, so that a name that
// isn't among them names nothing.
func (p *parser) idsKnown() bool {
	for i := range p.contract.Steps {
		if p.contract.Steps[i].ID.Value == "" {
			return false
		}
	}
	return true
}

func (p *parser) checkUniqueIDs() bool {
	unique := true
	for i := range p.contract.Steps {
		id := p.contract.Steps[i].ID
		first, _ := p.contract.step(id.Value)
		if id.Value == "" || first == i {
			continue
		}
		unique = false
		d := p.addAt(codeDuplicateID, id.Pos, stepPath(i, "id"), fmt.Sprintf("two steps have the id %s", quote(id.Value)), "give each step an id of its own")
		*d = d.WithRelated(p.contract.Steps[first].ID.Pos, "first declared here")
	}
	return unique
}

// checkCollisions refuses ids that a loop generates for its attempts.
func (p *parser) checkCollisions() {
	for i := range p.contract.Steps {
		loop := &p.contract.Steps[i]
		if loop.Kind != LoopStep || loop.ID.Value == "" {
			continue
		}
		checks, repairs := p.contract.LoopIDs(*loop)
		for _, id := range append(checks, repairs...) {
			at, declared := p.contract.step(id)
			if !declared {
				continue
			}
			step := &p.contract.Steps[at]
			d := p.addAt(codeCollision, step.ID.Pos, stepPath(at, "id"),
				fmt.Sprintf("%s has an id that loop %s generates for its attempts", stepName(id), quote(loop.ID.Value)), "rename the step")
			*d = d.WithRelated(loop.ID.Pos, "the loop")
		}
	}
}

func (p *parser) checkGate(i int) {
	step := &p.contract.Steps[i]
	if step.Kind != LoopStep || p.faults[i].graph || step.Check.Kind != GateStep || !p.named {
		return
	}
	gate := step.Check.Gate
	at, declared := p.contract.step(gate.Value)
	if declared && (p.contract.Steps[at].Kind == GateStep || p.faults[at].graph) {
		return
	}
	message := fmt.Sprintf("%s: its check names gate %s, which no step has as its id", stepName(step.ID.Value), quote(gate.Value))
	if declared {
		message = fmt.Sprintf("%s: its check names gate %s, which is a step of kind %s", stepName(step.ID.Value), quote(gate.Value), p.contract.Steps[at].Kind)
	}
	p.addAt(codeUnknownGate, gate.Pos, stepPath(i, CheckPart, "gate"), message,
		p.didYouMean(gate.Value, "gates", "add a step of kind gate with that id", func(j int) bool { return p.contract.Steps[j].Kind == GateStep }))
}

func (p *parser) checkDependencies(i int) {
	step := &p.contract.Steps[i]
	for n, dependency := range step.Dependencies {
		if dependency.Value == "" {
			continue // the schema's matter
		}
		at := stepPath(i, "dependencies").at(n)
		if dependency.Value == step.ID.Value {
			p.addAt(codeSelfDependency, dependency.Pos, at, stepName(step.ID.Value)+" depends on itself", "take the entry out")
			continue
		}
		if _, declared := p.contract.step(dependency.Value); !declared && p.named {
			p.addAt(codeUnknownDep, dependency.Pos, at,
				fmt.Sprintf("%s depends on %s, which no step has as its id", stepName(step.ID.Value), quote(dependency.Value)),
				p.didYouMean(dependency.Value, "other steps", "write dependencies: []", func(j int) bool { return j != i }))
		}
	}
}

// didYouMean hints at the declared step, of those that fit, that a name most
// likely meant; none is the hint where no step fits.
func (p *parser) didYouMean(name, what, none string, fits func(i int) bool) string {
	if loop, ok := p.contract.loopOf(name); ok {
		return "name the whole loop, " + loop
	}
	if p.guesses++; p.guesses > maxGuesses {
		return "name one of the " + what
	}
	var ids []string
	for i := range p.contract.Steps[:min(len(p.contract.Steps), maxCandidates)] {
		if fits(i) {
			ids = append(ids, p.contract.Steps[i].ID.Value)
		}
	}
	if ids == nil {
		return none
	}
	return diag.DidYouMean(name, ids) + "the " + what + " are " + listed(ids)
}

// loopOf finds the loop whose half, or attempt at it, a name is.
func (c *Contract) loopOf(name string) (loop string, ok bool) {
	for _, mark := range [...]string{".check", ".repair"} {
		at := strings.LastIndex(name, mark)
		if at < 0 {
			continue
		}
		if i, declared := c.step(name[:at]); declared && c.Steps[i].Kind == LoopStep {
			return name[:at], true
		}
	}
	return "", false
}

// listed joins names for a message, the first maxListed of them.
func listed(names []string) string {
	if len(names) <= maxListed {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:maxListed], ", ") + " and " + strconv.Itoa(len(names)-maxListed) + " more"
}

// graph holds, for each step, the other declared steps that it waits for, as
// often as it lists them. Unknown ids and a step's own are left out: they have
// findings of their own.
type graph struct {
	start []int // where a step's dependencies begin in steps; one more at the end
	steps []int32
}

func (c *Contract) graph() graph {
	g := graph{start: make([]int, 1, len(c.Steps)+1)}
	for i := range c.Steps {
		for _, dependency := range c.Steps[i].Dependencies {
			if d, declared := c.step(dependency.Value); declared && d != i {
				g.steps = append(g.steps, int32(d))
			}
		}
		g.start = append(g.start, len(g.steps))
	}
	return g
}

func (g graph) size() int { return len(g.start) - 1 }

func (g graph) dependencies(i int) []int32 { return g.steps[g.start[i]:g.start[i+1]] }

// dependents turns the graph round.
func (g graph) dependents() [][]int32 {
	back := make([][]int32, g.size())
	for i := range back {
		for _, d := range g.dependencies(i) {
			back[d] = append(back[d], int32(i))
		}
	}
	return back
}

// order sorts the steps so that each comes after those that it waits for
// (Kahn, over declared steps). rest are the steps for which there is no such
// place: those of a cycle, and what waits for them.
func (g graph) order() (order, rest []int) {
	dependents := g.dependents()
	waiting := make([]int, g.size())
	order = make([]int, 0, g.size())
	for i := range waiting {
		waiting[i] = len(g.dependencies(i))
		if waiting[i] == 0 {
			order = append(order, i)
		}
	}
	for next := 0; next < len(order); next++ {
		for _, i := range dependents[order[next]] {
			if waiting[i]--; waiting[i] == 0 {
				order = append(order, int(i))
			}
		}
	}
	for i, n := range waiting {
		if n > 0 {
			rest = append(rest, i)
		}
	}
	return order, rest
}

// cycle finds a cycle among steps that have no place in the order. Each of
// them waits for another of them, so that walking on must come round.
func (g graph) cycle(rest []int) []int {
	unplaced := make([]bool, g.size())
	for _, i := range rest {
		unplaced[i] = true
	}
	seen := map[int]int{}
	var walk []int
	for i := rest[0]; ; {
		if from, again := seen[i]; again {
			return walk[from:]
		}
		seen[i] = len(walk)
		walk = append(walk, i)
		on := slices.IndexFunc(g.dependencies(i), func(d int32) bool { return unplaced[d] })
		i = int(g.dependencies(i)[on])
	}
}

// reportCycle reports the steps without a place in the order, and one cycle among them.
func (p *parser) reportCycle(g graph, rest []int) {
	if len(rest) == 0 {
		return
	}
	c := p.contract
	ids := make([]string, len(rest))
	for n, i := range rest {
		ids[n] = c.Steps[i].ID.Value
	}
	value.SortUTF16(ids)
	round := g.cycle(rest)
	waits := make([]string, len(round))
	entries := make([]value.Str, len(round))
	for n, i := range round {
		entries[n] = c.dependencyOn(i, round[(n+1)%len(round)])
		waits[n] = c.Steps[i].ID.Value + " waits for " + entries[n].Value
	}
	d := p.addAt(codeCycle, entries[0].Pos, path{{key: "steps", index: -1}},
		"steps "+listed(ids)+" can't be put in order: "+listed(waits), "take one of these dependencies out")
	for n := range min(len(round), maxListed) {
		*d = d.WithRelated(entries[n].Pos, waits[n])
	}
}

// dependencyOn gives the entry by which a step waits for another.
func (c *Contract) dependencyOn(i, other int) value.Str {
	for _, dependency := range c.Steps[i].Dependencies {
		if d, declared := c.step(dependency.Value); declared && d == other {
			return dependency
		}
	}
	return c.Steps[i].ID
}

// Ancestors lists the ids of the steps that the step with this id waits for,
// directly or not, sorted by UTF-16 units. It is computed when asked for, in
// time linear in the contract. An unknown id has none.
func (c *Contract) Ancestors(id string) []string {
	ids := []string{}
	start, declared := c.step(id)
	if !declared {
		return ids
	}
	seen := make([]bool, len(c.Steps))
	seen[start] = true
	queue := []int{start}
	for next := 0; next < len(queue); next++ {
		for _, dependency := range c.Steps[queue[next]].Dependencies {
			if d, ok := c.step(dependency.Value); ok && !seen[d] {
				seen[d] = true
				queue = append(queue, d)
				ids = append(ids, dependency.Value)
			}
		}
	}
	value.SortUTF16(ids)
	return ids
}
