package gate

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

// ends are what a run judges: the commit whose policy holds, the commit under
// judgement, and the tips behind which everything was judged before.
type ends struct {
	base, head boundary.OID
	tips       []boundary.OID
	actor      boundary.Actor
	landed     bool // a push to a trusted branch: nothing can be held back any more
	queue      bool // a merge group
	audit      bool // no range: the policy at head alone
	deleted    bool // the branch is gone: nothing to judge
}

// ends follows the table of design.md, section "Base, head, range".
func (r *run) ends(ctx context.Context) (ends, error) {
	e := r.o.Event
	switch {
	case e == nil:
		return r.localEnds()
	case e.Deleted:
		return ends{deleted: true}, nil
	case r.o.Base != "" && r.o.Head != "":
		return r.explicitEnds()
	}
	switch e.Name {
	case "pull_request", "pull_request_target":
		return r.pullRequestEnds()
	case "merge_group":
		return r.mergeGroupEnds()
	case "push":
		return r.pushEnds(ctx)
	case "schedule", "workflow_dispatch":
		return r.auditEnds()
	}
	return ends{}, &UsageError{
		Message: fmt.Sprintf("the event %q has no base and head of its own", e.Name),
		Hint:    "give both with --base and --head, or run on pull_request, merge_group or push",
	}
}

// localEnds judges HEAD against the default branch, or what the flags say.
func (r *run) localEnds() (ends, error) {
	head, err := r.revision("--head", cmp.Or(r.o.Head, "HEAD"))
	if err != nil {
		return ends{}, err
	}
	e := ends{head: head, actor: boundary.Actor{Branch: r.localBranch(), SameRepository: true}}
	if r.o.Base != "" {
		if e.base, err = r.revision("--base", r.o.Base); err != nil {
			return ends{}, err
		}
		return r.withTips(e, e.base)
	}
	name, tip, err := r.localDefault()
	if err != nil {
		return ends{}, err
	}
	e.base = tip
	tips, err := r.trustedTips(tip, name, r.localRef, tip)
	if err != nil {
		return ends{}, err
	}
	return r.withTips(e, tips...)
}

// explicitEnds is an event whose base and head were both given: they replace
// the payload's, the author stays the payload's.
func (r *run) explicitEnds() (ends, error) {
	base, err := r.revision("--base", r.o.Base)
	if err != nil {
		return ends{}, err
	}
	head, err := r.revision("--head", r.o.Head)
	if err != nil {
		return ends{}, err
	}
	return r.withTips(ends{base: base, head: head, actor: r.eventActor()}, base)
}

func (r *run) pullRequestEnds() (ends, error) {
	head, err := r.eventHead()
	if err != nil {
		return ends{}, err
	}
	e := r.o.Event
	def, trusted, err := r.originTrusted()
	if err != nil {
		return ends{}, err
	}
	target := e.DefaultBranch
	if slices.Contains(trusted, e.BaseRef) {
		target = e.BaseRef
	}
	base, err := r.originTip(target)
	if err != nil {
		return ends{}, err
	}
	return r.eventEnds(ends{base: base, head: head, actor: r.eventActor()}, def, target, base)
}

// mergeGroupEnds takes the policy of the target's tip and the range from the
// group's base_sha, which stands for that tip.
func (r *run) mergeGroupEnds() (ends, error) {
	head, err := r.eventHead()
	if err != nil {
		return ends{}, err
	}
	if isZeroSHA(r.o.Event.BaseSHA) {
		return ends{}, &UndecidedError{
			Reason:  "missing-base",
			Message: "the payload names no base_sha for the merge group",
			Hint:    "run check with --base and --head",
		}
	}
	from, err := r.eventCommit("merge_group.base_sha", r.o.Event.BaseSHA)
	if err != nil {
		return ends{}, err
	}
	e := r.o.Event
	def, trusted, err := r.originTrusted()
	if err != nil {
		return ends{}, err
	}
	policy := def
	if slices.Contains(trusted, e.BaseRef) {
		if policy, err = r.originTip(e.BaseRef); err != nil {
			return ends{}, err
		}
	}
	return r.eventEnds(ends{base: policy, head: head, queue: true}, def, e.BaseRef, from)
}

