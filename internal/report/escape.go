package report

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of what a report shows of one text; the JSON has all of it.
const (
	maxName    = 500  // code points of a path, a step, a subject
	maxMessage = 2000 // code points of a message or a hint
)

// Name shows a path, an id or a subject on one line: as it is where it is
// plain, else as Quote does. What it shows is harmless in a log, too, but for
// `::` at a line's start, of which the writer of a log takes care.
func Name(s string) string {
	if plainName(s) {
		return shorten(s, maxName)
	}
	return Quote(s)
}

// item is Name for a list that is joined by ", ".
func item(s string) string {
	if strings.Contains(s, ", ") {
		return Quote(s)
	}
	return Name(s)
}

// Quote shows a text on one line in double quotes, with the escapes of Go
// strings for what is invisible, changes direction or isn't UTF-8. Letters of
// every script stay.
func Quote(s string) string {
	s = shorten(s, maxName)
	var out strings.Builder
	out.WriteByte('"')
	at := 0
	for r, raw := range runes(s) {
		at += len(raw)
		switch {
		case r == '"' || r == '\\':
			out.WriteString(`\` + raw)
		case r == '#' && bracketCommand(s, at):
			out.WriteString(`\x23`)
		default:
			out.WriteString(visible(r, raw))
		}
	}
	out.WriteByte('"')
	return out.String()
}

func plainName(s string) bool {
	if s == "" || s != strings.TrimSpace(s) || strings.ContainsAny(s, `"\`) || guardBrackets(s) != s {
		return false
	}
	for r, raw := range runes(s) {
		if visible(r, raw) != raw {
			return false
		}
	}
	return true
}

// prose shows a message on one line. Names in it are quoted already, so that
// only what cannot be shown is escaped.
func prose(s string) string {
	var out strings.Builder
	for r, raw := range runes(shorten(s, maxMessage)) {
		out.WriteString(visible(r, raw))
	}
	return guardBrackets(out.String())
}

// runes gives each code point with its bytes; a byte that is not part of
// valid UTF-8 comes alone, as U+FFFD.
func runes(s string) func(yield func(rune, string) bool) {
	return func(yield func(rune, string) bool) {
		for i := 0; i < len(s); {
			r, size := utf8.DecodeRuneInString(s[i:])
			if !yield(r, s[i:i+size]) {
				return
			}
			i += size
		}
	}
}

// visible gives raw, or an escape for what is no printable character.
func visible(r rune, raw string) string {
	if r == utf8.RuneError && len(raw) == 1 {
		return `\x` + strconv.FormatUint(0x100|uint64(raw[0]), 16)[1:]
	}
	if unicode.IsPrint(r) {
		return raw
	}
	quoted := strconv.QuoteRune(r)
	return quoted[1 : len(quoted)-1]
}

// shorten cuts s to at most n code points and marks the cut.
func shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	at, cut := 0, 0
	for i := range s {
		switch at {
		case n - 1:
			cut = i
		case n:
			return s[:cut] + "…"
		}
		at++
	}
	return s
}

// guard makes a line of a log harmless to a runner that reads it: a workflow
// command must not begin the line (`::error::`, white space before it
// notwithstanding), nor stand anywhere in it in its older form (`##[error]`).
func guard(line string) string {
	text := afterSpace(line)
	if strings.HasPrefix(text, "::") {
		line = line[:len(line)-len(text)] + `\` + text
	}
	return guardBrackets(line)
}

// afterSpace drops leading white space, and our colour sequences in it.
func afterSpace(line string) string {
	for {
		line = strings.TrimLeftFunc(line, unicode.IsSpace)
		sequence, rest, found := strings.Cut(line, "m")
		if !found || !strings.HasPrefix(sequence, "\x1b[") {
			return line
		}
		line = rest
	}
}

// guardBrackets breaks the older form of a workflow command, ##[command].
func guardBrackets(line string) string {
	if !strings.Contains(line, "##") {
		return line
	}
	var out strings.Builder
	for i := range len(line) {
		out.WriteByte(line[i])
		if line[i] == '#' && bracketCommand(line, i+1) {
			out.WriteByte('\\')
		}
	}
	return out.String()
}

// bracketCommand says whether ## ends at at and a name and a bracket follow:
// ##[command], or ##name[command] on other systems.
func bracketCommand(s string, at int) bool {
	return strings.HasSuffix(s[:at], "##") && strings.HasPrefix(strings.TrimLeftFunc(s[at:], isASCIILetter), "[")
}

func isASCIILetter(r rune) bool { return 'a' <= r|0x20 && r|0x20 <= 'z' }

// cut shortens s to at most n bytes, at the end of a character.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	n -= len("…")
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}
