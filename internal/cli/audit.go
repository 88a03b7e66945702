package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/fleetgate/fleetgate/internal/gate"
	"github.com/fleetgate/fleetgate/internal/verdict"
)

func (a *app) auditCommand() *cobra.Command {
	var f judgeFlags
	var audit gate.AuditOptions
	var head, list, shard string
	c := &cobra.Command{
		Use:   "audit",
		Short: "Look at what the repository has by now",
		Long: `Look at the policy at HEAD: its defects, its drift from the lock, what of it is
dead or dangerous. With --since also at what landed since a revision or a date:
how the policy changed, and what slipped past the gate. Everything is read from
git objects; no clock is read.`,
		Example: "  fleetgate audit\n  fleetgate audit --since 2026-01-31 --format html --output audit.html\n  fleetgate audit --since v1.2.0 --format sarif\n  fleetgate audit --repos-file repos.txt --shard 2/5 --format json --output 2.json",
		Args:    noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			options, err := a.judgeOptions(&f)
			if err != nil {
				return err
			}
			options.Head = head
			switch {
			case list != "":
				return a.survey(c.Context(), options, audit, list, shard, f.output)
			case shard != "":
				return usagef("--shard is for --repos-file")
			}
			return a.judge(c.Context(), &f, options, func(ctx context.Context, o gate.Options) (verdict.Verdict, error) {
				return gate.Audit(ctx, o, audit)
			})
		},
	}
	f.add(c)
	c.Flags().StringVar(&audit.Since, "since", "", "look also at what landed since this `REV` or absolute date, such as 2026-01-31")
	c.Flags().StringVar(&head, "head", "", "look at this `REV` (default: HEAD)")
	c.Flags().StringVar(&list, "repos-file", "", "look at each repository that this `FILE` lists: a path or a file URL a line")
	c.Flags().StringVar(&shard, "shard", "", "with --repos-file: look at the `K/N`th part of the list alone")
	c.Flags().BoolVar(&f.observe, "observe", false, "exit 0 for a failed verdict, too")
	return c
}
