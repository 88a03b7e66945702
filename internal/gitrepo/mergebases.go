package gitrepo

import (
	"context"
	"fmt"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

// MergeBases gives the commits that Changes compares the merges of a range
// with: the merge bases of each parent and those before it and, where there
// are several, theirs in turn. They come without doubles, in no order that
// means anything, from the range and from outside of it. With an error come
// those that were found until then.
func (r *Repo) MergeBases(ctx context.Context, rng boundary.Range) ([]boundary.OID, error) {
	b := bases{graph: newGraph(r), seen: map[boundary.OID]bool{}, folded: map[string]bool{}}
	for i := range rng.Commits {
		b.most = len(b.folded) + MaxBaseFolds
		if err := b.of(ctx, rng.Commits[i].Parents); err != nil {
			return b.found, err
		}
	}
	return b.found, nil
}

// bases collects merge bases.
type bases struct {
	graph  *graph
	found  []boundary.OID
	seen   map[boundary.OID]bool
	folded map[string]bool // lists of bases that were folded before
	most   int             // how many lists there may be by the end of one merge
}

// of adds what commits are folded against. It ends, since what bases are
// folded against are ancestors of theirs.
func (b *bases) of(ctx context.Context, commits []boundary.OID) error {
	for i := 1; i < len(commits); i++ {
		ids, err := b.graph.mergeBases(ctx, commits[i], commits[:i])
		if err != nil {
			return fmt.Errorf("find the merge bases of %s: %w", commits[i], err)
		}
		b.add(ids)
		if len(ids) < 2 || !b.first(ids) {
			continue
		}
		if len(b.folded) > b.most {
			return &LimitError{What: "the number of merges of merge bases", Name: "MaxBaseFolds", Limit: MaxBaseFolds}
		}
		if err := b.of(ctx, ids); err != nil {
			return err
		}
	}
	return nil
}

func (b *bases) add(ids []boundary.OID) {
	for _, id := range ids {
		if !b.seen[id] {
			b.seen[id] = true
			b.found = append(b.found, id)
		}
	}
}

// first says whether a list of bases wasn't there before.
func (b *bases) first(ids []boundary.OID) bool {
	key := ""
	for _, id := range ids {
		key += string(id[:])
	}
	if b.folded[key] {
		return false
	}
	b.folded[key] = true
	return true
}
