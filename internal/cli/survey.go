package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fleetgate/fleetgate/internal/action"
	"github.com/fleetgate/fleetgate/internal/gate"
	"github.com/fleetgate/fleetgate/internal/report"
	"github.com/fleetgate/fleetgate/internal/verdict"
)

// The bounds of a list of repositories.
const (
	// MaxReposFileBytes is the largest list of repositories that is read.
	MaxReposFileBytes = 16 << 20
	// MaxRepositories is how many repositories a list may have.
	MaxRepositories = 100_000
)

// surveyFormats are what --format offers for a survey; the first is the default.
var surveyFormats = []string{"text", "json", "sarif", "html"}

// surveyFlags say which repositories an audit is about, if it is about several.
type surveyFlags struct {
	list, shard string
	clone       bool
}

// survey audits the repositories of a list, or of one shard of it.
func (a *app) survey(ctx context.Context, o gate.Options, audit gate.AuditOptions, f surveyFlags, output string) error {
	format, err := a.choose(surveyFormats...)
	if err != nil {
		return err
	}
	sources, err := a.readSources(f)
	if err != nil {
		return err
	}
	s, err := gate.Survey(ctx, o, audit, sources)
	if err != nil {
		return err
	}
	s.Shard = f.shard
	err = a.publishSurvey(&s, format, output)
	if o.Observe && s.Word() == verdict.Failed && errors.Is(err, exitCode(ExitFailed)) {
		return nil
	}
	return err
}

// readSources reads the list, or the shard of it.
func (a *app) readSources(f surveyFlags) ([]gate.Source, error) {
	source, same := localSource(filepath.Dir(f.list)), strings.Clone
	if f.clone {
		source, same = a.remoteSource, strings.ToLower // as the server takes names
	}
	sources, err := readReposFile(f.list, source, same)
	if err != nil || f.shard == "" {
		return sources, err
	}
	k, n, err := verdict.ParseShard(f.shard)
	if err != nil {
		return nil, usagef("--shard: %v", err)
	}
	return shardOf(sources, k, n), nil
}

// shardOf takes every nth repository, so that neighbours, which are often
// alike, are spread over the shards.
func shardOf(sources []gate.Source, k, n int) []gate.Source {
	var own []gate.Source
	for i := k - 1; i < len(sources); i += n {
		own = append(own, sources[i])
	}
	return own
}

// readReposFile reads a list of repositories, one a line, each of which source
// makes one. Names are doubles if same gives the same for them. Empty lines and
// those that begin with # don't count.
func readReposFile(list string, source func(name string) (gate.Source, error), same func(name string) string) ([]gate.Source, error) {
	text, err := readBounded(list, MaxReposFileBytes)
	if err != nil {
		return nil, usagef("--repos-file %s can't be read: %v", list, reasonOf(err))
	}
	if len(text) > MaxReposFileBytes {
		return nil, usagef("--repos-file %s has more than %d bytes", list, MaxReposFileBytes)
	}
	var sources []gate.Source
	first := map[string]int{}
	line := 0
	for name := range strings.Lines(string(text)) {
		line++
		name = strings.TrimSpace(name)
		if name == "" || strings.HasPrefix(name, "#") {
			continue
		}
		key := same(name)
		if first[key] > 0 {
			return nil, usagef("%s:%d: %q stands in line %d already", list, line, name, first[key])
		}
		first[key] = line
		next, err := source(name)
		if err != nil {
			return nil, usagef("%s:%d: %v", list, line, err)
		}
		if len(sources) == MaxRepositories {
			return nil, usagef("--repos-file %s has more than %d repositories", list, MaxRepositories)
		}
		sources = append(sources, next)
	}
	return sources, nil
}

// localSource reads a line that is a path, relative to the list's folder, or a file URL.
func localSource(beside string) func(name string) (gate.Source, error) {
	return func(name string) (gate.Source, error) {
		dir, err := repositoryDir(beside, name)
		return gate.Source{Name: name, Dir: dir}, err
	}
}

