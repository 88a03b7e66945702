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

const (
	relockHint  = "if it is meant, have it reviewed and write the lock anew with `fleetgate lock`; otherwise undo it"
	invalidHint = "`fleetgate lint` says what is wrong"
)

// Drift reports what of a policy isn't as the lock has it: changed
// (drift-recipe, drift-capability, drift-fleet, drift-boundary,
// drift-command), not in the lock (drift-unlisted), or in the lock alone
// (drift-missing). Findings point at the policy's files, those about what is
// gone at the lock's lines. They come in a fixed order: fleets, recipes,
// commands.
func (l Lock) Drift(set *discover.Set, side diag.Side) []diag.Diagnostic {
	d := lockDrift{now: LockOf(set, l.Tool), set: set, side: side}
	d.fleets(l)
	d.recipes(l)
	d.commands(l)
	return d.found
}

type lockDrift struct {
	now   Lock
	set   *discover.Set
	side  diag.Side
	found []diag.Diagnostic
}

func (d *lockDrift) add(code diag.Code, pos diag.Pos, field, message, hint string) *diag.Diagnostic {
	next := diag.New(code, pos, field, message).WithHint(hint)
	next.Rev = d.side
	d.found = append(d.found, next)
	return &d.found[len(d.found)-1]
}

// changed adds a finding about what the lock has otherwise, and points there.
func (d *lockDrift) changed(code diag.Code, pos diag.Pos, field, message string, lockLine int) *diag.Diagnostic {
	next := d.add(code, pos, field, message, relockHint)
	next.Related = []diag.Related{{Pos: diag.Pos{File: LockPath, Line: lockLine}, Rev: d.side, Message: "what the lock has"}}
	return next
}

func (d *lockDrift) unlisted(pos diag.Pos, what string) {
	d.add("drift-unlisted", pos, "", what+" is not in the lock", "if it is meant, have it reviewed and write the lock anew with `fleetgate lock`; otherwise remove it")
}

func (d *lockDrift) missing(lockLine int, what string) {
	d.add("drift-missing", diag.Pos{File: LockPath, Line: lockLine}, "", what+" is in the lock, and isn't there any more",
		"if it is meant, write the lock anew with `fleetgate lock`; otherwise put it back")
}

func (d *lockDrift) recipes(lock Lock) {
	key := func(r *LockedRecipe) string { return r.ID }
	_, agents := byKey(projectAgents(d.set), agentID)
	pairs(pointers(lock.Recipes), pointers(d.now.Recipes), key, value.CompareIDs, func(was, is *LockedRecipe) {
		switch {
		case is == nil:
			d.missing(was.Line, "recipe "+quote(was.ID))
		case was == nil:
			d.unlisted(diag.Pos{File: is.Path}, "recipe "+quote(is.ID))
		case is.Fingerprint == "":
			d.changed("drift-recipe", diag.Pos{File: is.Path}, "", fmt.Sprintf("recipe %s is not valid any more", quote(is.ID)), was.Line).Hint = invalidHint
		default:
			d.recipe(was, is, agents[is.ID].Recipe)
		}
	})
}

func (d *lockDrift) recipe(was, is *LockedRecipe, recipe *policy.Recipe) {
	if was.Fingerprint != is.Fingerprint || was.Class != is.Class {
		d.changed("drift-recipe", diag.Pos{File: is.Path}, "",
			fmt.Sprintf("recipe %s is not what the lock has: its fingerprint is %.12s, the lock's %.12s", quote(is.ID), is.Fingerprint, was.Fingerprint), was.Line)
	}
	if policy.ClassRank(is.Class) > policy.ClassRank(was.Class) {
		d.changed("drift-capability", recipe.Positions["capabilityClass"], "capabilityClass",
			fmt.Sprintf("recipe %s is raised from %s to %s", quote(is.ID), was.Class, is.Class), was.Line)
	}
}

