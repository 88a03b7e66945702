package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// lines writes a text for people and for a runner's log, line by line. The
// first error of the writer sticks and is given by flush.
type lines struct{ out *bufio.Writer }

var oneLine = strings.NewReplacer("\n", `\n`, "\r", `\r`)

func newLines(w io.Writer) *lines { return &lines{bufio.NewWriter(w)} }

// line writes one line. Whatever it is made of, it stays one line, and a
// runner reads no command in it.
func (l *lines) line(format string, args ...any) {
	text := strings.TrimRight(fmt.Sprintf(format, args...), " ")
	l.out.WriteString(guard(oneLine.Replace(text)))
	l.out.WriteByte('\n')
}

// Line shows any message, whatever is in it, as one line that is harmless on a
// terminal and in a runner's log.
func Line(message string) string { return guard(prose(message)) }

func (l *lines) blank() { l.out.WriteByte('\n') }

func (l *lines) flush() error { return l.out.Flush() }

// wrapped writes text after a first prefix, broken between words at width
// code points; the lines after the first are indented by indent spaces.
func (l *lines) wrapped(first string, indent, width int, text string) {
	line, used, words := first, shownWidth(first), 0
	for word := range strings.FieldsSeq(text) {
		n := utf8.RuneCountInString(word)
		if words > 0 && used+1+n > width {
			l.line("%s", line)
			line, used, words = strings.Repeat(" ", indent), indent, 0
		}
		if words > 0 {
			line += " "
			used++
		}
		line += word
		used += n
		words++
	}
	l.line("%s", line)
}

// shownWidth counts code points, those of colour sequences aside.
func shownWidth(s string) int {
	n, inSequence := 0, false
	for _, r := range s {
		switch {
		case inSequence:
			inSequence = r != 'm'
		case r == '\x1b':
			inSequence = true
		default:
			n++
		}
	}
	return n
}
