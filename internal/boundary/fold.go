package boundary

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// FoldName gives the key of a directory entry's name under which two names
// are the same file on some file system that a checkout may land on: letter
// case, Unicode form (NFC, NFD, NFKC), code points that HFS+ or a case-folding
// ext4 ignores, and what NTFS drops or abbreviates: trailing dots and spaces,
// stream suffixes, the 8.3 names of the protected paths' own parts.
//
// It takes one name, not a path: a compatibility form may contain a slash.
// FoldName(FoldName(x)) is FoldName(x).
func FoldName(name string) string {
	for range maxFolds {
		folded := foldOnce(name)
		if folded == name {
			break
		}
		name = folded
	}
	return name
}

// FoldPath folds every segment of a slash path.
func FoldPath(path string) string {
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		segments[i] = FoldName(segment)
	}
	return strings.Join(segments, "/")
}

// maxFolds bounds the rounds that a name is folded: each round but the last
// shortens it or settles its form, and no name needs more than a few.
const maxFolds = 16

func foldOnce(name string) string {
	return longName(trimNTFS(foldLetters(name)))
}

// foldLetters folds case and Unicode form. A name that isn't UTF-8 has no
// Unicode form; only its ASCII letters fold.
func foldLetters(name string) string {
	if isASCII(name) || !utf8.ValidString(name) {
		return lowerASCII(name)
	}
	visible := strings.Map(dropIgnorable, name)
	return norm.NFKC.String(strings.Map(dropIgnorable, cases.Fold().String(norm.NFKD.String(visible))))
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func lowerASCII(text string) string {
	for i := range len(text) {
		if 'A' <= text[i] && text[i] <= 'Z' {
			return lowerFrom(text, i)
		}
	}
	return text
}

func lowerFrom(text string, from int) string {
	bytes := []byte(text)
	for i := from; i < len(bytes); i++ {
		if 'A' <= bytes[i] && bytes[i] <= 'Z' {
			bytes[i] += 'a' - 'A'
		}
	}
	return string(bytes)
}

// dropIgnorable removes the code points that HFS+ ignores, and the rest of
// Unicode's Default_Ignorable_Code_Point, which a case-folding ext4 ignores.
func dropIgnorable(r rune) rune {
	if r < 0xAD || !isIgnorable(r) {
		return r
	}
	return -1
}

func isIgnorable(r rune) bool {
	if unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) {
		return true
	}
	if !unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Prepended_Concatenation_Mark, r) {
		return false
	}
	annotation := r >= 0xFFF9 && r <= 0xFFFB
	hieroglyph := r >= 0x13430 && r <= 0x13440
	return !annotation && !hieroglyph
}

// trimNTFS removes a typed stream suffix, then trailing dots and spaces, which
// Windows drops when it opens a file. A name of nothing else stays.
func trimNTFS(name string) string {
	if at := strings.IndexByte(name, ':'); at > 0 && isStreamType(name[at:]) {
		name = name[:at]
	}
	if trimmed := strings.TrimRight(name, ". "); trimmed != "" {
		return trimmed
	}
	return name
}

// isStreamType says whether suffix, folded already, is `:stream:type` with one
// of the types that reach the file or directory itself.
func isStreamType(suffix string) bool {
	return strings.HasSuffix(suffix, ":$data") && suffix != ":$data" ||
		strings.HasSuffix(suffix, ":$index_allocation") && suffix != ":$index_allocation"
}

// IsDotGit says whether a directory entry's name reaches a repository's own
// .git on some file system: no tree may hold one.
func IsDotGit(name string) bool {
	if FoldName(name) == ".git" {
		return true
	}
	// Windows splits at a backslash, and opens a stream of .git at any colon.
	head := name
	if at := strings.IndexAny(name, `\:`); at >= 0 {
		head = name[:at]
	}
	return head != name && FoldName(head) == ".git"
}
