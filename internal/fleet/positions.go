package fleet

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/fleetgate/fleetgate/internal/boundary"
	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/value"
)

// positionID names a step, or a loop's half as <loop>.check or <loop>.repair.
func (c *Contract) positionID(i int, part string) string {
	id := c.Steps[i].ID.Value
	if part == "" {
		return id
	}
	return id + "." + part
}

// Positions lists every position in step order (a loop gives its check, then
// its repair) with its boundary (spec section 4, Boundaries).
func (c *Contract) Positions() []Position {
	list := make([]Position, 0, len(c.Steps))
	for i := range c.Steps {
		list = c.appendPositions(list, i)
	}
	return list
}

func (c *Contract) appendPositions(list []Position, i int) []Position {
	step := &c.Steps[i]
	if step.Kind == LoopStep {
		return append(list, c.halfPosition(i, CheckPart, step.MaxAttempts), c.halfPosition(i, RepairPart, step.MaxAttempts-1))
	}
	p := Position{ID: step.ID.Value, Step: i, Scope: step.Scope}
	if step.Kind == GateStep {
		return append(list, c.bounded(p, []value.Str{step.Path}, step.Path.Pos, step.Pos))
	}
	return append(list, c.bounded(p, step.Writes, step.WritesPos, step.Pos))
}

func (c *Contract) halfPosition(i int, part string, attempts int) Position {
	half := c.Steps[i].part(part)
	p := Position{ID: c.positionID(i, part), Step: i, Part: part, Attempts: attempts, Scope: half.Scope}
	if half.Kind != GateStep {
		return c.bounded(p, half.Writes, half.WritesPos, half.Pos)
	}
	p.Scope = Workspace
	gate, _ := c.step(half.Gate.Value)
	return c.bounded(p, []value.Str{c.Steps[gate].Path}, c.Steps[gate].Path.Pos, half.Pos)
}

// bounded completes a position with its allowlist and the place that declares it.
func (c *Contract) bounded(p Position, writes []value.Str, declaredAt, pos diag.Pos) Position {
	p.Writes, p.Bounded = boundary.StepBoundary(c.Version, p.Scope == ReadOnly, entries(writes))
	p.Pos = or(declaredAt, pos)
	return p
}

// entries gives declared writes in their normal form; Parse has found them valid.
func entries(writes []value.Str) []string {
	list := make([]string, 0, len(writes))
	for _, raw := range writes {
		if entry, refusal, _ := boundary.ParseEntry(raw.Value); refusal == "" {
			list = append(list, entry)
		}
	}
	return list
}

// LoopIDs gives the ids that a loop generates for its attempts: checks 1 to n,
// and one repair fewer. Other steps generate none.
func (c *Contract) LoopIDs(step Step) (checks, repairs []string) {
	for n := 1; n <= step.MaxAttempts; n++ {
		checks = append(checks, attemptID(step.ID.Value, CheckPart, n))
		if n < step.MaxAttempts {
			repairs = append(repairs, attemptID(step.ID.Value, RepairPart, n))
		}
	}
	return checks, repairs
}

func attemptID(loop, part string, n int) string { return loop + "." + part + "." + strconv.Itoa(n) }

// Allow gives the allowlist of a claimed position (design.md, Claims). A commit
// step, a code step with commitFrom, records other steps' work: its allowlist
// is the union of its own writes and those of every source, whatever its
// scope; of a loop both halves count. Below version 4 there is none.
func (c *Contract) Allow(p Position) (allow []string, commitStep bool) {
	step := &c.Steps[p.Step]
	if len(step.CommitFrom) == 0 {
		return p.Writes, false
	}
	allow = append(allow, p.Writes...)
	seen := map[int]bool{} // a source may be named again and again
	for _, from := range step.CommitFrom {
		i, declared := c.step(from.Value)
		if !declared || seen[i] {
			continue
		}
		seen[i] = true
		for _, source := range c.appendPositions(nil, i) {
			allow = append(allow, source.Writes...)
		}
	}
	return boundary.Normalize(allow), true
}

// Resolution is what a claimed position name means in a contract.
type Resolution struct {
	Positions []Position // one; two or more where Ambiguous; none where the name is unknown
	Attempt   int        // the attempt that the name's suffix gives; 0 without one
	Ambiguous bool       // several positions have the name
	Hint      string     // for an unknown name: what was likely meant
}

// Resolve reads a claimed position name (design.md, Claims): an exact id wins
// over an attempt suffix .1 up to the loop's bound (repairs one fewer). A bare
// loop id is no position. It costs no more in a large contract than in a small
// one, unless the name is unknown.
func (c *Contract) Resolve(name string) Resolution {
	if exact := c.named(name); len(exact) > 0 {
		return Resolution{Positions: exact, Ambiguous: len(exact) > 1}
	}
	base, attempt := cutAttempt(name)
	half, isHalf := c.halfNamed(base)
	if isHalf && attempt >= 1 && attempt <= half.Attempts {
		return Resolution{Positions: []Position{half}, Attempt: attempt}
	}
	if isHalf && attempt > half.Attempts {
		return Resolution{Hint: attemptHint(half)}
	}
	return Resolution{Hint: c.positionHint(name)}
}

// named finds the positions with this id, in step order: a step's own, and a loop's half.
func (c *Contract) named(id string) []Position {
	var found []Position
	if i, declared := c.step(id); declared && c.Steps[i].Kind != LoopStep {
		found = c.appendPositions(found, i)
	}
	if half, ok := c.halfNamed(id); ok {
		found = append(found, half)
	}
	slices.SortFunc(found, func(a, b Position) int { return cmp.Compare(a.Step, b.Step) })
	return found
}

func (c *Contract) halfNamed(id string) (Position, bool) {
	for _, part := range halves {
		loop, cut := strings.CutSuffix(id, "."+part)
		if i, declared := c.step(loop); cut && declared && c.Steps[i].Kind == LoopStep {
			return c.appendPositions(nil, i)[slices.Index(halves, part)], true
		}
	}
	return Position{}, false
}

// halves are a loop's parts in the order of their positions.
var halves = []string{CheckPart, RepairPart}

// cutAttempt splits an attempt suffix off: "l.check.2" gives "l.check", 2. A
// number that isn't written as the runtime writes it is no suffix.
func cutAttempt(name string) (base string, attempt int) {
	dot := strings.LastIndexByte(name, '.')
	if dot < 0 {
		return name, 0
	}
	n, err := strconv.Atoi(name[dot+1:])
	if err != nil || n < 1 || strconv.Itoa(n) != name[dot+1:] {
		return name, 0
	}
	return name[:dot], n
}

func attemptHint(half Position) string {
	if half.Attempts == 0 {
		return fmt.Sprintf("the loop never runs %s, because its maxAttempts is 1", half.ID)
	}
	return fmt.Sprintf("claim %s, or an attempt from %s.1 to %s.%d", half.ID, half.ID, half.ID, half.Attempts)
}

// positionHint says what an unknown position name was likely meant to be.
func (c *Contract) positionHint(name string) string {
	if i, declared := c.step(name); declared {
		return fmt.Sprintf("%s is a loop; claim its half, %s or %s", name, c.positionID(i, CheckPart), c.positionID(i, RepairPart))
	}
	var ids []string
	for i := range c.Steps[:min(len(c.Steps), maxCandidates)] {
		if c.Steps[i].Kind == LoopStep {
			ids = append(ids, c.positionID(i, CheckPart), c.positionID(i, RepairPart))
			continue
		}
		ids = append(ids, c.Steps[i].ID.Value)
	}
	return diag.DidYouMean(name, ids) + "the positions are " + listed(ids)
}
