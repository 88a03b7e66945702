package result

// Code names why a report misses its contract, or where it is held against
// what was read and written and found wanting (spec 7).
type Code string

// The codes of a text that holds no report.
const (
	Missing   Code = "result/missing"    // there is no final text
	NotJSON   Code = "result/not-json"   // no span of the final text is JSON
	NotObject Code = "result/not-object" // a span is JSON, and none is an object
)

// The codes of single fields.
const (
	UnknownKey Code = "result/unknown-key"
	NoString   Code = "result/string"  // not a non-blank string
	NoArray    Code = "result/array"   // not a list
	NoBoolean  Code = "result/boolean" // not true or false
)

// The codes of lists of checks.
const (
	NoChecks         Code = "result/checks"      // not a non-empty list of checks
	CheckShape       Code = "result/check-shape" // an entry is not an object
	ValidationsShape Code = "result/validations-shape"
	ValidationsEmpty Code = "result/validations-empty"
)

// The codes of one field's value, and of two fields that disagree.
const (
	Verdict            Code = "result/verdict"
	VerdictDisagrees   Code = "result/verdict-disagrees"
	PassedDisagrees    Code = "result/passed-disagrees"
	Reproduction       Code = "result/reproduction"
	Source             Code = "result/source"
	ExternalNoNetwork  Code = "result/external-without-network"
	FindingShape       Code = "result/finding-shape"
	AuthoredType       Code = "result/authored-type"
	AuthoredControl    Code = "result/authored-control"
	AuthoredBytes      Code = "result/authored-bytes"
	ArtifactMissing    Code = "result/artifact-missing"
	MutationFabricated Code = "result/mutation-fabricated"
	MutationRefused    Code = "result/mutation-refused"
)

// The codes of reports whose whole shape is one refusal.
const (
	MutationShape       Code = "result/mutation-shape"
	CodeShape           Code = "result/code-shape"
	CouncilShape        Code = "result/council-shape"
	BallotShape         Code = "result/ballot-shape"
	WorldKnowledgeShape Code = "result/world-knowledge-shape"
	ProvenanceShape     Code = "result/provenance-shape"
	OracleShape         Code = "result/oracle-shape"
	DelegationShape     Code = "result/delegation-shape"
	HandbookShape       Code = "result/handbook-shape"
)

// The codes of a scout report's shape. Where claims can be salvaged, the
// report is accepted as degraded, with the code of the strict failure.
const (
	ScoutUnknownKey        Code = "result/scout-unknown-key"
	ScoutFindings          Code = "result/scout-findings"
	ScoutNeedsSplit        Code = "result/scout-needs-split"
	ScoutSubtasks          Code = "result/scout-subtasks"
	ScoutSplitDisagrees    Code = "result/scout-split-disagrees"
	ScoutSplitWithFindings Code = "result/scout-split-with-findings"
	ScoutEmpty             Code = "result/scout-empty"
)

// The codes of a citation that doesn't ground.
const (
	CitationEscapes      Code = "result/citation-escapes"
	CitationUnreadable   Code = "result/citation-unreadable"
	CitationPastEnd      Code = "result/citation-past-end"
	CitationNeverRead    Code = "result/citation-never-read"
	CitationOutsideReads Code = "result/citation-outside-reads"
)

// IsCitation says whether a code is about a citation that doesn't ground.
func (c Code) IsCitation() bool {
	switch c {
	case CitationEscapes, CitationUnreadable, CitationPastEnd, CitationNeverRead, CitationOutsideReads:
		return true
	}
	return false
}
