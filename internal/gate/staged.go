package gate

import (
	"context"
	"errors"
	"io/fs"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/discover"
	"github.com/fleetgate/fleetgate/internal/gitrepo"
)

// readStaged loads the index's policy and asks one more question of its tree.
// The root is the repository's: that is where a commit has its policy.
func readStaged(ctx context.Context, o Options, ask func(fs.FS, *discover.Set) ([]diag.Diagnostic, error)) (*discover.Set, []diag.Diagnostic, error) {
	repo, err := gitrepo.Open(o.Dir)
	if err != nil {
		return nil, nil, openError(o.Dir, err)
	}
	set, found, err := readIndex(ctx, repo, o, ask)
	return set, found, errors.Join(stagedError(err), repo.Close())
}

func readIndex(ctx context.Context, repo *gitrepo.Repo, o Options, ask func(fs.FS, *discover.Set) ([]diag.Diagnostic, error)) (*discover.Set, []diag.Diagnostic, error) {
	if repo.WorkTree() == "" {
		return nil, nil, &UsageError{Message: "a bare repository has no index", Hint: "run `lint --staged` in a work tree; `check` judges commits"}
	}
	tree, err := repo.Index(o.Index)
	if err != nil {
		return nil, nil, err
	}
	set, err := discover.Load(ctx, tree, discover.Options{Roots: o.Roots, External: o.External})
	if err != nil {
		return nil, nil, err
	}
	found, err := ask(tree, &set)
	return &set, found, err
}

// stagedError says how to get an object that the index names and the clone left out.
func stagedError(err error) error {
	if !isMissing(err) {
		return err
	}
	return &UndecidedError{
		Reason:  "missing-object",
		Message: oneLine(err),
		Hint:    "the clone is partial or damaged: get it with `git fetch --refetch`, or clone anew",
	}
}
