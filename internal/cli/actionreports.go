package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/fleetgate/fleetgate/internal/action"
	"github.com/fleetgate/fleetgate/internal/report"
	"github.com/fleetgate/fleetgate/internal/verdict"
)

// checkoutRemedy is the way out of a clone that lacks something which can't be fetched.
const checkoutRemedy = `permissions:
  contents: read
steps:
  - uses: actions/checkout@v4
    with:
      fetch-depth: 0 # and no filter: tree:0
`

// publishAll hands the verdict on: files, log, annotations, summary, outputs.
// What can't be written is said, and changes no verdict: only a passed one
// gives way to it.
func (s *actionStep) publishAll(ctx context.Context, v *verdict.Verdict) error {
	files, problem := s.writeFiles(v)
	problem = cmp.Or(problem, s.log(v))
	if s.inputs.Summary {
		problem = cmp.Or(problem, s.summarize(v))
	}
	problem = cmp.Or(problem, s.runner.SetOutputs(action.Outputs(v, files["json"], files["sarif"])))
	s.post(ctx, v)
	if problem == nil {
		return verdictExit(v)
	}
	if err := verdictExit(v); err != nil {
		s.warn("%v", problem)
		return err
	}
	return problem
}

// log writes the report for people, and the annotations.
func (s *actionStep) log(v *verdict.Verdict) error {
	if err := writeReport(s.stdout, v, "text", report.Style{}); err != nil {
		return err
	}
	if s.inputs.Annotations {
		if err := writeReport(s.stdout, v, "github", report.Style{}); err != nil {
			return err
		}
	}
	if !s.lacksSomething(v) {
		return nil
	}
	if s.unfetched != nil {
		if err := s.say("fleetgate: %s", plain(s.unfetched.Error())); err != nil {
			return err
		}
	}
	return s.say("fleetgate: this would bring what is missing:\n%s", checkoutRemedy)
}

// lacksSomething says whether the clone is why the verdict isn't whole.
func (s *actionStep) lacksSomething(v *verdict.Verdict) bool {
	return v.Incomplete && (s.unfetched != nil || strings.HasPrefix(v.Reason, "missing-"))
}

func (s *actionStep) summarize(v *verdict.Verdict) error {
	var page strings.Builder
	if err := report.Markdown(&page, *v); err != nil {
		return err
	}
	if s.lacksSomething(v) {
		page.WriteString("\nThis would bring what is missing:\n\n```yaml\n" + checkoutRemedy + "```\n")
	}
	return s.runner.AddSummary(page.String())
}

// writeFiles writes the reports that the inputs ask for, and in any case the
// JSON. It gives their paths by format.
func (s *actionStep) writeFiles(v *verdict.Verdict) (map[string]string, error) {
	paths := map[string]string{}
	var problem error
	for _, f := range []struct{ input, path, format string }{
		{"json_file", s.inputs.JSONFile, "json"},
		{"sarif_file", s.inputs.SARIFFile, "sarif"},
		{"junit_file", s.inputs.JUnitFile, "junit"},
	} {
		path, err := s.reportPath(f.path, f.format)
		if err == nil && path != "" {
			err = writeReportFile(path, v, f.format)
		}
		if err != nil {
			problem = cmp.Or(problem, usagef("the input %s is %q, which can't be written: %v", f.input, f.path, reasonOf(err)))
			continue
		}
		paths[f.format] = path
	}
	return paths, problem
}

// reportPath is where a report goes: the input's place, or, for the JSON, the
// runner's folder for temporary files.
func (s *actionStep) reportPath(path, format string) (string, error) {
	if path != "" {
		return s.safePath(path)
	}
	if format != "json" || s.job.Temp == "" {
		return "", nil
	}
	file, err := os.CreateTemp(s.job.Temp, "fleetgate-*.json")
	if err != nil {
		return "", err
	}
	return file.Name(), file.Close()
}

func writeReportFile(path string, v *verdict.Verdict, format string) error {
	var text bytes.Buffer
	if err := writeReport(&text, v, format, report.Style{}); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return writeFile(path, text.Bytes())
}

// errThroughLink is why a path that the repository redirects isn't written to.
var errThroughLink = errors.New("it passes through a symbolic link of the workspace")

// safePath gives the place of a report. What lies in the workspace came from a
// pull request: no link in it decides where a report is written.
func (s *actionStep) safePath(path string) (string, error) {
	workspace, err := filepath.Abs(cmp.Or(s.job.Workspace, "."))
	if err != nil {
		return "", err
	}
	place, err := filepath.Abs(s.place(path))
	if err != nil {
		return "", err
	}
	inside, err := filepath.Rel(workspace, place)
	if err != nil || !filepath.IsLocal(inside) {
		return place, nil // outside, where the repository has nothing
	}
	at := workspace
	for part := range strings.SplitSeq(filepath.ToSlash(inside), "/") {
		at = filepath.Join(at, part)
		info, err := os.Lstat(at)
		if errors.Is(err, fs.ErrNotExist) {
			break
		}
		if err != nil {
			return "", err
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			return "", errThroughLink
		}
	}
	return place, nil
}
