package gate

import (
	"errors"
	"fmt"
	"testing"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/verdict"
)

func TestSummaryLeavesTheWayOutToTheHint(t *testing.T) {
	undecided := &UndecidedError{Reason: "missing-base", Message: "the branch main isn't in this clone", Hint: "fetch it"}
	tests := []struct {
		name string
		v    verdict.Verdict
		stop error
		want string
	}{
		{"undecided", verdict.Verdict{Word: verdict.Undecided}, undecided, "nothing is decided: the branch main isn't in this clone"},
		{"undecided further in", verdict.Verdict{Word: verdict.Undecided}, fmt.Errorf("base: %w", undecided), "nothing is decided: the branch main isn't in this clone"},
		{"another error", verdict.Verdict{Word: verdict.Undecided}, errors.New("tree 12\nis gone"), "nothing is decided: tree 12 is gone"},
		{"malformed", verdict.Verdict{Word: verdict.Undecided}, nil, "nothing is decided: a tree in the range is malformed"},
		{
			"failed before it stopped",
			verdict.Verdict{Word: verdict.Failed, Incomplete: true, Counts: verdict.Counts{Errors: 2}},
			undecided,
			"2 errors; and not everything could be read: the branch main isn't in this clone",
		},
		{
			"passed, though a path outside is warned of",
			verdict.Verdict{Word: verdict.Passed, Counts: verdict.Counts{Claimed: 1, Commits: 2}, Diagnostics: []diag.Diagnostic{{Code: "boundary-outside", Severity: diag.Warning}}},
			nil,
			"1 of 2 commits claimed, 1 outside",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := summary(&tt.v, tt.stop); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
