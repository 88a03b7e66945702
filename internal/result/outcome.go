package result

import (
	"maps"
	"slices"
)

// Fact is what a receipt records of a run's report.
type Fact struct {
	SourceID    string      `json:"sourceId"`
	Digest      string      `json:"validatorDigest"`
	Conformance Conformance `json:"conformance"`
	Quality     Quality     `json:"quality"`
}

// RecipeOutcome is the receipt's view of a run: whether its report could be
// held against the contract at all, and what came of it.
type RecipeOutcome struct {
	Applicable bool `json:"applicable"`
	Fact       Fact `json:"fact"`
}

// Recipe validates what a run left: nil where it had no contract, and
// not-reached where the run never came to its end (spec 7).
func Recipe(run Run, contract *Contract, reached bool) *RecipeOutcome {
	switch {
	case contract == nil:
		return nil
	case !reached:
		return &RecipeOutcome{Fact: Unreached(*contract).Fact()}
	}
	run.Contract = *contract
	return &RecipeOutcome{Applicable: true, Fact: Validate(run).Fact()}
}

// Unreached is the outcome of a run that crashed, was aborted or was stopped before its report.
func Unreached(c Contract) Outcome {
	return Outcome{
		Conformance: NotReached, Quality: Unmeasured, SourceID: c.SourceID(), Digest: notReachedDigest(c),
		Reason: "the run never reached its end, so there is no report",
	}
}

// Fact gives what a receipt records of the outcome.
func (o Outcome) Fact() Fact {
	return Fact{SourceID: o.SourceID, Digest: o.Digest, Conformance: o.Conformance, Quality: o.Quality}
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
