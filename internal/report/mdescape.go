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
// safe as any other; the rest is plain. It may stand where a line, or an item
// of a list, begins: it opens no list, rule or block of code there.
func mdProse(s string) string {
	s = strings.TrimSpace(prose(s))
	parts := strings.Split(s, "`")
	if len(parts)%2 == 0 {
		return mdStart(s)
	}
	var out strings.Builder
	for i, part := range parts {
		switch {
		case i == 0:
			out.WriteString(mdStart(part))
		case i%2 == 0:
			out.WriteString(mdPlain(part))
		case part != "":
			out.WriteString(mdCode(part))
		}
	}
	return out.String()
}

// mdStart is mdPlain for a text that opens a line: the sign that would make it
// an item of a list, or a rule, is an entity.
func mdStart(s string) string {
	digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
	if digits == len(s) || strings.IndexByte("-.)", s[digits]) < 0 {
		return mdPlain(s)
	}
	return fmt.Sprintf("%s&#%d;%s", s[:digits], s[digits], mdPlain(s[digits+1:]))
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
