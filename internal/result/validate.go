package result

import (
	"github.com/fleetgate/fleetgate/internal/value"
)

// Run is a finished run, as far as its report is validated.
type Run struct {
	Contract Contract
	Output   string     // the final text; empty where there is none
	Dir      string     // the directory that the run worked in: an absolute slash path, or "." if it isn't known
	Files    Filesystem // nil: nothing can be read
	Network  bool       // the run was allowed the network
	Reads    Reads      // what the run read; nil where that isn't known
	Effects  *Effects   // what the run was seen to write; nil where that wasn't observed
}

// Conformance says whether a report is what its contract asks for.
type Conformance string

// The conformances.
const (
	Pass       Conformance = "pass"
	Fail       Conformance = "fail"
	NotReached Conformance = "not-reached" // the run never reached its end
)

// Quality says what a conforming report says of the work.
type Quality string

// The qualities.
const (
	QualityPass Quality = "pass"
	QualityFail Quality = "fail"
	Unmeasured  Quality = "unmeasured"
)

// Outcome is what a validation gives.
type Outcome struct {
	Conformance Conformance
	Quality     Quality
	SourceID    string // of the contract
	Digest      string // the validator digest
	Code        Code   // of the failure, or of a degraded report's strict failure
	At          string // the field concerned
	Reason      string // of the same, naming the field and the legal values

	Value    *value.Value // on a pass: what the digest covers
	Scout    *Scout       // of a passing scout report
	Mutation *Mutation    // of a passing mutation report
	Checks   []Check      // of a passing report with checks: verifier, mutation, code
}

// Validate holds a run's final text against its contract, as the runtime does (spec 7).
func Validate(run Run) Outcome {
	out := run.report()
	out.SourceID = run.Contract.SourceID()
	if out.Conformance == Pass {
		out.Digest = ValueDigest(run.Contract, out.Value)
		return out
	}
	out.Digest = ReasonDigest(run.Contract, out.Reason)
	return out
}

// report dispatches on the kind. Three kinds never read the text.
func (run *Run) report() Outcome {
	switch run.Contract.Kind {
	case ArchitectPlan:
		return run.architectPlan()
	case ArtifactReport:
		return passed(Unmeasured, value.NewMap(value.Field("artifact", value.NewBool(true))))
	case ExternalDelegation:
		return passed(Unmeasured, value.NewMap(value.Field("external", value.NewBool(true))))
	}
	v, none := run.object()
	if none != nil {
		return run.refused(none)
	}
	return run.typed(v)
}

// typed validates the object of a kind that is read as JSON.
func (run *Run) typed(v *value.Value) Outcome {
	switch run.Contract.Kind {
	case ScoutReport:
		return run.scoutReport(v)
	case VerifierReport:
		return run.verifierReport(v)
	case MutationReport:
		return run.mutationReport(v)
	case CodeReport:
		return run.codeReport(v)
	case CouncilReport:
		return run.councilReport(v)
	case CouncilBallot:
		return run.councilBallot(v)
	case DebuggerReport:
		return run.plain(v, debuggerReport(v))
	case ResearchReport:
		return run.plain(v, run.researchReport(v))
	case WorldKnowledgeReport:
		return run.plain(v, worldKnowledgeReport(v))
	case ProvenanceReport:
		return run.plain(v, provenanceReport(v))
	case OracleReport:
		return run.plain(v, oracleReport(v))
	case DelegationPlan:
		return run.delegationPlan(v)
	case ContextHandbook:
		return run.plain(v, contextHandbook(v))
	}
	return run.refused(&fault{code: UnknownKey, at: "kind", reason: "there is no result contract of kind " + string(run.Contract.Kind)})
}

// object finds the report in the final text. Council reports and delegation
// plans have one shape failure for all that can be wrong with it.
func (run *Run) object() (*value.Value, *fault) {
	none := &fault{code: Missing, reason: "there is no final text; the report is one JSON object"}
	if !value.IsBlank(run.Output) {
		v, code := FindObject(run.Output)
		switch code {
		case "":
			return v, nil
		case NotObject:
			none = &fault{code: code, reason: "the final text holds JSON, but no object; the report is one JSON object"}
		default:
			none = &fault{code: code, reason: "no span of the final text is JSON; the report is one JSON object: the whole text, a fenced block, or what stands between the first { and the last }"}
		}
	}
	switch run.Contract.Kind {
	case CouncilReport:
		none.code = CouncilShape
	case DelegationPlan:
		none.code = DelegationShape
	}
	return nil, none
}

// plain is the outcome of a kind whose quality nothing measures and whose
// digest covers the object as it was reported.
func (run *Run) plain(v *value.Value, f *fault) Outcome {
	if f != nil {
		return run.refused(f)
	}
	return passed(Unmeasured, v)
}

func passed(quality Quality, v *value.Value) Outcome {
	return Outcome{Conformance: Pass, Quality: quality, Value: v}
}

// refused is the outcome of a report that fails; some kinds then fail in quality too.
func (run *Run) refused(f *fault) Outcome {
	quality := Unmeasured
	switch run.Contract.Kind {
	case ScoutReport, VerifierReport, CouncilReport, DelegationPlan, ContextHandbook:
		quality = QualityFail
	}
	return Outcome{Conformance: Fail, Quality: quality, Code: f.code, At: f.at, Reason: f.reason}
}
