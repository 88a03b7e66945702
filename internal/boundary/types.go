// Package boundary decides what a step may write: the grammar of write
// boundaries, the claims that commits make, and the judgement of what they
// changed. It works on plain values; it reads no repository and no policy file.
package boundary

import (
	"encoding/hex"
	"time"

	"github.com/fleetgate/fleetgate/internal/diag"
)

// OID is a SHA-1 object id. The zero OID is no object.
type OID [20]byte

// String gives the 40 hexadecimal digits.
func (id OID) String() string { return hex.EncodeToString(id[:]) }

// IsZero says whether id names no object.
func (id OID) IsZero() bool { return id == OID{} }

// ParseOID reads exactly 40 lower-case or upper-case hexadecimal digits.
func ParseOID(text string) (OID, bool) {
	var id OID
	if len(text) != 2*len(id) {
		return OID{}, false
	}
	if _, err := hex.Decode(id[:], []byte(text)); err != nil {
		return OID{}, false
	}
	return id, true
}

// Mode is a canonical git tree-entry mode; zero is an absent entry.
type Mode uint32

// The modes that git writes, after canonicalisation.
const (
	Absent     Mode = 0
	Dir        Mode = 0o040000
	Regular    Mode = 0o100644
	Executable Mode = 0o100755
	Symlink    Mode = 0o120000
	Gitlink    Mode = 0o160000
)

// Entry is what stands at a path in one tree. The zero Entry is absence.
type Entry struct {
	Mode Mode
	OID  OID
}

// Change is one difference between two trees, at a leaf. A rename is two
// changes; a file that becomes a directory is one deletion and its additions.
type Change struct {
	Path     string // git's raw bytes, slash-separated, never unquoted or folded
	Old, New Entry
}

// Signature is a commit's author or committer.
type Signature struct {
	Name, Email string
	When        time.Time
}

// Commit is what the judgement needs of a commit of the range.
type Commit struct {
	ID        OID
	Tree      OID
	Parents   []OID
	Author    Signature
	Committer Signature
	Message   string // raw bytes after the header's blank line

	// Imported commits are reached only through a parent line that has its
	// own root in the range; they are not judged (design.md, Merges).
	Imported bool
	// Lines are the parents that the commit is judged against: all of them,
	// but for imported lines; where all are imported, the first.
	Lines []OID
	// FirstParentOnly tells commits of head's first-parent line.
	FirstParent bool
}

// Decision is a path that a merge decides (design.md, Merges): its expected
// entry was undecidable (Conflict), or the merge's entry isn't the expected one.
type Decision struct {
	Path     string
	Conflict bool    // the parents disagree; no expected entry
	Expected Entry   // meaningful when not Conflict
	Got      Entry   // the merge's own entry
	Parents  []Entry // the entries of Lines, in order
	Bases    []Entry // the base entry that each Line after the first was folded against; a Decided base is the zero Entry with BaseDecided set
	// BaseDecided runs parallel to Bases: the bases themselves gave no entry.
	BaseDecided []bool
	// Dropped: one side alone had changed the path, and the merge took the
	// other side's (unchanged) entry: a one-sided loss.
	Dropped bool
}

// TreeProblem is an entry that makes a tree malformed.
type TreeProblem struct {
	Dir  string // directory path of the tree, "" for the root
	Name string // raw name of the entry
	Why  string // "is empty", "is ..", "appears twice", "is out of order", …
}

// Alias is a path added beside another that equals it but for case, Unicode
// form, HFS-ignorable characters or NTFS suffixes.
type Alias struct {
	Path  string
	Other string
}

// Delta is what one commit of the range changed.
type Delta struct {
	Changes   []Change      // not for merges: differences from the only Line, or from the empty tree, by raw path order
	Decisions []Decision    // for merges (two or more Lines)
	Malformed []TreeProblem // in trees that the walk opened on the commit's own side
	Aliases   []Alias
}

// History is what a range changed. Deltas run parallel to the range's commits.
type History struct {
	Deltas []Delta
	Net    []Change // differences that hold from every merge base to head, by raw path order; from the empty tree where there is none
	// NetMalformed are the malformed trees that the net walk met.
	NetMalformed []TreeProblem
}

