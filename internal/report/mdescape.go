package report

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// mdCode shows a name as a code span that nothing in it can end, in which no
// mention and no link is made. It stays on one line.
func mdCode(s string) string {
	s = Name(s)
	fence := strings.Repeat("`", longestRun(s, '`')+1)
	if s[0] == '`' || s[len(s)-1] == '`' {
		s = " " + s + " "
	}
	return fence + s + fence
}

// mdCell is mdCode in a table, where a pipe would end the cell.
func mdCell(s string) string { return strings.ReplaceAll(mdCode(s), "|", `\|`) }

func longestRun(s string, b byte) int {
	longest, run := 0, 0
	for i := range len(s) {
		if s[i] != b {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// mdProse shows a message as text. What stands between back-ticks is code,
// safe as any other; the rest is plain.
func mdProse(s string) string {
	parts := strings.Split(prose(s), "`")
	if len(parts)%2 == 0 {
		return mdPlain(prose(s))
	}
	var out strings.Builder
	for i, part := range parts {
		switch {
		case i%2 == 0:
			out.WriteString(mdPlain(part))
		case part != "":
			out.WriteString(mdCode(part))
		}
	}
	return out.String()
}

// mdPlain writes what Markdown could read as syntax as entities, and breaks by
// a character of no width what GitHub would make a mention or a reference of.
func mdPlain(s string) string {
	var out strings.Builder
	for i, r := range s {
		switch {
		case r == '@' || r == '#':
			fmt.Fprintf(&out, "&#%d;&#8203;", r)
		case r >= utf8.RuneSelf || harmless(s, i):
			out.WriteRune(r)
		default:
			fmt.Fprintf(&out, "&#%d;", r)
		}
	}
	return out.String()
}

// harmless says whether the ASCII character at i is plain text where it stands.
func harmless(s string, i int) bool {
	switch b := s[i]; {
	case b == ':':
		return i+1 == len(s) || s[i+1] == ' '
	case b == '.':
		return i < 3 || !strings.EqualFold(s[i-3:i], "www")
	default:
		return b >= '0' && b <= '9' || isASCIILetter(rune(b)) || strings.IndexByte(` ,;'"()/-?`, b) >= 0
	}
}
