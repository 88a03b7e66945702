package boundary

import "strings"

// Trailer is one trailer of a commit message.
type Trailer struct {
	Key   string // as written; git compares keys without regard to case
	Value string // unfolded and trimmed
	Line  int    // 1-based line of the message where it starts
}

// Is says whether the trailer has this key, as git compares keys.
func (t Trailer) Is(key string) bool { return strings.EqualFold(t.Key, key) }

// ReadTrailers reads a message's trailers exactly as
// `git interpret-trailers --only-trailers --only-input --unfold --no-divider`
// does without any trailer.* configuration: the last paragraph, if all of it is
// trailers, or if git itself wrote one of its lines and at least a quarter of
// them are trailers. Comment lines, a scissors line with what follows it, and
// an old-style conflicts list don't count as text.
func ReadTrailers(message string) []Trailer {
	text, _, _ := strings.Cut(message, "\x00") // git reads C strings
	text = text[:trailerEnd(text)]
	lines := splitLines(text)
	return parseTrailers(lines, trailerStart(lines))
}

// ReadAllTrailers reads a message whole: every paragraph but the title that
// alone would be a trailer block. A squash that GitHub makes strings the
// messages of its commits together, each with trailers of its own.
func ReadAllTrailers(message string) []Trailer {
	const title = "title\n\n"
	var all []Trailer
	for i, p := range paragraphs(message) {
		if i == 0 {
			continue
		}
		for _, t := range ReadTrailers(title + p.text) {
			t.Line += p.line - 3 // the paragraph stands on line 3 here
			all = append(all, t)
		}
	}
	return all
}

type paragraph struct {
	text string
	line int // 1-based, of its first line
}

// paragraphs splits a message at its blank lines.
func paragraphs(message string) []paragraph {
	var all []paragraph
	lines := splitLines(message)
	for start := 0; start < len(lines); {
		end := start
		for end < len(lines) && !isBlankLine(lines[end]) {
			end++
		}
		if end > start {
			all = append(all, paragraph{text: strings.Join(lines[start:end], ""), line: start + 1})
		}
		start = end + 1
	}
	return all
}

// splitLines cuts text into lines that keep their newline.
func splitLines(text string) []string {
	lines := strings.SplitAfter(text, "\n")
	if last := len(lines) - 1; lines[last] == "" {
		return lines[:last]
	}
	return lines
}

const (
	commentMark = '#'
	scissors    = "# ------------------------ >8 ------------------------\n"
	conflicts   = "Conflicts:\n"
)

// writtenByGit are the beginnings of lines that git itself adds to a message.
var writtenByGit = []string{"Signed-off-by: ", "(cherry picked from commit "}

// trailerEnd gives the offset where the text ends for the purpose of trailers:
// at the scissors, or before a tail of comments, empty lines and conflicts.
//
// A tail that starts at offset 0 doesn't count as one: git uses that offset
// for "no tail".
func trailerEnd(text string) int {
	cut := scissorsAt(text)
	tail, inConflicts := 0, false
	for at := 0; at < cut; {
		line := lineAt(text, at)
		switch {
		case line[0] == commentMark || line[0] == '\n':
			tail = firstSet(tail, at)
		case line == conflicts:
			inConflicts = true
			tail = firstSet(tail, at)
		case inConflicts && line[0] == '\t':
		case tail != 0:
			tail, inConflicts = 0, false
		}
		at += len(line)
	}
	if tail != 0 {
		return tail
	}
	return cut
}

func firstSet(offset, otherwise int) int {
	if offset != 0 {
		return offset
	}
	return otherwise
}

func scissorsAt(text string) int {
	if strings.HasPrefix(text, scissors) {
		return 0
	}
	if at := strings.Index(text, "\n"+scissors); at >= 0 {
		return at + 1
	}
	return len(text)
}

// lineAt gives the line that starts at offset, with its newline.
func lineAt(text string, offset int) string {
	line := text[offset:]
	if end := strings.IndexByte(line, '\n'); end >= 0 {
		return line[:end+1]
	}
	return line
}

