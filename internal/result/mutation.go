package result

import (
	"slices"
	"strings"

	"github.com/fleetgate/fleetgate/internal/value"
)

// Mutation is what a mutation report says.
type Mutation struct {
	Paths         []string // as reported
	Validations   []Check
	CommitMessage string // empty: none authored
	Summary       string // empty: none authored
}

// Effects are what a run was seen to do, as far as it was watched.
type Effects struct {
	Written     []string // paths that the run wrote
	Refused     []string // paths that it tried to write, and was refused
	Validations []string // validation commands that ran clean
}

// mutationReport is what a run changed. The order of its checks is the
// runtime's: shape, commitMessage, summary, validations, paths (spec 7).
func (run *Run) mutationReport(v *value.Value) Outcome {
	var p probe
	p.onlyKeys(v, "", "mutatedPaths", "validations", "commitMessage", "summary")
	m := &Mutation{Paths: p.texts(v.Get("mutatedPaths"), "mutatedPaths")}
	if f := p.whole(MutationShape, MutationReport); f != nil {
		return run.refused(f)
	}
	m.CommitMessage = p.authored(v.Get("commitMessage"), "commitMessage", MaxCommitMessageBytes)
	m.Summary = p.authored(v.Get("summary"), "summary", run.Contract.SummaryBytes())
	m.Validations = p.validations(v.Get("validations"))
	unwritten := run.holdPaths(&p, m.Paths)
	if p.failed() {
		return run.refused(p.fault)
	}
	out := passed(run.mutationQuality(m, unwritten), v)
	out.Mutation, out.Checks = m, m.Validations
	return out
}

// validations are checks under a name and codes of their own.
func (p *probe) validations(v *value.Value) []Check {
	const at = "validations"
	if p.failed() {
		return nil
	}
	if v != nil && v.Kind == value.List && len(v.Items) == 0 {
		p.fail(ValidationsEmpty, at, "%s must name at least one check {name, passed, evidence}; a run that only read names what it read", at)
		return nil
	}
	var own probe
	checks := own.checks(v, at)
	if own.failed() {
		p.fail(ValidationsShape, at, "%s", own.fault.reason)
	}
	return checks
}

// holdPaths holds the reported paths against what the run was seen to write. It
// says whether one of them is there, but wasn't written.
func (run *Run) holdPaths(p *probe, reported []string) (unwritten bool) {
	if p.failed() || run.Effects == nil {
		return false
	}
	written, refused := run.resolved(run.Effects.Written), run.resolved(run.Effects.Refused)
	for i, name := range reported {
		at, resolved := index("mutatedPaths", i), workspace(run.Dir).resolve(name)
		_, wrote := slices.BinarySearch(written, resolved)
		_, tried := slices.BinarySearch(refused, resolved)
		switch {
		case wrote:
		case tried:
			p.fail(MutationRefused, at, "%s names %s, but the run's only write of it was refused; the run wrote %s", at, name, run.wrote())
		case !run.exists(resolved):
			p.fail(MutationFabricated, at, "%s names %s, which the run never wrote and which doesn't exist; the run wrote %s", at, name, run.wrote())
		default:
			unwritten = true
		}
	}
	return unwritten
}

func (run *Run) resolved(paths []string) []string {
	resolved := make([]string, len(paths))
	for i, name := range paths {
		resolved[i] = workspace(run.Dir).resolve(name)
	}
	slices.Sort(resolved)
	return resolved
}

// exists asks whether anything stands at a path. Where that can't be asked, everything does.
func (run *Run) exists(resolved string) bool {
	presence, can := run.Files.(Presence)
	return !can || presence.PathExists(resolved)
}

// maxListedPaths is how many written paths a reason lists.
const maxListedPaths = 8

// wrote lists what the run wrote.
func (run *Run) wrote() string {
	var names []string
	for _, resolved := range run.resolved(run.Effects.Written) {
		name, inside := workspace(run.Dir).relative(resolved)
		if !inside || name == "." {
			name = resolved
		}
		names = append(names, name)
	}
	switch {
	case len(names) == 0:
		return "nothing"
	case len(names) > maxListedPaths:
		return strings.Join(names[:maxListedPaths], ", ") + " and more"
	}
	return strings.Join(names, ", ")
}

// mutationQuality: a failing check fails. What was watched must also be
// confirmed: every path written, and a validation command that ran clean.
func (run *Run) mutationQuality(m *Mutation, unwritten bool) Quality {
	switch {
	case !allPassed(m.Validations):
		return QualityFail
	case run.Effects == nil:
		return QualityPass
	case unwritten || len(run.Effects.Validations) == 0:
		return Unmeasured
	}
	return QualityPass
}
