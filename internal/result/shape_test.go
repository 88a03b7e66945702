package result

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/value"
)

// exampleFields are the fields that spec 7's table gives each kind that is
// read as JSON, with their types, as far as an example needs them.
var exampleFields = map[Kind]string{
	ScoutReport:          "findings list, needsSplit boolean, proposedSubtasks list",
	VerifierReport:       "verdict string, checks list",
	MutationReport:       "mutatedPaths list, validations list, commitMessage string, summary string",
	CodeReport:           "passed boolean, exitCode number, checks list, artifactPaths list, outputExcerpt string",
	CouncilReport:        "members list, synthesis mapping",
	CouncilBallot:        "verdict string, text string",
	DebuggerReport:       "diagnosis string, reproduction string, evidence list",
	ResearchReport:       "source string, findings list",
	WorldKnowledgeReport: "discovery string, facts list, synthesis list, uncertainties list, followUpVerification list",
	ProvenanceReport:     "confirmedFacts list, missingEvidence list, nextInspections list",
	OracleReport:         "verdict string, challenge string, changesMyMind string, citedDecisions list",
	DelegationPlan:       "tasks list",
	ContextHandbook:      "projectName string, identity string, conventions list, invariants list, sections list",
	ArchitectPlan:        "commitMessage string, summary string",
}

func TestEveryKindHasAShapeWhoseOnlyBracesAreItsExample(t *testing.T) {
	for _, kind := range Kinds() {
		shape := Shape(Contract{Kind: kind, Path: "docs/PLAN.md"})
		want, isJSON := exampleFields[kind]
		if !isJSON {
			if shape == "" || strings.ContainsAny(shape, "{}") {
				t.Errorf("%s admits any text, and its shape is %q", kind, shape)
			}
			continue
		}
		start, end := strings.IndexByte(shape, '{'), strings.LastIndexByte(shape, '}')
		if start != 0 || end < 0 {
			t.Errorf("the shape of %s does not begin with its example: %q", kind, shape)
			continue
		}
		example, err := value.ParseJSON(string(kind), []byte(shape[:end+1]))
		if err != nil {
			t.Errorf("the example of %s: %v", kind, err)
			continue
		}
		var got []string
		for _, m := range example.Members {
			got = append(got, m.Key+" "+m.Value.Kind.String())
		}
		if diff := cmp.Diff(want, strings.Join(got, ", ")); diff != "" {
			t.Errorf("the fields of %s: %s", kind, diff)
		}
	}
}

func TestAShapeStatesTheBoundsAndThePathOfItsContract(t *testing.T) {
	for _, c := range []struct {
		contract Contract
		says     string
	}{
		{Contract{Kind: MutationReport}, "summary (at most 16384 bytes)"},
		{Contract{Kind: MutationReport, MaxSummaryBytes: 2048}, "summary (at most 2048 bytes)"},
		{Contract{Kind: MutationReport}, "commitMessage (at most 1000 bytes)"},
		{Contract{Kind: ArchitectPlan, Path: "docs/a b.md"}, "the file docs/a b.md,"},
	} {
		if shape := Shape(c.contract); !strings.Contains(shape, c.says) {
			t.Errorf("%q does not say %q", shape, c.says)
		}
	}
}

func TestAnUnknownKindHasNoShape(t *testing.T) {
	if shape := Shape(Contract{Kind: "scout"}); shape != "" {
		t.Errorf("got %q", shape)
	}
}
