package gate

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/fleetgate/fleetgate/internal/boundary"
	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/discover"
	"github.com/fleetgate/fleetgate/internal/policy"
)

// resolveWindows turns every commit's claims into one allowlist, by base's
// policy, and reports the claims that name nothing it can be held to.
func (r *run) resolveWindows() {
	r.windows = make([]boundary.Window, len(r.claims.Commits))
	for i := range r.claims.Commits {
		window, found := r.window(r.rng.Commits[i], r.claims.Commits[i])
		r.windows[i] = window
		if !r.squash[r.rng.Commits[i].ID] { // listed, not judged
			r.report(r.claims.Commits[i].Found...)
			r.report(found...)
		}
	}
}

// window unites what a commit's claims allow. One bad claim is an error
// whatever the others say.
func (r *run) window(c boundary.Commit, claimed boundary.Claimed) (w boundary.Window, found []diag.Diagnostic) {
	var allow []string
	for _, claim := range claimed.Claims {
		position, problem := r.position(claim)
		if problem != nil {
			w.Refused = true
			problem.Commit, problem.Step = c.ID.String(), claim.Raw
			found = append(found, *problem)
			continue
		}
		w.Positions = append(w.Positions, position)
		allow = append(allow, position.Allow...)
	}
	w.Allow = boundary.Normalize(allow)
	return w, found
}

// position finds the step that a claim names in base's own policy.
func (r *run) position(claim boundary.Claim) (boundary.Position, *diag.Diagnostic) {
	f, problem := r.claimedFleet(claim)
	if problem != nil {
		return boundary.Position{}, problem
	}
	found := f.Contract.Resolve(claim.Position)
	switch {
	case found.Ambiguous:
		return boundary.Position{}, bad("claim-ambiguous", f.Path,
			fmt.Sprintf("claim %q names two positions of fleet %q", claim.Raw, f.Name),
			"rename one of the two steps in "+f.Path)
	case len(found.Positions) == 0:
		return boundary.Position{}, bad("claim-unknown", f.Path,
			fmt.Sprintf("claim %q: fleet %q has no position %q", claim.Raw, f.Name, claim.Position), found.Hint)
	case !found.Positions[0].Bounded:
		return boundary.Position{}, bad("claim-unbounded", f.Path,
			fmt.Sprintf("claim %q: fleet %q is version %d, which has no write boundaries to hold the commit to", claim.Raw, f.Name, f.Contract.Version),
			"raise the contract to version 4 and give each workspace step its writes")
	}
	p := found.Positions[0]
	allow, commitStep := f.Contract.Allow(p)
	return boundary.Position{
		Name:     claim.Raw,
		Allow:    allow,
		ReadOnly: p.Scope == "readonly" && !commitStep,
		Commit:   commitStep,
		Pos:      p.Pos,
	}, nil
}

// checkStep refuses a --step that names nothing at base, before any commit is
// looked at: a misspelt flag is no commit's fault. What the flag names and
// can't be claimed, head's own fleet for one, is a finding about each commit.
func (r *run) checkStep(ctx context.Context) error {
	if r.o.Step == "" {
		return nil
	}
	if err := r.readPolicies(ctx); err != nil {
		return err
	}
	claim := boundary.ParseClaim(r.o.Step, boundary.FromFlag)
	_, problem := r.position(claim)
	if f, ok := r.base.ProjectFleet(claim.Fleet); problem == nil || problem.Code != "claim-unknown" || ok && f.Contract == nil {
		return nil
	}
	return &UsageError{
		Message: "--step " + strings.TrimPrefix(problem.Message, "claim "),
		Hint:    problem.Hint,
		Found:   []diag.Diagnostic{*problem},
	}
}

// claimedFleet finds a claim's contract among base's own: never a builtin, a
// user's or a plugin's, and never one that only head has.
func (r *run) claimedFleet(claim boundary.Claim) (*discover.Fleet, *diag.Diagnostic) {
	f, ok := r.base.ProjectFleet(claim.Fleet)
	if ok && f.Contract != nil {
		return f, nil
	}
	if ok {
		return nil, bad("claim-unknown", f.Path,
			fmt.Sprintf("claim %q: the contract of fleet %q is not valid at base", claim.Raw, claim.Fleet),
			"repair it on the base branch first; `fleetgate lint` lists what is wrong")
	}
	if _, ok := r.head.ProjectFleet(claim.Fleet); ok {
		return nil, bad("claim-untrusted", "",
			fmt.Sprintf("claim %q: fleet %q exists only in this pull request; its policy can't judge the pull request that brings it", claim.Raw, claim.Fleet),
			"merge the contract into the base branch first")
	}
	if other, ok := r.base.Fleet(claim.Fleet); ok {
		return nil, bad("claim-untrusted", "",
			fmt.Sprintf("claim %q: fleet %q is a %s contract, not this repository's own", claim.Raw, claim.Fleet, other.Source),
			"copy the contract into .clio-coder/fleets/ on the base branch to make it a policy of this repository")
	}
	return nil, bad("claim-unknown", "",
		fmt.Sprintf("claim %q: there is no fleet %q at base", claim.Raw, claim.Fleet), r.fleetsHint(claim.Fleet))
}

// maxSuggestions is for how many unknown fleets a near name is looked for.
const maxSuggestions = 100

func (r *run) fleetsHint(name string) string {
	if r.suggested++; r.suggested > maxSuggestions {
		return "`fleetgate list` names the fleets"
	}
	names := projectFleets(r.base)
	if len(names) == 0 {
		return cmp.Or(r.headIgnores(), "base has no fleet contract; add one under .clio-coder/fleets/ first")
	}
	if near := diag.Nearest(name, names); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return "the fleets at base are " + listSome(names)
}

// knowsFleet says whether a fleet of that name is a policy of this repository at
// base or at head; a merged line may carry other projects' trailers.
func (r *run) knowsFleet(name string) bool {
	_, atBase := r.base.ProjectFleet(name)
	_, atHead := r.head.ProjectFleet(name)
	return atBase || atHead
}

// ownPosition gives the own name of the position that a claim names at base,
// or "" where there is no single one.
func (r *run) ownPosition(fleet, position string) string {
	f, ok := r.base.ProjectFleet(fleet)
	if !ok || f.Contract == nil {
		return ""
	}
	found := f.Contract.Resolve(position)
	if len(found.Positions) != 1 {
		return ""
	}
	return found.Positions[0].ID
}

// projectFleets names the valid contracts of the repository itself; a set has
// one effective contract of each name.
func projectFleets(set *discover.Set) []string {
	var names []string
	for _, f := range set.Fleets {
		if f.Source == policy.Project && f.Contract != nil {
			names = append(names, f.Name)
		}
	}
	return names
}

func bad(code diag.Code, file, message, hint string) *diag.Diagnostic {
	d := diag.New(code, diag.Pos{File: file}, "", message).WithHint(hint)
	if file != "" {
		d.Rev = diag.Base
	}
	return &d
}
