package gate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/fleetgate/fleetgate/internal/boundary"
	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/discover"
	"github.com/fleetgate/fleetgate/internal/fleet"
	"github.com/fleetgate/fleetgate/internal/verdict"
)

// Lint validates the work tree's policy: recipes, contracts, the registry, the
// gate configuration, and how they fit together. It needs no git. With
// o.Staged it validates the index's policy instead, as the next commit will have it.
func Lint(ctx context.Context, o Options) (verdict.Verdict, error) {
	readPolicy := read
	if o.Staged {
		readPolicy = readStaged
	}
	set, links, err := readPolicy(ctx, o, workTreeFindings)
	if err != nil {
		return verdict.Verdict{}, err
	}
	v := verdict.Verdict{
		Tool:       o.Tool,
		Command:    "lint",
		Repository: o.Repository,
		Assurance:  verdict.SelfDeclared,
		Policy:     set.Digest,
		Observe:    o.Observe,
	}
	found := slices.Concat(set.Found, discover.CrossCheck(set), links)
	v.Diagnostics = weigh(set.Config, found, o.Raise)
	v.Fleets = pictures(set)
	decideLint(&v, set, o.FailOn)
	err = v.Seal()
	return v, err
}

// pictures draws the project's own valid contracts.
func pictures(set *discover.Set) []verdict.Fleet {
	drawn := []verdict.Fleet{}
	for _, name := range projectFleets(set) {
		f, _ := set.ProjectFleet(name)
		drawn = append(drawn, Picture(name, f.Contract))
	}
	return drawn
}

func decideLint(v *verdict.Verdict, set *discover.Set, failOn diag.Severity) {
	v.Word, _ = verdict.Decide(v.Diagnostics, true, failOn)
	errs, warnings, _ := diag.Count(v.Diagnostics)
	recipes := projectAgents(set)
	switch {
	case v.Word == verdict.Failed:
		v.Reason = "findings"
		v.Summary = fmt.Sprintf("%s, %s", counted(errs, "error"), counted(warnings, "warning"))
	case !set.HasPolicy && recipes == 0:
		v.Reason = "no-policy"
		v.Summary = "there is no policy here: nothing under " + discover.Dir + "/"
		v.Hint = "if there should be one, run fleetgate where it lies, or name that folder with --repo; a first contract goes to " + discover.Dir + "/fleets/NAME.md"
	default:
		v.Reason = "clean"
		v.Summary = fmt.Sprintf("the policy is sound: %s, %s read", counted(len(v.Fleets), "valid fleet"), counted(recipes, "recipe"))
	}
}

func projectAgents(set *discover.Set) int {
	n := 0
	for _, a := range set.Agents {
		if a.Source == "project" {
			n++
		}
	}
	return n
}

// Load reads the work tree's policy: that of the nearest folder at or above
// o.Dir that holds a policy or a repository, else of o.Dir itself.
func Load(ctx context.Context, o Options) (*discover.Set, error) {
	set, _, err := read(ctx, o, func(fs.FS, *discover.Set) ([]diag.Diagnostic, error) { return nil, nil })
	return set, err
}

// read loads the work tree's policy and asks one more question while the tree is open.
func read(ctx context.Context, o Options, ask func(fs.FS, *discover.Set) ([]diag.Diagnostic, error)) (*discover.Set, []diag.Diagnostic, error) {
	root, err := openPolicyRoot(o.Dir)
	if err != nil {
		return nil, nil, err
	}
	defer root.Close()
	set, err := discover.Load(ctx, root.FS(), discover.Options{Roots: o.Roots, External: o.External, WorkTree: true})
	if err != nil {
		return nil, nil, err
	}
	found, err := ask(root.FS(), &set)
	return &set, found, err
}

// workTreeFindings are those that need the tree beside its policy.
func workTreeFindings(tree fs.FS, set *discover.Set) ([]diag.Diagnostic, error) {
	links, err := linkedEntries(tree, set)
	return append(links, ignoredPolicy(tree)...), err
}

// linkedEntries finds the boundary entries that pass through a symbolic link:
// what is written there lands somewhere else (design.md, Trees).
func linkedEntries(tree fs.FS, set *discover.Set) ([]diag.Diagnostic, error) {
	isLink := func(path string) (bool, error) {
		info, err := fs.Lstat(tree, path)
		if isMissing(err) {
			return false, err // of a commit's tree; what else can't be looked up is no link
		}
		return err == nil && info.Mode()&fs.ModeSymlink != 0, nil
	}
	var found []diag.Diagnostic
	for _, name := range projectFleets(set) {
		f, _ := set.ProjectFleet(name)
		for _, p := range f.Contract.Positions() {
			for _, entry := range p.Writes {
				link, err := boundary.LinkOnEntry(entry, isLink)
				if err != nil {
					return nil, err
				}
				if link != "" {
					found = append(found, linkedEntry(name, p, entry, link))
				}
			}
		}
	}
	return found, nil
}

func linkedEntry(name string, p fleet.Position, entry, link string) diag.Diagnostic {
	message := fmt.Sprintf("step %q: its entry %s passes through the symbolic link %s", name+"/"+p.ID, boundary.Quote(entry), boundary.Quote(link))
	return diag.New("policy-symlink", p.Pos, "", message).
		WithHint("name the place that the link points at, or replace the link by a directory")
}

// openPolicyRoot opens the folder that PolicyRoot finds, so that nothing
// outside it can be reached through its links.
func openPolicyRoot(dir string) (*os.Root, error) {
	found, err := PolicyRoot(dir)
	if err != nil {
		return nil, err
	}
	if isBare(found) {
		return nil, &UsageError{
			Message: fmt.Sprintf("the repository %s is bare and has no work tree", dir),
			Hint:    "use `fleetgate check` or `fleetgate audit`, which read commits",
		}
	}
	root, err := os.OpenRoot(found)
	if err != nil {
		return nil, &UsageError{Message: fmt.Sprintf("the folder %s can't be opened: %v", dir, reasonOf(err))}
	}
	return root, nil
}

// PolicyRoot is the folder whose policy is read from dir: the nearest at or
// above it that holds a policy or a repository, else dir itself.
func PolicyRoot(dir string) (string, error) {
	start, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for at := start; ; at = filepath.Dir(at) {
		if isMarked(at) || isBare(at) {
			return at, nil
		}
		if filepath.Dir(at) == at {
			return start, nil
		}
	}
}

// isMarked says whether a folder holds a policy or a work tree's repository.
func isMarked(dir string) bool { return exists(dir, discover.Dir) || exists(dir, ".git") }

// isBare says whether a folder is itself a repository, by what git wants of
// one. The .git of a work tree is none: that work tree is meant then.
func isBare(dir string) bool {
	return filepath.Base(dir) != ".git" && !isMarked(dir) && exists(dir, "HEAD") && exists(dir, "objects") && exists(dir, "refs")
}

func exists(dir, name string) bool {
	_, err := os.Lstat(filepath.Join(dir, name))
	return err == nil
}

// reasonOf drops the operation and the path from a file error: the message
// around it names the path already.
func reasonOf(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
