package report

import (
	"cmp"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/verdict"
)

// Bounds of what a step of a job may annotate: GitHub shows ten errors and ten warnings.
const (
	MaxAnnotations   = 10   // of each severity
	maxAnnotation    = 4000 // bytes of a message before it is escaped
	maxAnnotated     = 5    // paths, or messages, of one annotation
	maxAnnotatedText = 400  // code points of one of them
	annotationSource = "fleetgate"
)

// Annotation is one message at a place of a file; at no place where File is
// empty. Its texts hold no control character.
type Annotation struct {
	Severity diag.Severity // Error or Warning
	Pos      diag.Pos
	End      diag.Pos
	Title    string
	Message  string
	Findings int // how many findings it stands for
}

// GitHub writes the verdict as workflow commands: at most MaxAnnotations
// errors and as many warnings, and the verdict's one line.
func GitHub(w io.Writer, v verdict.Verdict) error {
	out := newLines(w)
	for _, a := range Annotations(v, MaxAnnotations) {
		fmt.Fprintf(out.out, "%s\n", command(a))
	}
	out.line("fleetgate %s: %s%s", word(v), prose(Title(v)), unread(v))
	return out.flush()
}

// unread says of a failed verdict that there may be more to find.
func unread(v verdict.Verdict) string {
	if v.Word == verdict.Failed && v.Incomplete {
		return "; not everything could be read, so there may be more"
	}
	return ""
}

// Annotations gives a verdict's annotations, errors first, the worst first, at
// most limit of each severity: one for each commit and step, one for each
// finding of a file. The last says how many findings have none.
func Annotations(v verdict.Verdict, limit int) []Annotation {
	groups := annotationGroups(v)
	var out []Annotation
	if v.Word == verdict.Undecided {
		out = append(out, undecidedAnnotation(v))
	}
	for _, severity := range []diag.Severity{diag.Error, diag.Warning} {
		room := limit
		if severity == diag.Error {
			room -= len(out)
		}
		out = append(out, annotate(v, groups[severity], room)...)
	}
	return out
}

func undecidedAnnotation(v verdict.Verdict) Annotation {
	message := "This is no pass: " + prose(Title(v))
	if hint := wayOut(v); hint != "" {
		message += "\nWay out: " + prose(hint)
	}
	return Annotation{Severity: diag.Error, Title: annotationSource + ": undecided", Message: cut(message, maxAnnotation)}
}

// annotate gives the first room groups of one severity; the last one counts the rest.
func annotate(v verdict.Verdict, groups []annotationGroup, room int) []Annotation {
	gone := goneAtHead(v)
	var out []Annotation
	for _, g := range groups[:min(len(groups), max(room, 0))] {
		out = append(out, g.annotation(gone))
	}
	left := 0
	for _, g := range groups[len(out):] {
		left += len(g.found)
	}
	if left > 0 && len(out) > 0 {
		last := &out[len(out)-1]
		last.Message += fmt.Sprintf("\n%s without an annotation; the job summary and the JSON report list them.", counted(left, "more finding"))
	}
	return out
}

// annotationGroup is what one annotation stands for: a commit's findings by
// step, or one finding of a file.
type annotationGroup struct {
	row   verdict.Commit
	found []diag.Diagnostic
	fixed bool // one of them is of a rule that configuration can't lower
}

func annotationGroups(v verdict.Verdict) map[diag.Severity][]annotationGroup {
	type key struct {
		severity     diag.Severity
		commit, step string
	}
	rows := rowIndex(v)
	known := map[key]int{}
	groups := map[diag.Severity][]annotationGroup{}
	for _, d := range v.Diagnostics {
		if d.Code == "commit-unattributed" {
			continue
		}
		k := key{d.Severity, d.Commit, d.Step}
		at, ok := known[k]
		if !ok || d.Commit == "" {
			at = len(groups[d.Severity])
			known[k] = at
			groups[d.Severity] = append(groups[d.Severity], annotationGroup{row: rowOf(v, rows, d.Commit)})
		}
		g := &groups[d.Severity][at]
		g.found = append(g.found, d)
		g.fixed = g.fixed || fixed(d.Code)
	}
	for _, list := range groups {
		slices.SortStableFunc(list, worseFirst)
	}
	return groups
}

// worseFirst puts what configuration can't lower first, then what has the most findings.
func worseFirst(a, b annotationGroup) int {
	if a.fixed != b.fixed {
		if a.fixed {
			return -1
		}
		return 1
	}
	return cmp.Compare(len(b.found), len(a.found))
}

