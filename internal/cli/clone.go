package cli

import (
	"context"
	"os"
	"path/filepath"

	"github.com/fleetgate/fleetgate/internal/action"
	"github.com/fleetgate/fleetgate/internal/gate"
)

// clonedSource is a repository of the server, which is cloned to be audited
// and taken away again, so that a long list needs the room of one clone.
func (a *app) clonedSource(name string) gate.Source {
	return gate.Source{Name: name, Open: func(ctx context.Context) (gate.Opened, error) { return a.openClone(ctx, name) }}
}

func (a *app) openClone(ctx context.Context, name string) (gate.Opened, error) {
	temp, err := os.MkdirTemp(a.getenv("RUNNER_TEMP"), "fleetgate-clone-")
	if err != nil {
		return gate.Opened{}, err
	}
	remove := func() { _ = os.RemoveAll(temp) } // what stays is a temporary file
	f := &action.Fetcher{
		Environ: os.Environ(), Server: a.getenv("GITHUB_SERVER_URL"), Repository: name, Token: a.getenv("GITHUB_TOKEN"),
	}
	dir := filepath.Join(temp, "clone")
	if err := f.Clone(ctx, dir); err != nil {
		remove()
		return gate.Opened{}, err
	}
	return gate.Opened{Dir: dir, Close: remove, Fetch: func(ctx context.Context, need gate.Need) (gate.Tips, error) {
		tips, err := f.Fetch(ctx, action.Request(need))
		if err != nil {
			a.warn("%v", err)
		}
		return tips, err
	}}, nil
}
