package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

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
		return gate.Opened{}, fmt.Errorf("no folder can be made for a clone of %s: %v", name, reasonOf(err))
	}
	remove := func() { a.removeClone(temp) }
	f := &action.Fetcher{
		Environ: os.Environ(), Server: a.getenv("GITHUB_SERVER_URL"), Repository: name, Token: a.getenv("GITHUB_TOKEN"),
	}
	dir := filepath.Join(temp, "clone")
	if err := f.Clone(ctx, dir); err != nil {
		remove()
		return gate.Opened{}, withoutPlace(err, dir, name)
	}
	return gate.Opened{Dir: dir, Close: remove, Fetch: func(ctx context.Context, need gate.Need) (gate.Tips, error) {
		tips, err := f.Fetch(ctx, action.Request(need))
		if err != nil {
			a.warn("%v", err)
		}
		return tips, err
	}}, nil
}

// withoutPlace is an error that says the repository's name where it said in
// which folder the clone was to lie: that folder is another one each time.
func withoutPlace(err error, dir, name string) error {
	temp := filepath.Dir(dir)
	places := strings.NewReplacer(dir, name, filepath.ToSlash(dir), name, temp, name, filepath.ToSlash(temp), name)
	return errors.New(places.Replace(err.Error()))
}

// removeClone takes a clone away. That one stays fails no audit; of a long
// list the first one is named alone.
func (a *app) removeClone(dir string) {
	if err := os.RemoveAll(dir); err != nil {
		a.cloneLeft.Do(func() { a.warn("a clone could not be taken away and stays at %s: %v", dir, reasonOf(err)) })
	}
}
