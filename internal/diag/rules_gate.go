package diag

var gateRules = []Rule{
	{
		Code:     "policy-ignored",
		Title:    "The policy's folder is git-ignored as a whole",
		Severity: Warning,
		Why:      "What git ignores is never committed, so the base branch has no policy and nothing is judged by it.",
		Fix:      "Ignore what lies in .clio-coder/ and let the policy in again, by the lines that the finding gives.",
		Since:    "0.1.0",
	},
}
