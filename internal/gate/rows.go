package gate

import (
	"cmp"
	"slices"
	"strings"

	"github.com/fleetgate/fleetgate/internal/boundary"
	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/verdict"
)

// verdict sums up what the stages left: identities, rows, pictures, findings.
func (r *run) verdict() (verdict.Verdict, error) {
	v := verdict.Verdict{
		Tool:       r.o.Tool,
		Command:    "check",
		Assurance:  verdict.SelfDeclared,
		Repository: r.repository(),
		Event:      r.eventName(),
		Base:       hex(r.at.base),
		Head:       hex(r.at.head),
		MergeBases: ids(r.rng.MergeBases),
		Trusted:    ids(r.at.tips),
		Reason:     r.reason,
		Observe:    r.o.Observe,
		Results:    r.results,
	}
	if r.claims.Permitted {
		v.Assurance = verdict.Permitted
	}
	found, err := r.weighed()
	if err != nil {
		return verdict.Verdict{}, err
	}
	v.Diagnostics = found
	if r.base != nil {
		v.Policy = r.base.Digest
		v.Fleets = r.pictures(found)
	}
	v.Commits = r.rows()
	v.Counts.Judged = r.judged()
	v.Count()
	r.decide(&v)
	err = v.Seal()
	return v, err
}

// weighed gives the findings the weight that base's configuration, the event
// and the flags give them, in that order.
func (r *run) weighed() ([]diag.Diagnostic, error) {
	found := r.found
	if r.base != nil {
		today, err := r.today()
		if err != nil {
			return nil, err
		}
		found = r.base.Config.Apply(found, today)
	}
	kept := []diag.Diagnostic{}
	for _, d := range found {
		if r.at.landed && heldBack(d.Code) {
			d = lower(d)
		}
		if raised, ok := r.o.Raise[d.Code]; ok && raised < d.Severity {
			d.Severity = raised
		}
		if d.Severity != diag.Off {
			kept = append(kept, d)
		}
	}
	return kept, nil
}

// heldBack tells the findings that can hold a commit back. After a push to a
// trusted branch nothing can be held back any more, so there they warn.
func heldBack(code diag.Code) bool {
	for _, family := range []string{"boundary-", "claim-", "merge-", "symlink-", "tree-alias"} {
		if strings.HasPrefix(string(code), family) {
			return true
		}
	}
	return false
}

// today is base tip's committer date: the day by which an ignore expires, so
// that the same inputs give the same verdict on any day.
func (r *run) today() (string, error) {
	if len(r.base.Config.Ignore) == 0 {
		return "", nil
	}
	tip, err := r.repo.Commit(r.at.base)
	if err != nil {
		return "", err
	}
	return tip.Committer.When.UTC().Format("2006-01-02"), nil
}

// decide gives the word, why, and the sentence for people.
func (r *run) decide(v *verdict.Verdict) {
	malformed := slices.ContainsFunc(v.Diagnostics, func(d diag.Diagnostic) bool { return d.Code == "tree-malformed" })
	v.Word, v.Incomplete = verdict.Decide(v.Diagnostics, r.stop == nil && !malformed, r.o.FailOn)
	switch v.Word {
	case verdict.Failed:
		v.Reason = "findings"
	case verdict.Undecided:
		v.Reason = cmp.Or(r.reason, "tree-malformed")
		v.Hint = r.hint
	default:
		v.Hint = r.hint
		v.Reason = cmp.Or(r.reason, r.passedBecause())
	}
	v.Summary = summary(v, r.stop)
}

func (r *run) passedBecause() string {
	for _, delta := range r.history.Deltas {
		if len(delta.Changes) > 0 || len(delta.Decisions) > 0 {
			return "clean"
		}
	}
	if r.at.audit {
		return "clean"
	}
	return "nothing-to-judge"
}

