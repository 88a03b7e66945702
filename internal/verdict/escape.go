package verdict

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// escape gives what stands for the rune r at the start of rest, or "" where it
// stands for itself. The canonical form escapes what RFC 8785 says and nothing else.
func (e *encoder) escape(r rune, size int, rest string) string {
	switch {
	case r == utf8.RuneError && size == 1:
		return "\uFFFD"
	case r < ' ' || r == '"' || r == '\\':
		return shortEscapes[r]
	case e.canonical:
		return ""
	}
	return readerEscape(r, rest)
}

// readerEscape hides from a terminal or a runner's log what JSON would let
// through: further controls, invisible and direction-changing characters, and
// the `##[command]` form, which a runner obeys anywhere in a line. A reader of
// the JSON gets the same string.
func readerEscape(r rune, rest string) string {
	if r == '#' && bracketCommand(rest) {
		return `\u0023`
	}
	if r < 0x7f || unicode.IsPrint(r) {
		return ""
	}
	if r > 0xffff {
		high, low := utf16.EncodeRune(r)
		return fmt.Sprintf(`\u%04x\u%04x`, high, low)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// bracketCommand says whether s begins like ##[error] or ##vso[task…].
func bracketCommand(s string) bool {
	word, ok := strings.CutPrefix(s, "##")
	if !ok {
		return false
	}
	return strings.HasPrefix(strings.TrimLeft(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"), "[")
}

// shortEscapes are the escapes that RFC 8785 prescribes, by code point.
var shortEscapes = func() (table [utf8.RuneSelf]string) {
	for r := range ' ' {
		table[r] = fmt.Sprintf(`\u%04x`, r)
	}
	for r, escape := range map[rune]string{'\b': `\b`, '\t': `\t`, '\n': `\n`, '\f': `\f`, '\r': `\r`, '"': `\"`, '\\': `\\`} {
		table[r] = escape
	}
	return table
}()

// plainByte tells the bytes that stand for themselves wherever they are.
var plainByte = func() (table [256]bool) {
	for b := ' '; b < 0x7f; b++ {
		table[b] = !strings.ContainsRune("\"\\#", b)
	}
	return table
}()
