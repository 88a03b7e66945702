package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/fleetgate/fleetgate/internal/diag"
)

// Explain writes what a rule is, why it is one, the way out, and its two
// examples, for a terminal. A rule without its examples is an error of ours.
func Explain(w io.Writer, rule diag.Rule) error {
	bad, good, err := examplesOf(rule)
	if err != nil {
		return err
	}
	out := newLines(w)
	out.wrapped(string(rule.Code)+": ", 2, DefaultWidth, rule.Title)
	out.line("%s", weight(rule))
	out.blank()
	out.wrapped("why      ", 9, DefaultWidth, rule.Why)
	out.wrapped("way out  ", 9, DefaultWidth, rule.Fix)
	explainExample(out, "This raises it.", bad)
	explainExample(out, "This does not.", good)
	return out.flush()
}

func explainExample(out *lines, title string, e example) {
	out.blank()
	out.wrapped("", 0, DefaultWidth, title+" "+e.situation)
	out.blank()
	for line := range strings.Lines(e.script) {
		out.line("    %s", strings.TrimSuffix(line, "\n"))
	}
}

// weight is a rule's severity, and who may change it, in one line.
func weight(rule diag.Rule) string {
	fixed := ""
	if rule.Fixed {
		fixed = "; configuration can't lower it"
	}
	return fmt.Sprintf("%s, since %s%s", rule.Severity, rule.Since, fixed)
}

// example is one of a rule's scripts as people read it.
type example struct {
	situation string // the script's first comment
	script    string // commands, then the files they run on
}

func examplesOf(rule diag.Rule) (bad, good example, err error) {
	text, err := diag.Example(rule.Code, true)
	if err != nil {
		return bad, good, err
	}
	bad = readExample(text)
	text, err = diag.Example(rule.Code, false)
	return bad, readExample(text), err
}

// readExample takes the test's own words out of a script: `raises ARGS` and
// `spares ARGS` run fleetgate and look for the code.
func readExample(text string) example {
	var e example
	var script strings.Builder
	inFiles := false
	for line := range strings.Lines(text) {
		comment, isComment := strings.CutPrefix(line, "# ")
		inFiles = inFiles || strings.HasPrefix(line, "-- ")
		switch {
		case inFiles:
			script.WriteString(line)
		case isComment && script.Len() == 0:
			e.situation = strings.TrimSpace(e.situation + " " + strings.TrimSpace(comment))
		default:
			script.WriteString(spelledOut(line))
		}
	}
	e.script = strings.Trim(script.String(), "\n") + "\n"
	return e
}

func spelledOut(line string) string {
	for _, word := range []string{"raises ", "spares "} {
		if rest, ok := strings.CutPrefix(line, word); ok {
			return "fleetgate " + rest
		}
	}
	return strings.TrimPrefix(line, "exec ")
}

// Checks writes the page that lists every rule with its examples, docs/checks.md.
func Checks(w io.Writer) error { return checksPage(w, diag.Rules()) }

const checksIntro = `# Checks

Every finding has a code that never changes its meaning. ` + "`fleetgate explain CODE`" + ` prints what stands here, and
` + "`fleetgate --list-codes`" + ` lists the codes. A code that is *fixed* can't be lowered by configuration, nor ignored by path.

Each example is a script that the tests run with the real command and the real git: commands first, then, after a line
` + "`-- NAME --`" + `, each file. This page is written from the same registry; ` + "`go test -run TestChecksPage -update .`" + ` writes it anew.

`

func checksPage(w io.Writer, rules []diag.Rule) error {
	var page strings.Builder
	page.WriteString(checksIntro)
	page.WriteString("| code | severity | what it says |\n|---|---|---|\n")
	for _, rule := range rules {
		fmt.Fprintf(&page, "| [`%s`](#%s) | %s | %s |\n", rule.Code, rule.Code, severityCell(rule), tableText(rule.Title))
	}
	for _, rule := range rules {
		if err := checkSection(&page, rule); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, page.String())
	return err
}

func severityCell(rule diag.Rule) string {
	if rule.Fixed {
		return rule.Severity.String() + ", fixed"
	}
	return rule.Severity.String()
}

// ruleText shows a text of the registry as Markdown. The texts are ours: code
// between back-ticks, and else plain.
func ruleText(s string) string {
	parts := strings.Split(s, "`")
	for i := 0; i < len(parts); i += 2 {
		parts[i] = ruleEscapes.Replace(parts[i])
	}
	return strings.Join(parts, "`")
}

var ruleEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", "*", `\*`, "_", `\_`, "[", `\[`)

func tableText(s string) string { return strings.ReplaceAll(ruleText(s), "|", `\|`) }

func checkSection(page *strings.Builder, rule diag.Rule) error {
	bad, good, err := examplesOf(rule)
	if err != nil {
		return err
	}
	fmt.Fprintf(page, "\n## %s\n\n**%s.** *%s.*\n\n%s\n\nWay out: %s\n\n", rule.Code, ruleText(rule.Title), weight(rule), ruleText(rule.Why), ruleText(rule.Fix))
	checkExample(page, "Raises it", bad)
	checkExample(page, "Nearly does, and doesn't", good)
	return nil
}

// In a summary element the text is HTML, not Markdown.
var htmlText = strings.NewReplacer("&", "&amp;", "<", "&lt;")

func checkExample(page *strings.Builder, title string, e example) {
	fence := strings.Repeat("`", max(3, longestRun(e.script, '`')+1))
	fmt.Fprintf(page, "<details><summary>%s: %s</summary>\n\n%stext\n%s%s\n\n</details>\n\n",
		title, htmlText.Replace(e.situation), fence, e.script, fence)
}