// remoteSource reads a line that names a repository of the server.
func (a *app) remoteSource(name string) (gate.Source, error) {
	if !action.IsRepository(name) {
		return gate.Source{}, fmt.Errorf("%q is not OWNER/REPO, as --clone wants it", name)
	}
	return a.clonedSource(name), nil
}

// repositoryDir gives an absolute path, as messages have it, which a survey
// takes out of them: a short one may stand in any word.
func repositoryDir(beside, name string) (string, error) {
	if !strings.Contains(name, "://") {
		if filepath.IsAbs(name) {
			return name, nil
		}
		return filepath.Abs(filepath.Join(beside, filepath.FromSlash(name)))
	}
	u, err := url.Parse(name)
	switch {
	case err != nil:
		return "", fmt.Errorf("%q is no address", name)
	case u.Scheme != "file" || u.Host != "" && u.Host != "localhost" || u.Path == "":
		return "", fmt.Errorf("%q is neither a path nor a file URL", name)
	}
	return filepath.FromSlash(u.Path), nil
}

func (a *app) mergeCommand() *cobra.Command {
	var output string
	c := &cobra.Command{
		Use:   "merge FILE...",
		Short: "Join the audits of several shards into one report",
		Long: `Join what fleetgate audit --repos-file wrote as JSON for each shard into one
report. It is, byte for byte, what one run over all of the list would have
written. A shard that is missing is named, and leaves the whole undecided.`,
		Example: "  fleetgate audit --repos-file repos.txt --shard 1/2 --format json --output 1.json\n" +
			"  fleetgate merge 1.json 2.json --format html --output audits.html",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("fleetgate merge wants at least one FILE; see `fleetgate merge --help`")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return a.merge(args, output) },
	}
	c.Flags().StringVar(&output, "output", "", "write the report to this `FILE`, and one line to standard output")
	return c
}

func (a *app) merge(files []string, output string) error {
	format, err := a.choose(surveyFormats...)
	if err != nil {
		return err
	}
	var parts []verdict.Part
	for _, name := range files {
		s, err := readSurvey(name)
		if err != nil {
			return err
		}
		parts = append(parts, verdict.Part{From: name, Survey: s})
	}
	merged, err := verdict.Merge(parts)
	if err != nil {
		return usagef("merge: %v", err)
	}
	return a.publishSurvey(&merged, format, output)
}

func readSurvey(name string) (verdict.Survey, error) {
	file, err := os.Open(name)
	if err != nil {
		return verdict.Survey{}, usagef("%s can't be read: %v", name, reasonOf(err))
	}
	defer file.Close()
	s, err := verdict.ReadSurvey(file)
	if err != nil {
		return verdict.Survey{}, usagef("%s: %v", name, err)
	}
	return s, nil
}

// publishSurvey writes a survey and exits by its word.
func (a *app) publishSurvey(s *verdict.Survey, format, output string) error {
	var text bytes.Buffer
	if err := writeSurvey(&text, s, format); err != nil {
		return err
	}
	if output == "" {
		if _, err := a.stdout.Write(text.Bytes()); err != nil {
			return err
		}
		return surveyExit(s)
	}
	if err := writeFile(output, text.Bytes()); err != nil {
		return usagef("the report can't be written to --output %s: %v", output, reasonOf(err))
	}
	if err := a.say("%s: %s (report in %s)", s.Word(), plain(s.Summary()), plain(output)); err != nil {
		return err
	}
	return surveyExit(s)
}

func writeSurvey(w *bytes.Buffer, s *verdict.Survey, format string) error {
	switch format {
	case "json":
		return s.WriteJSON(w)
	case "sarif":
		return report.SurveySARIF(w, *s)
	case "html":
		return report.SurveyHTML(w, *s)
	}
	return report.SurveyText(w, *s)
}

func surveyExit(s *verdict.Survey) error {
	switch s.Word() {
	case verdict.Passed:
		return nil
	case verdict.Failed:
		return exitCode(ExitFailed)
	}
	return exitCode(ExitUndecided)
}
