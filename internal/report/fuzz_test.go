package report

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/fleetgate/fleetgate/internal/diag"
)

func addHostile(f *testing.F) {
	for _, s := range hostileTexts {
		f.Add(s)
	}
}

func FuzzEscapeName(f *testing.F) {
	addHostile(f)
	f.Fuzz(func(t *testing.T, s string) {
		name := Name(s)
		checkLog(t, guard(name)+"\n", false)
		if utf8.RuneCountInString(s) > maxName {
			return
		}
		if name == s && !strings.HasPrefix(s, `"`) {
			return
		}
		if back, err := strconv.Unquote(name); err != nil || back != s {
			t.Errorf("%q is shown as %s, which reads as %q", s, name, back)
		}
	})
}

func FuzzEscapeLog(f *testing.F) {
	addHostile(f)
	f.Fuzz(func(t *testing.T, s string) {
		var out strings.Builder
		l := newLines(&out)
		l.wrapped("", 2, 10, prose(s))
		l.line("%s", prose(s))
		if err := l.flush(); err != nil {
			t.Fatal(err)
		}
		checkLog(t, out.String(), false)
	})
}

func FuzzEscapeMarkdown(f *testing.F) {
	addHostile(f)
	f.Fuzz(func(t *testing.T, s string) {
		checkMarkdown(t, "- "+mdProse(s)+" "+mdCode(s)+"\n")
		row := "| " + strings.Repeat(mdCell(s)+" | ", 5)
		checkMarkdown(t, strings.TrimSuffix(row, " ")+"\n")
		if got := codeContent(mdCode(s)); got != Name(s) {
			t.Errorf("the code span of %q holds %q", s, got)
		}
	})
}

// codeContent reads a code span as CommonMark does.
func codeContent(span string) string {
	run := tickRun(span)
	content := span[run : run+closing(span[run:], run)]
	if len(content) > 1 && content[0] == ' ' && content[len(content)-1] == ' ' && strings.TrimSpace(content) != "" {
		return content[1 : len(content)-1]
	}
	return content
}

func FuzzEscapeCommand(f *testing.F) {
	f.Add("a,b:c%d", "x\n::error::forged")
	f.Fuzz(func(t *testing.T, file, message string) {
		a := Annotation{Severity: diag.Error, Pos: diag.Pos{File: file, Line: 1}, Title: file, Message: message}
		line := command(a)
		c, ok := parseCommand(line)
		if !ok || strings.ContainsAny(line, "\r\n") || c.properties["title"] != guardBrackets(file) || c.properties["file"] != file {
			t.Errorf("%q is read as %+v", line, c)
		}
		if c.message != guardBrackets(message) {
			t.Errorf("message %q is read as %q", message, c.message)
		}
	})
}

func FuzzEscapePicture(f *testing.F) {
	addHostile(f)
	f.Fuzz(func(t *testing.T, s string) {
		label := []string{Name(s), Name(s)}
		checkMermaidLine(t, fmt.Sprintf("  n1[\"%s\"]", quoted(label, mermaidText, "<br/>")))
		if shape := dotString.ReplaceAllString(fmt.Sprintf("    n1 [label=\"%s\"]", quoted(label, dotText, `\n`)), "S"); !dotLines.MatchString(shape) {
			t.Errorf("Graphviz would not read %q as a label", shape)
		}
	})
}
