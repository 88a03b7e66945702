package gitrepo

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

// unknownSyntax is what a revision outside Resolve's grammar is told.
const unknownSyntax = "isn't understood here; give a commit id, a branch or a tag, with ^ and ~ at most"

// Resolve gives the commit that a revision names, peeled: a full id; HEAD, @,
// FETCH_HEAD and the like; a full reference name; a branch, a remote's branch,
// a tag, a remote (its HEAD), tried in this order, so that a tag never stands
// in for a branch; an unambiguous short id of at least four digits; each with
// any of the suffixes ^, ^N, ^{commit} and ~N. A full id that isn't there is a
// MissingObjectError, and so is a parent that a shallow clone left out; what
// names nothing is a RevisionError.
func (r *Repo) Resolve(rev string) (boundary.OID, error) {
	if why := refusedRevision(rev); why != "" {
		return boundary.OID{}, &RevisionError{Rev: rev, Why: why}
	}
	base, steps := rev, ""
	if at := strings.IndexAny(rev, "^~"); at >= 0 {
		base, steps = rev[:at], rev[at:]
	}
	id, err := r.resolveName(base)
	if err == nil {
		id, err = r.peel(id)
	}
	if err == nil {
		id, err = r.climb(id, steps)
	}
	return id, explained(rev, err)
}

// explained names the revision in an error that says only what is wrong.
func explained(rev string, err error) error {
	var wrong *notCommitError
	var unnamed *climbError
	if errors.As(err, &wrong) || errors.As(err, &unnamed) {
		return &RevisionError{Rev: rev, Why: err.Error()}
	}
	return err
}

// refusedRevision says why a revision isn't even looked up, or "".
func refusedRevision(rev string) string {
	switch {
	case rev == "":
		return "is empty"
	case len(rev) > MaxRevision:
		return fmt.Sprintf("is longer than %d bytes (MaxRevision)", MaxRevision)
	case rev[0] == '-':
		return "begins with a dash, like an option"
	case strings.IndexFunc(rev, func(c rune) bool { return c < ' ' || c == 0x7f }) >= 0:
		return "contains a control character"
	case strings.Contains(rev, ".."), strings.Contains(rev, "@{"), strings.ContainsAny(rev, ":? *[\\"):
		return unknownSyntax
	}
	return ""
}

// resolveName gives the object that a revision without suffixes names.
func (r *Repo) resolveName(name string) (boundary.OID, error) {
	if name == "@" {
		name = "HEAD"
	}
	if id, ok := boundary.ParseOID(name); ok {
		return id, nil
	}
	for _, candidate := range candidates(name) {
		id, ok, err := r.follow(candidate)
		if err != nil || ok {
			return id, err
		}
	}
	if err := r.unborn(name); err != nil {
		return boundary.OID{}, err
	}
	return r.resolveShort(name)
}

// candidates lists the full reference names that a short one may stand for,
// the first that exists counting.
func candidates(name string) []string {
	prefixes := []string{"refs/heads/", "refs/remotes/", "refs/tags/"}
	var names []string
	if validRefName(name) {
		names = append(names, name)
	}
	for _, prefix := range prefixes {
		if full := prefix + name; validRefName(full) {
			names = append(names, full)
		}
	}
	if full := "refs/remotes/" + name + "/HEAD"; validRefName(full) {
		names = append(names, full)
	}
	if full := "refs/" + name; validRefName(full) {
		names = append(names, full)
	}
	return names
}

// unborn says so where a name is a symbolic reference to a branch without commits.
func (r *Repo) unborn(name string) error {
	if !validRefName(name) {
		return nil
	}
	value, ok, err := r.readRef(name)
	if err != nil || !ok {
		return err
	}
	return &RevisionError{Rev: name, Why: fmt.Sprintf("points at %s, which has no commit yet", value.target)}
}

// climbError says which step of a revision's suffixes leads nowhere.
type climbError struct{ why string }

// Error says why.
func (e *climbError) Error() string { return e.why }

// climb applies the suffixes of a revision. The commit that it leads to must be there.
func (r *Repo) climb(id boundary.OID, steps string) (boundary.OID, error) {
	if steps == "" {
		return id, nil
	}
	for steps != "" {
		if rest, ok := strings.CutPrefix(steps, "^{commit}"); ok {
			steps = rest
			continue
		}
		operator := steps[0]
		digits := len(steps[1:]) - len(strings.TrimLeft(steps[1:], "0123456789"))
		number, err := stepNumber(steps[1 : 1+digits])
		if err != nil || operator != '^' && operator != '~' {
			return boundary.OID{}, &climbError{why: unknownSyntax}
		}
		steps = steps[1+digits:]
		if id, err = r.step(id, operator, number); err != nil {
			return boundary.OID{}, err
		}
	}
	_, err := r.header(id)
	return id, err
}

// stepNumber reads the number after ^ or ~; none is one.
func stepNumber(digits string) (int, error) {
	if digits == "" {
		return 1, nil
	}
	number, err := strconv.Atoi(digits)
	if err == nil && number > MaxAncestry {
		err = strconv.ErrRange
	}
	return number, err
}

// step goes to the numbered parent (^), or so many first parents back (~).
func (r *Repo) step(id boundary.OID, operator byte, number int) (boundary.OID, error) {
	if operator == '^' {
		if number == 0 {
			return id, nil
		}
		return r.parent(id, number)
	}
	for range number {
		var err error
		if id, err = r.parent(id, 1); err != nil {
			return boundary.OID{}, err
		}
	}
	return id, nil
}

// parent gives a commit's numbered parent, counted from one.
func (r *Repo) parent(id boundary.OID, number int) (boundary.OID, error) {
	head, err := r.headerInGraph(id)
	if err != nil {
		return boundary.OID{}, err
	}
	if number > len(head.parents) {
		return boundary.OID{}, &climbError{why: fmt.Sprintf("leads nowhere: commit %s has no parent %d", id, number)}
	}
	parent := head.parents[number-1]
	if r.shallow[id] {
		return boundary.OID{}, &MissingObjectError{ID: parent, Kind: "commit", Shallow: true}
	}
	return parent, nil
}
