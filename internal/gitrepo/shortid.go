package gitrepo

import (
	"errors"
	"fmt"
	"strings"

	"github.com/fleetgate/fleetgate/internal/boundary"
	"github.com/fleetgate/fleetgate/internal/gitrepo/packstore"
)

// minShortID is the fewest digits that a short id may have, as in git.
const minShortID = 4

// maxShort is how many packed objects are looked at that begin with a short id.
const maxShort = 100_000

// resolveShort gives the object that a short id names. Where several objects
// begin with it, the only one that leads to a commit counts, as in git.
func (r *Repo) resolveShort(short string) (boundary.OID, error) {
	if !isShortID(short) {
		return boundary.OID{}, &RevisionError{Rev: short, Why: "names no branch, tag or commit"}
	}
	ids, err := r.objects.withPrefix(strings.ToLower(short))
	if err != nil {
		return boundary.OID{}, err
	}
	var commits []boundary.OID
	for _, id := range ids {
		_, err := r.peel(id)
		var wrong *notCommitError
		if errors.As(err, &wrong) {
			continue
		}
		if err != nil {
			return boundary.OID{}, err
		}
		commits = append(commits, id)
	}
	switch len(commits) {
	case 0:
		return boundary.OID{}, &RevisionError{Rev: short, Why: "names no branch, tag or commit"}
	case 1:
		return commits[0], nil
	}
	return boundary.OID{}, &RevisionError{Rev: short, Why: fmt.Sprintf("is ambiguous: %d commits begin with it; give more digits", len(commits))}
}

// isShortID says whether text may be the beginning of an object id.
func isShortID(text string) bool {
	return len(text) >= minShortID && len(text) < 40 && strings.Trim(text, "0123456789abcdefABCDEF") == ""
}

// withPrefix lists the objects whose ids begin with the given lower-case
// digits, each once.
func (o *objects) withPrefix(digits string) ([]boundary.OID, error) {
	const all = 40
	low, lowOK := boundary.ParseOID(digits + strings.Repeat("0", all-len(digits)))
	high, highOK := boundary.ParseOID(digits + strings.Repeat("f", all-len(digits)))
	if !lowOK || !highOK {
		return nil, fmt.Errorf("%q doesn't begin an object id", digits)
	}
	ids, err := o.loose.withPrefix(digits)
	if err != nil {
		return nil, err
	}
	for _, id := range o.packs.Prefix(packstore.ID(low), packstore.ID(high), maxShort) {
		ids = append(ids, boundary.OID(id))
	}
	return sortedIDs(ids), nil
}
