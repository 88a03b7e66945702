package drift

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/discover"
	"github.com/fleetgate/fleetgate/internal/fleet"
	"github.com/fleetgate/fleetgate/internal/policy"
	"github.com/fleetgate/fleetgate/internal/value"
)

// fleets compares the project's own contracts by name, in name order.
func (c *comparison) fleets(base, head *discover.Set) {
	pairs(projectFleets(base), projectFleets(head), fleetName, value.CompareIDs, c.fleet)
}

func fleetName(f *discover.Fleet) string { return f.Name }

func projectFleets(s *discover.Set) []*discover.Fleet {
	return projects(s.Fleets, func(f *discover.Fleet) policy.Source { return f.Source })
}

// fleet compares one contract; either may be nil, where there is none.
func (c *comparison) fleet(base, head *discover.Fleet) {
	switch {
	case head == nil:
		c.note("drift-fleet", diag.Base, diag.Pos{File: base.Path}, "", fmt.Sprintf("fleet %s is gone at head", quote(base.Name)),
			"no step of it can be claimed once this is merged")
	case base == nil:
		c.note("drift-fleet", diag.Head, diag.Pos{File: head.Path}, "", fmt.Sprintf("fleet %s is new", quote(head.Name)),
			"its steps can be claimed once this is merged")
	case valid(base) != valid(head):
		c.validity(base, head)
	case base.Path != head.Path:
		c.note("drift-fleet", diag.Head, diag.Pos{File: head.Path}, "", fmt.Sprintf("fleet %s now comes from %s", quote(head.Name), head.Path), "")
		c.related(diag.Pos{File: base.Path}, "from here before")
	}
	c.positions(base, head)
	if base != nil && head != nil && base.Parsed != nil && head.Parsed != nil {
		c.contract(base.Name, base.Parsed, head.Parsed)
	}
}

func valid(f *discover.Fleet) bool { return f != nil && f.Contract != nil }

func (c *comparison) validity(base, head *discover.Fleet) {
	message, hint := "is not valid any more", "no step of it can be claimed once this is merged; `fleetgate lint` says what is wrong"
	if valid(head) {
		message, hint = "is valid now", "its steps can be claimed once this is merged"
	}
	c.note("drift-fleet", diag.Head, diag.Pos{File: head.Path}, "", fmt.Sprintf("fleet %s %s", quote(base.Name), message), hint)
}

// place is one position with the allowlist that a claim of it gives.
type place struct {
	id    string
	allow []string
	pos   diag.Pos
}

// places lists a contract's positions. Below version 4 there is no boundary,
// and no claim either, so that nothing is allowed.
func places(f *discover.Fleet) []place {
	if f == nil || f.Parsed == nil {
		return nil
	}
	var all []place
	for _, p := range f.Parsed.Positions() {
		at := place{id: p.ID, pos: p.Pos}
		if p.Bounded {
			at.allow, _ = f.Parsed.Allow(p)
		}
		all = append(all, at)
	}
	return all
}

// positions compares what each position may write, in head's order, then those that are gone.
func (c *comparison) positions(base, head *discover.Fleet) {
	before, atBase := byKey(places(base), placeID)
	after, atHead := byKey(places(head), placeID)
	for _, id := range after {
		at, was := atHead[id], atBase[id]
		c.moved(head.Name, at, was, at.pos, diag.Head)
	}
	for _, id := range before {
		if at, kept := atHead[id]; !kept {
			was := atBase[id]
			c.moved(base.Name, at, was, was.pos, diag.Base)
		}
	}
}

func placeID(p place) string { return p.id }

func (c *comparison) moved(name string, at, was place, pos diag.Pos, side diag.Side) {
	position := quote(name + "/" + cmp.Or(at.id, was.id))
	if more := brings(was.allow, at.allow); len(more) > 0 {
		c.note("policy-widened", side, pos, "", fmt.Sprintf("%s may now also write %s; at base it may write %s", position, list(more), list(was.allow)), widenedHint)
		c.relateBase(was)
	}
	if less := brings(at.allow, was.allow); len(less) > 0 {
		c.note("policy-narrowed", side, pos, "", fmt.Sprintf("%s may no longer write all of %s; at head it may write %s", position, list(less), list(at.allow)), narrowedHint)
		if side == diag.Head {
			c.relateBase(was)
		}
	}
}

func (c *comparison) relateBase(was place) {
	if was.pos.File != "" {
		c.related(was.pos, "what base allows")
	}
}

// boundaryKeys are the keys of a step that its positions' boundaries are made
// of; a path is a gate's.
var boundaryKeys = []string{"writes", "path"}

// contract compares everything else of two contracts that changes what a run does.
func (c *comparison) contract(name string, base, head *fleet.Contract) {
	before, after := base.Normalized(), head.Normalized()
	changed := changedKeys(before, after, "steps", "name", "description", "body", "path")
	if base.Body != head.Body {
		changed = append(changed, "the prompt")
	}
	if len(changed) > 0 {
		c.note("drift-fleet", diag.Head, diag.Pos{File: head.Path}, "", fmt.Sprintf("fleet %s changed: %s", quote(name), list(changed)), "")
	}
	c.steps(name, base, head, before.Get("steps"), after.Get("steps"))
}

func (c *comparison) steps(name string, base, head *fleet.Contract, before, after *value.Value) {
	was, atBase := byKey(indexes(base), func(i int) string { return base.Steps[i].ID.Value })
	is, atHead := byKey(indexes(head), func(i int) string { return head.Steps[i].ID.Value })
	for _, id := range is {
		i := atHead[id]
		pos := head.Steps[i].Pos
		j, kept := atBase[id]
		if !kept {
			c.note("drift-fleet", diag.Head, pos, "", fmt.Sprintf("fleet %s: step %s is new", quote(name), quote(id)), "")
			continue
		}
		if changed := changedKeys(before.Items[j], after.Items[i], boundaryKeys...); len(changed) > 0 {
			c.note("drift-fleet", diag.Head, pos, "", fmt.Sprintf("fleet %s: step %s changed: %s", quote(name), quote(id), list(changed)), "")
			c.related(base.Steps[j].Pos, "the step at base")
		}
	}
	for _, id := range was {
		if _, kept := atHead[id]; !kept {
			c.note("drift-fleet", diag.Base, base.Steps[atBase[id]].Pos, "", fmt.Sprintf("fleet %s: step %s is gone at head", quote(name), quote(id)), "")
		}
	}
}

func indexes(c *fleet.Contract) []int {
	all := make([]int, len(c.Steps))
	for i := range all {
		all[i] = i
	}
	return all
}

// changedKeys lists the keys of two mappings whose values differ, but for the
// given ones, looking into mappings below ("check.command").
func changedKeys(before, after *value.Value, but ...string) []string {
	var changed []string
	for _, key := range union(keys(before), keys(after)) {
		was, is := before.Get(key), after.Get(key)
		switch {
		case slices.Contains(but, key), same(was, is):
		case was != nil && is != nil && was.Kind == value.Map && is.Kind == value.Map:
			for _, below := range changedKeys(was, is, but...) {
				changed = append(changed, key+"."+below)
			}
		default:
			changed = append(changed, key)
		}
	}
	return changed
}

func same(a, b *value.Value) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Equal(b)
}

func keys(v *value.Value) []string {
	var all []string
	for _, m := range v.Members {
		all = append(all, m.Key)
	}
	return all
}
