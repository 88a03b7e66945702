package diag

var budgetRules = []Rule{
	{
		Code: "budget-not-object", Title: "budget or budget.maximum is not a mapping", Severity: Error,
		Why: "A budget has several figures; the runtime refuses any other form, an empty value included.",
		Fix: "Write budget: {toolCalls: 20, readReserve: 4, synthesis: true}, and leave maximum out if there is none.", Since: "0.1.0",
	},
	{
		Code: "budget-unknown-key", Title: "a budget has a key that the schema does not know", Severity: Error,
		Why: "The runtime refuses the file: a limit that nobody reads limits nothing.",
		Fix: "Remove the key, or correct its spelling.", Since: "0.1.0",
	},
	{
		Code: "budget-missing-key", Title: "a budget lacks a required key", Severity: Error,
		Why: "No figure of a budget has a default.",
		Fix: "Write the key.", Since: "0.1.0",
	},
	{
		Code: "budget-not-integer", Title: "a figure of a budget is not a safe integer", Severity: Error,
		Why: "Calls are counted: a fraction, a string, or a number that can't be held exactly is refused.",
		Fix: "Write a whole number, without quotes.", Since: "0.1.0",
	},
	{
		Code: "budget-not-positive", Title: "toolCalls is zero or less", Severity: Error,
		Why: "An agent without a single tool call can do nothing.",
		Fix: "Allow at least one call.", Since: "0.1.0",
	},
	{
		Code: "budget-negative-reserve", Title: "readReserve is below zero", Severity: Error,
		Why: "The reserve is a part of the calls, kept for reading; it can't be less than none.",
		Fix: "Write 0 for no reserve.", Since: "0.1.0",
	},
	{
		Code: "budget-reserve-too-large", Title: "readReserve is not below toolCalls", Severity: Error,
		Why: "A reserve as large as the whole budget leaves no call for the work itself.",
		Fix: "Lower readReserve, or raise toolCalls.", Since: "0.1.0",
	},
	{
		Code: "budget-synthesis-type", Title: "synthesis is not a boolean", Severity: Error,
		Why: "Only true and false are booleans; yes, on and 1 are not.",
		Fix: "Write true or false.", Since: "0.1.0",
	},
	{
		Code: "budget-maximum-below-default", Title: "a maximum is below the default figure", Severity: Error,
		Why: "The default would already be over the maximum.",
		Fix: "Raise the figure under maximum, or lower the default.", Since: "0.1.0",
	},
}

var contractRules = []Rule{
	{
		Code: "contract-not-object", Title: "resultContract is not a mapping", Severity: Error,
		Why: "A contract is a kind and, for two kinds, one more key; a bare name is refused.",
		Fix: "Write resultContract: {kind: KIND}.", Since: "0.1.0",
	},
	{
		Code: "contract-missing-kind", Title: "resultContract has no kind", Severity: Error,
		Why: "Without a kind nothing says what the agent's report must look like.",
		Fix: "Write the kind as a string.", Since: "0.1.0",
	},
	{
		Code: "contract-unsupported-kind", Title: "the kind of a result contract is unknown or not a recipe's to declare", Severity: Error,
		Why: "A kind that has no validator promises nothing; council-ballot and code-report are set by a coordinator for one dispatch.",
		Fix: "Use one of the kinds that the message lists.", Since: "0.1.0",
	},
	{
		Code: "contract-unknown-key", Title: "a result contract has a key that its kind does not admit", Severity: Error,
		Why: "The runtime refuses the file: a bound that nobody reads bounds nothing.",
		Fix: "Remove the key. Only architect-plan has path, only mutation-report has maxSummaryBytes.", Since: "0.1.0",
	},
	{
		Code: "contract-summary-bytes", Title: "maxSummaryBytes is not an integer in its range", Severity: Error,
		Why: "The bound sizes what is sealed with a run; it must be a whole number from 1 to 65536.",
		Fix: "Write a whole number in the range, or leave the key out for 16384.", Since: "0.1.0",
	},
	{
		Code: "contract-architect-keys", Title: "architect-plan needs a path and no other key", Severity: Error,
		Why: "The file at path is the result: without it there is nothing to look for.",
		Fix: "Write resultContract: {kind: architect-plan, path: docs/PLAN.md}.", Since: "0.1.0",
	},
	{
		Code: "contract-architect-path-escape", Title: "the path of an architect-plan leaves the workspace", Severity: Error,
		Why: "A plan outside the workspace could neither be checked nor committed.",
		Fix: "Write a path relative to the repository's root, without a .. segment.", Since: "0.1.0",
	},
}

