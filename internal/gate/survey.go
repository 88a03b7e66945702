package gate

import (
	"context"
	"os"
	"strings"

	"github.com/fleetgate/fleetgate/internal/gitrepo"
	"github.com/fleetgate/fleetgate/internal/verdict"
)

// Source is one repository of a survey.
type Source struct {
	Name string // its line in the list
	Dir  string // where it lies
}

// Survey audits one repository after the other, and keeps of each its row
// alone. One that can't be read, or not be audited as asked, is a row that
// says why. The only error is the context's.
func Survey(ctx context.Context, o Options, ao AuditOptions, sources []Source) (verdict.Survey, error) {
	s := verdict.Survey{Tool: o.Tool, Missing: []string{}}
	for _, source := range sources {
		row, err := surveyed(ctx, o, ao, source)
		if ctx.Err() != nil {
			return verdict.Survey{}, ctx.Err()
		}
		if err != nil {
			why := strings.ReplaceAll(oneLine(err), source.Dir, source.Name)
			row = verdict.Unreadable(source.Name, why)
		}
		s.Repositories = append(s.Repositories, row)
	}
	s.Sort()
	return s, nil
}

func surveyed(ctx context.Context, o Options, ao AuditOptions, source Source) (verdict.Surveyed, error) {
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
