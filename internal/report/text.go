package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/verdict"
)

// Bounds of the text; the JSON has all of it.
const (
	DefaultWidth    = 100 // columns, where the terminal's are not known
	maxTextCommits  = 25  // commits with findings
	maxTextPaths    = 20  // paths, or findings without one, a commit
	maxTextFindings = 200 // findings of files
	maxTextHints    = 4   // ways out a commit
)

// Style is how a text is shown.
type Style struct {
	Color bool // for a terminal that can
	Width int  // columns to break prose at; 0 is DefaultWidth. Paths are never broken.
}

// Text writes the verdict for people, without colour.
func Text(w io.Writer, v verdict.Verdict) error { return Style{}.Text(w, v) }

// Text writes the verdict for people: what is wrong, commit by commit, then
// file by file, the ways out, and what was judged by which policy.
func (s Style) Text(w io.Writer, v verdict.Verdict) error {
	t := &text{lines: newLines(w), style: s}
	if t.style.Width <= 0 {
		t.style.Width = DefaultWidth
	}
	t.headline(v)
	l := layOut(v)
	t.commits(l.commits)
	t.files(l.files)
	t.unsigned(l.unsigned)
	t.about(v)
	return t.flush()
}

type text struct {
	*lines
	style Style
}

// The colours, as parameters of the terminal's SGR sequence.
const (
	red    = "31"
	green  = "32"
	yellow = "33"
	cyan   = "36"
	bold   = "1"
)

func (t *text) paint(color, s string) string {
	if !t.style.Color {
		return s
	}
	return "\x1b[" + color + "m" + s + "\x1b[0m"
}

var wordColors = map[verdict.Word]string{verdict.Passed: bold + ";" + green, verdict.Failed: bold + ";" + red, verdict.Undecided: bold + ";" + yellow}

func (t *text) headline(v verdict.Verdict) {
	title := word(v)
	t.wrapped(t.paint(wordColors[v.Word], title)+": ", 0, t.style.Width, prose(Title(v)))
	switch {
	case v.Word == verdict.Undecided:
		t.undecided(v)
	case v.Word == verdict.Passed:
		t.wayOut(v)
	case v.Incomplete:
		t.wrapped("", 0, t.style.Width, "Not everything could be read: what is listed here was found, and there may be more.")
		t.wayOut(v)
	}
}

// undecided says that this is no pass, and what would make it a verdict.
func (t *text) undecided(v verdict.Verdict) {
	t.wrapped("", 0, t.style.Width, "This is no pass: what the judgement needs could not be read.")
	t.wayOut(v)
}

func (t *text) wayOut(v verdict.Verdict) {
	if hint := wayOut(v); hint != "" {
		t.wrapped("way out: ", 2, t.style.Width, prose(hint))
	}
}

// wayOut is what to do about an undecided verdict.
func wayOut(v verdict.Verdict) string {
	if v.Hint == "" && v.Reason == "missing-object" {
		return "fetch what is missing: `fetch-depth: 0` for actions/checkout, or `git fetch --unshallow`"
	}
	return v.Hint
}

func (t *text) commits(groups []commitGroup) {
	for i, g := range groups {
		if i == maxTextCommits {
			t.blank()
			t.line("… and findings of %s; --format json has them all", counted(len(groups)-i, "more commit"))
			return
		}
		t.commit(g)
	}
}

func (t *text) commit(g commitGroup) {
	t.blank()
	t.line("%s  %s", t.paint(yellow, "commit "+short(g.row.SHA)), t.paint(bold, Name(g.row.Subject)))
	if claims := g.claims(item); claims != "" {
		t.wrapped("  ", 2, t.style.Width, claims)
	}
	t.blank()
	words := g.changeWords()
	shown := 0
	for _, p := range g.byPath() {
		shown += t.pathGroup(g, p, words, maxTextPaths-shown)
	}
	if left := len(g.found) - shown; left > 0 {
		t.line("  … and %s in this commit; --format json has them all", counted(left, "more finding"))
	}
	t.hints(g.hints())
}

// pathGroup writes at most room findings and says how many it wrote.
func (t *text) pathGroup(g commitGroup, p pathGroup, words map[string]string, room int) int {
	if room <= 0 {
		return 0
	}
	if !p.pathOnly {
		t.finding(p.found[0])
		return 1
	}
	t.line("  %s  %s  %s", t.severity(p.severity), phrase(g, p, Name), t.code(p.code))
	for i, d := range p.found {
		if i == room {
			return i
		}
		t.line("           %-8s %s", words[d.Path], Name(d.Path))
	}
	return len(p.found)
}

// phrase names the step where the commit claims several.
func phrase(g commitGroup, p pathGroup, show func(string) string) string {
	if p.code == "boundary-outside" && len(g.row.Claims) > 1 && p.step != "" {
		return "outside the writes of " + show(p.step)
	}
	return phrases[p.code]
}

func (t *text) finding(d diag.Diagnostic) {
	first := fmt.Sprintf("  %s  ", t.severity(d.Severity))
	t.wrapped(first, 11, t.style.Width, prose(d.Message)+"  "+t.code(d.Code))
}

var severityColors = map[diag.Severity]string{diag.Error: red, diag.Warning: yellow, diag.Note: cyan}

// severity is the word, padded to the longest.
func (t *text) severity(s diag.Severity) string {
	return t.paint(severityColors[s], s.String()) + strings.Repeat(" ", len("warning")-len(s.String()))
}

func (t *text) code(code diag.Code) string { return "(" + string(code) + ")" }

func (t *text) hints(hints []string) {
	if len(hints) == 0 {
		return
	}
	t.blank()
	if len(hints) == 1 {
		t.wrapped("  way out: ", 4, t.style.Width, prose(hints[0]))
		return
	}
	t.line("  ways out:")
	for _, hint := range hints[:min(len(hints), maxTextHints)] {
		t.wrapped("  - ", 4, t.style.Width, prose(hint))
	}
	if left := len(hints) - maxTextHints; left > 0 {
		t.line("  … and %d more", left)
	}
}

func (t *text) unsigned(found []diag.Diagnostic) {
	if len(found) == 0 {
		return
	}
	t.blank()
	t.wrapped(t.paint(severityColors[found[0].Severity], found[0].Severity.String())+": ", 2, t.style.Width, unsignedLine(found)+"  "+t.code(found[0].Code))
}

// unsignedLine sums up the commits that an agent signed and that claim nothing.
func unsignedLine(found []diag.Diagnostic) string {
	ids := make([]string, len(found))
	for i, d := range found {
		ids[i] = short(d.Commit)
	}
	verb := "carry"
	if len(found) == 1 {
		verb = "carries"
	}
	return fmt.Sprintf("%s %s an agent's signature and no claim: %s", counted(len(found), "commit"), verb, list(ids, item))
}
