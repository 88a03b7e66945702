package report

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/fleetgate/fleetgate/internal/verdict"
)

// hostileTexts are what a path, a subject or a name of a repository may be.
var hostileTexts = map[string]string{
	"a newline and a command":    "x\n::error::forged",
	"a command":                  "::error::forged",
	"a command after space":      "\t ::set-output name=verdict::passed",
	"a return and a command":     "x\r::warning::forged",
	"an older command":           "a ##[error]forged ##[add-mask]b ###[group]",
	"another system's command":   "##vso[task.complete result=Succeeded]",
	"an outputs delimiter":       "ghadelimiter_1b2c\nverdict=passed\nghadelimiter_1b2c",
	"back-ticks":                 "``` a ` b `` c",
	"a back-tick at each end":    "`a`",
	"spaces before code":         "    a `b`",
	"a rule":                     "--- --- ---",
	"a numbered list":            "1) a",
	"a link":                     "a](http://evil.example) [b](javascript:alert(1)) http://evil.example www.evil.example x@evil.example",
	"a dot after www":            "`a](http://evil.example) http://evil.example www..evil.example",
	"a link in a code span":      "`](http://evil.example)",
	"HTML":                       `<img src=x onerror=alert(1)><!-- <details>`,
	"a mention":                  "@octo/team and #1 and GH-1",
	"a table":                    "a | b \\| c |\n|---|",
	"properties":                 "a,b:c%d=e%0A%2C",
	"terminal sequences":         "\x1b[31mred\x1b[0m \x1b]8;;http://evil.example\x07link\x1b]8;;\x07 \u009b31m",
	"direction":                  "\u202egpj.exe\u202c \u2066x\u2069 \u200f",
	"invisible":                  "a\u200b\u00ad\ufeff\u2028b\U000e0041",
	"NUL and DEL":                "a\x00b\x7f",
	"quotes":                     `a"b'c\"d\`,
	"Mermaid":                    "a\"]\n click n0 \"javascript:alert(1)\" %%{init: {}}%% end --> b; style n1 fill:#fff; classDef x fill:#000;",
	"Graphviz":                   "a\\\" ]; evil [label=<b>x</b>] \\N &quot;",
	"no UTF-8":                   "caf\xe9/\xff\xfe.md",
	"half a surrogate":           "\xed\xa0\x80",
	"a list":                     "- 1. x",
	"a heading":                  "# x",
	"a fence":                    "```\n```mermaid\nflowchart LR",
	"long":                       strings.Repeat("long/", 800),
	"long and not ASCII":         strings.Repeat("é", 4000),
	"only space":                 " ",
	"empty":                      "",
	"space at the end":           "a ",
	"formulas":                   "$$x$$ $`y`$",
	"what the numbers stand for": "&#64;octo #64; ﬂ°°64¶ß",
	"XML":                        "]]></failure><testcase name=\"forged\"/>",
}

// hostile has s wherever a verdict can hold what a repository says.
func hostile(s string) verdict.Verdict {
	v := manyKinds()
	v.Summary, v.Hint = s, s
	v.Repository, v.Event = s, s
	for i := range v.Commits {
		c := &v.Commits[i]
		c.Subject = s
		c.Claims, c.Allow = replaced(c.Claims, s), replaced(c.Allow, s)
		for j := range c.Changes {
			c.Changes[j].Path = s
		}
	}
	f := &v.Fleets[0]
	f.Name, f.Path, f.Violated = s, s, []string{s}
	for i := range f.Steps {
		step := &f.Steps[i]
		step.ID, step.Agent, step.Writes = s, s, replaced(step.Writes, s)
	}
	for i := range v.Diagnostics {
		d := &v.Diagnostics[i]
		d.Message, d.Hint, d.Field, d.Pos.File = s, s, s, s
		for j := range d.Related {
			d.Related[j].Message, d.Related[j].Pos.File = s, s
		}
		if d.Path != "" {
			d.Path = s
		}
		if d.Step != "" {
			d.Step = s
		}
	}
	return v
}

func replaced(list []string, s string) []string {
	out := slices.Clone(list)
	for i := range out {
		out[i] = s
	}
	return out
}

// eachHostile runs a check over hostile verdicts of every word and shape.
func eachHostile(t *testing.T, check func(t *testing.T, v verdict.Verdict)) {
	for name, s := range hostileTexts {
		t.Run(name, func(t *testing.T) {
			v := hostile(s)
			check(t, sealed(t, v))
			v.Commits = nil // findings of commits without a row
			check(t, sealed(t, v))
			v.Word, v.Diagnostics = verdict.Undecided, nil
			check(t, sealed(t, v))
			v.Word, v.Incomplete, v.Reason, v.Head = verdict.Passed, false, "no-policy", ""
			check(t, sealed(t, v))
		})
	}
}

var oldCommand = regexp.MustCompile(`##[A-Za-z]*\[`)

// checkLog holds what every text that may land in a runner's log must keep.
func checkLog(t *testing.T, text string, commands bool) {
	t.Helper()
	if !utf8.ValidString(text) || !strings.HasSuffix(text, "\n") {
		t.Errorf("%q is no text of whole lines", text)
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		for _, r := range line {
			if !unicode.IsPrint(r) {
				t.Errorf("%U stands in %q", r, line)
			}
		}
		if !commands && strings.HasPrefix(strings.TrimSpace(line), "::") {
			t.Errorf("a runner obeys %q", line)
		}
		if oldCommand.MatchString(line) {
			t.Errorf("a runner obeys a part of %q", line)
		}
	}
}

func TestTextForgesNothing(t *testing.T) {
	eachHostile(t, func(t *testing.T, v verdict.Verdict) {
		checkLog(t, rendered(t, Text, v), false)
		checkLog(t, rendered(t, Style{Width: 20}.Text, v), false)
	})
}

func TestAnyMessageIsOneHarmlessLine(t *testing.T) {
	for _, s := range hostileTexts {
		line := Line(s)
		checkLog(t, line+"\n", false)
		if strings.Contains(line, "\n") {
			t.Errorf("%q is more than one line", line)
		}
	}
}

// A terminal gets our own colour sequences, and no other.
func TestColouredTextHasOnlyOurSequences(t *testing.T) {
	ours := regexp.MustCompile(`\x1b\[(0|1|31|32|33|36|1;3[123])m`)
	eachHostile(t, func(t *testing.T, v verdict.Verdict) {
		checkLog(t, ours.ReplaceAllString(rendered(t, Style{Color: true}.Text, v), ""), false)
	})
}

func TestJSONForgesNothing(t *testing.T) {
	eachHostile(t, func(t *testing.T, v verdict.Verdict) { checkLog(t, rendered(t, JSON, v), false) })
}

func TestAnnotationsForgeNothing(t *testing.T) {
	eachHostile(t, func(t *testing.T, v verdict.Verdict) {
		text := rendered(t, GitHub, v)
		checkLog(t, text, true)
		want := Annotations(v, MaxAnnotations)
		var got []parsedCommand
		for line := range strings.Lines(text) {
			if c, ok := parseCommand(strings.TrimSuffix(line, "\n")); ok {
				got = append(got, c)
			}
		}
		if len(got) != len(want) {
			t.Fatalf("%d commands for %d annotations in %s", len(got), len(want), text)
		}
		for i, c := range got {
			checkCommand(t, c, want[i])
		}
	})
}

// parsedCommand is a workflow command as the runner reads it.
type parsedCommand struct {
	name, message string
	properties    map[string]string
}

var (
	undoData     = strings.NewReplacer("%0D", "\r", "%0A", "\n", "%25", "%")
	undoProperty = strings.NewReplacer("%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",", "%25", "%")
)

func parseCommand(line string) (parsedCommand, bool) {
	line = strings.TrimLeftFunc(line, unicode.IsSpace)
	head, message, ok := strings.Cut(strings.TrimPrefix(line, "::"), "::")
	if !ok || !strings.HasPrefix(line, "::") {
		return parsedCommand{}, false
	}
	c := parsedCommand{message: undoData.Replace(message), properties: map[string]string{}}
	name, properties, _ := strings.Cut(head, " ")
	c.name = name
	for _, property := range strings.Split(properties, ",") {
		key, value, _ := strings.Cut(property, "=")
		c.properties[key] = undoProperty.Replace(value)
	}
	return c, true
}

func checkCommand(t *testing.T, got parsedCommand, want Annotation) {
	t.Helper()
	line := got.properties["line"]
	if got.name != want.Severity.String() || got.properties["title"] != guardBrackets(want.Title) || got.properties["file"] != want.Pos.File || (line != "") != (want.Pos.File != "" && want.Pos.Line > 0) {
		t.Errorf("%+v is not %+v", got, want)
	}
	if got.message != guardBrackets(want.Message) || len(got.message) > maxAnnotation+200 {
		t.Errorf("message %q is not %q", got.message, want.Message)
	}
	for key := range got.properties {
		if !slices.Contains([]string{"file", "line", "col", "endLine", "endColumn", "title"}, key) {
			t.Errorf("a forged property %s", key)
		}
	}
	for _, part := range []string{"../", "/"} {
		if strings.HasPrefix(got.properties["file"], part) {
			t.Errorf("%s is not relative to the repository", got.properties["file"])
		}
	}
}

func TestMarkdownForgesNothing(t *testing.T) {
	eachHostile(t, func(t *testing.T, v verdict.Verdict) {
		page := rendered(t, Markdown, v)
		checkLog(t, page, false)
		checkMarkdown(t, page)
	})
}

var ourSyntax = regexp.MustCompile(`&#\d+;|\*\*Policy and other files\*\*|\*\*(Commit |This is no pass:)?(\*\*)?|^\|---.*`)

// checkMarkdown takes a page apart as CommonMark does: fenced pictures, then
// code spans; in what is left nothing may be syntax that isn't ours.
func checkMarkdown(t *testing.T, page string) {
	t.Helper()
	checkNodes(t, page)
	inPicture := false
	for line := range strings.Lines(page) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case line == "```mermaid" || line == "```":
			inPicture = !inPicture
			continue
		case inPicture:
			checkMermaidLine(t, line)
			continue
		}
		plain := withoutCode(line)
		if strings.HasPrefix(line, "|") && strings.Count(strings.ReplaceAll(line, `\|`, ""), "|") != 6 {
			t.Errorf("a row of other than five cells: %q", line)
		}
		plain = strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(plain, "## "), "### "), "#")
		plain = ourSyntax.ReplaceAllString(plain, " ") // a space: what stood around it has not met
		if at := strings.IndexAny(plain, "`*_[]<>@#~$\\{}&=+^!"); at >= 0 {
			t.Errorf("%q stands outside of code in %q", plain[at], line)
		}
		if strings.Contains(plain, "://") || strings.Contains(strings.ToLower(plain), "www.") {
			t.Errorf("a link in %q", line)
		}
	}
	if inPicture {
		t.Error("a picture isn't closed")
	}
}

