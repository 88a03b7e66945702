package gate

import (
	"fmt"
	"strings"

	"github.com/fleetgate/fleetgate/internal/boundary"
	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/discover"
	"github.com/fleetgate/fleetgate/internal/policy"
)

// housekeeping reports what of a policy is dead, doubled or without bounds.
// Fleets come in name order, then recipes, then commands.
func housekeeping(set *discover.Set) []diag.Diagnostic {
	var found []diag.Diagnostic
	for _, name := range projectFleets(set) {
		f, _ := set.ProjectFleet(name)
		found = append(found, unbounded(f)...)
		found = append(found, overlaps(f)...)
		found = append(found, shadows(set, f)...)
		found = append(found, unpermitted(set, f)...)
	}
	found = append(found, unusedRecipes(set)...)
	return append(found, unusedCommands(set)...)
}

func unbounded(f *discover.Fleet) []diag.Diagnostic {
	if f.Contract.Version >= boundary.FirstBounded {
		return nil
	}
	return []diag.Diagnostic{diag.New("audit-unbounded", diag.Pos{File: f.Path}, "version",
		fmt.Sprintf("fleet %s is version %d: its steps have no boundaries, and no commit can claim them", boundary.Quote(f.Name), f.Contract.Version)).
		WithHint("raise the contract to version 4 and give each workspace step its writes")}
}

func shadows(set *discover.Set, f *discover.Fleet) []diag.Diagnostic {
	var found []diag.Diagnostic
	for _, path := range f.Shadows {
		if strings.HasPrefix(path, discover.Dir+"/") { // policy-shadowed says that
			continue
		}
		found = append(found, diag.New("audit-shadows-builtin", diag.Pos{File: f.Path}, "",
			fmt.Sprintf("fleet %s stands in place of %s: who dispatches it by this name gets another one here than elsewhere", boundary.Quote(f.Name), path)).
			WithHint("give the contract a name of its own, unless that is meant"))
	}
	return found
}

// unpermitted finds a fleet that no permit entry names, where there are any:
// only people can claim it.
func unpermitted(set *discover.Set, f *discover.Fleet) []diag.Diagnostic {
	permit := set.Config.Rules.Permit
	if len(permit) == 0 {
		return nil
	}
	for _, entry := range permit {
		for _, step := range entry.Steps {
			if name, _, _ := strings.Cut(step, "/"); name == f.Name {
				return nil
			}
		}
	}
	return []diag.Diagnostic{diag.New("audit-unpermitted", diag.Pos{File: f.Path}, "",
		fmt.Sprintf("no permit entry names fleet %s: nothing ties a claim of it to an author", boundary.Quote(f.Name))).
		WithHint("add an entry for whoever works for it to permit in " + discover.ConfigPath + ", or remove the fleet")}
}

// unusedRecipes finds the project's own recipes that no fleet names, of
// whatever source.
func unusedRecipes(set *discover.Set) []diag.Diagnostic {
	used := map[string]bool{}
	for i := range set.Fleets {
		if c := set.Fleets[i].Parsed; c != nil {
			for _, use := range c.Agents() {
				used[use.Agent.Value] = true
			}
		}
	}
	var found []diag.Diagnostic
	for i := range set.Agents {
		a := &set.Agents[i]
		if a.Source != policy.Project || !a.Effective() || used[a.ID] {
			continue
		}
		found = append(found, diag.New("audit-unused-recipe", diag.Pos{File: a.Path}, "",
			fmt.Sprintf("no fleet names the agent %s", boundary.Quote(a.ID))).
			WithHint("nothing, if people dispatch it by hand; otherwise remove the recipe"))
	}
	return found
}

// unusedCommands finds registered commands that no contract runs.
func unusedCommands(set *discover.Set) []diag.Diagnostic {
	if set.Registry == nil {
		return nil
	}
	used := map[string]bool{}
	for i := range set.Fleets {
		if c := set.Fleets[i].Parsed; c != nil {
			for _, id := range c.CommandIDs() {
				used[id] = true
			}
		}
	}
	var found []diag.Diagnostic
	for _, c := range set.Registry.Commands {
		if !used[c.ID.Value] {
			found = append(found, diag.New("audit-unused-command", c.ID.Pos, "commands."+c.ID.Value,
				fmt.Sprintf("no fleet runs the command %s", boundary.Quote(c.ID.Value))).
				WithHint("remove it from the registry: what nothing runs, nobody looks after"))
		}
	}
	return found
}
