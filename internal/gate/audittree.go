package gate

import (
	"fmt"
	"strings"

	"github.com/fleetgate/fleetgate/internal/boundary"
	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/fleet"
)

// entries holds every boundary against HEAD's tree: entries that match nothing
// there, and those that reach files which decide what is run, who is asked, or
// what fleets may do.
func (a *audit) entries() ([]diag.Diagnostic, error) {
	tree, err := a.repo.TreeOf(a.at.head)
	if err != nil {
		return nil, err
	}
	var found []diag.Diagnostic
	for _, name := range projectFleets(a.head) {
		f, _ := a.head.ProjectFleet(name)
		for _, p := range f.Contract.Positions() {
			found = append(found, reaches(name, p)...)
			stale, err := a.staleEntries(tree, name, p)
			if err != nil {
				return nil, err
			}
			found = append(found, stale...)
		}
	}
	return found, nil
}

// staleEntries is one finding for the entries of a position that match nothing.
func (a *audit) staleEntries(tree boundary.OID, name string, p fleet.Position) ([]diag.Diagnostic, error) {
	var stale, hints []string
	for _, entry := range p.Writes {
		matches, instead, err := a.matches(tree, entry)
		if err != nil {
			return nil, err
		}
		if matches {
			continue
		}
		stale = append(stale, boundary.Quote(entry))
		if instead != "" {
			hints = append(hints, boundary.Quote(instead))
		}
	}
	if len(stale) == 0 {
		return nil, nil
	}
	hint := "remove what nothing is to be written to any more"
	if len(hints) > 0 {
		hint += "; what there is, is " + someOf(hints)
	}
	message := fmt.Sprintf("step %s may write what matches nothing at HEAD: %s", boundary.Quote(name+"/"+p.ID), someOf(stale))
	return []diag.Diagnostic{diag.New("audit-stale-entry", p.Pos, "", message).WithHint(hint)}, nil
}

// matches says whether an entry covers anything in the tree; instead is what
// would, where only the slash at its end is wrong.
func (a *audit) matches(tree boundary.OID, entry string) (matches bool, instead string, err error) {
	path, isDir := strings.CutSuffix(entry, "/")
	at, err := a.repo.Entry(tree, path)
	switch {
	case err != nil || at.Mode == boundary.Absent:
		return false, "", err
	case isDir == (at.Mode == boundary.Dir):
		return true, "", nil
	case isDir:
		return false, path, nil
	}
	return false, entry + "/", nil
}

// reach is what an entry seems to open.
type reach struct{ says, hint string }

var (
	reachPolicy = reach{
		"names policy, which no entry opens: ",
		"remove it: a claimed commit that changes policy fails whatever its step may write",
	}
	reachDirectory = reach{
		"covers no workflow, action or CODEOWNERS file by naming a directory: ",
		"name the files, if the step is to write them; otherwise remove it",
	}
	reachFile = reach{
		"opens files that decide what is run, what is fetched or who is asked: ",
		"keep it only where the step's work is that file, and have a person asked for it in CODEOWNERS",
	}
)

// reaches finds, for each kind of reach, the entries of a position that have it.
func reaches(name string, p fleet.Position) []diag.Diagnostic {
	var found []diag.Diagnostic
	for _, kind := range []reach{reachPolicy, reachDirectory, reachFile} {
		var entries []string
		for _, entry := range p.Writes {
			if got, ok := reachOf(entry); ok && got == kind {
				entries = append(entries, boundary.Quote(entry))
			}
		}
		if len(entries) > 0 {
			message := fmt.Sprintf("step %s %s%s", boundary.Quote(name+"/"+p.ID), kind.says, someOf(entries))
			found = append(found, diag.New("audit-reach", p.Pos, "", message).WithHint(kind.hint))
		}
	}
	return found
}

func reachOf(entry string) (reach, bool) {
	path, isDir := strings.CutSuffix(entry, "/")
	protection := boundary.ProtectionOf(path)
	switch {
	case protection == boundary.Closed:
		return reachPolicy, true
	case isDir && protection == boundary.Openable:
		return reachDirectory, true
	case !isDir && boundary.NeedsExactEntry(path):
		return reachFile, true
	}
	return reach{}, false
}
