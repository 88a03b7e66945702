// Package fleet reads fleet contracts (versions 1 to 5) and the command
// registry, and says what each position of a contract may write (spec sections 4, 5).
//
// Parse reads like the runtime's order of checks; parse.go is the place to
// start. The schemas are data: schema_fleet.go and schema_commands.go.
package fleet

import (
	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/value"
)

// The bounds of one contract. A file's bytes are bounded by strictyaml.MaxBytes.
const (
	MaxSteps        = 10_000 // declared steps; the gate's own limit
	MaxLoopAttempts = 5      // verifications of one loop (spec section 4)
	MaxRoster       = 16     // agents of one plan's roster
	MaxPlanTasks    = 16     // tasks of one plan
	MaxArgs         = 64     // arguments of one code step
	MaxArgUnits     = 8192   // UTF-16 code units of one argument
	MinVersion      = 1
	MaxVersion      = 5 // the newest contract version that is read
	commitSince     = 3 // the version that brought loops and commitFrom
	routesSince     = 5 // the version that brought target, profile, plan, gate and writers
)

// Contract is one parsed fleet contract: valid, and not changed after Parse.
type Contract struct {
	Version     int
	Name        value.Str
	Description string
	Steps       []Step
	MaxWorkers  float64 // a whole number, at least 1
	BudgetUSD   *float64
	OnFailure   string // stop or continue
	Writers     bool   // writers: 1
	Body        string // the prompt template, trimmed
	BodyPos     diag.Pos
	Path        string
	Pos         diag.Pos // of the steps key

	index map[string]int // step ids to places in Steps
}

// StepKind is a step's kind; an absent kind is agent.
type StepKind string

// The step kinds.
const (
	AgentStep StepKind = "agent"
	CodeStep  StepKind = "code"
	LoopStep  StepKind = "loop"
	GateStep  StepKind = "gate"
	PlanStep  StepKind = "plan"
)

// The scopes of a position.
const (
	ReadOnly  = "readonly"
	Workspace = "workspace"
)

// The parts of a loop; the empty part is the step itself.
const (
	CheckPart  = "check"
	RepairPart = "repair"
)

// defaultPlanAgent plans where a plan step names no agent (spec section 4).
const defaultPlanAgent = "architect"

// Work is what a step and a loop's half have in common: who or what does it,
// and what that may write. Fields that a kind doesn't have are zero.
type Work struct {
	Agent     value.Str
	Command   value.Str
	Args      []value.Str // nil where not declared
	Scope     string      // readonly or workspace; empty for a loop and for a half that names a gate
	Writes    []value.Str // as declared
	WritesPos diag.Pos    // of the writes key; zero where not declared
	Target    value.Str
	Profile   value.Str
}

// Step is one declared step. Fields that its kind doesn't have are zero.
type Step struct {
	Work
	Kind         StepKind
	ID           value.Str
	AgentDefault bool // the plan step names no agent; Agent is the default one, at the step's place
	Dependencies []value.Str
	CommitFrom   []value.Str
	MaxAttempts  int
	Check        *Half
	Repair       *Half
	Path         value.Str
	Run          value.Str
	Roster       []value.Str
	MaxTasks     int
	Proposals    bool
	Pos          diag.Pos
}

// Half is a loop's check or repair.
type Half struct {
	Work
	Kind StepKind // agent, code or gate
	Gate value.Str
	Pos  diag.Pos
}

// Position is one place of a contract that a commit can claim and that has a boundary.
type Position struct {
	ID       string   // a step's id, <loop>.check or <loop>.repair
	Step     int      // index into Contract.Steps
	Part     string   // "", "check" or "repair"
	Attempts int      // for loop halves: how many attempts a suffix may name (checks n, repairs n-1)
	Scope    string   // readonly or workspace
	Bounded  bool     // false below version 4: there is no boundary
	Writes   []string // normalized allowlist; empty for readonly
	Pos      diag.Pos // of the writes key where declared (a gate's path), else of the step or half
}

// step finds a declared step by its id.
func (c *Contract) step(id string) (int, bool) {
	if c.index != nil {
		at, ok := c.index[id]
		return at, ok
	}
	for i := range c.Steps {
		if c.Steps[i].ID.Value == id {
			return i, true
		}
	}
	return 0, false
}

// part gives a loop's half by its name, or nil.
func (s *Step) part(name string) *Half {
	switch name {
	case CheckPart:
		return s.Check
	case RepairPart:
		return s.Repair
	}
	return nil
}
