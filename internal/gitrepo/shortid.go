package gitrepo

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

// minShortID is the fewest digits that a short id may have, as in git.
const minShortID = 4

// prefixFinder is the part of go-git's file storage that finds short ids.
type prefixFinder interface {
	HashesWithPrefix(prefix []byte) ([]plumbing.Hash, error)
}

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
	whole, err := hex.DecodeString(digits[:len(digits)/2*2])
	if err != nil {
		return nil, fmt.Errorf("decode %q: %w", digits, err)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	seen := map[boundary.OID]bool{}
	var ids []boundary.OID
	for _, store := range o.loose {
		finder, ok := store.(prefixFinder)
		if !ok {
			continue
		}
		hashes, err := finder.HashesWithPrefix(whole)
		if err != nil {
			return nil, fmt.Errorf("look for objects %s…: %w", digits, err)
		}
		for _, hash := range hashes {
			id := boundary.OID(hash)
			if seen[id] || !strings.HasPrefix(id.String(), digits) {
				continue
			}
			seen[id] = true
			ids = append(ids, id)
		}
	}
	return ids, nil
}
