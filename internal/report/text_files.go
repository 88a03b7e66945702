package report

import (
	"fmt"
	"strings"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/verdict"
)

// files writes the findings of files as compilers do: file:line:column first.
func (t *text) files(found []diag.Diagnostic) {
	for i, d := range found {
		if i == 0 {
			t.blank()
		}
		if i == maxTextFindings {
			t.line("… and %s; --format json has them all", counted(len(found)-i, "more finding"))
			return
		}
		t.file(d)
	}
}

func (t *text) file(d diag.Diagnostic) {
	first := t.paint(severityColors[d.Severity], d.Severity.String()) + ": "
	if place := place(d.Pos); place != "" {
		first = t.paint(bold, place) + ": " + first
	}
	t.wrapped(first, 2, t.style.Width, prose(d.Message)+"  "+t.code(d.Code)+at(d.Rev))
	for _, r := range d.Related {
		t.wrapped("  ", 4, t.style.Width, related(r))
	}
	if d.Hint != "" {
		t.wrapped("  way out: ", 4, t.style.Width, prose(d.Hint))
	}
}

// place is file:line:column, its file shown harmlessly.
func place(p diag.Pos) string {
	if p.File == "" {
		return ""
	}
	shown := p
	shown.File = Name(p.File)
	return shown.String()
}

func at(side diag.Side) string {
	if side == diag.None {
		return ""
	}
	return ", at " + string(side)
}

func related(r diag.Related) string {
	return place(r.Pos) + ": " + prose(r.Message)
}

// about says what was judged, by which policy, and what the verdict means,
// where the headline hasn't said it all.
func (t *text) about(v verdict.Verdict) {
	if v.Audit != nil && v.Word != verdict.Undecided {
		t.audited(v)
		return
	}
	if quiet(v) || v.Word == verdict.Undecided {
		return
	}
	t.blank()
	if v.Head != "" {
		t.row("judged", fmt.Sprintf("%d of %s, from %s (base) to %s (head)", v.Counts.Judged, counted(v.Counts.Commits, "commit"), short(v.Base), short(v.Head)))
	}
	if merges := cleanMerges(v); merges != "" {
		t.row("merges", merges)
	}
	if v.Policy != "" {
		t.row("policy", policy(v))
	}
	if v.Word == verdict.Passed {
		t.row("means", promise(v))
	}
	if v.Word == verdict.Failed && len(v.Diagnostics) > 0 {
		t.row("more", "fleetgate explain "+string(v.Diagnostics[0].Code))
	}
	if v.Digest != "" && v.Head != "" {
		t.row("digest", v.Digest)
	}
}

func (t *text) row(name, what string) {
	t.wrapped(name+strings.Repeat(" ", 9-len(name)), 9, t.style.Width, prose(what))
}

// policy names the fleets that judged.
func policy(v verdict.Verdict) string {
	names := make([]string, len(v.Fleets))
	for i := range v.Fleets {
		names[i] = v.Fleets[i].Name
	}
	of := "of the work tree"
	if v.Base != "" {
		of = "at base"
	}
	if v.Audit != nil {
		of = "at head"
	}
	if len(names) == 0 {
		return "no valid fleet " + of
	}
	return fmt.Sprintf("%s %s: %s", counted(len(names), "fleet"), of, list(names, item))
}

// cleanMerges explains the unclaimed merges whose rows list no change.
func cleanMerges(v verdict.Verdict) string {
	n := 0
	for i := range v.Commits {
		if v.Commits[i].Status == verdict.StatusMerge && len(v.Commits[i].Changes) == 0 {
			n++
		}
	}
	switch n {
	case 0:
		return ""
	case 1:
		return "1 decides nothing of its own: it has every path as its parents' changes together give it"
	}
	return fmt.Sprintf("%d decide nothing of their own: they have every path as their parents' changes together give it", n)
}