// judged counts the commits that claim a step and were held to it.
func (r *run) judged() int {
	n := 0
	for i, c := range r.rng.Commits[:len(r.history.Deltas)] {
		if len(r.claims.Commits[i].Claims) > 0 && !c.Imported && !r.squash[c.ID] {
			n++
		}
	}
	return n
}

// rows are the commits newest first, as git log lists them.
func (r *run) rows() []verdict.Commit {
	rows := make([]verdict.Commit, 0, len(r.rng.Commits))
	for i, c := range slices.Backward(r.rng.Commits) {
		row := verdict.Commit{SHA: c.ID.String(), Subject: subject(c.Message), Claims: []string{}, Allow: []string{}, Changes: []verdict.Change{}}
		if i < len(r.claims.Commits) {
			row.Status = r.status(c, r.claims.Commits[i])
			for _, claim := range r.claims.Commits[i].Claims {
				row.Claims = append(row.Claims, claim.Raw)
			}
		}
		if i < len(r.windows) {
			row.Allow = append(row.Allow, r.windows[i].Allow...)
		}
		if i < len(r.history.Deltas) {
			row.Changes = changes(r.history.Deltas[i])
		}
		rows = append(rows, row)
	}
	return rows
}

func (r *run) status(c boundary.Commit, claimed boundary.Claimed) string {
	switch {
	case c.Imported:
		return "imported"
	case r.squash[c.ID]:
		return "queue-squash"
	case len(claimed.Claims) > 0:
		return "claimed"
	case len(c.Lines) > 1:
		return "merge"
	case claimed.Signed:
		return "agent"
	}
	return "unclaimed"
}

func changes(delta boundary.Delta) []verdict.Change {
	out := make([]verdict.Change, 0, len(delta.Changes)+len(delta.Decisions))
	for _, c := range delta.Changes {
		out = append(out, verdict.Change{Status: status(c.Old, c.New), Path: c.Path})
	}
	for _, d := range delta.Decisions {
		first := boundary.Entry{}
		if len(d.Parents) > 0 {
			first = d.Parents[0]
		}
		out = append(out, verdict.Change{Status: status(first, d.Got), Path: d.Path})
	}
	return out
}

// status is git's letter: A added, D deleted, T another type, M anything else.
func status(before, after boundary.Entry) string {
	switch {
	case before.Mode == boundary.Absent:
		return "A"
	case after.Mode == boundary.Absent:
		return "D"
	case kind(before.Mode) != kind(after.Mode):
		return "T"
	}
	return "M"
}

// kind is the type part of a mode: a file, executable or not, a link, a submodule.
func kind(mode boundary.Mode) boundary.Mode { return mode & 0o170000 }

// pictures are base's own fleets, with the positions that this run found violated.
func (r *run) pictures(found []diag.Diagnostic) []verdict.Fleet {
	violated := map[string][]string{}
	for _, d := range found {
		if d.Severity != diag.Error || !strings.HasPrefix(string(d.Code), "boundary-") {
			continue
		}
		name, position, ok := strings.Cut(d.Step, "/")
		if ok && !slices.Contains(violated[name], position) {
			violated[name] = append(violated[name], position)
		}
	}
	pictures := []verdict.Fleet{}
	for _, name := range projectFleets(r.base) {
		f, _ := r.base.ProjectFleet(name)
		picture := Picture(name, f.Contract)
		picture.Violated = violated[name]
		slices.Sort(picture.Violated)
		pictures = append(pictures, picture)
	}
	return pictures
}

func (r *run) eventName() string {
	if r.o.Event == nil {
		return "local"
	}
	return r.o.Event.Name
}

func hex(id boundary.OID) string {
	if id.IsZero() {
		return ""
	}
	return id.String()
}

func ids(list []boundary.OID) []string {
	out := make([]string, 0, len(list))
	for _, id := range list {
		out = append(out, id.String())
	}
	return out
}

func subject(message string) string {
	line, _, _ := strings.Cut(strings.TrimLeft(message, "\n"), "\n")
	return strings.TrimSpace(line)
}

func list(names []string) string { return strings.Join(names, ", ") }
