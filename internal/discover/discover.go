// Package discover finds recipes, fleets, the command registry and the gate
// configuration in a tree, whatever is behind it (work tree, a commit's tree,
// the embedded builtins), merges the roots by precedence and gives one Set
// (spec section 3.5, design.md "Gate configuration").
package discover

import (
	"cmp"
	"context"
	"io/fs"
	"slices"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/fleet"
	"github.com/fleetgate/fleetgate/internal/policy"
)

// Dir is the directory of a repository that holds its policy.
const Dir = ".clio-coder"

// The names that a root holds.
const (
	agentsDir    = "agents"
	fleetsDir    = "fleets"
	playbooksDir = "playbooks"
	commandsFile = "commands.yaml"
	configFile   = "fleetgate.yaml"
)

// ConfigPath is where the gate configuration lies.
const ConfigPath = Dir + "/" + configFile

// Root is a source besides the project: agents/, fleets/ and playbooks/ lie directly in FS.
type Root struct {
	Source policy.Source
	Name   string // a plugin's name
	FS     fs.FS  // for several readers at once
	Path   string // shown in front of paths in findings

	read func() (content, error) // what all Loads share; nil: each reads the root itself
}

// Options say which roots are read besides the project's, and how.
type Options struct {
	// Roots are the builtins, plugins and the user's; Load puts them in order
	// of precedence itself, plugins by name.
	Roots []Root
	// External are the agents delegated to external processes.
	External []ExternalAgent
	// WorkTree says that the project is a work tree, where a file that may not
	// be read is a finding. Elsewhere it is an error: a commit's tree whose
	// objects can't be read must never look like one that has no policy.
	WorkTree bool
}

// Set is the whole policy of one tree.
type Set struct {
	Agents   []Agent // effective ones first in id order, then the others by id and precedence
	Fleets   []Fleet // effective ones in name order; shadowed ones are named in Shadows
	Log      []Event // what the merge of recipes ignored and overrode, in order
	External []ExternalAgent

	Registry       *fleet.Registry // nil where there is none, or it is broken
	RegistryPath   string          // where the registry lies; empty where there is none
	RegistryBroken bool            // there is one, and it isn't valid

	Config       Config
	ConfigBroken bool

	Found     []diag.Diagnostic // of every file, in file order, in the runtime's order within a file
	HasPolicy bool              // the project itself has a fleet contract, valid or not, or a place for them that can't be read
	Digest    string            // SHA-256 over the project's policy files, names and bytes; empty where there are none
}

// Load reads the policy of the project tree (the repository's root) and of the
// other roots. A bad file is a finding. An error means that something could
// not be read, which it wraps, that a builtin recipe is defective
// (BuiltinError), or that ctx ended: it is looked at between files.
func Load(ctx context.Context, project fs.FS, o Options) (Set, error) {
	l := loader{ctx: ctx, options: o}
	for _, root := range inPrecedence(o.Roots) {
		if err := l.root(root); err != nil {
			return Set{}, err
		}
	}
	if err := ctx.Err(); err != nil {
		return Set{}, err
	}
	if err := l.project(project); err != nil {
		return Set{}, err
	}
	return l.set(), nil
}

// loader collects what the roots hold, in order of precedence.
type loader struct {
	ctx      context.Context
	tally    tally
	options  Options
	agents   []Agent
	fleets   []Fleet
	registry registry
	found    []diag.Diagnostic
	config   Config
	broken   bool
	policy   bool
	digest   string
}

// root adds what one root besides the project's holds.
func (l *loader) root(root Root) error {
	read := root.read
	if read == nil {
		read = func() (content, error) { return readRoot(l.ctx, root, &l.tally) }
	}
	c, err := read()
	if err != nil {
		return err
	}
	l.agents = append(l.agents, c.agents...)
	l.fleets = append(l.fleets, c.fleets...)
	l.found = append(l.found, c.found...)
	return nil
}

// project reads the repository's own root, the only one that has a command
// registry and a gate configuration. Where the whole root can't be read, it
// counts as a policy, and as one whose configuration is broken.
func (l *loader) project(project fs.FS) error {
	r := &reader{ctx: l.ctx, tally: &l.tally, fsys: project, lenient: l.options.WorkTree, left: MaxTotalBytes}
	there, err := r.enter(Dir)
	if err != nil {
		return err
	}
	if there {
		err = l.projectFiles(r)
	} else {
		l.config.Path = ConfigPath
		l.policy, l.broken = len(r.found) > 0, len(r.found) > 0
	}
	l.found = append(l.found, r.found...)
	l.digest = r.digest()
	return err
}

func (l *loader) projectFiles(r *reader) error {
	config, configFound, broken, err := readConfig(r)
	if err != nil {
		return err
	}
	agents, err := readAgents(r, policy.Project)
	if err != nil {
		return err
	}
	before := len(r.found)
	fleets, err := readFleets(r, policy.Project, &l.registry)
	if err != nil {
		return err
	}
	l.policy = len(fleets) > 0 || len(r.found) > before
	l.config, l.broken = config, broken
	l.agents = append(l.agents, agents...)
	l.fleets = append(l.fleets, fleets...)
	l.found = append(l.found, agentFindings(agents)...)
	l.found = append(l.found, l.registry.found...)
	l.found = append(l.found, fleetFindings(fleets)...)
	l.found = append(l.found, configFound...)
	return nil
}

// set merges what was read.
func (l *loader) set() Set {
	s := Set{
		Registry:       l.registry.value,
		RegistryPath:   l.registry.path,
		RegistryBroken: l.registry.broken,
		Config:         l.config,
		ConfigBroken:   l.broken,
		HasPolicy:      l.policy,
		Digest:         l.digest,
		Found:          l.found,
	}
	s.Agents, s.Log = mergeAgents(l.agents)
	s.Found = append(s.Found, reservedFindings(s.Agents)...)
	s.Fleets, s.Found = bindFleets(shadowFleets(l.fleets), l.registry, s.Found, &l.tally)
	s.External, s.Found = joinExternal(l.options.External, s.Agents, s.Found)
	return s
}

// inPrecedence orders roots from the lowest precedence to the highest, plugins by name.
func inPrecedence(roots []Root) []Root {
	sorted := slices.Clone(roots)
	slices.SortStableFunc(sorted, func(a, b Root) int {
		return cmp.Or(cmp.Compare(rank(a.Source), rank(b.Source)), cmp.Compare(a.Name, b.Name))
	})
	return sorted
}

func rank(source policy.Source) int {
	return slices.Index([]policy.Source{policy.Builtin, policy.Plugin, policy.User, policy.Project}, source)
}

// Fleet finds the effective contract of a name, byte for byte.
func (s *Set) Fleet(name string) (*Fleet, bool) {
	i := slices.IndexFunc(s.Fleets, func(f Fleet) bool { return f.Name == name })
	if i < 0 {
		return nil, false
	}
	return &s.Fleets[i], true
}

// ProjectFleet finds the project's own contract of a name, byte for byte. A
// contract of another root never stands in for it: only the repository's own
// fleets can be claimed.
func (s *Set) ProjectFleet(name string) (*Fleet, bool) {
	f, ok := s.Fleet(name)
	if !ok || f.Source != policy.Project {
		return nil, false
	}
	return f, true
}

// Agent finds the effective recipe of an id.
func (s *Set) Agent(id string) (*Agent, bool) {
	i := slices.IndexFunc(s.Agents, func(a Agent) bool { return a.ID == id && a.Effective() })
	if i < 0 {
		return nil, false
	}
	return &s.Agents[i], true
}
