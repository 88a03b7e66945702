package drift

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"github.com/fleetgate/fleetgate/internal/boundary"
	"github.com/fleetgate/fleetgate/internal/discover"
	"github.com/fleetgate/fleetgate/internal/fleet"
	"github.com/fleetgate/fleetgate/internal/value"
)

// LockPath is where the lock lies.
const LockPath = discover.Dir + "/fleetgate.lock"

// LockVersion is the one version of the lock that is read and written.
const LockVersion = 1

// Lock is what was agreed on: every recipe, contract and command of the
// project, as they were when somebody last looked and wrote it down.
type Lock struct {
	Tool     string // the version of fleetgate that wrote it
	Recipes  []LockedRecipe
	Fleets   []LockedFleet
	Commands []LockedCommand
}

// LockedRecipe is one recipe: any change of its behaviour changes the
// fingerprint (spec 3.4).
type LockedRecipe struct {
	ID, Path, Class, Fingerprint string
	Line                         int // of the lock; 0 where it wasn't read from one
}

// LockedFleet is one contract. The digest covers all of it but its name, its
// description and its boundaries, which stand beside it.
type LockedFleet struct {
	Name      string
	Version   int
	Digest    string
	Positions []LockedPosition
	Line      int
}

// LockedPosition is what one position of a contract may write.
type LockedPosition struct {
	ID    string
	Allow []string // a claim's whole allowlist: a commit step's holds its sources'
	Line  int
}

// LockedCommand is one registered command. The digest covers what it runs:
// argv, argument slots, cwd and env.
type LockedCommand struct {
	ID, Digest string
	Line       int
}

// LockOf describes the project's own policy as a lock does. A file that isn't
// valid has an empty fingerprint or digest; such a lock can't be written.
func LockOf(set *discover.Set, tool string) Lock {
	lock := Lock{Tool: tool}
	agents, byID := byKey(projectAgents(set), agentID)
	for _, id := range agents {
		a := byID[id]
		locked := LockedRecipe{ID: id, Path: a.Path, Fingerprint: a.Fingerprint}
		if a.Recipe != nil {
			locked.Class = a.Recipe.CapabilityClass
		}
		lock.Recipes = append(lock.Recipes, locked)
	}
	for _, f := range projectFleets(set) {
		lock.Fleets = append(lock.Fleets, lockedFleet(f))
	}
	for _, c := range registered(set) {
		lock.Commands = append(lock.Commands, LockedCommand{ID: c.ID.Value, Digest: commandDigest(c)})
	}
	return lock
}

func lockedFleet(f *discover.Fleet) LockedFleet {
	locked := LockedFleet{Name: f.Name}
	if f.Parsed == nil {
		return locked
	}
	locked.Version, locked.Digest = f.Parsed.Version, contractDigest(f.Parsed)
	ids, byID := byKey(places(f), placeID)
	for _, id := range ids {
		locked.Positions = append(locked.Positions, LockedPosition{ID: id, Allow: byID[id].allow})
	}
	return locked
}

// contractDigest is the SHA-256, in hexadecimal, of a normalized contract
// without what only shows (name, description, path) and without its
// boundaries: a widened one is reported as that, once.
func contractDigest(c *fleet.Contract) string {
	whole := without(c.Normalized(), "name", "description", "path", "steps")
	steps := make([]*value.Value, len(c.Steps))
	for i, step := range c.Normalized().Get("steps").Items {
		steps[i] = withoutBoundary(step, c.Version)
	}
	return digestOf(value.NewMap(append(slices.Clone(whole.Members), value.Field("steps", value.NewList(steps...)))...))
}

// withoutBoundary drops a step's boundary and those of a loop's halves. From
// version 4 a scope says no more than whether there is a boundary, but for a
// commit step, whose boundary is its sources' too.
func withoutBoundary(step *value.Value, version int) *value.Value {
	drop := slices.Clone(boundaryKeys)
	if version >= boundary.FirstBounded && step.Get("commitFrom") == nil {
		drop = append(drop, "scope")
	}
	kept := slices.Clone(without(step, drop...).Members)
	for i := range kept {
		if kept[i].Value.Kind == value.Map {
			kept[i].Value = without(kept[i].Value, drop...)
		}
	}
	return value.NewMap(kept...)
}

func without(v *value.Value, drop ...string) *value.Value {
	kept := slices.DeleteFunc(slices.Clone(v.Members), func(m value.Member) bool { return slices.Contains(drop, m.Key) })
	return value.NewMap(kept...)
}

func commandDigest(c *fleet.Command) string {
	return digestOf(value.NewMap(
		value.Field("argv", value.Strings(c.Argv)),
		value.Field("argumentSlots", value.ListOf(c.Slots, fleet.Slot.Value)),
		value.Field("cwd", value.NewString(c.Cwd)),
		value.Field("env", value.Strings(c.Env)),
	))
}

func digestOf(v *value.Value) string {
	sum := sha256.Sum256(value.Canonical(v))
	return hex.EncodeToString(sum[:])
}
