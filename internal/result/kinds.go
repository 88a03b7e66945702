// Package result knows the result contracts: their kinds, who may declare
// them, the one exact shape of each, and how a worker's report is validated
// against them (spec section 7).
package result

import "slices"

// Kind names a result contract.
type Kind string

// The kinds of result contract (spec 3.1 and 7).
const (
	ScoutReport          Kind = "scout-report"
	VerifierReport       Kind = "verifier-report"
	MutationReport       Kind = "mutation-report"
	CodeReport           Kind = "code-report"
	CouncilReport        Kind = "council-report"
	CouncilBallot        Kind = "council-ballot"
	DebuggerReport       Kind = "debugger-report"
	ResearchReport       Kind = "research-report"
	WorldKnowledgeReport Kind = "world-knowledge-report"
	ProvenanceReport     Kind = "provenance-report"
	OracleReport         Kind = "oracle-report"
	DelegationPlan       Kind = "delegation-plan"
	ContextHandbook      Kind = "context-handbook"
	ArchitectPlan        Kind = "architect-plan"
	ArtifactReport       Kind = "artifact-report"
	ExternalDelegation   Kind = "external-delegation"
)

// declarable are the kinds that a recipe may declare, sorted (spec 3.1).
var declarable = []Kind{
	ArchitectPlan, ArtifactReport, ContextHandbook, CouncilReport, DebuggerReport, DelegationPlan, ExternalDelegation,
	MutationReport, OracleReport, ProvenanceReport, ResearchReport, ScoutReport, VerifierReport, WorldKnowledgeReport,
}

// coordinated are the kinds that only a coordinator may set, for one dispatch, in place of the recipe's (spec 3.1).
var coordinated = []Kind{CodeReport, CouncilBallot}

// Declarable lists the kinds that a recipe may declare, sorted.
func Declarable() []Kind { return slices.Clone(declarable) }

// Kinds lists every kind, those that only a coordinator may set included, sorted.
func Kinds() []Kind {
	all := slices.Concat(declarable, coordinated)
	slices.Sort(all)
	return all
}
