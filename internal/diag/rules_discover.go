package diag

import "slices"

// discoverRules are the findings about how policy files lie in a repository
// and fit together (spec section 3.5), and about the gate's own configuration
// (design.md, "Gate configuration"), whose codes are fixed: a configuration
// can't silence what is wrong with itself.
var discoverRules = slices.Concat(discoverFileRules, configRules)

var discoverFileRules = []Rule{
	{
		Code: "policy-unreadable", Title: "a policy file or directory can't be read", Severity: Error,
		Why: "What can't be read can't be judged, and must not look as if it weren't there.",
		Fix: "Put a regular file, or a directory, that the gate may read in its place.", Since: "0.1.0",
	},
	{
		Code: "policy-too-many-files", Title: "a policy directory holds too many entries", Severity: Error,
		Why: "A directory of thousands of files is no policy that anybody reviews, and reading it would hold up every check.",
		Fix: "Keep only policy files in the directory; of one over the limit nothing is read.", Since: "0.1.0",
	},
	{
		Code: "policy-shadowed", Title: "a policy file is not used, because another of its name stands in its place", Severity: Note,
		Why: "A playbook stands in the place of a fleet of the same name. Whoever edits the fleet may not notice that nothing changes.",
		Fix: "Keep one of the two files.", Since: "0.1.0",
	},
	{
		Code: "fleet-file-name", Title: "a contract's file name has nothing before .md", Severity: Error,
		Why: "A fleet's name is its file name without .md, so such a file has no name and no commit can claim a step of it.",
		Fix: "Give the file a name, such as docs.md.", Since: "0.1.0",
	},
	{
		Code: "recipe-reserved", Title: "a recipe is ignored, because its id is reserved", Severity: Warning,
		Why: "The runtime ignores a recipe that would replace a builtin, or that takes a name of the runtime's own. Its author believes that it is used.",
		Fix: "Rename the file: a recipe's id is its file name.", Since: "0.1.0",
	},
	{
		Code: "agent-missing", Title: "a fleet names an agent that nobody has", Severity: Warning,
		Why: "The step fails when it is dispatched, unless the machine that runs the fleet has the recipe elsewhere.",
		Fix: "Correct the name, or add the recipe under .clio-coder/agents/.", Since: "0.1.0",
	},
	{
		Code: "agent-cannot-write", Title: "a workspace step has an agent that can't write", Severity: Warning,
		Why: "The step is given a boundary that its agent has no tool to use, so either the scope or the agent isn't the one that was meant.",
		Fix: "Make the step readonly, or give it an agent that can write.", Since: "0.1.0",
	},
	{
		Code: "permit-unknown-step", Title: "a permit entry names a step that there isn't", Severity: Warning,
		Why: "The entry permits nothing by that name, so the claims that it was written for are refused.",
		Fix: "Name a step of one of this repository's fleets, or fleet/* for all of them.", Since: "0.1.0",
	},
	{
		Code: "external-agent-invalid", Title: "a declaration of an external agent is not valid", Severity: Error,
		Why: "An agent that is read wrongly would be listed under a name or a command that nobody wrote.",
		Fix: "Give each entry a text id, a text command and, if it needs them, args as a list of texts.", Since: "0.1.0",
	},
	{
		Code: "external-agent-duplicate", Title: "an external agent has the id of another agent", Severity: Error,
		Why: "A dispatch by that id would be ambiguous.",
		Fix: "Give the external agent another id.", Since: "0.1.0",
	},
	{
		Code: "ignore-expired", Title: "an ignore entry of the gate configuration has expired", Severity: Warning,
		Why: "Past its last day an entry hides nothing any more; left standing it looks as if it did.",
		Fix: "Take the entry out, or give it a later date and say why in its reason.", Since: "0.1.0",
	},
}

var configRules = []Rule{
	{
		Code: "config-invalid-yaml", Title: "the gate configuration is not one valid YAML document", Severity: Error, Fixed: true,
		Why: "A configuration that can't be read can't be followed, and guessing could let something through.",
		Fix: "Correct the YAML at the place given.", Since: "0.1.0",
	},
	{
		Code: "config-unknown-key", Title: "the gate configuration has a key that there isn't", Severity: Error, Fixed: true,
		Why: "A key that nobody reads is a rule that its author believes to hold.",
		Fix: "Correct the spelling, or take the key out.", Since: "0.1.0",
	},
	{
		Code: "config-missing-key", Title: "the gate configuration lacks a key", Severity: Error, Fixed: true,
		Why: "Without the key the entry has no one meaning.",
		Fix: "Write the key that the message names.", Since: "0.1.0",
	},
	{
		Code: "config-version", Title: "the gate configuration's version is not the number 1", Severity: Error, Fixed: true,
		Why: "A later version may mean something else by the same keys.",
		Fix: "Write version: 1, without quotes.", Since: "0.1.0",
	},
	{
		Code: "config-type", Title: "a value of the gate configuration has the wrong type", Severity: Error, Fixed: true,
		Why: "Values are never coerced: a lone text is no list, and a number is no text.",
		Fix: "Write the type that the message names.", Since: "0.1.0",
	},
	{
		Code: "config-value", Title: "a value of the gate configuration is not one that its key admits", Severity: Error, Fixed: true,
		Why: "A branch, login, step, path, commit or date that can't exist would silently match nothing.",
		Fix: "Write a value as the hint shows.", Since: "0.1.0",
	},
	{
		Code: "config-choice", Title: "an entry of the gate configuration has both of two keys, or neither", Severity: Error, Fixed: true,
		Why: "A permit entry is about a login or a branch, an ignore entry about a path or a commit; with both, or with none, it has no one meaning.",
		Fix: "Keep one of the two keys, and make two entries of it if both are meant.", Since: "0.1.0",
	},
	{
		Code: "config-duplicate", Title: "the gate configuration says the same thing twice", Severity: Error, Fixed: true,
		Why: "The first entry wins, so the second is never reached, and whoever edits that one changes nothing.",
		Fix: "Join the two, or take one out.", Since: "0.1.0",
	},
	{
		Code: "config-too-many", Title: "a list of the gate configuration is too long", Severity: Error, Fixed: true,
		Why: "A list that nobody can review is no policy.",
		Fix: "Join entries, for instance by a branch prefix or a directory.", Since: "0.1.0",
	},
	{
		Code: "config-unknown-code", Title: "the gate configuration names a code that there isn't", Severity: Error, Fixed: true,
		Why: "A misspelt code would change nothing, and its author would believe that it does.",
		Fix: "Use a code that `fleetgate explain --list-codes` lists.", Since: "0.1.0",
	},
	{
		Code: "config-fixed-code", Title: "the gate configuration weakens a code that is fixed", Severity: Error, Fixed: true,
		Why: "Some findings are what the gate is for: if a line of configuration could lower them, a green verdict would mean nothing.",
		Fix: "Take the line out. One commit can be ignored by its full id.", Since: "0.1.0",
	},
}
