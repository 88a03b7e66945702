package strictyaml

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/value"
)

// scalarText gives the text that a plain or quoted scalar stands for.
func (c *composer) scalarText(t token) string {
	text := c.textOf(t)
	switch t.kind {
	case kindSingle:
		if len(text) < 2 || text[len(text)-1] != '\'' {
			c.unclosedQuote(t)
			return ""
		}
		return strings.ReplaceAll(unfold(text[1:len(text)-1]), "''", "'")
	case kindDouble:
		if len(text) < 2 || text[len(text)-1] != '"' {
			c.unclosedQuote(t)
			return ""
		}
		return c.unescape(t, text[:len(text)-1])
	}
	c.plainStart(t, text)
	return unfold(text)
}

func (c *composer) unclosedQuote(t token) {
	c.fail(t, "this quote is never closed: a further line of the text must be indented more than its key", "close it, and indent its lines")
}

// plainStart refuses a plain scalar by its first character.
func (c *composer) plainStart(t token, text string) {
	if text == "" {
		return
	}
	if strings.IndexByte(",%|>@`", text[0]) >= 0 {
		c.fail(t, "a text without quotes cannot start with "+text[:1]+" here", "quote it")
	}
}

// unfold joins the lines of a scalar: a line end becomes a space, and each
// empty line a line end.
func unfold(text string) string {
	first, rest, more := cutLine(text)
	if !more {
		return text
	}
	var b strings.Builder
	b.WriteString(strings.TrimRight(first, " \t"))
	separator := " "
	for more {
		var line string
		line, rest, more = cutLine(rest)
		if !more {
			b.WriteString(separator)
			b.WriteString(strings.TrimLeft(line, " \t"))
			break
		}
		line = strings.Trim(line, " \t")
		switch {
		case line != "":
			b.WriteString(separator)
			b.WriteString(line)
			separator = " "
		case separator == "\n":
			b.WriteString("\n")
		default:
			separator = "\n"
		}
	}
	return b.String()
}

// cutLine gives the text before the first line end and what is behind it.
func cutLine(text string) (line, rest string, found bool) {
	line, rest, found = strings.Cut(text, "\n")
	if found {
		line = strings.TrimSuffix(line, "\r")
	}
	return line, rest, found
}

// escapes gives what each character behind a backslash stands for.
var escapes = map[byte]rune{
	'0': 0, 'a': '\a', 'b': '\b', 'e': 0x1B, 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v',
	'N': 0x85, '_': 0xA0, 'L': 0x2028, 'P': 0x2029, ' ': ' ', '"': '"', '/': '/', '\\': '\\', '\t': '\t',
}

// escapeDigits is how many hexadecimal digits follow \x, \u and \U.
var escapeDigits = map[byte]int{'x': 2, 'u': 4, 'U': 8}

// unescape gives the text between double quotes; text has the opening one still.
func (c *composer) unescape(t token, text string) string {
	if !strings.ContainsAny(text, "\\\n") {
		return text[1:]
	}
	out := make([]byte, 0, len(text))
	for i := 1; i < len(text); {
		switch text[i] {
		case '\\':
			out, i = c.escape(t, text, out, i)
		case '\n', ' ', '\t', '\r':
			out, i = foldBlanks(text, out, i)
		default:
			out = append(out, text[i])
			i++
		}
	}
	return string(out)
}

// foldBlanks reads white space: as it stands within a line, folded around line ends.
func foldBlanks(text string, out []byte, i int) ([]byte, int) {
	end := i
	for end < len(text) && (text[end] == ' ' || text[end] == '\t') {
		end++
	}
	rest, broken := cutBreak(text[end:])
	if !broken {
		if end == i { // a carriage return by itself
			end++
		}
		return append(out, text[i:end]...), end
	}
	return foldLines(text, out, len(text)-len(rest))
}

// foldLines reads the blank lines and the indentation behind a line end.
func foldLines(text string, out []byte, i int) ([]byte, int) {
	folded := len(out)
	for i < len(text) && isEmpty(int(text[i])) {
		if text[i] == '\r' && (i+1 == len(text) || text[i+1] != '\n') {
			break
		}
		if text[i] == '\n' {
			out = append(out, '\n')
		}
		i++
	}
	if len(out) == folded {
		out = append(out, ' ')
	}
	return out, i
}

// cutBreak removes a line end from the start of text.
func cutBreak(text string) (rest string, found bool) {
	if rest, found = strings.CutPrefix(text, "\n"); found {
		return rest, true
	}
	return strings.CutPrefix(text, "\r\n")
}

// escape reads the escape at i.
func (c *composer) escape(t token, text string, out []byte, i int) ([]byte, int) {
	if rest, broken := cutBreak(text[i+1:]); broken {
		rest = strings.TrimLeft(rest, " \t")
		return out, len(text) - len(rest)
	}
	letter := byte('"') // of the closing quote, if a line that breaks the text off ends with it
	if i+1 < len(text) {
		letter = text[i+1]
	}
	if r, ok := escapes[letter]; ok {
		return utf8.AppendRune(out, r), i + 2
	}
	digits := escapeDigits[letter]
	if r, ok := hexRune(text[min(i+2, len(text)):min(i+2+digits, len(text))], digits); ok {
		return value.AppendRune(out, r), i + 2 + digits
	}
	_, width := utf8.DecodeRuneInString(text[min(i+1, len(text)):])
	c.badEscape(c.posIn(t, i), text[i:min(i+1+width, len(text))], digits)
	return out, len(text)
}

func (c *composer) badEscape(pos diag.Pos, escape string, digits int) {
	message := escape + " in double quotes stands for nothing"
	if digits > 0 {
		message = fmt.Sprintf("%s in double quotes needs %d hexadecimal digits of a character behind it", escape, digits)
	}
	c.failAt(c.invalid, pos, message, `write \\ for a backslash, or use single quotes`)
}

// hexRune reads so many hexadecimal digits as a code point, which may be half of a pair.
func hexRune(digits string, want int) (rune, bool) {
	if want == 0 || len(digits) != want {
		return 0, false
	}
	for i := range want {
		if !isHex(int(digits[i])) {
			return 0, false
		}
	}
	n, err := strconv.ParseUint(digits, 16, 32)
	return rune(n), err == nil && n <= utf8.MaxRune
}
