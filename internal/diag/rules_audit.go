package diag

// auditRules are what an audit finds beside the defects that lint knows, the
// drift from the lock, and what check finds of commits: what is dead or
// dangerous in a sound policy, and how it came to be what it is.
var auditRules = []Rule{
	{
		Code: "audit-stale-entry", Title: "a boundary's entry matches nothing", Severity: Warning,
		Why: "An entry that matches nothing is a leftover, or a misspelling; whoever creates that path later gets a writer nobody thought of.",
		Fix: "Remove the entry, or correct its spelling.", Since: "0.1.0",
	},
	{
		Code: "audit-overlap", Title: "two steps that may run at once may write the same", Severity: Warning,
		Why: "No dependency orders them, and there is more than one worker: each may overwrite what the other wrote.",
		Fix: "Make one depend on the other, divide what they write, or let one write at a time.", Since: "0.1.0",
	},
	{
		Code: "audit-reach", Title: "a boundary reaches policy, workflow or ownership files", Severity: Warning,
		Why: "These files decide what is run, who is asked, or what fleets may do. An entry that names one exactly opens it to the step.",
		Fix: "Keep it only where the step's work is that file, and have a person asked for it.", Since: "0.1.0",
	},
	{
		Code: "audit-unused-recipe", Title: "no fleet uses a recipe", Severity: Note,
		Why: "It may still be dispatched by hand, with all that it may do.",
		Fix: "Nothing, if people dispatch it; otherwise remove it.", Since: "0.1.0",
	},
	{
		Code: "audit-unused-command", Title: "no fleet runs a registered command", Severity: Note,
		Why: "A command that may be run and never is, is looked after by nobody.",
		Fix: "Remove it from the registry.", Since: "0.1.0",
	},
	{
		Code: "audit-shadows-builtin", Title: "a fleet stands in place of a builtin one", Severity: Note,
		Why: "Who dispatches the builtin by its name gets another contract in this repository than elsewhere.",
		Fix: "Give it a name of its own, unless that is meant.", Since: "0.1.0",
	},
	{
		Code: "audit-unbounded", Title: "a contract is of a version without boundaries", Severity: Warning,
		Why: "Below version 4 there is nothing that a commit could be held to, so that none may claim its steps.",
		Fix: "Raise the contract to version 4 and give each workspace step its writes.", Since: "0.1.0",
	},
	{
		Code: "audit-unpermitted", Title: "no permit entry names a fleet", Severity: Note,
		Why: "Where permit has entries, they tie claims to authors; a fleet that none of them names can be claimed by any person, and by no bot.",
		Fix: "Add an entry for whoever works for it, or remove the fleet.", Since: "0.1.0",
	},
	{
		Code: "audit-policy-change", Title: "a commit changed the policy", Severity: Note,
		Why: "Between two audits somebody should have looked at every change of who may do what.",
		Fix: "Nothing, if it was agreed on.", Since: "0.1.0",
	},
	{
		Code: "audit-squash", Title: "a squash merge was judged as one commit", Severity: Note,
		Why: "A squash blurs which of its steps wrote what: it is held to what its claims allow together.",
		Fix: "Merge fleet pull requests without squashing, to have each commit judged by its own claim.", Since: "0.1.0",
	},
	{
		Code: "audit-unjudged", Title: "a commit landed while the gate configuration was not valid", Severity: Warning,
		Why: "The gate could not judge it then: permit, identities and severities were not known.",
		Fix: "Look at the commit, then ignore the finding for it in the gate configuration.", Since: "0.1.0",
	},
}
