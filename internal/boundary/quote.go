package boundary

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Quote shows a path, or any text of a repository, in double quotes on one
// line: control, invisible and invalid bytes are escaped as Go writes them,
// letters of every script stay readable.
func Quote(text string) string {
	var out strings.Builder
	out.WriteByte('"')
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		writeQuoted(&out, r, text[i:i+size])
		i += size
	}
	out.WriteByte('"')
	return out.String()
}

// writeQuoted writes one rune; Marks (combining accents, as in decomposed
// names) are printable here though strconv may escape them at a word's start.
func writeQuoted(out *strings.Builder, r rune, raw string) {
	if r == utf8.RuneError && len(raw) == 1 {
		out.WriteString(`\x` + strconv.FormatUint(uint64(raw[0])|0x100, 16)[1:])
		return
	}
	if unicode.IsPrint(r) && r != '"' && r != '\\' {
		out.WriteString(raw)
		return
	}
	quoted := strconv.QuoteRune(r)
	if r == '"' {
		quoted = `'\"'`
	}
	out.WriteString(quoted[1 : len(quoted)-1])
}
