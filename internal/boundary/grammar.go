package boundary

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/value"
)

// MaxEntries is how many entries one `writes` may declare, duplicates counted (spec section 6).
const MaxEntries = 32

// The refusals of the write-boundary grammar, in the order in which they are
// looked for (spec section 6). WritesTooMany is about a list, the others about
// one entry. It has no rule in the registry: a contract's schema refuses a list
// of that length before its grammar is looked at.
const (
	WritesTooMany   diag.Code = "writes-too-many"
	WritesEmpty     diag.Code = "writes-empty"
	WritesSeparator diag.Code = "writes-separator"
	WritesGlob      diag.Code = "writes-glob"
	WritesAbsolute  diag.Code = "writes-absolute"
	WritesParent    diag.Code = "writes-parent"
	WritesDot       diag.Code = "writes-dot"
)

const globCharacters = "*?[]{}"

// ParseEntry reads one entry of a write boundary (spec section 6): trimmed,
// repeated slashes collapsed; a trailing slash is kept and means the directory
// and everything under it. refusal is empty for a good entry, else the code of
// the first rule that it breaks, and bad is the part that breaks it.
func ParseEntry(raw string) (entry string, refusal diag.Code, bad string) {
	trimmed := value.Trim(raw)
	if trimmed == "" {
		return "", WritesEmpty, raw
	}
	if strings.Contains(trimmed, `\`) {
		return "", WritesSeparator, `\`
	}
	if at := strings.IndexAny(trimmed, globCharacters); at >= 0 {
		return "", WritesGlob, trimmed[at : at+1]
	}
	if root := absolutePrefix(trimmed); root != "" {
		return "", WritesAbsolute, root
	}
	return parseSegments(trimmed)
}

// absolutePrefix gives the leading slash or drive letter, or "".
func absolutePrefix(entry string) string {
	if entry[0] == '/' {
		return "/"
	}
	if len(entry) > 1 && entry[1] == ':' && isLetter(entry[0]) {
		return entry[:2]
	}
	return ""
}

func isLetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }

// parseSegments collapses repeated slashes and refuses the first `..` or `.`.
func parseSegments(entry string) (string, diag.Code, string) {
	var clean []string
	for segment := range strings.SplitSeq(entry, "/") {
		switch segment {
		case "":
			continue
		case "..":
			return "", WritesParent, segment
		case ".":
			return "", WritesDot, segment
		}
		clean = append(clean, segment)
	}
	path := strings.Join(clean, "/")
	if strings.HasSuffix(entry, "/") {
		path += "/"
	}
	return path, "", ""
}

// ParseList reads a whole `writes` list: too many entries first, then the
// first entry that is refused; at is its index, or -1 where the list itself is
// refused or nothing is. entries is normalized.
func ParseList(raw []string) (entries []string, refusal diag.Code, bad string, at int) {
	if len(raw) > MaxEntries {
		return nil, WritesTooMany, fmt.Sprint(len(raw)), -1
	}
	for i, text := range raw {
		entry, refusal, bad := ParseEntry(text)
		if refusal != "" {
			return nil, refusal, bad, i
		}
		entries = append(entries, entry)
	}
	return Normalize(entries), "", "", -1
}

// Normalize collapses duplicates and sorts valid entries by UTF-16 code units,
// as the runtime does (spec section 6). It never gives nil.
func Normalize(entries []string) []string {
	sorted := append([]string{}, entries...)
	value.SortUTF16(sorted)
	return slices.Compact(sorted)
}

// FirstBounded is the contract version from which every position has a boundary.
const FirstBounded = 4

// StepBoundary gives the boundary of one position by its contract's version,
// its scope and its entries, valid already. bounded is false below version 4,
// where there is none at all; a readonly position may write nothing.
func StepBoundary(version int, readonly bool, entries []string) (allow []string, bounded bool) {
	if version < FirstBounded {
		return nil, false
	}
	if readonly {
		return []string{}, true
	}
	return Normalize(entries), true
}

// Refusal words a finding about an entry that ParseEntry or ParseList refused:
// raw is the entry as written, bad what they gave with the code.
func Refusal(code diag.Code, raw, bad string) (message, hint string) {
	entry := Quote(raw)
	switch code {
	case WritesTooMany:
		return fmt.Sprintf("writes has %s entries; at most %d may be declared", bad, MaxEntries),
			"name directories instead of single files, or split the step"
	case WritesEmpty:
		return fmt.Sprintf("writes entry %s names no path", entry),
			"name a file (docs/guide.md) or a directory (docs/), or drop the entry"
	case WritesSeparator:
		return fmt.Sprintf(`writes entry %s has a backslash; segments are separated by "/"`, entry),
			"write " + Quote(strings.ReplaceAll(value.Trim(raw), `\`, "/"))
	case WritesGlob:
		return fmt.Sprintf("writes entry %s has the glob character %q; entries are plain paths", entry, bad),
			"name the directory with a trailing slash, which covers everything under it"
	case WritesAbsolute:
		return fmt.Sprintf("writes entry %s is absolute (it starts with %q); entries are relative to the repository's root", entry, bad),
			"write the path as the repository has it, such as docs/"
	case WritesParent:
		return fmt.Sprintf(`writes entry %s has a ".." segment`, entry),
			"write the path from the repository's root, without climbing"
	case WritesDot:
		return fmt.Sprintf(`writes entry %s has a "." segment`, entry),
			`leave the "." out; there is no way to write "the whole repository"`
	}
	return fmt.Sprintf("writes entry %s is refused (%s)", entry, code), ""
}
