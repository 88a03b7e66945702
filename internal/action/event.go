// Package action is the gate's side of the runner: what GitHub gives a job
// (event payloads here), read strictly where it decides what is judged.
package action

import (
	"fmt"
	"strings"
)

// MaxPayload is the size in bytes up to which an event payload is read.
// GitHub caps its payloads at 25 MB.
const MaxPayload = 25 << 20

// MaxRefLength is the length in bytes up to which a branch or tag name of a
// payload is accepted; file systems and GitHub both stop below it.
const MaxRefLength = 1024

// Event is what the judgement needs of an event's payload.
type Event struct {
	Name          string // pull_request, push, merge_group, schedule, …
	Action        string // opened, synchronize, checks_requested, …; may be empty
	BaseRef       string // the target branch (pull request base.ref, merge group base_ref, push ref), without refs/heads/ or refs/tags/
	BaseSHA       string // merge group base_sha (empty where the payload has none); push before (empty for a new branch)
	HeadSHA       string // pull_request.head.sha, merge group head_sha, push after (empty for a deletion)
	HeadRef       string // the head branch, without refs/heads/
	HeadRepo      string // OWNER/REPO of head; empty where the fork is gone
	BaseRepo      string // OWNER/REPO of the repository under judgement
	DefaultBranch string
	Author        string // the pull request author's login; empty where none is known
	AuthorIsBot   bool
	Forced        bool
	Created       bool
	Deleted       bool
	Tag           bool
}

// PayloadError says which field of a payload cannot be used, and why.
type PayloadError struct {
	Event string
	Field string // pull_request.head.sha; empty for the whole payload
	Why   string
}

// Error names the event, the field and the reason in one line.
func (e *PayloadError) Error() string {
	if e.Field == "" {
		return fmt.Sprintf("payload of event %s: %s", e.Event, e.Why)
	}
	return fmt.Sprintf("payload of event %s: %s %s", e.Event, e.Field, e.Why)
}

// NoRowError says that the gate has no rule for an event: it cannot tell what
// to judge unless base and head are given.
type NoRowError struct{ Event string }

// Error names the event and the way out.
func (e *NoRowError) Error() string {
	return fmt.Sprintf("event %q says nothing about what to judge: give a base and a head", e.Event)
}

// readers is the event table of design.md: how each event's payload is read.
var readers = map[string]func(*reader, *Event){
	"pull_request":        readPullRequest,
	"pull_request_target": readPullRequest,
	"merge_group":         readMergeGroup,
	"push":                readPush,
	"schedule":            readSchedule,
	"workflow_dispatch":   readDispatch,
}

// ParseEvent reads the payload of the event called name. repository is the
// OWNER/REPO that the caller names, or empty; a payload of another repository
// is refused. The error is a *PayloadError or, for an event without a row in
// the table, a *NoRowError.
func ParseEvent(name string, payload []byte, repository string) (Event, error) {
	read, known := readers[name]
	if !known {
		return Event{}, &NoRowError{Event: name}
	}
	root, err := parsePayload(name, payload)
	if err != nil {
		return Event{}, err
	}
	r := &reader{event: name, root: root}
	event := Event{Name: name, Action: r.optionalText("action")}
	read(r, &event)
	r.checkRepository(event.BaseRepo, repository)
	if r.err != nil {
		return Event{}, r.err
	}
	return event, nil
}

func readPullRequest(r *reader, e *Event) {
	e.BaseRef = r.branch("pull_request.base.ref")
	e.BaseRepo = r.repository("pull_request.base.repo.full_name")
	e.HeadSHA = r.commit("pull_request.head.sha")
	e.HeadRef = r.branch("pull_request.head.ref")
	if !r.isNull("pull_request.head.repo") {
		e.HeadRepo = r.repository("pull_request.head.repo.full_name")
	}
	e.DefaultBranch = r.branch("repository.default_branch")
	if r.isNull("pull_request.user") { // the account was deleted
		return
	}
	e.Author = r.text("pull_request.user.login")
	// Only a plain user is a person. A kind of account that isn't known here
	// counts as a bot: where permit has entries, it needs one of its own.
	e.AuthorIsBot = r.text("pull_request.user.type") != "User" || strings.HasSuffix(e.Author, "[bot]")
}

// readMergeGroup leaves BaseSHA empty where the payload has none: then the
// verdict is undecided, never a default.
func readMergeGroup(r *reader, e *Event) {
	e.BaseRef = r.fullBranch("merge_group.base_ref")
	e.HeadRef = r.fullBranch("merge_group.head_ref")
	e.HeadSHA = r.commit("merge_group.head_sha")
	if r.has("merge_group.base_sha") {
		e.BaseSHA = r.commitOrZero("merge_group.base_sha")
	}
	e.inOwnRepository(r)
}

func readPush(r *reader, e *Event) {
	e.BaseRef, e.Tag = r.fullRef("ref")
	e.HeadRef = e.BaseRef
	e.BaseSHA = r.commitOrZero("before")
	e.HeadSHA = r.commitOrZero("after")
	e.Created, e.Deleted = e.BaseSHA == "", e.HeadSHA == ""
	e.Forced = r.flag("forced")
	r.agree("created", e.Created, "before")
	r.agree("deleted", e.Deleted, "after")
	e.inOwnRepository(r)
}

// readSchedule reads the little that a scheduled run says; runners leave most of it out.
func readSchedule(r *reader, e *Event) {
	if r.has("repository") {
		e.inOwnRepository(r)
	}
}

func readDispatch(r *reader, e *Event) {
	if r.has("ref") {
		e.HeadRef, e.Tag = r.fullRef("ref")
	}
	if r.has("repository") {
		e.inOwnRepository(r)
	}
}

// inOwnRepository fills in what holds where head cannot come from a fork.
func (e *Event) inOwnRepository(r *reader) {
	e.BaseRepo = r.repository("repository.full_name")
	e.HeadRepo = e.BaseRepo
	e.DefaultBranch = r.branch("repository.default_branch")
}
