package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/discover"
	"github.com/fleetgate/fleetgate/internal/gate"
	"github.com/fleetgate/fleetgate/internal/result"
)

// resultFlags are result's own flags.
type resultFlags struct {
	policy policyFlags

	kind, agent, step string // whose contract
	path              string // of an architect-plan
	summaryBytes      int    // of a mutation-report
	network           bool   // with kind

	at, reads  string
	notReached bool

	shape   string
	repair  int
	reason  string
	anchors []string
	tools   bool
}

const resultLong = `Hold a worker's final report against its result contract, as the runtime does,
and print the outcome. Citations are grounded in the work tree or, with --at,
in a commit's tree.

The contract is that of a kind, of an agent's recipe, or of the agent of a
fleet's step. The report is a FILE with the run's final text, or standard input.`

const resultExample = `  fleetgate result --kind verifier-report report.txt
  fleetgate result --step docs/write --at HEAD report.txt
  fleetgate result --agent scout --reads reads.json - < report.txt
  fleetgate result --shape mutation-report
  fleetgate result --kind scout-report --repair 1 --reason "findings must be a list"`

func (a *app) resultCommand() *cobra.Command {
	var f resultFlags
	c := &cobra.Command{
		Use:     "result [FILE | -]",
		Short:   "Hold a worker's report against its result contract",
		Long:    resultLong,
		Example: resultExample,
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.check(c, args); err != nil {
				return err
			}
			switch {
			case f.shape != "":
				return a.printShape(&f)
			case c.Flags().Changed("repair"):
				return a.printRepair(c.Context(), &f)
			}
			return a.printResult(c.Context(), &f, strings.Join(args, ""))
		},
	}
	f.add(c)
	return c
}

func (f *resultFlags) add(c *cobra.Command) {
	f.policy.add(c)
	flags := c.Flags()
	flags.StringVar(&f.kind, "kind", "", "the contract is of this `KIND`")
	flags.StringVar(&f.agent, "agent", "", "the contract is that of the agent with this `ID`")
	flags.StringVar(&f.step, "step", "", "the contract is that of the agent of this `FLEET/POSITION`")
	flags.StringVar(&f.path, "path", "", "the `PATH` of the plan, for --kind architect-plan")
	flags.IntVar(&f.summaryBytes, "summary-bytes", 0, "how many `BYTES` a summary may have, for --kind mutation-report")
	flags.BoolVar(&f.network, "network", false, "the run was allowed the network, for --kind")
	flags.StringVar(&f.at, "at", "", "ground the report in the tree of this `REV`, not in the work tree")
	flags.StringVar(&f.reads, "reads", "", `a JSON `+"`FILE`"+` of the lines that the run read: {"path": [[first, last], …], …}`)
	flags.BoolVar(&f.notReached, "not-reached", false, "the run never reached its end")
	flags.StringVar(&f.shape, "shape", "", "print the shape of this `KIND`, and nothing else")
	flags.IntVar(&f.repair, "repair", 0, "print the exchange of repair round `N`, and nothing else")
	flags.StringVar(&f.reason, "reason", "", "with --repair: the validator's `TEXT`")
	flags.StringArrayVar(&f.anchors, "anchor", nil, "with --repair: a `PATH:LINE` that the run read (repeatable)")
	flags.BoolVar(&f.tools, "tools", false, "with --repair: the worker may still use its tools")
}

// check refuses flags that don't go together: one that is ignored in silence would mislead.
func (f *resultFlags) check(c *cobra.Command, args []string) error {
	of := map[string][]string{
		"shape":  {"path", "summary-bytes"},
		"repair": {"kind", "agent", "step", "path", "summary-bytes", "reason", "anchor", "tools", "root", "external-agents"},
		"":       {"kind", "agent", "step", "path", "summary-bytes", "network", "at", "reads", "not-reached", "root", "external-agents"},
	}
	mode := ""
	for _, name := range []string{"repair", "shape"} {
		if c.Flags().Changed(name) {
			mode = name
		}
	}
	for _, name := range slices.Concat(of[""], of["repair"], []string{"repair", "shape"}) {
		if c.Flags().Changed(name) && name != mode && !slices.Contains(of[mode], name) {
			return usagef("--%s does not go with %s; see `%s --help`", name, map[string]string{"": "a report"}[mode]+dashed(mode), c.CommandPath())
		}
	}
	if mode != "" && len(args) > 0 {
		return usagef("--%s reads no report, but got %q", mode, args[0])
	}
	return nil
}