var capabilityRules = []Rule{
	{
		Code: "capability-workspace-edit-requires", Title: "a workspace-edit agent must require read and a mutation tool", Severity: Error,
		Why: "An agent that is dispatched to edit must be able to look and to edit, whatever tools the runtime offers.",
		Fix: "Require read, and write or edit, or {anyOf: [write, edit]}.", Since: "0.1.0",
	},
	{
		Code: "capability-verification-requires-verify", Title: "a verification agent must require verify", Severity: Error,
		Why: "A verifier without verify can only give an opinion.",
		Fix: "Add verify to tools.required.", Since: "0.1.0",
	},
	{
		Code: "capability-artifact-requires-artifact", Title: "an artifact-write agent must require artifact", Severity: Error,
		Why: "The artifact tool is the only way in which this class may write.",
		Fix: "Add artifact to tools.required.", Since: "0.1.0",
	},
	{
		Code: "capability-skills-require-context", Title: "an agent with skills must require context", Severity: Error,
		Why: "Skills are read through the context tool; an agent that may have to run without it has lost them.",
		Fix: "Add context to tools.required, or write skills: [].", Since: "0.1.0",
	},
	{
		Code: "capability-orchestration-dispatch-optional", Title: "an orchestration agent that lists dispatch must require it", Severity: Error,
		Why: "An orchestrator that may have to run without dispatch would do the work itself.",
		Fix: "Move dispatch to tools.required, as a plain name.", Since: "0.1.0",
	},
	{
		Code: "capability-read-only-action", Title: "a read-only agent lists a tool that does more than read", Severity: Error,
		Why: "read-only is a promise to everyone who dispatches the agent. A tool that isn't known to only read breaks it.",
		Fix: "Remove the tool, or choose the class that the agent really has.", Since: "0.1.0",
	},
	{
		Code: "capability-artifact-action", Title: "an artifact-write agent lists a tool that executes or dispatches", Severity: Error,
		Why: "This class writes one artifact; a command or another agent could write anything.",
		Fix: "Remove the tool, or choose the class that the agent really has.", Since: "0.1.0",
	},
	{
		Code: "capability-artifact-write-tool", Title: "an artifact-write agent lists a write tool other than artifact", Severity: Error,
		Why: "write and edit reach the whole workspace, which this class promises not to touch.",
		Fix: "Keep artifact alone, or make the class workspace-edit.", Since: "0.1.0",
	},
	{
		Code: "capability-verification-action", Title: "a verification agent lists a tool that writes or dispatches", Severity: Error,
		Why: "A verifier that can change what it verifies proves nothing.",
		Fix: "Remove the tool, or choose the class that the agent really has.", Since: "0.1.0",
	},
	{
		Code: "capability-verification-bash", Title: "a verification agent lists bash", Severity: Error,
		Why: "A shell can write anywhere; verify runs the registered checks and nothing else.",
		Fix: "Remove bash; verify is enough.", Since: "0.1.0",
	},
	{
		Code: "capability-dispatch-without-orchestration", Title: "an agent of another class than orchestration lists dispatch", Severity: Error,
		Why: "A worker that dispatches workers escapes the authority that it was given.",
		Fix: "Remove dispatch, or make the class orchestration.", Since: "0.1.0",
	},
	{
		Code: "capability-ask-user", Title: "an agent lists ask_user", Severity: Error,
		Why: "Only the session itself may ask the user; a dispatched worker has nobody to ask.",
		Fix: "Remove ask_user; let the agent report what it doesn't know.", Since: "0.1.0",
	},
	{
		Code: "capability-skills-without-context", Title: "an agent with skills does not list context", Severity: Error,
		Why: "Skills are read through the context tool; without it they are out of reach.",
		Fix: "Add context to tools.required, or write skills: [].", Since: "0.1.0",
	},
}
