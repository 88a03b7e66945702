package gitrepo

import (
	"fmt"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

// notCommitError says that an object that should lead to a commit doesn't.
type notCommitError struct {
	id   boundary.OID
	kind plumbing.ObjectType
}

// Error names the object and what it is.
func (e *notCommitError) Error() string {
	return fmt.Sprintf("leads to %s, which is a %s, not a commit", e.id, e.kind)
}

// peel follows annotated tags, nested ones too, to a commit.
func (r *Repo) peel(id boundary.OID) (boundary.OID, error) {
	for range MaxTagDepth + 1 {
		kind, err := r.objects.kind(id)
		if err != nil {
			return boundary.OID{}, err
		}
		switch kind {
		case plumbing.CommitObject:
			return id, nil
		case plumbing.TagObject:
		default:
			return boundary.OID{}, &notCommitError{id: id, kind: kind}
		}
		if id, err = r.tagged(id); err != nil {
			return boundary.OID{}, err
		}
	}
	return boundary.OID{}, &LimitError{What: "a chain of annotated tags", Name: "MaxTagDepth", Limit: MaxTagDepth}
}

// tagged gives the object that an annotated tag names.
func (r *Repo) tagged(tag boundary.OID) (boundary.OID, error) {
	raw, err := r.objects.read(tag, plumbing.TagObject, MaxCommitBytes)
	if err != nil {
		return boundary.OID{}, err
	}
	id, _, ok := idLine(raw, "object ")
	if !ok {
		return boundary.OID{}, &CorruptError{ID: tag, Kind: "tag", Why: "doesn't begin with an object"}
	}
	return id, nil
}
