package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/fleetgate/fleetgate/internal/gate"
	"github.com/fleetgate/fleetgate/internal/verdict"
)

// checkFlags are check's own flags.
type checkFlags struct {
	base, head, step string
	trusted          []string
	results          string
	resultsRequired  bool
	event            eventFlags
	judge            judgeFlags
}

const checkExample = `  fleetgate check                                   # HEAD against the default branch
  fleetgate check --base main --head agent/docs
  fleetgate check --base HEAD~1 --step docs/write   # as if the commit claimed that step
  fleetgate check --event pull_request --payload event.json --repository octo/app`

func (a *app) checkCommand() *cobra.Command {
	var f checkFlags
	c := &cobra.Command{
		Use:   "check",
		Short: "Judge a range of commits by the policy at its base",
		Long: `Judge every commit between base and head: one that claims a fleet step with a
Fleet-Step trailer must have stayed inside that step's write boundary, by the
policy at base. Nothing of the repository is run, and nothing is written to it.`,
		Example: checkExample,
		Args:    noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := noneEmpty(c, "base", "head", "step"); err != nil {
				return err
			}
			options, err := a.checkOptions(&f)
			if err != nil {
				return err
			}
			return a.judge(c.Context(), &f.judge, options, gate.Check)
		},
	}
	c.Flags().StringVar(&f.base, "base", "", "judge by the policy at this `REV` (default: the default branch)")
	c.Flags().StringVar(&f.head, "head", "", "judge the commits of this `REV` (default: HEAD)")
	c.Flags().StringArrayVar(&f.trusted, "trusted", nil, "a further `REV` behind which everything was judged before (repeatable)")
	c.Flags().StringVar(&f.step, "step", "", "judge every commit as if it claimed this `FLEET/POSITION`")
	c.Flags().StringVar(&f.results, "results", "", "hold the reports in these files of the work tree against the commits: a `GLOB`")
	c.Flags().BoolVar(&f.resultsRequired, "results-required", false, "with --results: fail a claimed step without a report")
	f.event.add(c)
	f.judge.add(c)
	c.Flags().BoolVar(&f.judge.observe, "observe", false, "exit 0 for a failed verdict, too")
	return c
}

func (a *app) lintCommand() *cobra.Command {
	var f judgeFlags
	var staged bool
	c := &cobra.Command{
		Use:   "lint",
		Short: "Check the policy files of the work tree",
		Long: `Check every recipe, fleet contract and command registry under .clio-coder/, and
the gate's configuration, as the runtime would read them. Needs no git. With
--staged they are read from git's index, as the next commit will have them.`,
		Example: "  fleetgate lint\n  fleetgate lint --staged\n  fleetgate lint --format github --fail-on warning",
		Args:    noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			options, err := a.judgeOptions(&f)
			if err != nil {
				return err
			}
			if staged {
				options.Staged, options.Index = true, a.getenv("GIT_INDEX_FILE") // of the commit whose hook this is
			}
			return a.judge(c.Context(), &f, options, a.lint)
		},
	}
	f.add(c)
	c.Flags().BoolVar(&staged, "staged", false, "read the index in place of the work tree")
	return c
}

// lint is the gate's. Where it finds no policy it also says which folder it
// looked at: a verdict may not depend on where a folder lies, so it can't.
func (a *app) lint(ctx context.Context, o gate.Options) (verdict.Verdict, error) {
	v, err := gate.Lint(ctx, o)
	if err != nil || v.Reason != "no-policy" || o.Staged {
		return v, err
	}
	root, err := gate.PolicyRoot(o.Dir)
	if err != nil {
		return v, err
	}
	a.warn("no policy was found in %s", root)
	return v, nil
}

func (a *app) checkOptions(f *checkFlags) (gate.Options, error) {
	options, err := a.judgeOptions(&f.judge)
	if err != nil {
		return gate.Options{}, err
	}
	if f.step != "" {
		if _, err := parseStep(f.step); err != nil {
			return gate.Options{}, err
		}
	}
	if f.resultsRequired && f.results == "" {
		return gate.Options{}, usagef("--results-required needs --results, the files to look at")
	}
	options.Base, options.Head, options.Trusted, options.Step = f.base, f.head, f.trusted, f.step
	options.Results, options.ResultsRequired = f.results, f.resultsRequired
	options.Repository, options.ServerURL = f.event.repository, a.getenv("GITHUB_SERVER_URL")
	options.Event, err = a.readEvent(&f.event, f.base != "" && f.head != "")
	return options, err
}

// judge runs a command that ends in a verdict, prints it and exits by it.
func (a *app) judge(ctx context.Context, f *judgeFlags, o gate.Options, run func(context.Context, gate.Options) (verdict.Verdict, error)) error {
	format, err := a.choose(reportFormats...)
	if err != nil {
		return err
	}
	v, err := run(ctx, o)
	if err != nil {
		return err
	}
	if err := a.publish(&v, format, f.output); err != nil {
		return err
	}
	return verdictExit(&v)
}
