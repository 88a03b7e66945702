package report

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/verdict"
)

// readStatement reads what InToto writes, and nothing else.
func readStatement(t *testing.T, v verdict.Verdict) statement {
	t.Helper()
	in := json.NewDecoder(strings.NewReader(rendered(t, InToto, v)))
	in.DisallowUnknownFields()
	var s statement
	if err := in.Decode(&s); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestTheStatementIsAboutTheJudgedCommit(t *testing.T) {
	v := firstFailure()
	v.Repository, v.Event = "octo/site", "pull_request"
	v = sealed(t, v)
	s := readStatement(t, v)
	want := []subject{{Name: "octo/site", Digest: map[string]string{"gitCommit": v.Head}}}
	if diff := cmp.Diff(want, s.Subject); diff != "" {
		t.Error(diff)
	}
	if s.Type != "https://in-toto.io/Statement/v1" || !strings.HasPrefix(s.PredicateType, "https://") {
		t.Errorf("%s, %s", s.Type, s.PredicateType)
	}
	p := s.Predicate
	if p.Verdict != verdict.Failed || p.Policy != v.Policy || p.Base != v.Base || p.Counts != v.Counts || p.Report.Digest["sha256"] != v.Digest || len(v.Digest) != 64 {
		t.Errorf("%+v", p)
	}
}

func TestTheStatementsGoldens(t *testing.T) {
	for name, sample := range samples {
		t.Run(name, func(t *testing.T) {
			golden(t, name+".intoto.json", rendered(t, InToto, sealed(t, sample())))
		})
	}
}

func TestTheStatementSaysWhatItsVerdictSays(t *testing.T) {
	for name, sample := range samples {
		v := sealed(t, sample())
		p := readStatement(t, v).Predicate
		if p.Verdict != v.Word || p.Incomplete != v.Incomplete || p.Assurance != v.Assurance || p.Reason != v.Reason {
			t.Errorf("%s: %+v", name, p)
		}
	}
}

func TestAVerdictAboutNoCommitHasNoSubject(t *testing.T) {
	text := rendered(t, InToto, sealed(t, lintFailure()))
	if !strings.Contains(text, `"subject": [],`) {
		t.Error(text)
	}
}

func TestEqualVerdictsGiveEqualStatements(t *testing.T) {
	first := rendered(t, InToto, sealed(t, manyKinds()))
	for range 20 {
		if again := rendered(t, InToto, sealed(t, manyKinds())); again != first {
			t.Fatal(cmp.Diff(first, again))
		}
	}
}

func TestTheStatementForgesNothing(t *testing.T) {
	ids := regexp.MustCompile(`^[0-9a-f]{40}$`)
	eachHostile(t, func(t *testing.T, v verdict.Verdict) {
		checkLog(t, rendered(t, InToto, v), false)
		for _, s := range readStatement(t, v).Subject {
			if !ids.MatchString(s.Digest["gitCommit"]) || len(s.Digest) != 1 {
				t.Errorf("the subject is %v", s)
			}
		}
	})
}