// withoutCode drops the code spans of a line: a run of back-ticks opens one
// that the next run of the same length closes.
func withoutCode(line string) string {
	var out strings.Builder
	for i := 0; i < len(line); {
		run := tickRun(line[i:])
		if run == 0 {
			out.WriteByte(line[i])
			i++
			continue
		}
		end := closing(line[i+run:], run)
		if end < 0 {
			out.WriteString(line[i : i+run])
			i += run
			continue
		}
		i += run + end + run
	}
	return out.String()
}

func tickRun(s string) int { return len(s) - len(strings.TrimLeft(s, "`")) }

func closing(s string, run int) int {
	for i := 0; i < len(s); {
		n := tickRun(s[i:])
		if n == run {
			return i
		}
		i += max(n, 1)
	}
	return -1
}

var mermaidLines = regexp.MustCompile(`^(flowchart LR` +
	`|  classDef violated fill:#ffebe9,stroke:#cf222e,stroke-width:3px,color:#82071e` +
	`|  class n\d+ violated` +
	`|  n\d+ (-->|-\.->) n\d+` +
	`|  subgraph f\d+\["LABEL"\]|  end` +
	`|  n\d+(\["LABEL"\]|\[\["LABEL"\]\]|\{\{"LABEL"\}\}|\[/"LABEL"/\]))$`)