// Range is the set of commits under judgement, parents before children
// (oldest first), deterministic for a given graph.
type Range struct {
	Head       OID
	Tips       []OID // trusted tips, sorted
	MergeBases []OID // of head with the tips' union, sorted
	Commits    []Commit
}

// Trees answers the few questions about whole trees that a judgement asks.
// An object that is missing is an error, never an absence.
type Trees interface {
	// Entry gives what stands at path in a tree; the zero Entry where nothing does.
	Entry(tree OID, path string) (Entry, error)
	// Blob reads a blob of at most limit bytes; a larger one is an error.
	Blob(id OID, limit int64) ([]byte, error)
	// Submodules gives the paths that the tree's .gitmodules declares.
	Submodules(tree OID) (map[string]bool, error)
}

// Actor is whom GitHub has authenticated as the pull request's author.
type Actor struct {
	Login  string // empty where no author is known (push, merge_group, local)
	Bot    bool
	Branch string // the head branch's name, without refs/heads/; empty if unknown
	// SameRepository: head's repository is base's, so that a branch entry may match.
	SameRepository bool
	// PullRequest: the event carries a pull request.
	PullRequest bool
}

// Unclaimed says what an unclaimed commit weighs in a fleet pull request.
type Unclaimed string

// The values of a permit entry's unclaimed key.
const (
	UnclaimedFail Unclaimed = "fail"
	UnclaimedWarn Unclaimed = "warn"
)

// Permit is one entry of the gate configuration's permit list. Exactly one of
// Login and Branch is set.
type Permit struct {
	Login     string
	Branch    string // exact, or a prefix ending in *
	Steps     []string
	Default   string
	Unclaimed Unclaimed
	Pos       diag.Pos
}

// Rules are the parts of the gate configuration that claims and judgement need.
type Rules struct {
	Permit     []Permit
	Identities []string // further agent e-mail addresses or author names
	ConfigPos  diag.Pos // the gate configuration file, for findings about it
}

// Claim is one step that a commit says it worked for.
type Claim struct {
	Fleet    string
	Position string // as written, an attempt suffix included
	Raw      string // the trailer's whole value
	Source   ClaimSource
}

// ClaimSource says where a claim comes from.
type ClaimSource string

// The sources of a claim.
const (
	FromTrailer ClaimSource = "trailer"
	FromFlag    ClaimSource = "flag"    // --step replaces every claim
	FromDefault ClaimSource = "default" // a permit entry's default
)

// Claimed is what one commit of the range claims.
type Claimed struct {
	Commit OID
	Claims []Claim
	Signed bool              // an agent's signature is on the commit
	Found  []diag.Diagnostic // claim-near-miss, claim-missing, claim-not-permitted, claim-too-many, commit-unattributed
	// Refused: one of the claims was refused here already (claim-not-permitted,
	// claim-too-many). Like Window.Refused it leaves the commit without a boundary.
	Refused bool
	// Entry is the permit entry that the commit is held to: the pull request's,
	// or, where no author is known, the one that its author's e-mail or the
	// branch names. A commit with an entry is a fleet's commit.
	Entry *Permit
}

// Claims is what the range's commits claim, and under which permit.
type Claims struct {
	Commits []Claimed // parallel to the range's commits
	Fleet   bool      // the pull request matched a permit entry: a fleet pull request
	Matched *Permit   // that entry
	// Permitted: an entry admitted every claim of the range (assurance "permitted").
	Permitted bool
}

// Position is what the judgement needs of one claimed step of base's policy,
// resolved by the gate: its boundary and where it is declared.
type Position struct {
	Name     string   // fleet/position as claimed
	Allow    []string // normalized entries; empty: readonly
	ReadOnly bool     // a readonly step that isn't a commit step
	Commit   bool     // a commit step
	Pos      diag.Pos // its writes line, or the step's
}

// Window is the allowlist of one commit: the union of what its claims allow.
type Window struct {
	Positions []Position
	Allow     []string // union, sorted
	Refused   bool     // some claim was bad (claim-*): nothing is judged covered by it
}
