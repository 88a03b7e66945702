package value

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// isSpace says whether the runtime's trim removes r: the white space and line
// ends of JavaScript, which include the byte order mark and leave out U+0085,
// U+180E and U+200B (spec section 1, "non-blank").
func isSpace(r rune) bool {
	switch {
	case r >= '\t' && r <= '\r', r == ' ', r == 0xA0, r == 0x1680, r >= 0x2000 && r <= 0x200A:
		return true
	}
	return r == 0x2028 || r == 0x2029 || r == 0x202F || r == 0x205F || r == 0x3000 || r == 0xFEFF
}

// Trim removes white space from both ends as the runtime's trim does.
func Trim(s string) string { return strings.TrimFunc(s, isSpace) }

// IsBlank says whether nothing is left of s after Trim.
func IsBlank(s string) bool { return Trim(s) == "" }

const (
	surrogateMin    = 0xD800
	lowSurrogateMin = 0xDC00
	surrogateMax    = 0xDFFF
	supplementary   = 0x10000
)

func isSurrogate(r rune) bool     { return r >= surrogateMin && r <= surrogateMax }
func isHighSurrogate(r rune) bool { return r >= surrogateMin && r < lowSurrogateMin }
func isLowSurrogate(r rune) bool  { return r >= lowSurrogateMin && r <= surrogateMax }

// decodeRune reads the first code point of s, which may be an unpaired
// surrogate in its three-byte form. A byte that belongs to neither form reads
// as U+FFFD of width 1, as utf8.DecodeRuneInString has it.
func decodeRune(s string) (r rune, width int) {
	if s[0] < utf8.RuneSelf {
		return rune(s[0]), 1
	}
	if len(s) >= 3 && s[0] == 0xED && s[1] >= 0xA0 && s[1] <= 0xBF && s[2] >= 0x80 && s[2] <= 0xBF {
		return surrogateMin | rune(s[1]&0x1F)<<6 | rune(s[2]&0x3F), 3
	}
	return utf8.DecodeRuneInString(s)
}

// AppendRune appends r to text. A low surrogate that meets a high one at
// text's end becomes the code point that the two stand for; any other
// surrogate is written in its three-byte form.
func AppendRune(text []byte, r rune) []byte {
	if !isSurrogate(r) {
		return utf8.AppendRune(text, r)
	}
	if isLowSurrogate(r) && len(text) >= 3 {
		if high, width := decodeRune(string(text[len(text)-3:])); width == 3 && isHighSurrogate(high) {
			return utf8.AppendRune(text[:len(text)-3], supplementary+(high-surrogateMin)<<10+(r-lowSurrogateMin))
		}
	}
	return append(text, 0xE0|byte(r>>12), 0x80|byte(r>>6)&0xBF, 0x80|byte(r)&0xBF)
}

// UTF16Len gives the length of s in UTF-16 code units.
func UTF16Len(s string) int {
	units := 0
	for len(s) > 0 {
		r, width := decodeRune(s)
		units++
		if r >= supplementary {
			units++
		}
		s = s[width:]
	}
	return units
}

// utf16Units gives the UTF-16 code units of s.
func utf16Units(s string) []uint16 {
	units := make([]uint16, 0, len(s))
	for len(s) > 0 {
		r, width := decodeRune(s)
		if r >= supplementary {
			r -= supplementary
			units = append(units, uint16(surrogateMin+r>>10))
			r = lowSurrogateMin + r&0x3FF
		}
		units = append(units, uint16(r))
		s = s[width:]
	}
	return units
}

// CompareUTF16 compares two strings by their UTF-16 code units, the order of
// the runtime's sort.
func CompareUTF16(a, b string) int {
	for len(a) > 0 && len(b) > 0 && a[0] < utf8.RuneSelf && b[0] < utf8.RuneSelf {
		if a[0] != b[0] {
			return cmp.Compare(a[0], b[0])
		}
		a, b = a[1:], b[1:]
	}
	if len(a) == 0 || len(b) == 0 {
		return cmp.Compare(len(a), len(b))
	}
	return cmp.Or(slices.Compare(utf16Units(a), utf16Units(b)), strings.Compare(a, b))
}

// SortUTF16 sorts list in place by UTF-16 code units.
func SortUTF16(list []string) { slices.SortFunc(list, CompareUTF16) }