func (r *run) pushEnds(ctx context.Context) (ends, error) {
	e := r.o.Event
	if e.Tag {
		return r.auditEnds()
	}
	head, err := r.eventHead()
	if err != nil {
		return ends{}, err
	}
	if e.BaseRef == e.DefaultBranch {
		return r.landedEnds(ctx, head)
	}
	def, trusted, err := r.originTrusted()
	if err != nil {
		return ends{}, err
	}
	if slices.Contains(trusted, e.BaseRef) && !isZeroSHA(e.BaseSHA) {
		return r.landedEnds(ctx, head)
	}
	landed := slices.Contains(trusted, e.BaseRef)
	own := e.DefaultBranch
	if landed {
		own = e.BaseRef // its tip is head itself by now
	}
	return r.eventEnds(ends{base: def, head: head, actor: r.eventActor(), landed: landed}, def, own, def)
}

// landedEnds is a push to a trusted branch: from before, which must be an
// ancestor, by before's own policy.
func (r *run) landedEnds(ctx context.Context, head boundary.OID) (ends, error) {
	e := r.o.Event
	if isZeroSHA(e.BaseSHA) {
		return ends{}, &UndecidedError{
			Reason:  "no-before",
			Message: fmt.Sprintf("this push created the branch %s, so there is nothing before it to judge it by", e.BaseRef),
			Hint:    "run check with --base and --head to judge its history",
		}
	}
	before, err := r.eventCommit("before", e.BaseSHA)
	if err != nil {
		return ends{}, err
	}
	straight, err := r.repo.IsAncestor(ctx, before, head)
	if err != nil {
		return ends{}, err
	}
	if !straight {
		return ends{}, &UndecidedError{
			Reason:  "forced-push",
			Message: fmt.Sprintf("the push replaced the history of %s: %.12s is no ancestor of %.12s", e.BaseRef, before, head),
			Hint:    "look at what was replaced, then run check with --base and --head",
		}
	}
	def := before
	if e.BaseRef != e.DefaultBranch {
		if def, err = r.originTip(e.DefaultBranch); err != nil {
			return ends{}, err
		}
	}
	return r.eventEnds(ends{base: before, head: head, actor: r.eventActor(), landed: true}, def, e.BaseRef, before)
}

// auditEnds has no range: the policy at HEAD is looked at, nothing is judged.
func (r *run) auditEnds() (ends, error) {
	head, err := r.revision("--head", cmp.Or(r.o.Head, "HEAD"))
	if err != nil {
		return ends{}, err
	}
	if r.o.Base == "" {
		return ends{base: head, head: head, tips: []boundary.OID{head}, audit: true}, nil
	}
	base, err := r.revision("--base", r.o.Base)
	if err != nil {
		return ends{}, err
	}
	return r.withTips(ends{base: base, head: head}, base)
}

// eventEnds adds the trusted tips of an event. stand is what stands for the
// tip of the branch own: base itself, a push's before, a merge group's base_sha.
func (r *run) eventEnds(e ends, def boundary.OID, own string, stand boundary.OID) (ends, error) {
	if r.o.Base != "" {
		base, err := r.revision("--base", r.o.Base)
		if err != nil {
			return ends{}, err
		}
		e.base, stand = base, base
	}
	tips, err := r.trustedTips(def, r.o.Event.DefaultBranch, r.originRef, stand, own)
	if err != nil {
		return ends{}, err
	}
	return r.withTips(e, tips...)
}

// withTips completes the ends with the tips and with the revisions that --trusted adds.
func (r *run) withTips(e ends, tips ...boundary.OID) (ends, error) {
	for _, rev := range r.o.Trusted {
		tip, err := r.revision("--trusted", rev)
		if err != nil {
			return ends{}, err
		}
		tips = append(tips, tip)
	}
	slices.SortFunc(tips, func(a, b boundary.OID) int { return slices.Compare(a[:], b[:]) })
	e.tips = slices.Compact(tips)
	return e, nil
}
