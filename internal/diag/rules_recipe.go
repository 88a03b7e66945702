package diag

import "slices"

// recipeRules are the findings of one agent recipe, in the order in which the
// runtime looks: its keys, its budget, its result contract, what its class
// allows it, and where it lies (spec section 3).
var recipeRules = slices.Concat(recipeSchemaRules, budgetRules, contractRules, capabilityRules, recipeIDRules)

var recipeSchemaRules = []Rule{
	{
		Code: "recipe-unknown-key", Title: "a recipe has a key that the schema does not know", Severity: Error,
		Why: "The runtime refuses the file: a key that nobody reads is a rule that its author believes to hold.",
		Fix: "Remove the key, or correct its spelling.", Since: "0.1.0",
	},
	{
		Code: "recipe-missing-key", Title: "a recipe lacks a required key", Severity: Error,
		Why: "The runtime refuses the file: no key of a recipe but product has a default.",
		Fix: "Write the key.", Since: "0.1.0",
	},
	{
		Code: "recipe-version", Title: "a recipe's version is not the number 1", Severity: Error,
		Why: "The runtime refuses a version that it doesn't know, and a number in quotes is a string.",
		Fix: "Write version: 1, without quotes.", Since: "0.1.0",
	},
	{
		Code: "recipe-empty-body", Title: "a recipe has no persona", Severity: Error,
		Why: "The text below the front matter is what the agent is told; without it the agent has no instructions.",
		Fix: "Write the persona below the closing ---.", Since: "0.1.0",
	},
	{
		Code: "recipe-string", Title: "a value must be a string that is not blank", Severity: Error,
		Why: "The runtime never coerces: a number, a boolean, a null or a blank string is refused.",
		Fix: "Write the text; quote what YAML would read as a number, a boolean or null.", Since: "0.1.0",
	},
	{
		Code: "recipe-string-array", Title: "a value must be a list of strings", Severity: Error,
		Why: "The runtime never coerces: a single string, a mapping or an empty value is no list.",
		Fix: "Write a list, such as [a, b], or [] for none.", Since: "0.1.0",
	},
	{
		Code: "recipe-string-array-duplicates", Title: "a list of strings repeats an entry", Severity: Error,
		Why: "The runtime refuses a list that says the same thing twice.",
		Fix: "Keep one of the equal entries.", Since: "0.1.0",
	},
	{
		Code: "recipe-enum", Title: "a value is outside its closed set", Severity: Error,
		Why: "The runtime refuses a value that it doesn't know, so nothing can hide behind a misspelt one.",
		Fix: "Use one of the values that the message lists.", Since: "0.1.0",
	},
	{
		Code: "recipe-audience-provenance", Title: "a recipe declares an audience that its source may not have", Severity: Error,
		Why: "The audience says where a recipe comes from. One that calls itself base would pass for shipped, one that calls itself shadow or internal would hide.",
		Fix: "Write audience: custom.", Since: "0.1.0",
	},
	{
		Code: "recipe-tools-not-object", Title: "tools is not a mapping", Severity: Error,
		Why: "Each tool is either required or optional, so a plain list of tools says too little.",
		Fix: "Write tools: {required: [...], optional: [...]}.", Since: "0.1.0",
	},
	{
		Code: "recipe-tools-unknown-key", Title: "tools has a key other than required and optional", Severity: Error,
		Why: "A tool under a key that nobody reads would be neither granted nor refused.",
		Fix: "Move its tools under required or optional.", Since: "0.1.0",
	},
	{
		Code: "recipe-tools-missing-list", Title: "tools lacks required or optional", Severity: Error,
		Why: "The runtime refuses the file: an absent list is not an empty one.",
		Fix: "Write both lists; [] says that there are none.", Since: "0.1.0",
	},
	{
		Code: "recipe-tools-not-array", Title: "tools.required or tools.optional is not a list", Severity: Error,
		Why: "The runtime never coerces a single tool to a list of one.",
		Fix: "Write a list, such as [read], or [] for none.", Since: "0.1.0",
	},
	{
		Code: "recipe-tool-shape", Title: "an entry of tools.required is neither a tool nor a group", Severity: Error,
		Why: "The runtime can't tell which tool the agent needs.",
		Fix: "Write a tool's name, or {anyOf: [a, b]} for any one of several.", Since: "0.1.0",
	},
	{
		Code: "recipe-tool-group-keys", Title: "a group of tools has keys other than anyOf", Severity: Error,
		Why: "anyOf is the only way to combine tools; the runtime refuses every other key.",
		Fix: "Write {anyOf: [a, b]} and nothing beside it.", Since: "0.1.0",
	},
	{
		Code: "recipe-anyof-empty", Title: "an anyOf group is empty", Severity: Error,
		Why: "No tool can satisfy an empty group, so the agent could never run.",
		Fix: "Name at least one tool in the group, or remove it.", Since: "0.1.0",
	},
	{
		Code: "recipe-tools-duplicate", Title: "a tool is named twice", Severity: Error,
		Why: "A tool that is required and optional, or in two groups, has no one meaning.",
		Fix: "Name each tool once.", Since: "0.1.0",
	},
}

var recipeIDRules = []Rule{
	{
		Code: "recipe-id-extension", Title: "a recipe's file name has nothing before .md", Severity: Error,
		Why: "A recipe's id is its file name without .md, so such a file has no id and is never loaded.",
		Fix: "Give the file a name, such as helper.md.", Since: "0.1.0",
	},
	{
		Code: "recipe-id-outside-root", Title: "a recipe's file name begins with two dots", Severity: Error,
		Why: "The runtime takes such a path for one that leaves the agents' directory and doesn't load it.",
		Fix: "Rename the file so that it doesn't begin with two dots.", Since: "0.1.0",
	},
}
