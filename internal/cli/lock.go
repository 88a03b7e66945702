package cli

import (
	"github.com/spf13/cobra"

	"github.com/fleetgate/fleetgate/internal/drift"
	"github.com/fleetgate/fleetgate/internal/gate"
)

func (a *app) lockCommand() *cobra.Command {
	var f judgeFlags
	var check bool
	c := &cobra.Command{
		Use:   "lock",
		Short: "Write down the policy as it is agreed on, or check what changed since",
		Long: `Write ` + drift.LockPath + `: every recipe, fleet contract and
command of the work tree's policy, with a fingerprint of what it means and every
step's boundary, one fact a line. Commit it. With --check, say what isn't as the
lock has it; nothing is written.`,
		Example: "  fleetgate lock\n  fleetgate lock --check --format json",
		Args:    noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			options, err := a.judgeOptions(&f)
			if err != nil {
				return err
			}
			if check {
				return a.judge(c.Context(), &f, options, gate.CheckLock)
			}
			return a.writeLock(c, options)
		},
	}
	f.add(c)
	c.Flags().BoolVar(&check, "check", false, "say what isn't as the lock has it, and write nothing")
	return c
}

// lockData is the JSON of lock without --check.
type lockData struct {
	Path     string `json:"path"`
	Changed  bool   `json:"changed"`
	Recipes  int    `json:"recipes"`
	Fleets   int    `json:"fleets"`
	Commands int    `json:"commands"`
}

func (a *app) writeLock(c *cobra.Command, o gate.Options) error {
	for _, name := range []string{"output", "fail-on", "raise"} {
		if c.Flags().Changed(name) {
			return usagef("--%s is for lock --check", name)
		}
	}
	format, err := a.choose("text", "json")
	if err != nil {
		return err
	}
	lock, changed, err := gate.WriteLock(c.Context(), o)
	if err != nil {
		return err
	}
	if format == "json" {
		data := lockData{drift.LockPath, changed, len(lock.Recipes), len(lock.Fleets), len(lock.Commands)}
		return writeDocument(a.stdout, "lock", data, nil)
	}
	what := "wrote"
	if !changed {
		what = "nothing changed in"
	}
	return a.say("%s %s: %s", what, drift.LockPath, gate.LockContents(lock))
}
