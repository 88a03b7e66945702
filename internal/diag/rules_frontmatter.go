package diag

// frontMatterRules are the rules on texts: delimiters, encoding, size and the
// YAML within (spec sections 1 and 2).
var frontMatterRules = []Rule{
	{
		Code:     "frontmatter-missing-open",
		Title:    "the file does not start with front matter",
		Severity: Error,
		Why:      "Without an opening `---` on the first line, and nothing before it, the runtime finds no front matter and refuses the whole file.",
		Fix:      "Make `---`, alone on its line, the very first bytes of the file; save it without a byte order mark.",
		Since:    "0.1.0",
	},
	{
		Code:     "frontmatter-missing-close",
		Title:    "the front matter is not closed",
		Severity: Error,
		Why:      "Without a closing line the runtime cannot tell the front matter from the body and refuses the whole file.",
		Fix:      "Put a line that is exactly `---` after the last key: no space before or after it, and not directly on line 2.",
		Since:    "0.1.0",
	},
	{
		Code:     "frontmatter-invalid-yaml",
		Title:    "the front matter is not one valid YAML document",
		Severity: Error,
		Why:      "The runtime reads front matter as one strict YAML 1.2 document, so a text that some other reader would take is refused when the fleet is started.",
		Fix:      "Correct the YAML at the place given; quote a text that holds `: `, ` #` or starts with an indicator.",
		Since:    "0.1.0",
	},
	{
		Code:     "frontmatter-not-object",
		Title:    "the front matter is not a mapping",
		Severity: Error,
		Why:      "Recipes and contracts are read by key; a list, a lone text or an empty block has none.",
		Fix:      "Write `key: value` lines between the two `---` lines.",
		Since:    "0.1.0",
	},
	{
		Code:     "policy-not-utf8",
		Title:    "a policy file is not UTF-8",
		Severity: Error,
		Why:      "Other bytes would be replaced silently when the runtime reads the file, so what is judged would not be what is written.",
		Fix:      "Save the file as UTF-8 without a byte order mark.",
		Since:    "0.1.0",
	},
	{
		Code:     "policy-too-large",
		Title:    "a policy file is over a size limit",
		Severity: Error,
		Why:      "A file that is large, deep or multiplied by aliases beyond any real policy costs time and memory and hides what it says.",
		Fix:      "Split the file, or take out what is not policy; the message names the limit.",
		Since:    "0.1.0",
	},
	{
		Code:     "yaml-directive",
		Title:    "a YAML directive stands before the document",
		Severity: Error,
		Why:      "A `%YAML` directive makes the runtime read the whole document by another YAML version, in which `no` is a boolean and `010` is eight.",
		Fix:      "Take the directive out; the document is read as YAML 1.2 without it.",
		Since:    "0.1.0",
	},
}
