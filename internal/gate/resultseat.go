package gate

import (
	"fmt"
	"slices"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/discover"
	"github.com/fleetgate/fleetgate/internal/fleet"
	"github.com/fleetgate/fleetgate/internal/policy"
	"github.com/fleetgate/fleetgate/internal/result"
)

// Seat is the place in a fleet that a report answers for: whose report it is,
// and which contract it is held to.
type Seat struct {
	Fleet    string
	Position fleet.Position
	Attempt  int    // of a loop's half, as the step's name gives it; else 0
	Agent    string // empty for a code step, which a command answers for
	Contract result.Contract
	Network  bool // the agent's recipe lists a tool that reads the network
}

// Name gives fleet/position, without an attempt.
func (s Seat) Name() string { return s.Fleet + "/" + s.Position.ID }

// seatProblem says why there is no such seat.
type seatProblem struct {
	code          diag.Code
	message, hint string
}

// SeatOf finds the seat that fleet/step names in a set's own fleets; agent, if
// not empty, is who answered.
func SeatOf(set *discover.Set, fleetName, step, agent string) (Seat, error) {
	seat, problem := seatOf(set, fleetName, step, agent)
	if problem != nil {
		return Seat{}, &UsageError{Message: problem.message, Hint: problem.hint}
	}
	return seat, nil
}

func seatOf(set *discover.Set, fleetName, step, agent string) (Seat, *seatProblem) {
	refuse := func(code diag.Code, hint, format string, args ...any) (Seat, *seatProblem) {
		return Seat{}, &seatProblem{code, fmt.Sprintf(format, args...), hint}
	}
	f, ok := set.ProjectFleet(fleetName)
	if !ok || f.Contract == nil {
		return refuse("result-nonconforming", fleetsThere(set), "there is no valid fleet %q among the repository's own", diag.Clip(fleetName))
	}
	found := f.Contract.Resolve(step)
	switch {
	case found.Ambiguous:
		return refuse("result-nonconforming", "rename one of the two steps in "+f.Path, "fleet %q has two positions %q", fleetName, diag.Clip(step))
	case len(found.Positions) == 0:
		return refuse("result-nonconforming", found.Hint, "fleet %q has no position %q that a report can answer for", fleetName, diag.Clip(step))
	}
	seat := Seat{Fleet: fleetName, Position: found.Positions[0], Attempt: found.Attempt}
	agents := agentsOf(f.Contract, seat.Position.ID)
	switch {
	case len(agents) == 0 && agent == "":
		seat.Contract.Kind = result.CodeReport
		return seat, nil
	case len(agents) == 0:
		return refuse("result-forbidden-kind", "leave agent out: a command answers for this step, with a code-report",
			"step %q runs a command; agent %q can't report for it", seat.Name(), diag.Clip(agent))
	case agent == "":
		agent = agents[0]
	case !slices.Contains(agents, agent):
		return refuse("result-forbidden-kind", "the step's report is "+owed(set, agents[0]),
			"step %q is %s's; a report by agent %q can't answer for it", seat.Name(), list(agents), diag.Clip(agent))
	}
	seat.Agent = agent
	return contracted(set, seat)
}

// fleetsThere says, for a hint, which fleets a set has of its own.
func fleetsThere(set *discover.Set) string {
	if names := projectFleets(set); len(names) > 0 {
		return "the fleets are " + listSome(names)
	}
	return "there is no fleet contract; add one under " + discover.Dir + "/fleets/ first"
}

// agentsOf lists who may answer for a position: its agent, then a plan's roster.
func agentsOf(c *fleet.Contract, position string) []string {
	var agents []string
	for _, use := range c.Agents() {
		if use.Position == position {
			agents = append(agents, use.Agent.Value)
		}
	}
	return agents
}

// contracted adds the contract that the seat's agent declares.
func contracted(set *discover.Set, seat Seat) (Seat, *seatProblem) {
	if spec, ok := discover.NewCatalog(*set).GetSpec(seat.Agent); ok {
		seat.Contract, seat.Network = spec.ResultContract, ReadsNetwork(spec)
		return seat, nil
	}
	for i := range set.Agents {
		if a := &set.Agents[i]; a.ID == seat.Agent && declaresCoordinatorKind(a) {
			return Seat{}, &seatProblem{
				"result-forbidden-kind",
				fmt.Sprintf("step %q: the recipe of agent %q declares a kind of report that only a coordinator may set", seat.Name(), seat.Agent),
				"repair " + a.Path + ": " + a.Found[0].Hint,
			}
		}
	}
	return Seat{}, &seatProblem{
		"result-nonconforming",
		fmt.Sprintf("step %q: there is no valid recipe of agent %q, so its report can't be held to a contract", seat.Name(), seat.Agent),
		"add or repair .clio-coder/agents/" + seat.Agent + ".md",
	}
}

func declaresCoordinatorKind(a *discover.Agent) bool {
	return slices.ContainsFunc(a.Found, func(d diag.Diagnostic) bool { return d.Code == "contract-unsupported-kind" })
}

// owed names an agent's contract, for a hint.
func owed(set *discover.Set, agent string) string {
	if spec, ok := discover.NewCatalog(*set).GetSpec(agent); ok {
		return fmt.Sprintf("a %s by %s", spec.ResultContract.Kind, agent)
	}
	return agent + "'s"
}

// ReadsNetwork says whether a spec lists a tool that reads the network: only
// then may its report have an external source.
func ReadsNetwork(spec policy.Spec) bool {
	return slices.Contains(spec.Tools, "web_fetch") || slices.Contains(spec.Tools, "web_read")
}
