// Package report writes a verdict down, one function a format. Whatever comes
// from a repository is hostile here: every format has one place that makes
// names and messages harmless for whoever reads it, a terminal, a runner's
// log, a page or a drawing program.
package report

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/verdict"
)

// Format writes a sealed verdict. The only errors are the writer's own.
type Format func(io.Writer, verdict.Verdict) error

var formats = map[string]Format{
	"text":     Text,
	"json":     JSON,
	"github":   GitHub,
	"markdown": Markdown,
	"mermaid":  Mermaid,
	"dot":      DOT,
	"svg":      SVG,
	"html":     HTML,
	"sarif":    SARIF,
	"junit":    JUnit,
	"intoto":   InToto,
}

// Lookup finds a format by the name that --format takes.
func Lookup(name string) (Format, bool) {
	format, ok := formats[name]
	return format, ok
}

// Names lists the formats, sorted.
func Names() []string { return slices.Sorted(maps.Keys(formats)) }

// JSON writes the whole verdict, indented; docs/verdict.schema.json describes it.
func JSON(w io.Writer, v verdict.Verdict) error { return v.WriteJSON(w) }

// Title is the verdict's one line for people: "9 of 12 commits claimed, 0 outside".
func Title(v verdict.Verdict) string {
	if v.Word == verdict.Undecided || judgedNothing(v) || len(v.Commits) == 0 || v.Audit != nil {
		return v.Summary
	}
	title := fmt.Sprintf("%d of %d commits claimed, %d outside", v.Counts.Claimed, v.Counts.Commits, Outside(v))
	if others := otherErrors(v); others > 0 {
		title += ", " + counted(others, "other error")
	}
	if v.Word == verdict.Failed && v.Counts.Errors == 0 {
		title += ", " + counted(v.Counts.Warnings, "warning")
	}
	return title
}

// Outside counts the findings of paths that a step wrote and may not write,
// whatever they weigh.
func Outside(v verdict.Verdict) int { return v.Outside() }

func otherErrors(v verdict.Verdict) int {
	n := 0
	for i := range v.Diagnostics {
		if d := &v.Diagnostics[i]; d.Severity == diag.Error && !verdict.IsOutside(d.Code) {
			n++
		}
	}
	return n
}

// judgedNothing tells the passes that judged nothing: they say so, and no more.
func judgedNothing(v verdict.Verdict) bool {
	return v.Word == verdict.Passed && slices.Contains([]string{"no-policy", "nothing-to-judge", "branch-deleted"}, v.Reason)
}

// quiet tells the passes of which one line says all: nobody claimed anything.
func quiet(v verdict.Verdict) bool {
	return judgedNothing(v) || v.Word == verdict.Passed && v.Counts.Claimed+v.Counts.Judged == 0
}

// word is the verdict's word as a headline shows it.
func word(v verdict.Verdict) string {
	if v.Observe {
		return string(v.Word) + " (observe mode: reported, not enforced)"
	}
	return string(v.Word)
}

// promise says what a passed verdict of a range means, and what it doesn't.
func promise(v verdict.Verdict) string {
	if Outside(v) > 0 {
		return "what is outside is warned of, and fails nothing here; " + assurance(v)
	}
	return "every judged commit is inside a step that it claims; " + assurance(v)
}

func assurance(v verdict.Verdict) string {
	if v.Assurance == verdict.Permitted {
		return "every claim was permitted to whoever made it, by base's permit entries (permitted)"
	}
	return "a claim is the commit's own word: no permit entry ties it to an author (self-declared)"
}

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// short is a commit id as people read it.
func short(id string) string { return id[:min(len(id), 12)] }

// joined lists names as a sentence does: "a", "a and b", "a, b and c".
func joined(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}
