package diag

// writesRules are the refusals of the write-boundary grammar (spec section 6).
var writesRules = []Rule{
	{
		Code:     "writes-empty",
		Title:    "A writes entry names no path",
		Severity: Error,
		Why:      "An entry of white space alone covers nothing that could be meant, so the runtime refuses the contract.",
		Fix:      "Name a file (docs/guide.md) or a directory (docs/), or drop the entry.",
		Since:    "0.1.0",
	},
	{
		Code:     "writes-separator",
		Title:    "A writes entry uses a backslash",
		Severity: Error,
		Why:      "Paths in git have forward slashes on every system; with a backslash the entry would name a different file.",
		Fix:      "Separate the segments with /.",
		Since:    "0.1.0",
	},
	{
		Code:     "writes-glob",
		Title:    "A writes entry uses a glob character",
		Severity: Error,
		Why:      "Entries are plain paths. Read as a pattern the entry would cover more than the runtime grants; read literally, nothing.",
		Fix:      "Name the directory with a trailing slash: it covers everything under it.",
		Since:    "0.1.0",
	},
	{
		Code:     "writes-absolute",
		Title:    "A writes entry is absolute",
		Severity: Error,
		Why:      "A boundary is about this repository; a path that starts with / or a drive letter points outside it.",
		Fix:      "Write the path from the repository's root, without the leading slash.",
		Since:    "0.1.0",
	},
	{
		Code:     "writes-parent",
		Title:    "A writes entry climbs with ..",
		Severity: Error,
		Why:      "A .. segment can leave the repository, or reach a directory that the reader of the entry doesn't see.",
		Fix:      "Write the path from the repository's root, without climbing.",
		Since:    "0.1.0",
	},
	{
		Code:     "writes-dot",
		Title:    "A writes entry has a . segment",
		Severity: Error,
		Why:      "One path must have one spelling. And ./ would mean the whole repository, which no step may be given.",
		Fix:      "Leave the . out, and name the directories that the step needs.",
		Since:    "0.1.0",
	},
}
