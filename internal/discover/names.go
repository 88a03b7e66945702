package discover

import (
	"strings"
	"unicode"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

// maxLoginBytes is longer than any login of GitHub, its [bot] suffix included.
const maxLoginBytes = 100

// branchProblem says what is wrong with an exact branch name, by the rules of
// git check-ref-format, or is empty.
func branchProblem(name string) string {
	switch {
	case strings.HasPrefix(name, "refs/"):
		return "is a full reference; the name alone is expected"
	case strings.ContainsAny(name, "*?["):
		return "has a wildcard; only exact names are trusted"
	case strings.HasSuffix(name, "/"), strings.HasSuffix(name, "."), strings.HasSuffix(name, ".lock"), name == "@":
		return "is no branch name of git"
	}
	return prefixProblem(name)
}

// patternProblem says what is wrong with an exact branch name or a prefix that
// ends in *, or is empty.
func patternProblem(pattern string) string {
	prefix, open := strings.CutSuffix(pattern, "*")
	switch {
	case strings.ContainsAny(prefix, "*?["):
		return "has a wildcard other than a * at its end"
	case !open:
		return branchProblem(pattern)
	case strings.HasPrefix(prefix, "refs/"):
		return "is a full reference; the name alone is expected"
	case prefix == "":
		return ""
	}
	return prefixProblem(prefix)
}

// prefixProblem holds the beginning of a branch name against git's rules.
func prefixProblem(name string) string {
	const no = "is no branch name of git"
	switch {
	case strings.HasPrefix(name, "/"), strings.HasPrefix(name, "-"), strings.HasPrefix(name, "."):
		return no
	case strings.Contains(name, ".."), strings.Contains(name, "//"), strings.Contains(name, "/."), strings.Contains(name, "@{"), strings.Contains(name, ".lock/"):
		return no
	case strings.ContainsAny(name, `~^:\`), strings.ContainsFunc(name, func(r rune) bool { return r == ' ' || unicode.IsControl(r) }):
		return no
	}
	return ""
}

// loginProblem says what is wrong with an account's login, or is empty.
func loginProblem(login string) string {
	name := strings.TrimSuffix(login, "[bot]")
	switch {
	case strings.HasPrefix(login, "@"):
		return "begins with @"
	case len(login) > maxLoginBytes:
		return "is longer than any login"
	case name == "", strings.HasPrefix(name, "-"), strings.ContainsFunc(name, notInLogin):
		return "is no login"
	}
	return ""
}

func notInLogin(r rune) bool {
	return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '_'
}

// stepProblem says what is wrong with a permitted step, or is empty.
func stepProblem(step string) string {
	fleet, position, ok := strings.Cut(step, "/")
	switch {
	case !ok, fleet == "", position == "":
		return "is no fleet and step joined by a slash"
	case strings.Contains(fleet, "*"):
		return "has a wildcard in place of the fleet; each fleet is permitted by name"
	case position != "*" && strings.Contains(position, "*"):
		return "has a wildcard within the step's name; only all of a fleet's steps can be meant"
	}
	return ""
}

// commitProblem says what is wrong with a commit id, or is empty.
func commitProblem(id string) string {
	if _, ok := boundary.ParseOID(id); !ok {
		return "is no full commit id (40 hexadecimal digits)"
	}
	return ""
}
