package diag

// driftRules are what a pull request would change of the policy (design.md,
// "Base, head, range"). They are notes: people weigh them.
var driftRules = []Rule{
	{
		Code: "policy-widened", Title: "the policy would let more through", Severity: Note,
		Why: "A step could write more, or the configuration would refuse less, once this is merged. The change itself is judged by base's policy, so only a reviewer can stop it.",
		Fix: "Nothing, if it is meant. Otherwise narrow it again.", Since: "0.1.0",
	},
	{
		Code: "policy-narrowed", Title: "the policy would let less through", Severity: Note,
		Why: "Commits that claim a step for what it could write so far would be refused once this is merged.",
		Fix: "Nothing, if it is meant. Otherwise put the entry back.", Since: "0.1.0",
	},
	{
		Code: "drift-fleet", Title: "a fleet contract changes", Severity: Note,
		Why: "Another agent, command, order or prompt changes what a run does, though no boundary moves.",
		Fix: "Nothing, if it is meant.", Since: "0.1.0",
	},
	{
		Code: "drift-recipe", Title: "a recipe changes its meaning, comes or goes", Severity: Note,
		Why: "A recipe's fingerprint covers what the agent may do and what it is told. A name, a description or a tag doesn't change it.",
		Fix: "Nothing, if it is meant.", Since: "0.1.0",
	},
	{
		Code: "drift-capability", Title: "a recipe is raised to a class that may do more", Severity: Note,
		Why: "Every fleet that names the agent gets one that may do more than before.",
		Fix: "Nothing, if it is meant. Otherwise give the new duties to an agent of their own.", Since: "0.1.0",
	},
	{
		Code: "drift-command", Title: "the command registry changes", Severity: Note,
		Why: "Code steps run commands by name: what the name stands for changes without any contract changing.",
		Fix: "Nothing, if it is meant.", Since: "0.1.0",
	},
}
