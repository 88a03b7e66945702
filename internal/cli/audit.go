package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/fleetgate/fleetgate/internal/gate"
	"github.com/fleetgate/fleetgate/internal/verdict"
)

const auditExample = `  fleetgate audit
  fleetgate audit --since 2026-01-31 --format html --output audit.html
  fleetgate audit --since v1.2.0 --format sarif
  fleetgate audit --repos-file repos.txt --shard 2/5 --format json --output 2.json`

func (a *app) auditCommand() *cobra.Command {
	var f judgeFlags
	var audit gate.AuditOptions
	var several surveyFlags
	var head string
	var issue bool
	c := &cobra.Command{
		Use:   "audit",
		Short: "Look at what the repository has by now",
		Long: `Look at the policy at HEAD: its defects, its drift from the lock, what of it is
dead or dangerous. With --since also at what landed since a revision or a date:
how the policy changed, and what slipped past the gate. Everything is read from
git objects; no clock is read.`,
		Example: auditExample,
		Args:    noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			options, err := a.judgeOptions(&f)
			if err != nil {
				return err
			}
			options.Head = head
			report, done := a.progress()
			defer done()
			options.Progress = report
			if several.list != "" {
				if issue {
					return usagef("--issue is for the audit of one repository")
				}
				return a.survey(c.Context(), options, audit, several, f.output)
			}
			if several.shard != "" || several.clone {
				return usagef("--shard and --clone are for --repos-file")
			}
			return a.auditOne(c.Context(), &f, options, audit, issue)
		},
	}
	f.add(c)
	c.Flags().StringVar(&audit.Since, "since", "", "look also at what landed since this `REV` or absolute date, such as 2026-01-31")
	c.Flags().StringVar(&head, "head", "", "look at this `REV` (default: HEAD)")
	c.Flags().BoolVar(&issue, "issue", false, "keep one issue of GITHUB_REPOSITORY up to date with what is found")
	c.Flags().StringVar(&several.list, "repos-file", "", "look at each repository that this `FILE` lists: a path or a file URL a line")
	c.Flags().StringVar(&several.shard, "shard", "", "with --repos-file: look at the `K/N`th part of the list alone")
	c.Flags().BoolVar(&several.clone, "clone", false, "with --repos-file: the list has an OWNER/REPO a line, each of which is cloned for as long as it is looked at")
	c.Flags().BoolVar(&f.observe, "observe", false, "exit 0 for a failed verdict, too")
	return c
}

// auditOne audits one repository, and keeps its issue if that is asked for.
func (a *app) auditOne(ctx context.Context, f *judgeFlags, o gate.Options, audit gate.AuditOptions, issue bool) error {
	run := func(ctx context.Context, o gate.Options) (verdict.Verdict, error) { return gate.Audit(ctx, o, audit) }
	if issue {
		target, err := a.issueTarget()
		if err != nil {
			return err
		}
		run = a.tracked(target, run)
	}
	return a.judge(ctx, f, o, run)
}
