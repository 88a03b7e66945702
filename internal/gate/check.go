package gate

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/fleetgate/fleetgate/internal/boundary"
	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/discover"
	"github.com/fleetgate/fleetgate/internal/gitrepo"
	"github.com/fleetgate/fleetgate/internal/verdict"
)

// Check judges a range of commits: every one that claims a fleet step must
// have stayed inside that step's write boundary, by the policy at base.
//
// What can't be judged because an object is missing gives an undecided
// verdict; a UsageError (exit 2) or another error (exit 3) gives none.
func Check(ctx context.Context, o Options) (verdict.Verdict, error) {
	f := &fetches{fetch: o.Fetch, tips: Tips{}}
	for {
		repo, err := gitrepo.Open(o.Dir)
		if err != nil {
			return verdict.Verdict{}, openError(o.Dir, err)
		}
		r := &run{o: o, repo: repo, tips: f.tips, policies: map[boundary.OID]*discover.Set{}}
		err = r.judge(ctx)
		if f.mends(ctx, r, err) {
			continue
		}
		if err != nil && !r.undecided(err) {
			return verdict.Verdict{}, err
		}
		return r.verdict()
	}
}

// run is one check on its way: each stage fills in what the next one needs,
// so that a stage that fails leaves a verdict about what was read before it.
type run struct {
	o        Options
	repo     *gitrepo.Repo
	policies map[boundary.OID]*discover.Set
	tips     Tips           // of branches that the clone doesn't have
	named    []boundary.OID // the commits that the run begins at
	ahead    ahead          // an audit's: what it will look at

	at      ends
	base    *discover.Set
	head    *discover.Set
	rng     boundary.Range
	claims  boundary.Claims
	windows []boundary.Window
	squash  map[boundary.OID]bool
	history boundary.History
	found   []diag.Diagnostic
	results *verdict.Results // what --results named; nil without it

	policyChanged map[string]bool // see policyChanges; made when first asked for
	suggested     int             // unknown fleets that got a hint of their own

	reason string // why nothing was judged, or what stopped the run
	stop   error  // what made the run undecided
	hint   string // the way out of that
}

// judge is the line: ends, range, policies, claims, windows, changes, judgement.
func (r *run) judge(ctx context.Context) (err error) {
	if r.at, err = r.ends(ctx); err != nil {
		return err
	}
	if r.at.deleted {
		r.reason = "branch-deleted"
		return nil
	}
	if err = r.checkStep(ctx); err != nil {
		return err
	}
	if r.rng, err = r.repo.Range(ctx, r.at.head, r.at.tips); err != nil {
		return err
	}
	if err = r.readPolicies(ctx); err != nil {
		return err
	}
	r.readClaims()
	if r.base.ConfigBroken && !r.repairs() {
		return r.brokenConfig()
	}
	r.resolveWindows()
	if r.nothingToJudge() {
		return nil
	}
	return r.judgeChanges(ctx)
}

func (r *run) judgeChanges(ctx context.Context) (err error) {
	if r.history, err = r.repo.Changes(ctx, r.rng); err != nil {
		return err
	}
	standing, err := r.policyFindings()
	if err != nil {
		return err
	}
	moved, err := r.drift()
	if err != nil {
		return err
	}
	stale, err := r.staleLock()
	if err != nil {
		return err
	}
	r.report(standing...)
	r.report(moved...)
	r.report(stale...)
	if err := r.judgeHistory(); err != nil {
		return err
	}
	return r.judgeResults()
}

// judgeHistory holds every commit of the range against its window. Where base
// has no policy and nobody claims one, there is none to hold it against: the
// first contract comes by a pull request like any other.
func (r *run) judgeHistory() error {
	if r.reason == "no-policy" {
		return nil
	}
	judged, err := boundary.Judge(boundary.Input{
		Range:       r.rng,
		Claims:      r.claims,
		Windows:     r.windows,
		History:     r.history,
		Rules:       r.base.Config.Rules,
		BaseTip:     r.at.base,
		Trees:       r.repo,
		TreeOf:      r.repo.TreeOf,
		QueueSquash: r.squash,
	})
	r.report(judged...)
	return err
}

func (r *run) report(found ...diag.Diagnostic) { r.found = append(r.found, found...) }

func (r *run) readClaims() {
	r.claims = r.claimsBy(r.base.Config.Rules)
	r.squash = map[boundary.OID]bool{}
	for _, c := range r.rng.Commits {
		if r.at.queue && c.FirstParent && len(c.Parents) == 1 && boundary.IsGitHubSquash(c) {
			r.squash[c.ID] = true
		}
	}
}

// claimsBy reads the range's claims by the rules of one side's configuration.
func (r *run) claimsBy(rules boundary.Rules) boundary.Claims {
	known := boundary.Known{Fleet: r.knowsFleet, Position: r.ownPosition}
	return boundary.ReadClaimsKnowing(r.rng.Commits, rules, r.at.actor, r.o.Step, known)
}

