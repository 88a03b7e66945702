package gate

import (
	"context"
	"os"
	"runtime"
	"strings"

	"github.com/fleetgate/fleetgate/internal/gitrepo"
	"github.com/fleetgate/fleetgate/internal/verdict"
)

// Source is one repository of a survey.
type Source struct {
	Name string // its line in the list
	Dir  string // where it lies; empty: where Open puts it

	// Open brings a repository that doesn't lie on this machine, until Close.
	Open func(ctx context.Context) (Opened, error)
}

// Opened is a repository that was brought to this machine to be looked at.
type Opened struct {
	Dir   string
	Fetch Fetch  // brings what it lacks; nil: nothing is fetched
	Close func() // takes it away again
}

// Survey audits one repository after the other, and keeps of each its row
// alone. One that can't be read, or not be audited as asked, is a row that
// says why. The only error is the context's.
func Survey(ctx context.Context, o Options, ao AuditOptions, sources []Source) (verdict.Survey, error) {
	s := verdict.Survey{Tool: o.Tool, Missing: []string{}}
	for i, source := range sources {
		o.progress(i, len(sources), "repositories")
		row := surveyed(ctx, o, ao, source)
		if ctx.Err() != nil {
			return verdict.Survey{}, ctx.Err()
		}
		s.Repositories = append(s.Repositories, row)
		// On a busy machine the collector falls behind. Made to collect here, the
		// peak is one repository's, however many there are.
		runtime.GC()
	}
	o.progress(len(sources), len(sources), "repositories")
	s.Sort()
	return s, nil
}

// surveyed is one repository's row. Where its folder lies is nothing that a
// row may depend on.
func surveyed(ctx context.Context, o Options, ao AuditOptions, source Source) verdict.Surveyed {
	o.Progress = nil
	if source.Open != nil {
		opened, err := source.Open(ctx)
		if err != nil {
			return verdict.Unreadable(source.Name, oneLine(err))
		}
		defer opened.Close()
		source.Dir, o.Fetch = opened.Dir, opened.Fetch
	}
	row, err := auditedAt(ctx, o, ao, source)
	if err != nil {
		return verdict.Unreadable(source.Name, strings.ReplaceAll(oneLine(err), source.Dir, source.Name))
	}
	return row
}

func auditedAt(ctx context.Context, o Options, ao AuditOptions, source Source) (verdict.Surveyed, error) {
	if err := isRepository(source.Dir); err != nil {
		return verdict.Surveyed{}, err
	}
	o.Dir = source.Dir
	v, err := Audit(ctx, o, ao)
	return verdict.NewSurveyed(source.Name, &v), err
}

// isRepository refuses a folder that merely lies in a repository: that one
// must not be audited in place of a misspelt one.
func isRepository(dir string) error {
	repo, err := gitrepo.Open(dir)
	if err != nil {
		return openError(dir, err)
	}
	here, err := os.Stat(dir)
	if err != nil {
		return err
	}
	for _, root := range []string{repo.WorkTree(), repo.GitDir()} {
		if info, err := os.Stat(root); err == nil && os.SameFile(here, info) {
			return nil
		}
	}
	return &UsageError{Message: "the folder " + dir + " lies in a repository, and is none itself"}
}
