package gate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fleetgate/fleetgate/internal/boundary"
	"github.com/fleetgate/fleetgate/internal/discover"
)

// originTrusted gives the tip of the event's default branch, and the names of
// the trusted branches.
func (r *run) originTrusted() (def boundary.OID, trusted []string, err error) {
	name := r.o.Event.DefaultBranch
	if def, err = r.originTip(name); err != nil {
		return def, nil, err
	}
	trusted, err = r.trustedNames(def, name)
	return def, trusted, err
}

// trustedNames are the default branch and the names that its gate config
// trusts; a configuration that doesn't parse trusts no other.
func (r *run) trustedNames(def boundary.OID, defaultBranch string) ([]string, error) {
	tree, err := r.repo.Tree(def)
	if err != nil {
		return nil, err
	}
	config, _, _, err := discover.ReadConfig(tree)
	if err != nil {
		return nil, fmt.Errorf("the gate configuration at %.12s: %w", def, err)
	}
	return append([]string{defaultBranch}, config.Trusted...), nil
}

// trustedTips resolves the trusted branches by lookup, and adds stand for the
// branches in own (whose tip may already be head). A trusted branch that this
// clone doesn't have is left out: the range only grows by that.
func (r *run) trustedTips(def boundary.OID, defaultBranch string, lookup func(string) (boundary.OID, bool, error), stand boundary.OID, own ...string) ([]boundary.OID, error) {
	names, err := r.trustedNames(def, defaultBranch)
	if err != nil {
		return nil, err
	}
	tips := []boundary.OID{stand}
	var lacking lacks
	for _, name := range names {
		if slices.Contains(own, name) {
			continue
		}
		tip, ok, err := lookup(name)
		if err != nil && !lacking.took(err) {
			return nil, err
		}
		if ok {
			tips = append(tips, tip)
		}
	}
	return tips, lacking.err()
}

// eventActor is the pull request's author, or nobody; a branch entry of permit
// matches the branch of a push by its name.
func (r *run) eventActor() boundary.Actor {
	e := r.o.Event
	switch e.Name {
	case "pull_request", "pull_request_target":
		return boundary.Actor{
			Login:          e.Author,
			Bot:            e.AuthorIsBot,
			Branch:         e.HeadRef,
			SameRepository: e.HeadRepo != "" && strings.EqualFold(e.HeadRepo, e.BaseRepo),
			PullRequest:    true,
		}
	case "push":
		return boundary.Actor{Branch: e.BaseRef, SameRepository: true}
	}
	return boundary.Actor{}
}

// eventHead is the payload's head, never what the runner checked out.
func (r *run) eventHead() (boundary.OID, error) {
	if r.o.Head != "" {
		return r.revision("--head", r.o.Head)
	}
	return r.eventCommit("head", r.o.Event.HeadSHA)
}

// eventCommit finds a commit that the payload names by its full id.
func (r *run) eventCommit(field, sha string) (boundary.OID, error) {
	id, ok := boundary.ParseOID(sha)
	if !ok || id.IsZero() {
		return boundary.OID{}, &UsageError{Message: fmt.Sprintf("the payload's %s is %q, not a commit id", field, sha)}
	}
	if err := r.there(id); err != nil {
		return boundary.OID{}, fmt.Errorf("the payload's %s: %w", field, err)
	}
	return id, nil
}

// originTip is the tip of a branch of the repository that the runner names.
func (r *run) originTip(branch string) (boundary.OID, error) {
	if branch == "" {
		return boundary.OID{}, &UsageError{Message: "the payload doesn't name the repository's default branch", Hint: "give --base and --head"}
	}
	tip, ok, err := r.originRef(branch)
	if err != nil {
		return boundary.OID{}, err
	}
	if !ok {
		return boundary.OID{}, r.missingBase(branch)
	}
	return tip, nil
}

