package boundary

import (
	"slices"
	"strings"

	"github.com/fleetgate/fleetgate/internal/diag"
)

// paint is the scratch of one walk: which lines of a merge reach a commit.
type paint struct {
	lines []uint64 // by index in the range
	dirty []int
}

// lineBit gives the bit of a merge's nth line. From the 64th on lines share
// one: a commit that only some of those reach may then count as reached by all,
// and so isn't joined, which makes the merge's boundary smaller, never larger.
func lineBit(n int) uint64 { return 1 << min(n, sharedBit) }

// sharedBit is the bit that all lines from this one on share.
const sharedBit = 63

// windowSet numbers the distinct windows of a range: many commits claim the same steps.
type windowSet struct {
	of    []int // by commit; noWindow where it claims nothing, or was refused
	lists [][]Position
}

const noWindow = -1

func distinctWindows(in Input) windowSet {
	set := windowSet{of: make([]int, len(in.Windows))}
	numbers := map[string]int{}
	for i, window := range in.Windows {
		if len(window.Positions) == 0 || window.Refused || in.Claims.Commits[i].Refused {
			set.of[i] = noWindow
			continue
		}
		key := windowKey(window)
		number, known := numbers[key]
		if !known {
			number = len(set.lists)
			numbers[key] = number
			set.lists = append(set.lists, window.Positions)
		}
		set.of[i] = number
	}
	return set
}

func windowKey(window Window) string {
	var key strings.Builder
	for _, p := range window.Positions {
		key.WriteString(p.Name + "\x00")
	}
	return key.String()
}

// join finds the range commits that a merge joins, those that some of its
// lines reach and not all, and adds their boundaries to the merge's own.
func (w *work) join() {
	w.joined, w.lines = w.joinedBy(w.commit)
	used := make([]bool, len(w.windows.lists))
	for _, k := range w.joined {
		if number := w.windows.of[k]; number != noWindow {
			used[number] = true
		}
	}
	w.positions = slices.Clone(w.positions)
	allow := slices.Clone(w.allow)
	for number, positions := range w.windows.lists {
		if !used[number] {
			continue
		}
		for _, p := range positions {
			w.positions = append(w.positions, p)
			allow = append(allow, p.Allow...)
		}
	}
	w.positions = distinct(w.positions)
	w.allow = Normalize(allow)
}

// distinct keeps the first position of each name.
func distinct(positions []Position) []Position {
	seen := map[string]bool{}
	return slices.DeleteFunc(positions, func(p Position) bool {
		again := seen[p.Name]
		seen[p.Name] = true
		return again
	})
}

// joinedBy walks back from a merge's lines. Parents come before children in
// the range, so that one pass from the newest line down sees every commit
// after all its children; it ends when all lines reach what is left.
func (j *judge) joinedBy(merge Commit) (joined []int, lines []uint64) {
	if len(merge.Lines) < 2 {
		return nil, nil
	}
	if j.seen.lines == nil {
		j.seen.lines = make([]uint64, len(j.in.Range.Commits))
	}
	var full uint64
	newest := -1
	for n, line := range merge.Lines {
		full |= lineBit(n)
		if k, inRange := j.index[line]; inRange {
			j.seen.mark(k, lineBit(n))
			newest = max(newest, k)
		}
	}
	for k := newest; k >= 0; k-- {
		reached := j.seen.lines[k]
		if reached == 0 {
			continue
		}
		if reached != full {
			joined, lines = append(joined, k), append(lines, reached)
		}
		for _, parent := range j.in.Range.Commits[k].Parents {
			if p, inRange := j.index[parent]; inRange && !j.in.Range.Commits[p].Imported {
				j.seen.mark(p, reached)
			}
		}
	}
	j.seen.reset()
	slices.Reverse(joined)
	slices.Reverse(lines)
	return joined, lines
}

func (p *paint) mark(k int, lines uint64) {
	if p.lines[k] == 0 {
		p.dirty = append(p.dirty, k)
	}
	p.lines[k] |= lines
}

func (p *paint) reset() {
	for _, k := range p.dirty {
		p.lines[k] = 0
	}
	p.dirty = p.dirty[:0]
}

// severity weighs a path outside the boundary. It is an error, but for a path
// that a merge decides where only unclaimed commits of the joined lines had
// changed it: the merge weighs what they weigh.
//
// A merge that claims a step answers for more: only an honest conflict, which
// somebody had to resolve, is passed on; not a path where the parents agreed on
// a result, nor one where the merge threw away what the base had changed.
func (w *work) severity(path string, d *Decision) diag.Severity {
	if d == nil {
		return diag.Error
	}
	weight := diag.Warning
	someone, lines := false, uint64(0)
	for _, k := range w.setters(path) {
		at, joined := slices.BinarySearch(w.joined, k)
		if !joined {
			continue
		}
		claims := w.in.Claims.Commits[k]
		if len(claims.Claims) > 0 {
			return diag.Error
		}
		someone = true
		lines |= w.lines[at]
		weight = min(weight, unclaimedWeight(claims, w.in.Claims))
	}
	if !someone || w.claimed && (!d.Conflict || dropsOthers(d, lines)) {
		return diag.Error
	}
	return weight
}

// unclaimedWeight is what a commit without a claim weighs in a fleet's pull
// request. Elsewhere such a commit passes, and a merge that decides its path
// is a warning.
func unclaimedWeight(claimed Claimed, claims Claims) diag.Severity {
	entry := claimed.Entry
	if entry == nil {
		entry = claims.Matched
	}
	if entry == nil || entry.Unclaimed == UnclaimedWarn {
		return diag.Warning
	}
	return diag.Error
}

// dropsOthers says whether a merge took one parent's entry whole, and so threw
// away another's that no commit of the range had made: lines are the ones on
// which range commits had changed the path. Lines that share a bit are taken
// for unchanged, the stricter answer.
func dropsOthers(d *Decision, lines uint64) bool {
	if !slices.Contains(d.Parents, d.Got) {
		return false
	}
	for n, parent := range d.Parents {
		if parent != d.Got && (n >= sharedBit || lines&lineBit(n) == 0) {
			return true
		}
	}
	return false
}
