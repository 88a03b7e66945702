package cli

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/fleetgate/fleetgate/internal/action"
	"github.com/fleetgate/fleetgate/internal/boundary"
	"github.com/fleetgate/fleetgate/internal/gate"
	"github.com/fleetgate/fleetgate/internal/gitrepo"
	"github.com/fleetgate/fleetgate/internal/verdict"
)

// actionCommand is what action.yml calls. Everything comes from the
// environment; docs/action.md describes it.
func (a *app) actionCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "action",
		Short:  "Run as a step of a GitHub Actions job",
		Args:   noArgs,
		Hidden: true,
		RunE: func(c *cobra.Command, _ []string) error {
			s := &actionStep{app: a, runner: action.NewRunner(a.getenv, a.stdout)}
			return s.ended(c.Context(), s.run(c.Context()))
		},
	}
}

// actionStep is one run as a step of a job.
type actionStep struct {
	*app
	runner    *action.Runner
	job       action.Job
	inputs    action.Inputs
	unfetched error // why the last fetch brought nothing
}

// run judges the job's event and publishes the verdict.
func (s *actionStep) run(ctx context.Context) (err error) {
	if s.inputs, err = s.runner.Inputs(); err != nil {
		return usagef("%v", err)
	}
	s.job = s.runner.Job()
	options, err := s.options()
	if err != nil {
		return err
	}
	v, err := s.judged(ctx, options)
	if err != nil {
		return s.withoutCheckout(err)
	}
	return s.publishAll(ctx, &v)
}

// judged judges the event or, if the input audit says so, what the repository has by now.
func (s *actionStep) judged(ctx context.Context, o gate.Options) (verdict.Verdict, error) {
	if !s.inputs.Audit {
		return gate.Check(ctx, o)
	}
	report, done := s.progress()
	defer done()
	o.Progress = report
	return gate.Audit(ctx, o, gate.AuditOptions{Since: s.inputs.Since})
}

func (s *actionStep) options() (gate.Options, error) {
	if s.job.Event == "" {
		return gate.Options{}, usagef("GITHUB_EVENT_NAME is not set: this command is a step of a job; anywhere else use `fleetgate check`")
	}
	if !action.IsRepository(s.job.Repository) {
		return gate.Options{}, usagef("GITHUB_REPOSITORY is %q, not OWNER/REPO", s.job.Repository)
	}
	s.repo = s.place(s.inputs.WorkingDirectory)
	if info, err := os.Stat(s.repo); err != nil || !info.IsDir() {
		return gate.Options{}, usagef("the input working_directory is %q, which is no folder", s.inputs.WorkingDirectory)
	}
	options, err := s.judgeOptions(&judgeFlags{failOn: s.inputs.FailOn, observe: s.inputs.Observe})
	if err != nil {
		return gate.Options{}, err
	}
	if err := s.checkInputs(); err != nil {
		return gate.Options{}, err
	}
	options.Base, options.Head = s.inputs.Base, s.inputs.Head
	options.Results, options.ResultsRequired = s.inputs.Results, s.inputs.ResultsRequired
	options.Repository, options.ServerURL = s.job.Repository, s.job.Server
	options.Fetch = s.fetch
	if !s.inputs.Audit { // which is about no event
		options.Event, err = s.event()
	}
	return options, err
}

// checkInputs refuses inputs that would have no effect.
func (s *actionStep) checkInputs() error {
	in := &s.inputs
	switch {
	case in.ResultsRequired && in.Results == "":
		return usagef("the input results_required is true, but results names no files")
	case in.Audit && (in.Base != "" || in.Results != ""):
		return usagef("the inputs base and results are for judging a range; with audit: true, since says how far back is looked")
	case !in.Audit && (in.Since != "" || in.Issue):
		return usagef("the inputs since and issue are for audit: true")
	}
	return nil
}

// event is the job's. With base and head both given it needs no row in the table.
func (s *actionStep) event() (*gate.Event, error) {
	payload, err := s.job.ReadPayload()
	if err != nil {
		return nil, usagef("the event's payload %s can't be read: %v", s.job.Payload, reasonOf(err))
	}
	event, err := action.ParseEvent(s.job.Event, payload, s.job.Repository)
	var none *action.NoRowError
	switch explicit := s.inputs.Base != "" && s.inputs.Head != ""; {
	case errors.As(err, &none) && explicit:
		return &gate.Event{Name: s.job.Event}, nil
	case errors.As(err, &none):
		return nil, usagef("%v (the inputs base and head), or run on pull_request, merge_group or push", err)
	case err != nil:
		return nil, usagef("%v", err)
	}
	e := gate.Event(event)
	return &e, nil
}

// fetch brings what the clone lacks from the repository that the job is about.
func (s *actionStep) fetch(ctx context.Context, need gate.Need) (gate.Tips, error) {
	f := action.Fetcher{
		Environ:    os.Environ(),
		Server:     s.job.Server,
		Repository: s.job.Repository,
		Token:      s.inputs.Token,
		Say:        func(line string) { _ = s.say("fleetgate: %s", plain(line)) },
	}
	var tips map[string]boundary.OID
	tips, s.unfetched = f.Fetch(ctx, action.Request(need))
	return tips, s.unfetched
}

// withoutCheckout tells a job that has nothing to judge what it lacks.
func (s *actionStep) withoutCheckout(err error) error {
	var none *gitrepo.NotFoundError
	if _, opened := gitrepo.Open(s.repo); errors.As(opened, &none) {
		return usagef("there is no repository in the workspace: run actions/checkout before this step")
	}
	return err
}

// place is where a path of an input lies: in the workspace, unless it says otherwise.
func (s *actionStep) place(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(cmp.Or(s.job.Workspace, "."), path)
}

// ended turns the end of a step that gave no verdict into an annotation, a
// summary and outputs that look like no pass.
func (s *actionStep) ended(ctx context.Context, err error) error {
	var silent exitCode
	if err == nil || errors.As(err, &silent) {
		return err
	}
	if ctx.Err() != nil {
		err = errors.New("interrupted: nothing was decided")
	}
	code, _ := classify(err)
	reason := map[int]string{ExitUsage: "configuration", ExitUndecided: "error"}[code]
	message := plain(err.Error())
	problem := cmp.Or(
		s.runner.Annotate(action.LevelError, message),
		s.runner.AddSummary("## fleetgate could not run\n\n    "+message+"\n"), // indented: nothing in it is Markdown
		s.runner.SetOutputs([]action.Output{{Name: "verdict", Value: "undecided"}, {Name: "reason", Value: reason}}),
	)
	if problem != nil {
		return errors.Join(err, problem)
	}
	return exitCode(code)
}
