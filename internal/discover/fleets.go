package discover

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/fleet"
	"github.com/fleetgate/fleetgate/internal/policy"
	"github.com/fleetgate/fleetgate/internal/value"
)

// Fleet is one discovered contract, valid or not.
type Fleet struct {
	Name          string // base name without .md
	Source        policy.Source
	Path          string
	Contract      *fleet.Contract // nil when invalid, also where it doesn't bind to the registry
	Parsed        *fleet.Contract // the contract as the file has it; nil when the file itself is invalid
	Found         []diag.Diagnostic
	NeedsCommands []string // set when there are command steps and no registry
	Unregistered  []string // set when the registry lacks commands that another root's fleet runs, and nothing else is wrong
	Shadows       []string // paths of the same-named files that it shadows
	Text          []byte   // the file as read, once
}

// OK says whether the runtime would run the fleet: its contract is valid, and
// the commands that it needs are registered.
func (f Fleet) OK() bool { return f.Contract != nil && len(f.NeedsCommands) == 0 }

// registry is the project's command registry and where it was found.
type registry struct {
	path   string
	value  *fleet.Registry
	broken bool
	own    []diag.Diagnostic // why it is broken
	found  []diag.Diagnostic // of every registry that was parsed, and which one isn't used
}

// readFleets reads the contracts of one root: those under fleets/, then those
// under playbooks/, which newer runtimes read and which shadow the former
// (spec section 4). commands, if not nil, takes the registry beside them.
func readFleets(r *reader, source policy.Source, commands *registry) ([]Fleet, error) {
	var fleets []Fleet
	for _, dir := range []string{fleetsDir, playbooksDir} {
		entries, err := r.list(dir)
		if err != nil {
			return nil, err
		}
		if err := readRegistry(r, dir, entries, commands); err != nil {
			return nil, err
		}
		files, err := r.files(dir, entries, isMarkdown)
		if err != nil {
			return nil, err
		}
		parsed, err := parseEach(r, files, func(f file) Fleet { return parseFleet(f, source) },
			func(f *Fleet) *[]diag.Diagnostic { return &f.Found })
		if err != nil {
			return nil, err
		}
		fleets = append(fleets, parsed...)
	}
	return fleets, nil
}

// readRegistry reads dir's command registry. One under playbooks/ wins, broken or not.
func readRegistry(r *reader, dir string, entries []fs.DirEntry, commands *registry) error {
	there := slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == commandsFile })
	if commands == nil || !there {
		return nil
	}
	name := dir + "/" + commandsFile
	before := len(r.found)
	f, ok, _, err := r.single(name)
	if err != nil {
		return err
	}
	next := registry{path: r.show(name), broken: true, own: r.found[before:len(r.found):len(r.found)], found: commands.found}
	if ok {
		next.value, next.own = fleet.ParseCommands(f.path, f.text)
		next.broken = next.value == nil || diag.HasError(next.own)
		next.found = append(next.found, next.own...)
	}
	if commands.path != "" {
		next.found = append(next.found, notUsed("command registry", commands.path, next.path))
	}
	*commands = next
	return nil
}

// notUsed notes that of two files of one name the later stands in the earlier's place.
func notUsed(what, earlier, later string) diag.Diagnostic {
	return diag.New("policy-shadowed", diag.Pos{File: earlier}, "",
		fmt.Sprintf("the %s %s is not used: %s stands in its place", what, earlier, later)).
		WithHint("keep one of the two")
}

func parseFleet(f file, source policy.Source) Fleet {
	name := strings.TrimSuffix(f.name, ".md")
	out := Fleet{Name: name, Source: source, Path: f.path, Text: f.text}
	if name == "" {
		out.Found = []diag.Diagnostic{diag.New("fleet-file-name", diag.Pos{File: f.path}, "",
			fmt.Sprintf("the file name %q gives no fleet name", f.name)).
			WithHint("name the file NAME.md; a claim is Fleet-Step: NAME/STEP")}
		return out
	}
	contract, found := fleet.Parse(f.path, f.text)
	out.Found = found
	if diag.HasError(found) {
		return out
	}
	out.Contract, out.Parsed = contract, contract
	return out
}