// nothingToJudge says whether the run ends here, with a reason: an empty
// range, or no policy and nobody who claims or is permitted to follow one.
func (r *run) nothingToJudge() bool {
	if len(r.rng.Commits) == 0 && !r.at.audit {
		r.reason = "nothing-to-judge"
		if r.o.Event == nil && r.o.Base == "" && r.at.base == r.at.head {
			r.hint = "head is the base itself; name an older base with --base, such as --base HEAD~5"
		}
	}
	if !r.base.HasPolicy && !r.anyClaim() && !anyPermitted(r.claims) {
		r.reason = "no-policy"
		r.hint = r.headIgnores()
		return !r.head.HasPolicy && len(r.head.Found) == 0
	}
	return false
}

// headIgnores says how to let the policy in, where head's .gitignore leaves it out.
func (r *run) headIgnores() string {
	tree, err := r.repo.Tree(r.at.head)
	if err != nil {
		return ""
	}
	return ignoredHint(tree)
}

func (r *run) anyClaim() bool {
	for _, c := range r.claims.Commits {
		if len(c.Claims) > 0 {
			return true
		}
	}
	return false
}

// anyPermitted says whether a permit entry speaks for a commit: it is a
// fleet's work then, whether it claims a step or not.
func anyPermitted(claims boundary.Claims) bool {
	return slices.ContainsFunc(claims.Commits, func(c boundary.Claimed) bool { return c.Entry != nil })
}

// repairs says whether a range may pass although base's gate configuration is
// broken: it mends it, and nobody in it works for a fleet. Base's permit and
// identities can't be read, so head's tell who does; and a bot, which might
// have left itself out of them, repairs nothing.
func (r *run) repairs() bool {
	if r.head.ConfigBroken || r.anyClaim() || r.at.actor.Bot {
		return false
	}
	mended := r.claimsBy(r.head.Config.Rules)
	signed := func(c boundary.Claimed) bool { return c.Signed }
	return !anyPermitted(mended) && !slices.ContainsFunc(mended.Commits, signed)
}

func (r *run) brokenConfig() error {
	var broken []diag.Diagnostic
	for _, d := range r.base.Found {
		if d.Pos.File == discover.ConfigPath || d.Pos.File == discover.Dir {
			d.Rev = diag.Base
			broken = append(broken, d)
		}
	}
	message := "the gate configuration at base is not valid"
	if len(broken) > 0 {
		message += ": " + broken[0].Pos.String() + ": " + broken[0].Message
	}
	return &UsageError{
		Message: message,
		Hint:    "repair it in a pull request of its own, by a person whom no permit entry names, without Fleet-Step trailers",
		Found:   broken,
	}
}

// undecided notes an error that leaves the run without an answer, and says
// whether a verdict can still be given.
func (r *run) undecided(err error) bool {
	var undecided *UndecidedError
	switch {
	case errors.As(err, &undecided):
		r.reason, r.hint = undecided.Reason, undecided.Hint
	case isMissing(err):
		r.reason, r.hint = "missing-object", r.fetchHint(err)
	case isAs[*gitrepo.LimitError](err):
		r.reason, r.hint = "too-large", "nothing is judged beyond that limit: take what exceeds it out of the range, with its commit"
	case isAs[*gitrepo.CorruptError](err):
		r.reason, r.hint = "corrupt-object", "rewrite the commit that holds it with git's own tools, or clone anew if the clone is damaged"
	default:
		return false
	}
	r.stop = err
	return true
}

// fetchHint says how to get an object that isn't in the clone.
func (r *run) fetchHint(err error) string {
	var missing *gitrepo.MissingObjectError
	errors.As(err, &missing)
	switch {
	case r.repo.Shallow():
		return "fetch the whole history: `fetch-depth: 0` for actions/checkout, or `git fetch --unshallow`"
	case missing.Kind == "commit":
		return fmt.Sprintf("fetch it: `fetch-depth: 0` for actions/checkout, or `git fetch origin %s`", missing.ID)
	}
	return "the clone is partial or damaged: `git fsck` lists what is missing; get it with `git fetch --refetch`, or clone anew"
}

func isMissing(err error) bool { return isAs[*gitrepo.MissingObjectError](err) }

// isAs says whether an error of the given type is behind err.
func isAs[T error](err error) bool {
	var target T
	return errors.As(err, &target)
}

// openError tells a folder that is no repository from one that can't be read.
func openError(dir string, err error) error {
	var none *gitrepo.NotFoundError
	if errors.As(err, &none) {
		return &UsageError{Message: fmt.Sprintf("no git repository in %q or above it", none.Dir), Hint: "run fleetgate inside a git repository, or name one with --repo"}
	}
	return err
}
