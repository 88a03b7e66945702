package gate

import (
	"context"
	"fmt"
	"slices"

	"github.com/fleetgate/fleetgate/internal/boundary"
	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/discover"
	"github.com/fleetgate/fleetgate/internal/drift"
	"github.com/fleetgate/fleetgate/internal/gitrepo"
	"github.com/fleetgate/fleetgate/internal/verdict"
)

// AuditOptions are what an audit is asked beside a run's own options.
type AuditOptions struct {
	// Since is a revision, or an absolute date (2026-01-31, or with a time as
	// RFC 3339 has it): what landed after it is looked at. Empty: only the
	// policy at HEAD is.
	Since string
}

// Audit looks at what a repository has by now: whether the policy at HEAD is
// sound and is what the lock has, what of it is dead or dangerous, and, since
// a revision or a date, how the policy changed and what slipped past the gate.
//
// Each commit of HEAD's first-parent line is judged, with all that it brought,
// by its first parent's policy. The errors are Check's.
func Audit(ctx context.Context, o Options, ao AuditOptions) (verdict.Verdict, error) {
	f := &fetches{fetch: o.Fetch, tips: Tips{}}
	o.Event, o.Base, o.Step, o.Trusted = nil, "", "", nil
	for {
		repo, err := gitrepo.Open(o.Dir)
		if err != nil {
			return verdict.Verdict{}, openError(o.Dir, err)
		}
		a := &audit{
			run:       &run{o: o, repo: repo, tips: f.tips, policies: map[boundary.OID]*discover.Set{}},
			distinct:  map[boundary.OID]*discover.Set{},
			asked:     ao.Since,
			timetable: verdict.Audit{Timeline: []verdict.Moment{}},
		}
		err = a.judge(ctx)
		if f.mends(ctx, a.run, err) {
			continue
		}
		if err != nil && !a.undecided(err) {
			return verdict.Verdict{}, err
		}
		return a.verdict()
	}
}

// audit is one audit on its way: the run is about HEAD's policy, and gathers
// the findings of all.
type audit struct {
	*run
	asked     string
	distinct  map[boundary.OID]*discover.Set // policies by the tree they lie in
	timetable verdict.Audit
	rows      []verdict.Commit // newest first
	judged    int
}

func (a *audit) judge(ctx context.Context) (err error) {
	if a.at, err = a.auditEnds(); err != nil {
		return err
	}
	a.named = append(a.named, a.at.head) // from where a shallow clone is deepened
	if a.base, err = a.policyOf(ctx, a.at.head); err != nil {
		return err
	}
	a.head = a.base
	if err := a.standing(); err != nil {
		return err
	}
	if a.asked == "" {
		return nil
	}
	return a.past(ctx)
}

// standing reports what the policy at HEAD is: its defects, its drift from the
// lock, and what of it is dead or dangerous.
func (a *audit) standing() error {
	tree, err := a.repo.Tree(a.at.head)
	if err != nil {
		return err
	}
	lock, broken, there, err := drift.ReadLock(tree)
	if err != nil {
		return err
	}
	if there && len(broken) == 0 {
		broken = lock.Drift(a.head, diag.Head)
	}
	links, err := linkedEntries(tree, a.head)
	if err != nil {
		return err
	}
	reached, err := a.entries()
	if err != nil {
		return err
	}
	for _, d := range slices.Concat(a.head.Found, discover.CrossCheck(a.head), links, broken, reached, housekeeping(a.head)) {
		d.Rev = diag.Head
		a.report(d)
	}
	return nil
}

// policyOf loads the policy of a commit, once for all commits whose policy
// lies in one and the same tree.
func (a *audit) policyOf(ctx context.Context, commit boundary.OID) (*discover.Set, error) {
	tree, err := a.repo.TreeOf(commit)
	if err != nil {
		return nil, err
	}
	entry, err := a.repo.Entry(tree, discover.Dir)
	if err != nil {
		return nil, err
	}
	if set, known := a.distinct[entry.OID]; known {
		a.policies[commit] = set
		return set, nil
	}
	set, err := a.policyAt(ctx, commit)
	if err == nil {
		a.distinct[entry.OID] = set
	}
	return set, err
}

// verdict sums the audit up.
func (a *audit) verdict() (verdict.Verdict, error) {
	v, err := a.run.verdict()
	if err != nil {
		return v, err
	}
	v.Command, v.Audit = "audit", &a.timetable
	v.Commits, v.Counts.Judged = a.rows, a.judged
	if v.Commits == nil {
		v.Commits = []verdict.Commit{}
	}
	v.Count()
	if v.Word != verdict.Undecided {
		v.Summary = a.summary(&v)
	}
	return v, v.Seal()
}

func (a *audit) summary(v *verdict.Verdict) string {
	read := fmt.Sprintf("%s, %s", counted(len(v.Fleets), "valid fleet"), counted(projectAgents(a.head), "recipe"))
	if !a.head.HasPolicy && projectAgents(a.head) == 0 {
		read = "no policy at HEAD"
	}
	if a.asked != "" {
		read += fmt.Sprintf("; since %s: %s, %s", sinceWhen(&a.timetable), counted(v.Counts.Commits, "commit"), counted(len(a.timetable.Timeline), "change")+" of the policy")
	}
	found := fmt.Sprintf("%s, %s, %s", counted(v.Counts.Errors, "error"), counted(v.Counts.Warnings, "warning"), counted(v.Counts.Notes, "note"))
	if v.Incomplete {
		found += "; not everything could be read"
	}
	return found + "; " + read
}

func sinceWhen(t *verdict.Audit) string {
	if t.SinceDate != "" {
		return t.SinceDate
	}
	return fmt.Sprintf("%.12s", t.Since)
}