// fleetFindings lists the findings of contracts in file order.
func fleetFindings(fleets []Fleet) []diag.Diagnostic {
	var found []diag.Diagnostic
	for _, f := range fleets {
		found = append(found, f.Found...)
	}
	return found
}

// shadowFleets keeps the last contract of each name, given from the lowest
// precedence to the highest: a later one shadows an earlier one whole, valid
// or not. The result is in name order.
func shadowFleets(fleets []Fleet) []Fleet {
	at := map[string]int{}
	var kept []Fleet
	for _, f := range fleets {
		i, taken := at[f.Name]
		if !taken {
			at[f.Name] = len(kept)
			kept = append(kept, f)
			continue
		}
		f.Shadows = append(slices.Clone(kept[i].Shadows), kept[i].Path)
		kept[i] = f
	}
	slices.SortStableFunc(kept, func(a, b Fleet) int { return value.CompareIDs(a.Name, b.Name) })
	return kept
}

// bindFleets binds every contract to the registry (spec section 4). What
// concerns the project's own contracts is added to found; that a builtin's
// commands aren't registered here is no defect of this repository.
func bindFleets(fleets []Fleet, commands registry, found []diag.Diagnostic, listed *tally) ([]Fleet, []diag.Diagnostic) {
	for i := range fleets {
		f := &fleets[i]
		bound := f.bind(commands, listed)
		if f.Source != policy.Project {
			continue
		}
		found = append(found, bound...)
		found = append(found, f.shadowNote()...)
	}
	return fleets, found
}

// bind binds one contract, and gives the findings that are its own.
func (f *Fleet) bind(commands registry, listed *tally) []diag.Diagnostic {
	if f.Contract == nil {
		return nil
	}
	ids := f.Contract.CommandIDs()
	switch {
	case len(ids) == 0:
		return nil
	case commands.broken:
		f.Contract = nil
		f.Found = append(f.Found, listed.keep(commands.own)...)
		return nil
	case commands.value == nil:
		f.NeedsCommands = ids
		missing := needsCommands(f, ids)
		f.Found = append(f.Found, missing)
		return []diag.Diagnostic{missing}
	}
	bound := fleet.Bind(f.Contract, commands.value, nil)
	if diag.HasError(bound) {
		f.Contract = nil
		f.Unregistered = f.unregistered(commands.value, bound)
	}
	bound = listed.keep(bound)
	f.Found = append(f.Found, bound...)
	return bound
}

// unregistered gives the commands that a builtin, a plugin's or a user's
// contract lacks here, where that is all that is wrong: it was written without
// knowing this repository, so that the registry is short of them, where one of
// the project's own contracts would be wrong.
func (f *Fleet) unregistered(registry *fleet.Registry, bound []diag.Diagnostic) []string {
	other := func(d diag.Diagnostic) bool { return d.Code != "bind-unknown-command" }
	if f.Source == policy.Project || slices.ContainsFunc(bound, other) {
		return nil
	}
	return slices.DeleteFunc(f.Parsed.CommandIDs(), func(id string) bool {
		_, registered := registry.Command(id)
		return registered
	})
}

func needsCommands(f *Fleet, ids []string) diag.Diagnostic {
	return diag.New("bind-registry-missing", f.Contract.Pos, "",
		fmt.Sprintf("fleet %q needs the commands %s, and this repository has no command registry", f.Name, strings.Join(ids, ", "))).
		WithHint("register them in " + Dir + "/" + fleetsDir + "/" + commandsFile)
}

// shadowNote says which of the project's own files a contract shadows: the
// same name under fleets/ and playbooks/ is easily overlooked.
func (f *Fleet) shadowNote() []diag.Diagnostic {
	var found []diag.Diagnostic
	for _, path := range f.Shadows {
		if strings.HasPrefix(path, Dir+"/"+fleetsDir+"/") {
			found = append(found, notUsed("contract", path, f.Path))
		}
	}
	return found
}
