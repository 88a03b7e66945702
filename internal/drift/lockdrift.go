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
	key := func(r LockedRecipe) string { return r.ID }
	before, locked := byKey(lock.Recipes, key)
	after, now := byKey(d.now.Recipes, key)
	_, agents := byKey(projectAgents(d.set), agentID)
	ids := union(before, after)
	slices.SortFunc(ids, value.CompareIDs)
	for _, id := range ids {
		was, listed := locked[id]
		is, there := now[id]
		switch {
		case !there:
			d.missing(was.Line, "recipe "+quote(id))
		case !listed:
			d.unlisted(diag.Pos{File: is.Path}, "recipe "+quote(id))
		case is.Fingerprint == "":
			d.changed("drift-recipe", diag.Pos{File: is.Path}, "", fmt.Sprintf("recipe %s is not valid any more", quote(id)), was.Line).Hint = invalidHint
		default:
			d.recipe(was, is, agents[id].Recipe)
		}
	}
}

func (d *lockDrift) recipe(was, is LockedRecipe, recipe *policy.Recipe) {
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
	key := func(c LockedCommand) string { return c.ID }
	before, locked := byKey(lock.Commands, key)
	after, now := byKey(d.now.Commands, key)
	_, registered := byKey(registered(d.set), commandID)
	ids := union(before, after)
	slices.SortFunc(ids, value.CompareUTF16)
	for _, id := range ids {
		was, listed := locked[id]
		is, there := now[id]
		switch {
		case !there:
			d.missing(was.Line, "command "+quote(id))
		case !listed:
			d.unlisted(registered[id].ID.Pos, "command "+quote(id))
		case was.Digest != is.Digest:
			d.changed("drift-command", registered[id].ID.Pos, "commands."+id,
				fmt.Sprintf("command %s is not what the lock has; it runs %s", quote(id), argv(registered[id])), was.Line)
		}
	}
}

func (d *lockDrift) fleets(lock Lock) {
	key := func(f LockedFleet) string { return f.Name }
	before, locked := byKey(lock.Fleets, key)
	after, now := byKey(d.now.Fleets, key)
	_, fleets := byKey(projectFleets(d.set), fleetName)
	names := union(before, after)
	slices.SortFunc(names, value.CompareIDs)
	for _, name := range names {
		was, listed := locked[name]
		is, there := now[name]
		switch {
		case !there:
			d.missing(was.Line, "fleet "+quote(name))
		case !listed:
			d.unlisted(diag.Pos{File: fleets[name].Path}, "fleet "+quote(name))
		case fleets[name].Parsed == nil:
			d.changed("drift-fleet", diag.Pos{File: fleets[name].Path}, "", fmt.Sprintf("fleet %s is not valid any more", quote(name)), was.Line).Hint = invalidHint
		default:
			d.fleet(was, is, fleets[name])
		}
	}
}

func (d *lockDrift) fleet(was, is LockedFleet, f *discover.Fleet) {
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
func (d *lockDrift) boundaries(was, is LockedFleet, f *discover.Fleet) {
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
