package discover

import (
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