// trailerStart gives the index of the first line of the trailer block, or the
// number of lines where there is no block. The title is never part of it.
func trailerStart(lines []string) int {
	block := blockCount{}
	blankTail := true
	title := titleEnd(lines)
	for i := len(lines) - 1; i >= title; i-- {
		line := lines[i]
		switch {
		case line[0] == commentMark:
			block.closeContinuations()
		case !isBlankLine(line):
			blankTail = false
			block.add(line)
		case blankTail:
		case block.isTrailers():
			return i + 1
		default:
			return len(lines)
		}
	}
	return len(lines)
}

// titleEnd gives the index of the blank line that ends the first paragraph.
func titleEnd(lines []string) int {
	for i, line := range lines {
		if line[0] != commentMark && isBlankLine(line) {
			return i
		}
	}
	return len(lines)
}

// blockCount counts the kinds of lines of a paragraph, read from its end.
type blockCount struct {
	trailers, others int
	continuations    int // lines that start with space, whose own line isn't met yet
	fromGit          bool
}

func (b *blockCount) add(line string) {
	switch {
	case startsAsGit(line):
		b.fromGit = true
		b.trailers++
		b.continuations = 0
	case isSpace(line[0]):
		b.continuations++
	case separatorAt(line) >= 1:
		b.trailers++
		b.continuations = 0
	default:
		b.others++
		b.closeContinuations()
	}
}

// closeContinuations counts the lines that continue no trailer as text.
func (b *blockCount) closeContinuations() {
	b.others += b.continuations
	b.continuations = 0
}

// isTrailers decides at the blank line above: all of it is trailers, or git
// wrote one line of it and at least a quarter are trailers.
func (b *blockCount) isTrailers() bool {
	b.closeContinuations()
	if b.fromGit && b.trailers*3 >= b.others {
		return true
	}
	return b.trailers > 0 && b.others == 0
}

func startsAsGit(line string) bool {
	for _, prefix := range writtenByGit {
		if strings.HasPrefix(line, prefix) {
			return true
		}
	}
	return false
}

// parseTrailers reads the lines of the block from start on. After a trailer,
// lines that start with space continue its value.
func parseTrailers(lines []string, start int) []Trailer {
	var found []Trailer
	for i := start; i < len(lines); {
		next := i + 1
		separator := separatorAt(lines[i])
		if separator < 1 {
			i = next
			continue
		}
		for next < len(lines) && isSpace(lines[next][0]) {
			next++
		}
		folded := strings.Join(lines[i:next], "")
		found = append(found, Trailer{
			Key:   trimSpace(folded[:separator]),
			Value: unfold(trimSpace(folded[separator+1:])),
			Line:  i + 1,
		})
		i = next
	}
	return found
}

// unfold joins continuation lines by one space.
func unfold(folded string) string {
	first, rest, more := strings.Cut(folded, "\n")
	if !more {
		return folded
	}
	var out strings.Builder
	for out.WriteString(first); more; {
		var line string
		line, rest, more = strings.Cut(strings.TrimLeft(rest, gitSpace), "\n")
		out.WriteString(" " + line)
	}
	return trimSpace(out.String())
}

// separatorAt gives the offset of the colon that ends a trailer's key, or -1:
// letters, digits and hyphens, then perhaps spaces, then the colon.
func separatorAt(line string) int {
	spaced := false
	for i := range len(line) {
		c := line[i]
		switch {
		case c == ':':
			return i
		case !spaced && isKeyByte(c):
		case i > 0 && (c == ' ' || c == '\t'):
			spaced = true
		default:
			return -1
		}
	}
	return -1
}

func isKeyByte(c byte) bool { return isLetter(c) || '0' <= c && c <= '9' || c == '-' }

// gitSpace is what git calls space, whatever the locale.
const gitSpace = " \t\n\r"

func isSpace(c byte) bool { return strings.IndexByte(gitSpace, c) >= 0 }

func trimSpace(text string) string { return strings.Trim(text, gitSpace) }

func isBlankLine(line string) bool { return trimSpace(line) == "" }
