package boundary

import (
	"slices"
	"strings"
)

// Covers says whether some entry of allow covers path, compared byte by byte:
// a backslash is an ordinary byte, and case and Unicode form matter (spec
// section 6). For many paths against one list, compile an Allowlist.
func Covers(allow []string, path string) bool {
	return slices.ContainsFunc(allow, func(entry string) bool { return entryCovers(entry, path) })
}

// entryCovers: `docs/` covers `docs/a` and not `docs`; `docs` covers only the file `docs`.
func entryCovers(entry, path string) bool {
	if strings.HasSuffix(entry, "/") {
		return strings.HasPrefix(path, entry)
	}
	return path == entry
}

// Overlap says whether either of two entries covers the other.
func Overlap(a, b string) bool { return entryCovers(a, b) || entryCovers(b, a) }

// Describe prints a boundary for people: its entries joined by ", ", or
// "(nothing: readonly)" for an empty one (spec section 6).
func Describe(allow []string) string {
	if len(allow) == 0 {
		return "(nothing: readonly)"
	}
	return strings.Join(allow, ", ")
}

// RuntimeCovers is Covers as the runtime's grammar computes it: backslashes
// become slashes on both sides. It exists for parity with recorded verdicts;
// nothing may be enforced by it, because git's paths may hold real backslashes.
func RuntimeCovers(allow []string, path string) bool {
	path = runtimeSlashes(path)
	return slices.ContainsFunc(allow, func(entry string) bool {
		return entryCovers(runtimeSlashes(entry), path)
	})
}

// RuntimeOverlap says whether any entry of two boundaries overlap, as the
// runtime's grammar computes it. Like RuntimeCovers, it is not for enforcement.
func RuntimeOverlap(left, right []string) bool {
	return slices.ContainsFunc(left, func(a string) bool {
		return slices.ContainsFunc(right, func(b string) bool {
			return Overlap(runtimeSlashes(a), runtimeSlashes(b))
		})
	})
}

func runtimeSlashes(text string) string { return strings.ReplaceAll(text, `\`, "/") }

// Allowlist is a list of valid entries, compiled so that a question costs one
// or two binary searches however long the list is. The zero Allowlist covers nothing.
type Allowlist struct {
	files []string // exact entries, in byte order
	dirs  []string // directory entries in byte order, none under another
}

// Compile prepares entries for many questions.
func Compile(entries []string) Allowlist {
	var list Allowlist
	sorted := slices.Clone(entries)
	slices.Sort(sorted)
	for _, entry := range slices.Compact(sorted) {
		if !strings.HasSuffix(entry, "/") {
			list.files = append(list.files, entry)
			continue
		}
		// In byte order a directory comes right before what is under it.
		if last := len(list.dirs) - 1; last < 0 || !strings.HasPrefix(entry, list.dirs[last]) {
			list.dirs = append(list.dirs, entry)
		}
	}
	return list
}

// Covers says whether some entry covers path, as the function Covers does.
func (l Allowlist) Covers(path string) bool { return l.Names(path) || l.Dir(path) != "" }

// Names says whether an entry names exactly this file.
func (l Allowlist) Names(path string) bool {
	_, found := slices.BinarySearch(l.files, path)
	return found
}

// Dir gives the outermost directory entry that path lies under, or "".
//
// No entry of dirs is under another, so only the last one that is not after
// path in byte order can be a prefix of it.
func (l Allowlist) Dir(path string) string {
	at, same := slices.BinarySearch(l.dirs, path)
	switch {
	case same:
		return path
	case at > 0 && strings.HasPrefix(path, l.dirs[at-1]):
		return l.dirs[at-1]
	}
	return ""
}
