package diag

// resultRules are the findings about reports: whether they are what their
// contracts ask for, and whether they say what git shows.
var resultRules = []Rule{
	{
		Code: "result-nonconforming", Title: "A report misses its result contract", Severity: Error,
		Why:   "The next step, and the people who read it, rely on the report's fields. What doesn't have them says nothing that can be checked.",
		Fix:   "Have the run answer again in the one shape of its kind, which `fleetgate result --shape KIND` prints.",
		Since: "0.1.0",
	},
	{
		Code: "result-ungrounded", Title: "A report cites a line that isn't there, or that its run never read", Severity: Error,
		Why:   "A citation is what makes a claim checkable. One that doesn't ground was made up, or copied from elsewhere.",
		Fix:   "Cite a line that the run read, in a file of the repository, or take the finding out.",
		Since: "0.1.0",
	},
	{
		Code: "result-claims-unwritten", Title: "A report claims a change that no commit of its step made", Severity: Error,
		Why:   "Work that is reported and was never done is missed by everybody who trusts the report.",
		Fix:   "Take the path out of the report, or commit the change under the step's claim.",
		Since: "0.1.0",
	},
	{
		Code: "result-omits-written", Title: "A commit changed a path that its step's report doesn't name", Severity: Warning,
		Why:   "A change that nobody reported is one that nobody looks at.",
		Fix:   "Name every changed path in mutatedPaths.",
		Since: "0.1.0",
	},
	{
		Code: "result-missing", Title: "A step is claimed, and there is no report of it", Severity: Error,
		Why:   "Reports are required here. A run without one may have crashed, or had something to hide.",
		Fix:   "Have the fleet's runner write the step's result file, or don't ask for --results-required.",
		Since: "0.1.0",
	},
	{
		Code: "result-failing", Title: "A report says itself that a check failed", Severity: Error,
		Why:   "The run knew that its work isn't right, and the commits are up for merging all the same.",
		Fix:   "Mend the work until the check passes, and report anew.",
		Since: "0.1.0",
	},
	{
		Code: "result-forbidden-kind", Title: "A report is of a kind that its step can't be answered with", Severity: Error,
		Why:   "A step is answered by its own agent's contract. Another agent's report, or a kind that only a coordinator may set, would let a run choose what it is held to.",
		Fix:   "Report for the step by its own agent; in a recipe, declare a kind that a recipe may declare.",
		Since: "0.1.0",
	},
	{
		Code: "result-exhausted", Title: "A run's or a loop's attempts are used up, and the last one isn't good", Severity: Error,
		Why:   "The runtime ends such a run as failed. Work from it must not pass as done.",
		Fix:   "Give the work to a person, or start the step anew.",
		Since: "0.1.0",
	},
}
