package gate

import (
	"strings"

	"github.com/fleetgate/fleetgate/internal/boundary"
	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/discover"
	"github.com/fleetgate/fleetgate/internal/drift"
)

// policyFindings are the defects of the policy at head and at base. Only what
// the range brought weighs as an error: a defect that stands at base already
// is a warning there (design.md, "Blame what the range brought"). One that
// only an old version of a file has, which base has replaced since, is none.
func (r *run) policyFindings() ([]diag.Diagnostic, error) {
	standing := map[string]bool{}
	for _, d := range r.base.Found {
		standing[identity(d)] = true
	}
	var found []diag.Diagnostic
	atHead := map[string]bool{}
	for _, d := range r.head.Found {
		atHead[identity(d)] = true
		weighed, keep, err := r.blame(d, standing[identity(d)])
		if err != nil {
			return nil, err
		}
		if keep {
			weighed.Rev = diag.Head
			found = append(found, weighed)
		}
	}
	for _, d := range r.base.Found {
		if atHead[identity(d)] {
			continue
		}
		d.Rev = diag.Base
		found = append(found, lower(d))
	}
	links, err := r.broughtLinks()
	return append(found, links...), err
}

// broughtLinks are the boundary entries that pass through a symbolic link, in
// contracts that the range changed: once merged, every claim on such a step
// would be refused.
func (r *run) broughtLinks() ([]diag.Diagnostic, error) {
	if !r.changedPolicy() {
		return nil, nil
	}
	tree, err := r.repo.Tree(r.at.head)
	if err != nil {
		return nil, err
	}
	links, err := linkedEntries(tree, r.head)
	if err != nil {
		return nil, err
	}
	var found []diag.Diagnostic
	for _, d := range links {
		if r.changed(d.Pos.File) {
			d.Rev = diag.Head
			found = append(found, d)
		}
	}
	return found, nil
}

// drift notes what the range would change of the policy. What differs only
// because base has gone on since the range left it is no work of the range.
func (r *run) drift() ([]diag.Diagnostic, error) {
	if !r.changedPolicy() {
		return nil, nil
	}
	var found []diag.Diagnostic
	for _, d := range drift.Compare(r.base, r.head) {
		old, err := r.replacedAtBase(d)
		if err != nil {
			return nil, err
		}
		if !old {
			found = append(found, d)
		}
	}
	return found, nil
}

// replacedAtBase says whether a finding is about a file that the range left
// alone and that base has otherwise by now.
func (r *run) replacedAtBase(d diag.Diagnostic) (bool, error) {
	files := []string{d.Pos.File}
	for _, other := range d.Related {
		files = append(files, other.Pos.File)
	}
	for _, file := range files {
		if file == "" || r.changed(file) {
			continue
		}
		same, err := r.sameAtBase(file)
		if err != nil || !same {
			return err == nil, err
		}
	}
	return false, nil
}

// sameAtBase says whether base and head have the same at a path.
func (r *run) sameAtBase(path string) (bool, error) {
	if r.at.base == r.at.head {
		return true, nil
	}
	var entries []boundary.Entry
	for _, commit := range []boundary.OID{r.at.base, r.at.head} {
		tree, err := r.repo.TreeOf(commit)
		if err != nil {
			return false, err
		}
		entry, err := r.repo.Entry(tree, path)
		if err != nil {
			return false, err
		}
		entries = append(entries, entry)
	}
	return entries[0] == entries[1], nil
}

// blame lowers a defect at head that the range didn't bring, and drops one
// that base has mended since.
func (r *run) blame(d diag.Diagnostic, standing bool) (weighed diag.Diagnostic, keep bool, err error) {
	switch {
	case r.brought(d, standing):
		return d, true, nil
	case standing:
		return lower(d), true, nil
	}
	old, err := r.replacedAtBase(d)
	return lower(d), !old, err
}

// brought says whether a defect at head is the range's work. One that follows
// from several files (a contract and the registry, a folder with too many,
// files that are too large together) counts so where it is new and the range
// changed one of them.
func (r *run) brought(d diag.Diagnostic, standing bool) bool {
	switch {
	case r.at.audit || r.changed(d.Pos.File):
		return true
	case standing:
		return false
	}
	return r.changedUnder(d.Pos.File) ||
		needsRegistry(d.Code) && (r.changed(r.base.RegistryPath) || r.changed(r.head.RegistryPath)) ||
		d.Code == "policy-too-large" && r.changedPolicy()
}

// changed says whether the range changed a policy file.
func (r *run) changed(file string) bool { return r.policyChanges()[file] }

// changedUnder says whether the range changed a file of a policy folder.
func (r *run) changedUnder(dir string) bool { return r.policyChanges()[dir+"/"] }

func (r *run) changedPolicy() bool { return len(r.policyChanges()) > 0 }

// policyChanges are the paths at and under .clio-coder/ that the range changed,
// and the folders that they lie in, these with a slash at the end.
func (r *run) policyChanges() map[string]bool {
	if r.policyChanged != nil {
		return r.policyChanged
	}
	r.policyChanged = map[string]bool{}
	for _, c := range r.history.Net {
		if c.Path != discover.Dir && !strings.HasPrefix(c.Path, discover.Dir+"/") {
			continue
		}
		path := strings.ToValidUTF8(c.Path, "\ufffd") // as findings show it
		r.policyChanged[path] = true
		for at := range path {
			if path[at] == '/' {
				r.policyChanged[path[:at+1]] = true
			}
		}
	}
	return r.policyChanged
}

// needsRegistry tells findings about a contract that follow from what the
// command registry has: a change of that breaks contracts nobody touched.
func needsRegistry(code diag.Code) bool {
	return strings.HasPrefix(string(code), "bind-") || strings.HasPrefix(string(code), "args-")
}

// identity is what stays of a finding when lines move.
func identity(d diag.Diagnostic) string {
	return strings.Join([]string{string(d.Code), d.Pos.File, d.Field, d.Message}, "\x00")
}

func lower(d diag.Diagnostic) diag.Diagnostic {
	if d.Severity == diag.Error {
		d.Severity = diag.Warning
	}
	return d
}
