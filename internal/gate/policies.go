package gate

import (
	"context"
	"fmt"

	"github.com/fleetgate/fleetgate/internal/boundary"
	"github.com/fleetgate/fleetgate/internal/discover"
)

// readPolicies loads the policy at base, which judges, and at head, which is
// looked at. Mostly they are one and the same, and are read once.
func (r *run) readPolicies(ctx context.Context) (err error) {
	if r.base, err = r.policyAt(ctx, r.at.base); err != nil {
		return err
	}
	same, err := r.sameAtBase(discover.Dir)
	if err != nil {
		return err
	}
	if same {
		r.policies[r.at.head] = r.base
	}
	r.head, err = r.policyAt(ctx, r.at.head)
	return err
}

// policyAt loads the policy of a commit's tree, once a commit.
func (r *run) policyAt(ctx context.Context, commit boundary.OID) (*discover.Set, error) {
	if set, ok := r.policies[commit]; ok {
		return set, nil
	}
	tree, err := r.repo.Tree(commit)
	if err != nil {
		return nil, err
	}
	set, err := discover.Load(ctx, tree, discover.Options{Roots: r.o.Roots, External: r.o.External})
	if err != nil {
		return nil, fmt.Errorf("the policy at %.12s: %w", commit, err)
	}
	r.policies[commit] = &set
	return &set, nil
}
