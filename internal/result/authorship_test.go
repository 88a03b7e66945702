package result

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAuthoredWordsAreReadFromTwoKindsOnly(t *testing.T) {
	text := `Here: {"commitMessage":" Cap\r\nretries\r ","summary":null,"other":1}`
	for _, kind := range Kinds() {
		want := Authorship{}
		if kind == MutationReport || kind == ArchitectPlan {
			want.CommitMessage = "Cap\nretries"
		}
		if diff := cmp.Diff(want, ReadAuthorship(Contract{Kind: kind}, text)); diff != "" {
			t.Errorf("%s: %s", kind, diff)
		}
	}
}

func TestOneBadAuthoredFieldLeavesNone(t *testing.T) {
	c := Contract{Kind: MutationReport, MaxSummaryBytes: 4}
	for text, want := range map[string]Authorship{
		`{"commitMessage":"m","summary":"four"}`:                {"m", "four"},
		`{"commitMessage":"m","summary":" four "}`:              {"m", "four"},
		`{"commitMessage":"m","summary":"fives"}`:               {},
		`{"commitMessage":"m","summary":7}`:                     {},
		`{"commitMessage":"m","summary":"\u007f"}`:              {},
		`{"commitMessage":"` + strings.Repeat("é", 500) + `"}`:  {strings.Repeat("é", 500), ""},
		`{"commitMessage":"` + strings.Repeat("é", 500) + `x"}`: {},
		`nothing`: {},
	} {
		if diff := cmp.Diff(want, ReadAuthorship(c, text)); diff != "" {
			t.Errorf("%.60s: %s", text, diff)
		}
	}
}

func TestOnlyMutationReportsHaveABoundOfTheirOwn(t *testing.T) {
	for _, kind := range Kinds() {
		limit, bounded := Contract{Kind: kind}.OutputBytes()
		if bounded != (kind == MutationReport) || bounded && limit != 2*DefaultSummaryBytes+2*MaxCommitMessageBytes+4096 {
			t.Errorf("%s: %d, %t", kind, limit, bounded)
		}
	}
}
