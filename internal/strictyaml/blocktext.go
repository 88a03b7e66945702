package strictyaml

import (
	"strings"
)

var headerForm = lazyRegexp(`^[|>](?:([-+])([1-9])?|([1-9])([-+])?)?$`)

// blockHeader is the first line of a block scalar: | or >, how its trailing
// lines are kept, and its indentation if that is given.
type blockHeader struct {
	folded bool
	chomp  string // "-", "+" or empty
	indent int
}

func (c *composer) blockHeader(n *node) blockHeader {
	text := c.textOf(n.props[0])
	parts := headerForm().FindStringSubmatch(text)
	if parts == nil {
		c.fail(n.props[0], "the header "+quote(text)+" of a block text is not one of | and >, with + or - and a digit from 1 to 9 behind it", "correct the header, or quote the text")
		return blockHeader{}
	}
	c.checkEnd(n.props[1:])
	h := blockHeader{folded: text[0] == '>', chomp: parts[1] + parts[4]}
	if digit := parts[2] + parts[3]; digit != "" {
		h.indent = int(digit[0] - '0')
	}
	return h
}

// blockScalar makes the value of a block scalar.
func (c *composer) blockScalar(n *node, p props) composed {
	h := c.blockHeader(n)
	text := c.blockTextOf(n, h)
	made := c.scalar(kindHeader, text, p, c.pos(n.head), c.endOf(n.text))
	made.node = n
	return made
}

// blockLine is one line of a block scalar.
type blockLine struct {
	indent  int // how many spaces it starts with
	content string
	offset  int // of the line in the token
}

func (l blockLine) empty() bool { return l.content == "" || l.content == "\r" }

// spacesBeyond gives the spaces of l behind the first n.
func (l blockLine) spacesBeyond(n int) string { return strings.Repeat(" ", max(0, l.indent-n)) }

func blockLines(text string) []blockLine {
	if text == "" {
		return nil
	}
	var all []blockLine
	offset := 0
	for _, line := range strings.Split(text, "\n") {
		content := strings.TrimLeft(line, " ")
		all = append(all, blockLine{indent: len(line) - len(content), content: content, offset: offset})
		offset += len(line) + 1
	}
	return all
}

// blockTextOf gives the text that the lines of a block scalar stand for.
func (c *composer) blockTextOf(n *node, h blockHeader) string {
	lines := blockLines(c.textOf(n.text))
	end := len(lines)
	for end > 0 && lines[end-1].empty() {
		end--
	}
	if end == 0 {
		if h.chomp == "+" && len(lines) > 0 {
			return strings.Repeat("\n", max(1, len(lines)-1))
		}
		return ""
	}
	trim, start := c.blockIndent(n, h, lines)
	for i := len(lines) - 1; i >= end; i-- {
		if lines[i].indent > trim {
			end = i + 1
		}
	}
	var b strings.Builder
	for _, line := range lines[:start] {
		b.WriteString(line.spacesBeyond(trim) + "\n")
	}
	c.checkLines(n, lines[start:end], trim)
	if h.folded {
		foldBlock(&b, lines[start:end], trim)
	} else {
		literalBlock(&b, lines[start:end], trim)
	}
	return chomp(b.String(), h, lines[end:], trim)
}

// blockIndent gives the indentation to take from every line, and the first line with content.
func (c *composer) blockIndent(n *node, h blockHeader, lines []blockLine) (trim, start int) {
	trim = n.indent + h.indent
	for i, line := range lines {
		if line.empty() {
			if h.indent == 0 {
				trim = max(trim, line.indent)
			}
			continue
		}
		if line.indent < trim {
			c.failAt(c.invalid, c.posIn(n.text, line.offset), "an empty line of this block text is indented more than the first line with text", "take the spaces out of the empty line, or write the indentation into the header, as in |2")
		}
		if h.indent == 0 {
			trim = line.indent
		}
		if trim == 0 && c.nested {
			c.failAt(c.invalid, c.posIn(n.text, line.offset), "a block text must be indented more than the key that holds it", "indent its lines with spaces")
		}
		return trim, i
	}
	return trim, len(lines)
}

// checkLines refuses lines that are indented less than the first.
func (c *composer) checkLines(n *node, lines []blockLine, trim int) {
	for _, line := range lines {
		if strings.TrimSuffix(line.content, "\r") != "" && line.indent < trim {
			c.failAt(c.invalid, c.posIn(n.text, line.offset), "this line of a block text is indented less than the lines before it, or with a tab", "indent it with as many spaces")
			return
		}
	}
}

func literalBlock(b *strings.Builder, lines []blockLine, trim int) {
	for i, line := range lines {
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString(line.spacesBeyond(trim) + strings.TrimSuffix(line.content, "\r"))
	}
}

// foldBlock joins lines with spaces, but keeps the line ends around lines that
// are indented more.
func foldBlock(b *strings.Builder, lines []blockLine, trim int) {
	separator, moreBefore := "", false
	for _, line := range lines {
		content := strings.TrimSuffix(line.content, "\r")
		switch {
		case line.indent > trim || strings.HasPrefix(content, "\t"):
			if separator == " " {
				separator = "\n"
			} else if !moreBefore && separator == "\n" {
				separator = "\n\n"
			}
			b.WriteString(separator + line.spacesBeyond(trim) + content)
			separator, moreBefore = "\n", true
		case content != "":
			b.WriteString(separator + content)
			separator, moreBefore = " ", false
		case separator == "\n":
			b.WriteString("\n")
		default:
			separator = "\n"
		}
	}
}

// chomp ends the text as the header says.
func chomp(text string, h blockHeader, rest []blockLine, trim int) string {
	switch h.chomp {
	case "-":
		return text
	case "+":
		for _, line := range rest {
			text += "\n" + line.spacesBeyond(trim)
		}
		if strings.HasSuffix(text, "\n") {
			return text
		}
	}
	return text + "\n"
}
