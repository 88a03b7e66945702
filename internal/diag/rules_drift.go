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
		Code: "drift-fleet", Title: "a fleet contract changes", Severity: Warning,
		Why: "Another agent, command, order or prompt changes what a run does, though no boundary moves. In check it is a note; it weighs where the lock has another contract.",
		Fix: "Nothing, if it is meant; where there is a lock, write it anew.", Since: "0.1.0",
	},
	{
		Code: "drift-recipe", Title: "a recipe changes its meaning, comes or goes", Severity: Error,
		Why: "A recipe's fingerprint covers what the agent may do and what it is told; a name, a description or a tag doesn't change it. In check it is a note; it weighs where the lock has another fingerprint.",
		Fix: "Nothing, if it is meant; where there is a lock, write it anew.", Since: "0.1.0",
	},
	{
		Code: "drift-capability", Title: "a recipe is raised to a class that may do more", Severity: Error,
		Why: "Every fleet that names the agent gets one that may do more than before. In check it is a note; it weighs where the lock has a lower class.",
		Fix: "Nothing, if it is meant; where there is a lock, write it anew. Otherwise give the new duties to an agent of their own.", Since: "0.1.0",
	},
	{
		Code: "drift-command", Title: "the command registry changes", Severity: Error,
		Why: "Code steps run commands by name: what the name stands for changes without any contract changing. In check it is a note; it weighs where the lock has another command.",
		Fix: "Nothing, if it is meant; where there is a lock, write it anew.", Since: "0.1.0",
	},
}

// lockRules are about the lock: what of the policy isn't as it has it, and
// what is wrong with the lock itself.
var lockRules = []Rule{
	{
		Code: "drift-boundary", Title: "a step may write something else than the lock has", Severity: Error,
		Why: "A boundary that grew since somebody last looked lets a fleet write where nobody agreed to. One that shrank is a note.",
		Fix: "Have it reviewed and write the lock anew, or put the boundary back.", Since: "0.1.0",
	},
	{
		Code: "drift-unlisted", Title: "the lock doesn't list a recipe, a fleet or a command", Severity: Error,
		Why: "What the lock doesn't know of came without anybody writing it down.",
		Fix: "Have it reviewed and write the lock anew, or remove it.", Since: "0.1.0",
	},
	{
		Code: "drift-missing", Title: "the lock lists a recipe, a fleet or a command that is gone", Severity: Error,
		Why: "What vanishes may be what something else relies on: a fleet's agent, a step's command.",
		Fix: "Write the lock anew, or put it back.", Since: "0.1.0",
	},
	{
		Code: "lock-stale", Title: "the policy changes, and the lock doesn't follow", Severity: Warning,
		Why: "After the merge the lock would describe a policy that isn't there, and the next audit fails for it.",
		Fix: "Run `fleetgate lock` and commit the lock with the change.", Since: "0.1.0",
	},
	{
		Code: "lock-version", Title: "the lock has a version that isn't known", Severity: Error,
		Why: "A lock that can't be read says nothing, and must not look like one without drift.",
		Fix: "Use the fleetgate that wrote it, or look at the policy and write the lock anew.", Since: "0.1.0",
	},
	{
		Code: "lock-damaged", Title: "a line of the lock is none", Severity: Error,
		Why: "A merge or an editor left something in the lock that no lock says; what the line said is not known any more.",
		Fix: "Look at what the policy is now, and write the lock anew.", Since: "0.1.0",
	},
}