func fixed(code diag.Code) bool {
	rule, ok := diag.Lookup(code)
	return ok && rule.Fixed
}

func (g annotationGroup) annotation(gone map[string]bool) Annotation {
	d := g.found[0]
	pos, end := g.place(gone)
	return Annotation{
		Severity: d.Severity,
		Pos:      pos,
		End:      end,
		Title:    g.title(),
		Message:  g.message(),
		Findings: len(g.found),
	}
}

// place is where the first path of a finding that head still has is, else
// where the contract says what the step may write.
func (g annotationGroup) place(gone map[string]bool) (pos, end diag.Pos) {
	for _, d := range g.found {
		if d.Path != "" && !gone[d.Path] && annotatable(d.Path) {
			return diag.Pos{File: d.Path, Line: 1}, diag.Pos{}
		}
	}
	d := g.found[0]
	if !annotatable(d.Pos.File) {
		return diag.Pos{}, diag.Pos{}
	}
	return d.Pos, d.End
}

// annotatable says whether GitHub can place an annotation in a file: a
// repository's own path, that is text.
func annotatable(file string) bool {
	return file != "" && utf8.ValidString(file) && guardBrackets(prose(file)) == file && path.Clean(file) == file &&
		!path.IsAbs(file) && !strings.HasPrefix(file, "../")
}

// goneAtHead tells the paths that the newest commit which touched them deleted.
func goneAtHead(v verdict.Verdict) map[string]bool {
	newest := map[string]bool{}
	for i := range v.Commits {
		for _, c := range v.Commits[i].Changes {
			if _, known := newest[c.Path]; !known {
				newest[c.Path] = c.Status == "D"
			}
		}
	}
	return newest
}

func (g annotationGroup) title() string {
	d := g.found[0]
	title := annotationSource + " " + string(d.Code)
	if d.Step != "" {
		title += ": " + Name(d.Step)
	}
	return shorten(title, 200)
}

// message says it all without the page around it: which commit, what it
// claims, what is wrong, and the way out.
func (g annotationGroup) message() string {
	group := commitGroup{row: g.row, found: g.found}
	var out []string
	if g.row.SHA != "" {
		out = append(out, group.sentence())
	}
	paths := group.byPath()
	for _, p := range paths[:min(len(paths), maxAnnotated)] {
		out = append(out, p.sentence(group))
	}
	if left := len(paths) - maxAnnotated; left > 0 {
		out = append(out, fmt.Sprintf("… and %s of this commit and step.", counted(left, "more finding")))
	}
	if hints := group.hints(); len(hints) > 0 {
		out = append(out, "Way out: "+prose(shorten(hints[0], maxAnnotatedText)))
	}
	return cut(strings.Join(out, "\n"), maxAnnotation)
}

// sentence names the commit, and what it claims.
func (g commitGroup) sentence() string {
	text := "Commit " + short(g.row.SHA)
	if g.row.Subject != "" {
		text += " " + Quote(shorten(g.row.Subject, 100))
	}
	if claims := g.claims(item); claims != "" {
		text += " " + claims
	}
	return text + "."
}

// sentence is what one finding says, or several that differ in their path.
func (p pathGroup) sentence(g commitGroup) string {
	if !p.pathOnly {
		return prose(shorten(p.found[0].Message, maxAnnotatedText))
	}
	var names []string
	for _, d := range p.found[:min(len(p.found), maxAnnotated)] {
		names = append(names, item(shorten(d.Path, maxAnnotatedText)))
	}
	if left := len(p.found) - len(names); left > 0 {
		names = append(names, fmt.Sprintf("%d more", left))
	}
	return joined(names) + ": " + phrase(g, p, Name) + "."
}

// command writes an annotation as GitHub's workflow command.
func command(a Annotation) string {
	var properties []string
	add := func(name, value string) { properties = append(properties, name+"="+escapeProperty(value)) }
	if a.Pos.File != "" {
		add("file", a.Pos.File)
		for _, p := range []struct {
			name  string
			value int
		}{{"line", a.Pos.Line}, {"col", a.Pos.Column}, {"endLine", a.End.Line}, {"endColumn", a.End.Column}} {
			if p.value > 0 {
				add(p.name, fmt.Sprint(p.value))
			}
		}
	}
	add("title", guardBrackets(a.Title))
	return fmt.Sprintf("::%s %s::%s", a.Severity, strings.Join(properties, ","), escapeData(guardBrackets(a.Message)))
}

var (
	dataEscapes     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	propertyEscapes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func escapeData(s string) string { return dataEscapes.Replace(s) }

func escapeProperty(s string) string { return propertyEscapes.Replace(s) }