func (d *lockDrift) commands(lock Lock) {
	if d.set.RegistryBroken {
		d.add("drift-command", diag.Pos{File: d.set.RegistryPath}, "", "the command registry is not valid", invalidHint)
		return
	}
	key := func(c *LockedCommand) string { return c.ID }
	_, registered := byKey(registered(d.set), commandID)
	pairs(pointers(lock.Commands), pointers(d.now.Commands), key, value.CompareUTF16, func(was, is *LockedCommand) {
		switch {
		case is == nil:
			d.missing(was.Line, "command "+quote(was.ID))
		case was == nil:
			d.unlisted(registered[is.ID].ID.Pos, "command "+quote(is.ID))
		case was.Digest != is.Digest:
			d.changed("drift-command", registered[is.ID].ID.Pos, "commands."+is.ID,
				fmt.Sprintf("command %s is not what the lock has; it runs %s", quote(is.ID), argv(registered[is.ID])), was.Line)
		}
	})
}

func (d *lockDrift) fleets(lock Lock) {
	key := func(f *LockedFleet) string { return f.Name }
	_, fleets := byKey(projectFleets(d.set), fleetName)
	pairs(pointers(lock.Fleets), pointers(d.now.Fleets), key, value.CompareIDs, func(was, is *LockedFleet) {
		switch {
		case is == nil:
			d.missing(was.Line, "fleet "+quote(was.Name))
		case was == nil:
			d.unlisted(diag.Pos{File: fleets[is.Name].Path}, "fleet "+quote(is.Name))
		case fleets[is.Name].Parsed == nil:
			d.changed("drift-fleet", diag.Pos{File: fleets[is.Name].Path}, "", fmt.Sprintf("fleet %s is not valid any more", quote(is.Name)), was.Line).Hint = invalidHint
		default:
			d.fleet(was, is, fleets[is.Name])
		}
	})
}

func (d *lockDrift) fleet(was, is *LockedFleet, f *discover.Fleet) {
	d.boundaries(was, is, f)
	if was.Digest == is.Digest {
		return
	}
	what := "agents, commands, order, limits or its prompt"
	if was.Version != is.Version {
		what = fmt.Sprintf("it is version %d, the lock has version %d", is.Version, was.Version)
	}
	d.changed("drift-fleet", diag.Pos{File: f.Path}, "", fmt.Sprintf("fleet %s is not what the lock has: %s", quote(is.Name), what), was.Line)
}

// boundaries compares what each position may write, in the contract's order,
// then the positions that are gone.
func (d *lockDrift) boundaries(was, is *LockedFleet, f *discover.Fleet) {
	key := func(p LockedPosition) string { return p.ID }
	before, locked := byKey(was.Positions, key)
	after, now := byKey(is.Positions, key)
	_, places := byKey(places(f), placeID)
	more, less, from := map[string][]string{}, map[string][]string{}, sources(f.Parsed)
	for _, id := range union(after, before) {
		more[id] = brings(locked[id].Allow, now[id].Allow)
		less[id] = brings(now[id].Allow, locked[id].Allow)
	}
	for _, id := range union(after, before) {
		line := cmp.Or(locked[id].Line, was.Line)
		pos := cmp.Or(places[id].pos, diag.Pos{File: f.Path})
		position := quote(is.Name + "/" + id)
		if own := but(more[id], more, from[id]); len(own) > 0 {
			d.changed("drift-boundary", pos, "", fmt.Sprintf("%s may also write %s; the lock has %s", position, list(own), list(locked[id].Allow)), line)
		}
		if own := but(less[id], less, from[id]); len(own) > 0 {
			d.changed("drift-boundary", pos, "", fmt.Sprintf("%s may no longer write all of %s; now it may write %s", position, list(own), list(now[id].Allow)), line).Severity = diag.Note
		}
	}
}

// sources are, for each commit step, the positions whose work it records: what
// moves there moves its allowlist too, and is said there.
func sources(c *fleet.Contract) map[string][]string {
	all := map[string][]string{}
	for i := range c.Steps {
		id := c.Steps[i].ID.Value
		for _, source := range c.Steps[i].CommitFrom {
			all[id] = append(all[id], source.Value, source.Value+"."+fleet.CheckPart, source.Value+"."+fleet.RepairPart)
		}
	}
	return all
}

// but drops the entries that one of the others has.
func but(entries []string, of map[string][]string, others []string) []string {
	if len(entries) == 0 || len(others) == 0 {
		return entries
	}
	said := map[string]bool{}
	for _, id := range others {
		for _, entry := range of[id] {
			said[entry] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(entries), func(entry string) bool { return said[entry] })
}
