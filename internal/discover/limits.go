package discover

import (
	"fmt"
	"slices"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/strictyaml"
)

// The bounds of one Load. What goes beyond them is a finding with its place,
// never a slow run: a repository's content is hostile.
const (
	// MaxFileBytes is the largest policy file that is read.
	MaxFileBytes = strictyaml.MaxBytes
	// MaxDirEntries is the largest number of entries that a policy directory
	// may hold; of a larger one nothing is read.
	MaxDirEntries = 16_384
	// MaxTotalBytes is the most that all policy files of one root may have together.
	MaxTotalBytes = 64 << 20
	// MaxFindings is how many findings about policy files are listed. Beyond
	// them one of each file is, an error if it has one: no defect lets a file
	// pass, and that finding says how many more there are.
	MaxFindings = 100_000
	// MaxConfigEntries is the largest number of entries in each list of the gate configuration.
	MaxConfigEntries = 1_000
	// MaxExternalAgents is the largest number of external agents that settings may declare.
	MaxExternalAgents = 1_000
	// maxSuggestions is for how many unknown agents a nearest name is looked for.
	maxSuggestions = 100
)

// addFinding appends a finding unless there are diag.MaxFindings already.
func addFinding(found []diag.Diagnostic, d diag.Diagnostic) []diag.Diagnostic {
	if len(found) >= diag.MaxFindings {
		return found
	}
	return append(found, d)
}

// tally counts the findings of one Load, or of a root that several share, and
// bounds them.
type tally struct{ listed int }

// keep gives the findings of one file that are listed: all of them while there
// is room, later one, which says how many more there are.
func (t *tally) keep(found []diag.Diagnostic) []diag.Diagnostic {
	if len(found) < 2 || t.listed+len(found) <= MaxFindings {
		t.listed += len(found)
		return found
	}
	isError := func(d diag.Diagnostic) bool { return d.Severity == diag.Error }
	one := max(0, slices.IndexFunc(found, isError))
	return []diag.Diagnostic{standingFor(found[one], len(found)-1)}
}

// standingFor is a finding that says how many others are not listed beside it.
func standingFor(d diag.Diagnostic, others int) diag.Diagnostic {
	return d.WithRelated(d.Pos, fmt.Sprintf("further findings that are not listed: %d", others))
}
