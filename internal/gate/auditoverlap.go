package gate

import (
	"fmt"
	"slices"

	"github.com/fleetgate/fleetgate/internal/boundary"
	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/discover"
	"github.com/fleetgate/fleetgate/internal/fleet"
)

const (
	// MaxOverlaps is how many overlaps of one contract are listed.
	MaxOverlaps = 100
	// MaxOverlapPositions is among how many positions of one contract overlaps
	// are looked for; of a contract with more, the others are not compared, and
	// the audit says so.
	MaxOverlapPositions = 512
)

// overlaps finds steps that may run at once, because no dependency orders
// them, and that may write the same.
func overlaps(f *discover.Fleet) []diag.Diagnostic {
	if f.Contract.MaxWorkers <= 1 || f.Contract.Writers {
		return nil
	}
	writers := slices.DeleteFunc(f.Contract.Positions(), func(p fleet.Position) bool { return len(p.Writes) == 0 })
	var found []diag.Diagnostic
	if len(writers) > MaxOverlapPositions {
		found = append(found, diag.New("audit-overlap", diag.Pos{File: f.Path}, "steps",
			fmt.Sprintf("fleet %s has %d positions that may write; overlaps were looked for among the first %d", boundary.Quote(f.Name), len(writers), MaxOverlapPositions)).
			WithHint("divide the contract"))
		writers = writers[:MaxOverlapPositions]
	}
	ordered := orderOf(f.Contract, writers)
	for i, p := range writers {
		for j, q := range writers[:i] {
			if len(found) == MaxOverlaps {
				return found
			}
			if ordered(i, j) {
				continue
			}
			if shared := sharedEntries(q.Writes, p.Writes); len(shared) > 0 {
				found = append(found, overlap(f.Name, q, p, shared))
			}
		}
	}
	return found
}

// orderOf tells, for two of the positions, whether they never run at once: one
// step waits for the other, or they are halves of one loop.
func orderOf(c *fleet.Contract, positions []fleet.Position) func(i, j int) bool {
	index := make(map[string]int, len(c.Steps))
	for i := range c.Steps {
		index[c.Steps[i].ID.Value] = i
	}
	waits := make([][]uint64, len(positions)) // for which steps, a bit each
	for i, p := range positions {
		waits[i] = make([]uint64, len(c.Steps)/64+1)
		for _, id := range c.Ancestors(c.Steps[p.Step].ID.Value) {
			waits[i][index[id]/64] |= 1 << (index[id] % 64)
		}
	}
	waitsFor := func(i, j int) bool {
		step := positions[j].Step
		return waits[i][step/64]&(1<<(step%64)) != 0
	}
	return func(i, j int) bool {
		return positions[i].Step == positions[j].Step || waitsFor(i, j) || waitsFor(j, i)
	}
}

// sharedEntries are what two boundaries both open: of two entries that
// overlap, the narrower.
func sharedEntries(a, b []string) []string {
	var shared []string
	for _, one := range a {
		for _, other := range b {
			if !boundary.Overlap(one, other) {
				continue
			}
			shared = append(shared, longer(one, other))
		}
	}
	slices.Sort(shared)
	return slices.Compact(shared)
}

func longer(a, b string) string {
	if len(a) < len(b) {
		return b
	}
	return a
}

func overlap(name string, p, q fleet.Position, shared []string) diag.Diagnostic {
	return diag.New("audit-overlap", q.Pos, "", fmt.Sprintf("steps %s and %s may run at once, and both may write %s",
		boundary.Quote(name+"/"+p.ID), boundary.Quote(name+"/"+q.ID), someOf(shared))).
		WithRelated(p.Pos, "the other step's boundary").
		WithHint("make one depend on the other, divide what they write, or let one write at a time (writers: 1, from version 5)")
}

// someOf lists names, the first few of many.
func someOf(names []string) string {
	const shown = 6
	if len(names) <= shown {
		return list(names)
	}
	return fmt.Sprintf("%s and %d more", list(names[:shown]), len(names)-shown)
}
