package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/fleetgate/fleetgate/internal/discover"
	"github.com/fleetgate/fleetgate/internal/gate"
)

// showFlags are show's own flags.
type showFlags struct {
	policy           policyFlags
	vars             []string
	tools            []string
	mediatesDispatch bool
	task             string
}

func (a *app) showCommand() *cobra.Command {
	var f showFlags
	c := &cobra.Command{
		Use:   "show fleet/NAME | agent/ID | NAME",
		Short: "Show a fleet or an agent as the gate reads it",
		Long: `Show a fleet's steps and what each may write, or an agent's class, tools and
fingerprint, out of the work tree's policy. A bare name does where only one
fleet or agent has it.`,
		Example: `  fleetgate show fleet/docs
  fleetgate show docs --format mermaid
  fleetgate show docs --var task="the flags"     # the prompt, rendered
  fleetgate show agent/coder --tools read,edit   # can it work with these?
  fleetgate show agent/scout --task "fix the build"`,
		Args: oneArg("one fleet/NAME or agent/ID"),
		RunE: func(c *cobra.Command, args []string) error {
			options, err := a.policyOptions(&f.policy)
			if err != nil {
				return err
			}
			set, err := gate.Load(c.Context(), options)
			if err != nil {
				return err
			}
			return a.show(c, set, args[0], &f)
		},
	}
	f.policy.add(c)
	c.Flags().StringArrayVar(&f.vars, "var", nil, "render the fleet's prompt with this `NAME=VALUE` (repeatable)")
	c.Flags().StringSliceVar(&f.tools, "tools", nil, "hold the agent against the `TOOLS` that a runtime offers, as a,b")
	c.Flags().BoolVar(&f.mediatesDispatch, "mediates-dispatch", false, "with --tools: the runtime mediates dispatch")
	c.Flags().StringVar(&f.task, "task", "", "hold the agent against this task `TEXT`")
	return c
}

func (a *app) show(c *cobra.Command, set *discover.Set, name string, f *showFlags) error {
	kind, name, err := whatToShow(set, name)
	if err != nil {
		return err
	}
	if flag := foreignFlag(c, kind); flag != "" {
		return usagef("--%s is for %s; %s is not one", flag, map[string]string{"fleet": "an agent", "agent": "a fleet"}[kind], name)
	}
	if kind == "agent" {
		return a.showAgent(set, name, c.Flags().Changed("tools"), f)
	}
	return a.showFleet(set, name, c.Flags().Changed("var"), f)
}

// foreignFlag names a flag that was given and belongs to the other kind.
func foreignFlag(c *cobra.Command, kind string) string {
	flags := map[string][]string{"agent": {"var"}, "fleet": {"tools", "mediates-dispatch", "task"}}[kind]
	for _, name := range flags {
		if c.Flags().Changed(name) {
			return name
		}
	}
	return ""
}

// whatToShow tells a fleet from an agent. A bare name must have one of them.
func whatToShow(set *discover.Set, name string) (kind, rest string, err error) {
	if kind, rest, qualified := strings.Cut(name, "/"); qualified {
		if kind != "fleet" && kind != "agent" {
			return "", "", usagef("show %q: write fleet/NAME or agent/ID", name)
		}
		return kind, rest, nil
	}
	_, isFleet := set.Fleet(name)
	isAgent := hasAgent(set, name)
	switch {
	case isFleet && isAgent:
		return "", "", usagef("%q is a fleet and an agent; write fleet/%s or agent/%s", name, name, name)
	case isAgent:
		return "agent", name, nil
	case isFleet:
		return "fleet", name, nil
	}
	return "", "", usagef("there is no fleet and no agent %q; `fleetgate list` lists them", name)
}

func hasAgent(set *discover.Set, id string) bool {
	for i := range set.Agents {
		if set.Agents[i].ID == id {
			return true
		}
	}
	_, ok := discover.NewCatalog(*set).GetSpec(id)
	return ok
}
