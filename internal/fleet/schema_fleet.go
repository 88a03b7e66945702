package fleet

import (
	"math"
	"strings"

	"github.com/fleetgate/fleetgate/internal/boundary"
	"github.com/fleetgate/fleetgate/internal/value"
)

// The pieces of the contract's schema (spec section 4).
var (
	anyText    = &schema{kind: value.String}
	someText   = &schema{kind: value.String, min: 1}
	anyBool    = &schema{kind: value.Bool}
	texts      = &schema{kind: value.List, item: someText}
	someTexts  = &schema{kind: value.List, min: 1, item: someText}
	anyScope   = &schema{kind: value.String, oneOf: []string{ReadOnly, Workspace}}
	writable   = &schema{kind: value.String, oneOf: []string{Workspace}}
	writesList = &schema{kind: value.List, max: boundary.MaxEntries, item: someText}
	argList    = &schema{kind: value.List, max: MaxArgs, item: argument}
	argument   = &schema{kind: value.String, max: MaxArgUnits, form: withoutNUL, shape: "a text without NUL"}
)

func withoutNUL(text string) bool { return strings.IndexByte(text, 0) < 0 }

// The keys that several kinds of steps share.
var (
	stepID       = key{name: "id", schema: someText, required: true, example: "an id that no other step has, such as id: write"}
	agentKey     = key{name: "agent", schema: someText, required: true, example: "the name of the agent, such as agent: coder"}
	scopeKey     = key{name: "scope", schema: anyScope, required: true, example: "scope: readonly or scope: workspace"}
	dependsKey   = key{name: "dependencies", schema: texts, required: true, example: "dependencies: [] if it waits for nothing"}
	writesKey    = key{name: "writes", schema: writesList, since: boundary.FirstBounded, example: "files and directories that the step may change, such as writes: [docs/]"}
	targetKey    = key{name: "target", schema: someText, since: routesSince, example: "the name of a target, or leave target out"}
	profileKey   = key{name: "profile", schema: someText, since: routesSince, example: "the name of a profile, or leave profile out"}
	commandKey   = key{name: "command", schema: someText, required: true, example: "the id of a registered command, such as command: test"}
	argsKey      = key{name: "args", schema: argList, example: "one argument for each slot of the command, such as args: [docs]"}
	kindKey      = key{name: "kind", schema: anyText}                                                                                          // which kinds there are is the variants' matter
	agentKindKey = key{name: "kind", schema: &schema{kind: value.String, oneOf: []string{"agent"}}, example: "kind: agent, or leave kind out"} // a repair's
)

var agentStepSchema = &schema{
	kind: value.Map, what: "an agent step",
	keys: []key{kindKey, stepID, agentKey, scopeKey, dependsKey, writesKey, targetKey, profileKey},
}

var codeStepSchema = &schema{
	kind: value.Map, what: "a code step",
	keys: []key{
		kindKey, stepID, commandKey, argsKey, scopeKey, dependsKey,
		{name: "commitFrom", schema: someTexts, since: commitSince, example: "the steps whose work the command commits, such as commitFrom: [write]"},
		writesKey,
	},
}

var loopStepSchema = &schema{
	kind: value.Map, what: "a loop step",
	keys: []key{
		kindKey, stepID,
		{
			name: "maxAttempts", schema: &schema{kind: value.Number, whole: true, min: 1, max: MaxLoopAttempts},
			required: true, example: "maxAttempts: how often to check, from 1 to 5",
		},
		dependsKey,
		{name: "check", schema: checkSchema, required: true, example: "check: {kind: code, command: test, scope: readonly}"},
		{name: "repair", schema: repairSchema, required: true, example: "repair: {agent: coder, scope: workspace}"},
	},
}

var gateStepSchema = &schema{
	kind: value.Map, what: "a gate step",
	keys: []key{
		kindKey, stepID, agentKey,
		{name: "path", schema: someText, required: true, example: "the path of the report that the gate writes, such as path: reports/gate.md"},
		{name: "run", schema: someText, required: true, example: "the id of the command that decides, such as run: test"},
		{name: "scope", schema: writable, example: "scope: workspace, or leave scope out: a gate always writes its report"},
		dependsKey, targetKey, profileKey,
	},
}

var planStepSchema = &schema{
	kind: value.Map, what: "a plan step",
	keys: []key{
		kindKey, stepID,
		{name: "agent", schema: someText, example: "the name of the agent that plans, or leave agent out for architect"},
		{
			name: "roster", schema: &schema{kind: value.List, min: 1, max: MaxRoster, item: someText},
			required: true, example: "the agents that may be given a task, such as roster: [coder]",
		},
		{
			name: "maxTasks", schema: &schema{kind: value.Number, whole: true, min: 1, max: MaxPlanTasks},
			required: true, example: "maxTasks: how many tasks, from 1 to 16",
		},
		{name: "proposals", schema: anyBool, example: "proposals: true or proposals: false"},
		scopeKey, dependsKey, writesKey, targetKey, profileKey,
	},
}

var stepSchema = &schema{
	kind: value.Map, what: "a step", unset: string(AgentStep),
	kinds: []variant{
		{string(AgentStep), 1, agentStepSchema},
		{string(CodeStep), 2, codeStepSchema},
		{string(LoopStep), commitSince, loopStepSchema},
		{string(GateStep), routesSince, gateStepSchema},
		{string(PlanStep), routesSince, planStepSchema},
	},
}

var checkSchema = &schema{
	kind: value.Map, what: "a loop's check",
	kinds: []variant{
		{string(CodeStep), commitSince, &schema{
			kind: value.Map, what: "a loop's check by a command",
			keys: []key{kindKey, commandKey, argsKey, scopeKey, writesKey},
		}},
		{string(AgentStep), commitSince, &schema{
			kind: value.Map, what: "a loop's check by an agent",
			keys: []key{kindKey, agentKey, scopeKey, writesKey, targetKey, profileKey},
		}},
		{string(GateStep), routesSince, &schema{
			kind: value.Map, what: "a loop's check by a gate",
			keys: []key{kindKey, {name: "gate", schema: someText, required: true, example: "the id of a gate step, such as gate: review"}},
		}},
	},
}

var repairSchema = &schema{
	kind: value.Map, what: "a loop's repair",
	keys: []key{agentKindKey, agentKey, scopeKey, writesKey, targetKey, profileKey},
}

var contractSchema = &schema{
	kind: value.Map, what: "a fleet contract",
	keys: []key{
		{name: "version", schema: &schema{kind: value.Number, min: MinVersion}, required: true, example: "version: 4"},
		{name: "name", schema: someText, required: true, example: "the fleet's name, such as name: docs"},
		{name: "description", schema: anyText, example: "one line of text, or leave description out"},
		{name: "steps", schema: &schema{kind: value.List, min: 1, item: stepSchema}, required: true, example: "steps: a list of at least one step"},
		{
			name: "maxWorkers", schema: &schema{kind: value.Number, whole: true, min: 1},
			required: true, example: "maxWorkers: how many steps may run at once",
		},
		// Its sign is looked at after the whole schema, as the runtime does.
		{name: "budgetUsd", schema: &schema{kind: value.Number, min: -math.MaxFloat64}, example: "an amount in US dollars, such as budgetUsd: 2.5"},
		{
			name: "onFailure", schema: &schema{kind: value.String, oneOf: []string{"stop", "continue"}},
			required: true, example: "onFailure: stop or onFailure: continue",
		},
		{name: "writers", schema: &schema{kind: value.Number, only: true, min: 1}, since: routesSince, example: "writers: 1, or leave writers out"},
	},
}
