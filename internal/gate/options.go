// Package gate is the line itself: from two revisions, or an event, to a
// verdict. Check and Lint each read like the sentence in design.md.
package gate

import (
	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/discover"
)

// Options are all the inputs of a run. Below cli and action nobody reads the
// environment: whatever decides comes in here.
type Options struct {
	Dir        string   // any directory inside the repository
	Base, Head string   // revisions; empty: the defaults of design.md's table
	Trusted    []string // further trusted revisions, beside base
	Step       string   // fleet/position: replaces every claim
	Event      *Event   // nil locally
	Repository string   // OWNER/REPO that the runner names; empty locally
	ServerURL  string   // the server's address, to recognise origin; empty: https://github.com
	Roots      []discover.Root
	External   []discover.ExternalAgent
	FailOn     diag.Severity               // Error, or Warning; zero is Error
	Observe    bool                        // the verdict stands, the exit code doesn't
	Tool       string                      // the version of fleetgate
	Raise      map[diag.Code]diag.Severity // severities that may only go up
	Fetch      Fetch                       // brings what the clone lacks; nil: nothing is fetched
	Progress   func(Progress)              // is told how far a long run is; nil: nobody wants to know

	Staged bool   // Lint reads the index in place of the work tree
	Index  string // the index file, relative to the work tree's root; empty: the repository's own

	Results         string // a glob of result files in the work tree; empty: none are looked at
	ResultsRequired bool   // every claimed step of an agent must have one
}

// Progress is how far a run is. It decides nothing.
type Progress struct {
	Done, Total int
	Of          string // what is counted, such as "commits"
}

func (o *Options) progress(done, total int, of string) {
	if o.Progress != nil {
		o.Progress(Progress{done, total, of})
	}
}

// Event is what a runner's payload says, as plain values.
type Event struct {
	Name          string // pull_request, push, merge_group, schedule, …
	Action        string
	BaseRef       string // target branch, or the branch pushed to, without refs/heads/
	BaseSHA       string // merge group's base_sha; a push's before
	HeadSHA       string // pull request's head.sha, merge group's head_sha, a push's after
	HeadRef       string // head branch, without refs/heads/
	HeadRepo      string // OWNER/REPO of head
	BaseRepo      string // OWNER/REPO of base
	DefaultBranch string
	Author        string // the pull request's author
	AuthorIsBot   bool
	Forced        bool
	Created       bool
	Deleted       bool
	Tag           bool // a tag was pushed
}

// UsageError is a run that cannot start as asked: a revision that doesn't
// exist, a configuration that doesn't parse, an event without a row. Exit 2.
type UsageError struct {
	Message string
	Hint    string
	Found   []diag.Diagnostic // the findings behind it, if it comes from a file
}

// Error gives the message and the way out on one line.
func (e *UsageError) Error() string {
	if e.Hint == "" {
		return e.Message
	}
	return e.Message + "; " + e.Hint
}

// UndecidedError is a run that could not read what it must judge. Exit 3.
type UndecidedError struct {
	Reason  string // one word for the verdict: "missing-object", "missing-base", …
	Message string
	Hint    string
}

// Error gives the message and the way out on one line.
func (e *UndecidedError) Error() string {
	if e.Hint == "" {
		return e.Message
	}
	return e.Message + "; " + e.Hint
}
