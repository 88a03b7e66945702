package boundary

import "strings"

// Protection says whether a path decides what fleets may do (design.md, Protected paths).
type Protection uint8

const (
	// Unprotected is every ordinary path.
	Unprotected Protection = iota
	// Openable are workflows, actions and CODEOWNERS where GitHub reads it: a
	// writes entry that names exactly the file lets a step change it.
	Openable
	// Closed is .clio-coder/'s policy: no entry opens it.
	Closed
)

// ProtectionOf classifies a path under every spelling that some file system
// takes for the same one. The directories themselves count too: a link put in
// the place of .github replaces all that is in it.
func ProtectionOf(path string) Protection {
	first, rest, _ := strings.Cut(path, "/")
	switch FoldName(first) {
	case ".clio-coder":
		return policyProtection(rest)
	case ".github":
		return githubProtection(rest)
	case "docs":
		return openableIf(!strings.Contains(rest, "/") && FoldName(rest) == "codeowners")
	case "codeowners":
		return openableIf(rest == "")
	}
	return Unprotected
}

// policyProtection: files directly in .clio-coder/, and all under the policy directories.
func policyProtection(rest string) Protection {
	second, _, deeper := strings.Cut(rest, "/")
	if !deeper {
		return Closed
	}
	switch FoldName(second) {
	case "agents", "fleets", "playbooks":
		return Closed
	}
	return Unprotected
}

func githubProtection(rest string) Protection {
	second, _, deeper := strings.Cut(rest, "/")
	switch FoldName(second) {
	case "", "workflows", "actions":
		return Openable
	case "codeowners":
		return openableIf(!deeper)
	}
	return Unprotected
}

func openableIf(condition bool) Protection {
	if condition {
		return Openable
	}
	return Unprotected
}

// ProtectedPath says whether a claimed commit that changes path edits policy.
func ProtectedPath(path string) bool { return ProtectionOf(path) != Unprotected }

// IsPolicyPath says whether path, in any spelling, is part of .clio-coder/'s
// policy: files directly in it, agents, fleets, playbooks.
func IsPolicyPath(path string) bool { return ProtectionOf(path) == Closed }

// NeedsExactEntry says whether a directory entry doesn't cover a file of this
// name: .gitmodules, .gitattributes, CODEOWNERS and action files at any depth,
// .github/workflows/** and .github/actions/**.
func NeedsExactEntry(path string) bool {
	switch FoldName(path[strings.LastIndexByte(path, '/')+1:]) {
	case ".gitmodules", ".gitattributes", "codeowners", "action.yml", "action.yaml":
		return true
	}
	return ProtectionOf(path) == Openable
}