func dashed(flag string) string {
	if flag == "" {
		return ""
	}
	return "--" + flag
}

// seat is whose report it is: the contract that it is held to, and where it is looked at.
type seat struct {
	contract result.Contract
	network  bool
	who      string // for people: "a verifier-report", "step docs/write (coder)"
}

// seat finds the contract that the flags name.
func (f *resultFlags) seat(policy func() (*discover.Set, error)) (seat, error) {
	given := 0
	for _, name := range []string{f.kind, f.agent, f.step} {
		if name != "" {
			given++
		}
	}
	if given != 1 {
		return seat{}, usagef("whose report is it? Give one of --kind KIND, --agent ID and --step FLEET/POSITION")
	}
	if f.kind != "" {
		contract, err := f.contract(f.kind)
		return seat{contract, f.network, "a " + f.kind}, err
	}
	if f.network || f.path != "" || f.summaryBytes != 0 {
		return seat{}, usagef("--network, --path and --summary-bytes are for --kind; a recipe says these things itself")
	}
	set, err := policy()
	if err != nil {
		return seat{}, err
	}
	if f.agent != "" {
		return agentSeat(set, f.agent)
	}
	return stepSeat(set, f.step)
}

// contract makes the contract of a bare kind.
func (f *resultFlags) contract(kind string) (result.Contract, error) {
	c := result.Contract{Kind: result.Kind(kind), Path: f.path, MaxSummaryBytes: f.summaryBytes}
	switch {
	case !slices.Contains(result.Kinds(), c.Kind):
		names := kindNames()
		return c, usagef("%q is no kind of report; %sthe kinds are %s", kind, diag.DidYouMean(kind, names), listed(names))
	case c.Kind == result.ArchitectPlan && c.Path == "":
		return c, usagef("an architect-plan is the file at a path; give it with --path")
	case c.Kind != result.ArchitectPlan && c.Path != "":
		return c, usagef("--path is for architect-plan; a %s has none", kind)
	case c.Kind != result.MutationReport && c.MaxSummaryBytes != 0:
		return c, usagef("--summary-bytes is for mutation-report; a %s has no summary", kind)
	case c.MaxSummaryBytes < 0 || c.MaxSummaryBytes > result.MaxSummaryBytes:
		return c, usagef("--summary-bytes %d: it is from 1 to %d", c.MaxSummaryBytes, result.MaxSummaryBytes)
	}
	_, found := result.ParseContract(c.Value(), "the contract", true)
	if len(found) > 0 {
		return c, usagef("%s", found[0].Message)
	}
	return c, nil
}

func kindNames() []string {
	var names []string
	for _, kind := range result.Kinds() {
		names = append(names, string(kind))
	}
	return names
}

func agentSeat(set *discover.Set, id string) (seat, error) {
	spec, ok := discover.NewCatalog(*set).GetSpec(id)
	if !ok {
		return seat{}, noSuchAgent(set, id)
	}
	return seat{spec.ResultContract, gate.ReadsNetwork(spec), "agent " + id}, nil
}

func stepSeat(set *discover.Set, text string) (seat, error) {
	claim, err := parseStep(text)
	if err != nil {
		return seat{}, err
	}
	found, err := gate.SeatOf(set, claim.fleet, claim.position, "")
	if err != nil {
		return seat{}, err
	}
	who := "a command"
	if found.Agent != "" {
		who = found.Agent
	}
	return seat{found.Contract, found.Network, fmt.Sprintf("step %s (%s)", text, who)}, nil
}
