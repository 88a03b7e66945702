package gate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/fleetgate/fleetgate/internal/boundary"
	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/discover"
	"github.com/fleetgate/fleetgate/internal/drift"
	"github.com/fleetgate/fleetgate/internal/gitrepo"
	"github.com/fleetgate/fleetgate/internal/verdict"
)

// past goes through HEAD's first-parent line since the revision or the date
// that was asked for, oldest first.
func (a *audit) past(ctx context.Context) error {
	tips, err := a.sinceTips()
	if err != nil {
		return err
	}
	all, err := a.repo.Range(ctx, a.at.head, tips)
	if err != nil {
		return err
	}
	line := firstParents(all.Commits)
	a.look(all, line)
	for i, c := range line {
		a.o.progress(i, len(line), "commits")
		if err := a.landed(ctx, c); err != nil {
			return a.lookedAhead(ctx, err)
		}
	}
	a.o.progress(len(line), len(line), "commits")
	slices.Reverse(a.rows)
	slices.Reverse(a.timetable.Timeline)
	return nil
}

func firstParents(commits []boundary.Commit) []boundary.Commit {
	var line []boundary.Commit
	for _, c := range commits {
		if c.FirstParent {
			line = append(line, c)
		}
	}
	return line
}

// look notes what will be looked at.
func (a *audit) look(all boundary.Range, line []boundary.Commit) {
	a.ahead.rng = all
	for _, c := range line {
		a.ahead.line = append(a.ahead.line, c.ID)
	}
	if len(line) > 0 && len(line[0].Parents) > 0 {
		a.ahead.line = append(a.ahead.line, line[0].Parents[0])
	}
}

// lookedAhead gives err back. If it is a blob that isn't there, all that the
// line changed is listed first: what is missed next shows itself by that.
func (a *audit) lookedAhead(ctx context.Context, err error) error {
	var missing *gitrepo.MissingObjectError
	if a.o.Fetch == nil || !errors.As(err, &missing) || missing.Kind != "blob" || boundary.IsPolicyPath(missing.Path) {
		return err
	}
	if history, failed := a.repo.Changes(ctx, a.ahead.rng); failed == nil {
		a.ahead.history = history
	}
	return err
}

// landed looks at one commit of the line: what it changed of the policy, and
// whether all that it brought kept to its first parent's.
func (a *audit) landed(ctx context.Context, c boundary.Commit) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	now, err := a.policyOf(ctx, c.ID)
	if err != nil {
		return err
	}
	if len(c.Parents) == 0 {
		return a.began(c, now)
	}
	before, err := a.policyOf(ctx, c.Parents[0])
	if err != nil {
		return err
	}
	a.moment(c, before, now)
	r := &run{o: a.o, repo: a.repo, policies: a.policies, at: ends{base: c.Parents[0], head: c.ID, tips: c.Parents[:1]}}
	err = r.landed(ctx)
	a.adopt(c, r)
	return err
}

// began is the line's first commit, which no policy judges.
func (a *audit) began(c boundary.Commit, now *discover.Set) error {
	nothing := &discover.Set{Config: discover.Config{Path: discover.ConfigPath}}
	a.moment(c, nothing, now)
	r := &run{o: a.o, repo: a.repo, base: nothing, head: now, rng: boundary.Range{Head: c.ID, Commits: []boundary.Commit{c}}}
	r.readClaims()
	a.adopt(c, r)
	return nil
}

// landed judges what came with one commit of a branch, as check does a range.
// A configuration that was broken then is no reason to stop.
func (r *run) landed(ctx context.Context) (err error) {
	if r.rng, err = r.repo.Range(ctx, r.at.head, r.at.tips); err != nil {
		return err
	}
	if err = r.readPolicies(ctx); err != nil {
		return err
	}
	r.readClaims()
	r.resolveWindows()
	if !r.base.HasPolicy && !r.anyClaim() {
		return nil
	}
	if r.history, err = r.repo.Changes(ctx, r.rng); err != nil {
		return err
	}
	return r.judgeHistory()
}

