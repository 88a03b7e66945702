package gate

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"

	"github.com/fleetgate/fleetgate/internal/discover"
	"github.com/fleetgate/fleetgate/internal/gitrepo"
)

// Place is where a report is looked at: a work tree, or a commit's tree.
type Place struct {
	Files fs.FS
	// Dir is the work tree's root as a slash path, by which absolute paths in a
	// report are understood; "." where there is none.
	Dir string

	options  Options
	workTree bool
	close    func() error
}

// OpenPlace opens the work tree around o.Dir or, if rev isn't empty, the tree
// of that commit. An object that is missing is an error, which leaves the question open.
func OpenPlace(o Options, rev string) (*Place, error) {
	dir, err := PolicyRoot(o.Dir)
	if err != nil {
		return nil, err
	}
	p := &Place{Dir: filepath.ToSlash(dir), options: o, workTree: rev == "", close: func() error { return nil }}
	if !path.IsAbs(p.Dir) {
		p.Dir = "."
	}
	if !p.workTree {
		p.Files, err = commitFiles(o.Dir, rev)
		return p, err
	}
	root, err := openPolicyRoot(o.Dir)
	if err != nil {
		return nil, err
	}
	p.Files, p.close = root.FS(), root.Close
	return p, nil
}

func commitFiles(dir, rev string) (fs.FS, error) {
	repo, err := gitrepo.Open(dir)
	if err != nil {
		return nil, openError(dir, err)
	}
	id, err := repo.Resolve(rev)
	switch {
	case isMissing(err):
		return nil, err
	case err != nil:
		return nil, &UsageError{Message: fmt.Sprintf("--at %s: %s", rev, oneLine(err))}
	}
	return repo.Tree(id)
}

// Policy reads the policy of the place.
func (p *Place) Policy(ctx context.Context) (*discover.Set, error) {
	set, err := discover.Load(ctx, p.Files, discover.Options{Roots: p.options.Roots, External: p.options.External, WorkTree: p.workTree})
	return &set, err
}

// Close lets go of the work tree.
func (p *Place) Close() error { return p.close() }
