package action

import (
	"strconv"

	"github.com/fleetgate/fleetgate/internal/verdict"
)

// OutputNames are all outputs, in action.yml's order.
var OutputNames = []string{
	"verdict", "reason", "judged", "violations", "warnings", "commits", "claimed", "report", "sarif", "digest",
}

// Outputs are the step's outputs for a verdict. report and sarif are the files
// that hold it; empty where none was written.
func Outputs(v *verdict.Verdict, report, sarif string) []Output {
	count := strconv.Itoa
	return []Output{
		{"verdict", string(v.Word)},
		{"reason", v.Reason},
		{"judged", count(v.Counts.Judged)},
		{"violations", count(v.Counts.Errors)},
		{"warnings", count(v.Counts.Warnings)},
		{"commits", count(v.Counts.Commits)},
		{"claimed", count(v.Counts.Claimed)},
		{"report", report},
		{"sarif", sarif},
		{"digest", v.Digest},
	}
}
