package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/verdict"
)

// layout is a verdict's findings as people read them: what is wrong with each
// commit, then with the files of the policy.
type layout struct {
	commits  []commitGroup     // the worst first, then the oldest
	files    []diag.Diagnostic // of no commit, in report order
	unsigned []diag.Diagnostic // commit-unattributed: one summary line for all
}

// commitGroup is one commit with its findings, in report order.
type commitGroup struct {
	row   verdict.Commit // only its SHA is known where the verdict has no row of it
	found []diag.Diagnostic
}

func (g commitGroup) worst() diag.Severity { return g.found[0].Severity }

func layOut(v verdict.Verdict) layout {
	var l layout
	rows := rowIndex(v)
	groups := map[string]int{}
	for _, d := range v.Diagnostics {
		if d.Code == "commit-unattributed" {
			l.unsigned = append(l.unsigned, d)
			continue
		}
		if d.Commit == "" {
			l.files = append(l.files, d)
			continue
		}
		at, ok := groups[d.Commit]
		if !ok {
			at = len(l.commits)
			groups[d.Commit] = at
			l.commits = append(l.commits, commitGroup{row: rowOf(v, rows, d.Commit)})
		}
		l.commits[at].found = append(l.commits[at].found, d)
	}
	slices.SortStableFunc(l.commits, func(a, b commitGroup) int {
		return cmp.Or(cmp.Compare(a.worst(), b.worst()), cmp.Compare(rows[b.row.SHA], rows[a.row.SHA]))
	})
	return l
}

// rowIndex finds a commit's row; rows are newest first.
func rowIndex(v verdict.Verdict) map[string]int {
	rows := make(map[string]int, len(v.Commits))
	for i := range v.Commits {
		rows[v.Commits[i].SHA] = i
	}
	return rows
}

func rowOf(v verdict.Verdict, rows map[string]int, sha string) verdict.Commit {
	if i, ok := rows[sha]; ok {
		return v.Commits[i]
	}
	return verdict.Commit{SHA: sha}
}

// pathGroup is several findings that differ in their path alone, or one
// finding whose message says more.
type pathGroup struct {
	code     diag.Code
	severity diag.Severity
	step     string
	found    []diag.Diagnostic
	pathOnly bool
}

// byPath gathers a commit's findings whose message says no more than code,
// step and path; every other finding is a group of its own.
func (g commitGroup) byPath() []pathGroup {
	type key struct {
		code     diag.Code
		severity diag.Severity
		step     string
	}
	var groups []pathGroup
	known := map[key]int{}
	allow := setOf(g.row.Allow)
	for _, d := range g.found {
		k := key{d.Code, d.Severity, d.Step}
		pathOnly := d.Path != "" && phrases[d.Code] != "" && !coversPrefix(allow, d.Path)
		at, ok := known[k]
		if !ok || !pathOnly {
			at = len(groups)
			groups = append(groups, pathGroup{code: d.Code, severity: d.Severity, step: d.Step, pathOnly: pathOnly})
		}
		if pathOnly {
			known[k] = at
		}
		groups[at].found = append(groups[at].found, d)
	}
	return groups
}

// phrases say, for the codes whose finding is a path, what is wrong with it.
var phrases = map[diag.Code]string{
	"boundary-outside":     "outside its writes",
	"boundary-policy-edit": "decides what fleets may do, and is closed to them",
	"boundary-restored":    "outside its writes, and put back by the end",
}

func setOf(names []string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[name] = true
	}
	return set
}

// coversPrefix says whether an entry looks as if it covered path: then the
// reason why it doesn't must be told (a submodule, a link, a workflow).
func coversPrefix(allow map[string]bool, path string) bool {
	for i := range len(path) {
		if path[i] == '/' && allow[path[:i+1]] {
			return true
		}
	}
	return allow[path]
}

// hints are the distinct ways out of a commit's findings, in order; a rule's
// own where a path's finding names none.
func (g commitGroup) hints() []string {
	var hints []string
	seen := map[string]bool{}
	for _, d := range g.found {
		hint := d.Hint
		if rule, ok := diag.Lookup(d.Code); ok && hint == "" && phrases[d.Code] != "" {
			hint = rule.Fix
		}
		if hint != "" && !seen[hint] {
			seen[hint] = true
			hints = append(hints, hint)
		}
	}
	return hints
}

// changeWord says what the commit did to the path of a finding.
func (g commitGroup) changeWords() map[string]string {
	words := make(map[string]string, len(g.row.Changes))
	for _, c := range g.row.Changes {
		words[c.Path] = changeWord[c.Status]
	}
	return words
}

var changeWord = map[string]string{"A": "added", "M": "changed", "T": "retyped", "D": "deleted"}

// claims says which steps the commit works for, and what they may write by which line.
func (g commitGroup) claims(show func(string) string) string {
	row := g.row
	if len(row.Claims) == 0 {
		return unclaimed[row.Status]
	}
	text := "claims " + list(row.Claims, show)
	if len(row.Allow) == 0 && g.refused() {
		return text
	}
	text += ", which may write "
	if len(row.Allow) == 0 {
		return text + "nothing"
	}
	text += list(row.Allow, show)
	if len(row.Claims) > 1 {
		return text + " between them"
	}
	if pos := g.writesLine(); pos.Line > 0 {
		pos.Column = 0
		text += " (" + show(pos.String()) + ")"
	}
	return text
}

// refused says whether a claim of the commit was refused: there is no boundary then, not an empty one.
func (g commitGroup) refused() bool {
	return slices.ContainsFunc(g.found, func(d diag.Diagnostic) bool { return strings.HasPrefix(string(d.Code), "claim-") })
}

// writesLine is where the claimed step's writes stand, as a finding of a path has it.
func (g commitGroup) writesLine() diag.Pos {
	for _, d := range g.found {
		if d.Code == "boundary-outside" && d.Pos.File != d.Path {
			return d.Pos
		}
	}
	return diag.Pos{}
}

// unclaimed says what a commit without a claim is, after its name.
var unclaimed = map[string]string{
	verdict.StatusUnclaimed:   "claims no step",
	verdict.StatusAgent:       "claims no step, and is signed by an agent",
	verdict.StatusMerge:       "is a merge and claims no step",
	verdict.StatusImported:    "was imported, and isn't judged by itself",
	verdict.StatusQueueSquash: "was squashed by the merge queue, and isn't judged",
}

// maxListed is how many claims, or entries of an allowlist, a report spells out.
const maxListed = 12

// list shows names, the first maxListed of them.
func list(names []string, show func(string) string) string {
	shown := mapped(names[:min(len(names), maxListed)], show)
	if left := len(names) - len(shown); left > 0 {
		shown = append(shown, fmt.Sprintf("%d more", left))
		return joined(shown)
	}
	return strings.Join(shown, ", ")
}

func mapped(items []string, f func(string) string) []string {
	out := make([]string, len(items))
	for i, item := range items {
		out[i] = f(item)
	}
	return out
}
