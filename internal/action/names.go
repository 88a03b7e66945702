package action

import (
	"fmt"
	"strings"
)

// IsRepository says whether name is OWNER/REPO as GitHub writes them: two
// parts of letters, digits, hyphen, underscore and dot.
func IsRepository(name string) bool {
	owner, repo, ok := strings.Cut(name, "/")
	return ok && isNamePart(owner) && isNamePart(repo)
}

func isNamePart(part string) bool {
	if part == "" || part == "." || part == ".." || len(part) > 100 {
		return false
	}
	return strings.IndexFunc(part, func(c rune) bool { return !isNameRune(c) }) < 0
}

func isNameRune(c rune) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.'
}

// refProblem says why git would not take name as a branch or tag name (the
// rules of git check-ref-format), or gives the empty string.
func refProblem(name string) string {
	if name == "" || name == "@" {
		return "is no name"
	}
	if len(name) > MaxRefLength {
		return fmt.Sprintf("is longer than %d bytes", MaxRefLength)
	}
	for _, c := range []byte(name) {
		if c <= ' ' || c == 0x7f || strings.IndexByte(`~^:?*[\`, c) >= 0 {
			return fmt.Sprintf("contains %q", c)
		}
	}
	for _, part := range []string{"..", "@{"} {
		if strings.Contains(name, part) {
			return "contains " + part
		}
	}
	if strings.HasSuffix(name, ".") {
		return "ends with a dot"
	}
	return segmentProblem(name)
}

func segmentProblem(name string) string {
	for segment := range strings.SplitSeq(name, "/") {
		switch {
		case segment == "":
			return "has an empty segment"
		case strings.HasPrefix(segment, "."):
			return "has a segment that starts with a dot"
		case strings.HasSuffix(segment, ".lock"):
			return "has a segment that ends with .lock"
		}
	}
	return ""
}