// adopt takes over what was found about a commit of the line and those it brought.
func (a *audit) adopt(c boundary.Commit, r *run) {
	for _, d := range r.found {
		if d.Commit != "" {
			a.report(d)
		}
	}
	if r.base != nil && r.base.ConfigBroken && r.anyClaim() {
		a.report(about(c, "audit-unjudged", diag.Pos{File: discover.ConfigPath},
			"the gate configuration was not valid then: what came with this commit was judged as if there were none",
			"look at the commit; ignore audit-unjudged for it in the gate configuration once you have"))
	}
	if boundary.IsGitHubSquash(c) && len(c.Parents) == 1 && r.anyClaim() {
		var names []string
		for _, claim := range r.claims.Commits[0].Claims {
			names = append(names, boundary.Quote(claim.Raw))
		}
		a.report(about(c, "audit-squash", diag.Pos{},
			fmt.Sprintf("a squash merge: its commits' claims, %s, were judged as one, by what they allow together", list(names)),
			"to have each commit judged by its own claim, merge fleet pull requests without squashing"))
	}
	rows := r.rows()
	slices.Reverse(rows) // rows are newest first, the audit's still oldest first
	a.rows = append(a.rows, rows...)
	a.judged += r.judged()
}

// about makes a finding about a commit of the line.
func about(c boundary.Commit, code diag.Code, pos diag.Pos, message, hint string) diag.Diagnostic {
	d := diag.New(code, pos, "", message).WithHint(hint)
	d.Commit = c.ID.String()
	return d
}

// moment adds a commit to the timeline if it changed what the policy means.
func (a *audit) moment(c boundary.Commit, before, now *discover.Set) {
	if before == now {
		return
	}
	changes := drift.Compare(before, now)
	if len(changes) == 0 {
		return
	}
	for i := range changes {
		changes[i].Hint = "" // it is about a pull request, and this has landed
	}
	m := verdict.Moment{
		Commit:  c.ID.String(),
		Subject: subject(c.Message),
		Author:  c.Author.Name,
		Date:    c.Committer.When.UTC().Format(time.DateOnly),
		Changes: changes,
	}
	a.timetable.Timeline = append(a.timetable.Timeline, m)
	pos := changes[0].Pos
	a.report(about(c, "audit-policy-change", diag.Pos{File: pos.File},
		fmt.Sprintf("%s changed the policy on %s: %s", boundary.Quote(diag.Clip(m.Author)), m.Date, changed(changes)),
		"nothing, if it was agreed on; the lock is where that is written down"))
}

// maxChangesSaid is how many changes a message spells out; the timeline has all.
const maxChangesSaid = 4

func changed(changes []diag.Diagnostic) string {
	var said []string
	for _, d := range changes[:min(len(changes), maxChangesSaid)] {
		said = append(said, d.Message)
	}
	if more := len(changes) - len(said); more > 0 {
		said = append(said, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(said, "; ")
}

// sinceTips is where the line ends: the revision, or the newest commit of the
// line from before the date; none where all of it is newer.
func (a *audit) sinceTips() ([]boundary.OID, error) {
	when, isDate := absoluteDate(a.asked)
	if !isDate {
		since, err := a.since()
		a.timetable.Since = hex(since)
		return []boundary.OID{since}, err
	}
	a.timetable.SinceDate = a.asked
	for at := a.at.head; ; {
		c, err := a.repo.Commit(at)
		if err != nil {
			return nil, err
		}
		if c.Committer.When.Before(when) {
			a.timetable.Since = hex(at)
			return []boundary.OID{at}, nil
		}
		if len(c.Parents) == 0 {
			return nil, nil
		}
		at = c.Parents[0]
	}
}

// since resolves a revision; what is none may be a date that isn't absolute.
func (a *audit) since() (boundary.OID, error) {
	id, err := a.revision("--since", a.asked)
	var usage *UsageError
	if errors.As(err, &usage) {
		usage.Hint = "give a revision, or an absolute date such as 2026-01-31"
	}
	return id, err
}

// absoluteDate reads a day (its beginning, in UTC) or a moment. A date that is
// told from today would give another answer every day.
func absoluteDate(text string) (time.Time, bool) {
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if when, err := time.Parse(layout, text); err == nil {
			return when, true
		}
	}
	return time.Time{}, false
}
