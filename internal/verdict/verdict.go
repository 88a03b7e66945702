// Package verdict is the plain result of a run: what was judged, by which
// policy, and what was found. Its JSON is the contract with every reader.
package verdict

import (
	"github.com/fleetgate/fleetgate/internal/diag"
)

// Schema is the version of the JSON document. It changes when a field changes meaning or goes.
const Schema = "fleetgate/verdict/v1"

// Word is the verdict itself.
type Word string

// The verdicts. Undecided never looks like a pass.
const (
	Passed    Word = "passed"
	Failed    Word = "failed"
	Undecided Word = "undecided"
)

// Assurance says what a green verdict means.
type Assurance string

// Without permit entries a claim is only the commit's own word.
const (
	SelfDeclared Assurance = "self-declared"
	Permitted    Assurance = "permitted"
)

// Verdict is the whole result. Everything in it is an input or follows from
// the inputs: no clock, no path of the machine, no random value.
type Verdict struct {
	Tool        string // the version of fleetgate
	Command     string // check, lint, …
	Word        Word
	Reason      string // one word: "clean", "no-policy", "nothing-to-judge", "findings", "missing-object", …
	Summary     string // one sentence for people
	Hint        string // the way out of an undecided verdict, where there is one to name
	Incomplete  bool   // not everything was read: the verdict is failed or undecided
	Assurance   Assurance
	Repository  string // OWNER/REPO as given; empty locally
	Event       string
	Base        string   // full commit id
	Head        string   // full commit id
	MergeBases  []string // full commit ids, sorted
	Trusted     []string // tips, sorted
	Policy      string   // digest of base's policy
	Counts      Counts
	Commits     []Commit // newest first, as git log lists them
	Fleets      []Fleet
	Diagnostics []diag.Diagnostic // sorted by diag.Compare
	Audit       *Audit            // of an audit alone
	Results     *Results          // of a check that looks at reports
	Observe     bool              // observe mode: in the title; not part of the digest
	Digest      string            // SHA-256 of the canonical JSON without this field
}

// Counts sums up a run. Judged is the number of commits that were held
// against an allowlist, which only the judgement knows; Seal counts the others.
type Counts struct {
	Commits  int `json:"commits"`
	Claimed  int `json:"claimed"`
	Judged   int `json:"judged"`
	Imported int `json:"imported"`
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Notes    int `json:"notes"`
}

// Commit is one row: a commit, what it claims, what it may write, what it changed.
type Commit struct {
	SHA     string
	Subject string
	Claims  []string // fleet/position
	Allow   []string
	Status  string // one of the Status constants
	Changes []Change
}

// What a commit is to the judgement.
const (
	StatusClaimed     = "claimed"
	StatusUnclaimed   = "unclaimed"    // a person's
	StatusAgent       = "agent"        // unclaimed, with an agent's signature
	StatusMerge       = "merge"        // unclaimed
	StatusImported    = "imported"     // of a history with its own root: listed, not judged
	StatusQueueSquash = "queue-squash" // made by the merge queue: listed, not judged
)

// Change is one changed path, as a status letter (A, M, T, D) and git's raw bytes.
type Change struct {
	Status string
	Path   string
}

// Fleet is a contract as a picture: steps, edges, what each may write.
type Fleet struct {
	Name     string
	Path     string
	Steps    []Step
	Edges    []Edge
	Violated []string // positions with boundary findings in this run
}

// Step is one node of the picture.
type Step struct {
	ID     string   `json:"id"`
	Kind   string   `json:"kind"`
	Agent  string   `json:"agent,omitempty"`
	Scope  string   `json:"scope,omitempty"`
	Writes []string `json:"writes"`
}

// Edge is one dependency: From runs before To. Loop edges join a loop's halves.
type Edge struct {
	From string `json:"from"`
	To   string `json:"to"`
	Loop bool   `json:"loop,omitempty"`
}