var mermaidLabel = regexp.MustCompile(`"(#\d+;|<br/>|[\pL\pM\p{Nd} /,.…✗_-])*"`)

func checkMermaidLine(t *testing.T, line string) {
	t.Helper()
	if shape := mermaidLabel.ReplaceAllString(line, `"LABEL"`); !mermaidLines.MatchString(shape) {
		t.Errorf("Mermaid would not read %q as a label", line)
	}
}

func TestMermaidForgesNothing(t *testing.T) {
	eachHostile(t, func(t *testing.T, v verdict.Verdict) {
		text := rendered(t, Mermaid, v)
		checkLog(t, text, false)
		for line := range strings.Lines(text) {
			checkMermaidLine(t, strings.TrimSuffix(line, "\n"))
		}
	})
}

var (
	dotString = regexp.MustCompile(`"([^"\\<>]|\\["\\n])*"`)
	dotLines  = regexp.MustCompile(`^(digraph fleets \{|  rankdir=LR|  node \[shape=box, fontname=S\]|  subgraph cluster_\d+ \{|    label=S` +
		`|    n\d+ \[label=S(, shape=\w+)?(, style=filled, color=S, fillcolor=S, fontcolor=S, penwidth=3)?\]|    n\d+ -> n\d+( \[style=dashed, constraint=false\])?|  \}|\})$`)
)

func TestDOTForgesNothing(t *testing.T) {
	eachHostile(t, func(t *testing.T, v verdict.Verdict) {
		text := rendered(t, DOT, v)
		checkLog(t, text, false)
		for line := range strings.Lines(text) {
			line = strings.TrimSuffix(line, "\n")
			if shape := dotString.ReplaceAllString(line, "S"); !dotLines.MatchString(shape) {
				t.Errorf("Graphviz would not read %q as a label", line)
			}
		}
	})
}