// originRef reads refs/remotes/origin/BRANCH, where origin is that repository.
// Where the clone doesn't have it, the repository itself is asked.
func (r *run) originRef(branch string) (tip boundary.OID, ok bool, err error) {
	if r.originIsOurs() {
		tip, ok, err = r.repo.Ref("refs/remotes/origin/" + branch)
	}
	if err == nil && !ok && r.o.Fetch != nil {
		tip, ok, err = r.fetchedTip(branch)
	}
	if err == nil && ok {
		err = r.there(tip)
	}
	return tip, ok, err
}

// originIsOurs says whether origin is the repository under judgement.
func (r *run) originIsOurs() bool {
	remote, err := r.repo.RemoteURL("origin")
	return err == nil && isOrigin(remote, r.o.ServerURL, r.repository())
}

func (r *run) missingBase(branch string) error {
	message := fmt.Sprintf("the branch %s of %s isn't in this clone", branch, r.repository())
	hint := "check out with `fetch-depth: 0`, or `git fetch origin` first"
	if !r.originIsOurs() {
		hint = "run in a clone of that repository, or name the base with --base and the head with --head"
		message = fmt.Sprintf("this clone's origin is not %s, so its branches can't be taken for that repository's", r.repository())
	}
	return &UndecidedError{
		Reason:  "missing-base",
		Message: message,
		Hint:    hint,
	}
}

// repository is the name that the runner gives, else the payload's.
func (r *run) repository() string {
	if r.o.Repository != "" || r.o.Event == nil {
		return r.o.Repository
	}
	return r.o.Event.BaseRepo
}

// localRef finds a branch by name as a person at a terminal means it.
func (r *run) localRef(branch string) (boundary.OID, bool, error) {
	for _, prefix := range []string{"refs/remotes/origin/", "refs/heads/"} {
		if tip, ok, err := r.repo.Ref(prefix + branch); ok || err != nil {
			return tip, ok, err
		}
	}
	return boundary.OID{}, false, nil
}

// localDefault is origin/HEAD's target, else main, else master.
func (r *run) localDefault() (name string, tip boundary.OID, err error) {
	ref, err := r.repo.OriginHead()
	if err != nil {
		return "", boundary.OID{}, err
	}
	candidates := []string{"refs/heads/main", "refs/remotes/origin/main", "refs/heads/master", "refs/remotes/origin/master"}
	if ref != "" {
		candidates = slices.Insert(candidates, 0, ref)
	}
	for _, ref := range candidates {
		tip, ok, err := r.repo.Ref(ref)
		if err != nil {
			return "", boundary.OID{}, err
		}
		if ok {
			return branchName(ref), tip, nil
		}
	}
	return "", boundary.OID{}, &UsageError{
		Message: "there is no base: no origin/HEAD, main or master in this repository",
		Hint:    "say which branch to judge against with --base",
	}
}

// localBranch is the branch under judgement, if --head or HEAD is one.
func (r *run) localBranch() string {
	if r.o.Head == "" || r.o.Head == "HEAD" {
		name, err := r.repo.HeadBranch()
		if err != nil {
			return ""
		}
		return name
	}
	if _, ok, err := r.repo.Ref("refs/heads/" + r.o.Head); err == nil && ok {
		return r.o.Head
	}
	return ""
}

// revision resolves what a flag names.
func (r *run) revision(flag, rev string) (boundary.OID, error) {
	id, err := r.repo.Resolve(rev)
	if err == nil {
		return id, r.there(id)
	}
	if isMissing(err) {
		return boundary.OID{}, r.lackedBy(rev, err)
	}
	return boundary.OID{}, &UsageError{Message: fmt.Sprintf("%s %s: %s", flag, rev, oneLine(err))}
}

func branchName(ref string) string {
	for _, prefix := range []string{"refs/heads/", "refs/remotes/origin/"} {
		if name, ok := strings.CutPrefix(ref, prefix); ok {
			return name
		}
	}
	return ref
}

func isZeroSHA(sha string) bool { return strings.Trim(sha, "0") == "" }

func oneLine(err error) string {
	return strings.Join(strings.Fields(err.Error()), " ")
}
