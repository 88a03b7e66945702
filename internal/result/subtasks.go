package result

import (
	"regexp"
	"slices"
	"sync"

	"github.com/fleetgate/fleetgate/internal/value"
)

// The bounds of what a scout proposes (spec 7).
const (
	MaxSubtasks            = 4     // subtasks that one scout report proposes
	MaxSubtaskBytes        = 4_096 // bytes of a subtask's task, in UTF-8
	MaxSubtaskDependencies = 4     // other subtasks that one waits for
)

var subtaskID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`) })

// subtaskKinds are the contracts that a subtask may expect.
var subtaskKinds = kindNames(ArchitectPlan, ScoutReport, VerifierReport, CouncilReport, DebuggerReport, ResearchReport,
	MutationReport, ProvenanceReport, ExternalDelegation)

// subtaskAuthorities are what a subtask may ask to be allowed.
var subtaskAuthorities = []string{"read-only", "verification", "artifact-write", "workspace-edit"}

func kindNames(kinds ...Kind) []string {
	names := make([]string, len(kinds))
	for i, kind := range kinds {
		names[i] = string(kind)
	}
	return names
}

// subtasks reads what a scout proposes: at most MaxSubtasks, with ids that differ and dependencies without a circle.
func (p *probe) subtasks(v *value.Value) []Subtask {
	const at = "proposedSubtasks"
	items := p.list(v, at, 0, "subtasks")
	if len(items) > MaxSubtasks {
		p.fail(partOfShape, at, "%s must have at most %d entries; it has %d", at, MaxSubtasks, len(items))
	}
	var subtasks []Subtask
	for i, item := range items {
		subtasks = append(subtasks, p.subtask(item, index(at, i)))
	}
	if !p.failed() {
		p.subtaskGraph(subtasks, at)
	}
	return subtasks
}

func (p *probe) subtask(v *value.Value, at string) Subtask {
	p.object(v, at, partOfShape, "id", "task", "dependencies", "expectedResultContract", "requestedAuthority")
	s := Subtask{
		ID:           p.text(v.Get("id"), member(at, "id")),
		Task:         p.text(v.Get("task"), member(at, "task")),
		Dependencies: p.texts(v.Get("dependencies"), member(at, "dependencies")),
	}
	if !subtaskID().MatchString(s.ID) {
		p.fail(partOfShape, member(at, "id"), "%s must match %s", member(at, "id"), subtaskID())
	}
	if len(s.Task) > MaxSubtaskBytes {
		p.fail(partOfShape, member(at, "task"), "%s must have at most %d bytes of UTF-8; it has %d", member(at, "task"), MaxSubtaskBytes, len(s.Task))
	}
	if len(s.Dependencies) > MaxSubtaskDependencies {
		p.fail(partOfShape, member(at, "dependencies"), "%s must have at most %d entries; it has %d", member(at, "dependencies"), MaxSubtaskDependencies, len(s.Dependencies))
	}
	s.ExpectedResultContract = Kind(p.oneOf(v.Get("expectedResultContract"), member(at, "expectedResultContract"), partOfShape, subtaskKinds...))
	s.RequestedAuthority = p.oneOf(v.Get("requestedAuthority"), member(at, "requestedAuthority"), partOfShape, subtaskAuthorities...)
	return s
}

// subtaskGraph wants distinct ids, distinct and known dependencies, and no circle.
func (p *probe) subtaskGraph(subtasks []Subtask, at string) {
	var ids []string
	for i, s := range subtasks {
		if slices.Contains(ids, s.ID) {
			p.fail(partOfShape, index(at, i), "%s.id must differ from the others; %q stands twice", index(at, i), s.ID)
		}
		ids = append(ids, s.ID)
	}
	for i, s := range subtasks {
		for j, dependency := range s.Dependencies {
			if !slices.Contains(ids, dependency) || slices.Contains(s.Dependencies[:j], dependency) {
				p.fail(partOfShape, index(at, i), "%s.dependencies must name other subtasks, each once; it names %q", index(at, i), dependency)
			}
		}
	}
	if !p.failed() && circular(subtasks) {
		p.fail(partOfShape, at, "%s must not depend on each other in a circle", at)
	}
}

// circular takes away, again and again, the subtasks that wait for none that is left.
func circular(subtasks []Subtask) bool {
	left := slices.Clone(subtasks)
	waits := func(s Subtask) bool {
		return slices.ContainsFunc(left, func(other Subtask) bool { return slices.Contains(s.Dependencies, other.ID) })
	}
	for len(left) > 0 {
		var next []Subtask
		for _, s := range left {
			if waits(s) {
				next = append(next, s)
			}
		}
		if len(next) == len(left) {
			return true
		}
		left = next
	}
	return false
}

func subtasksValue(subtasks []Subtask) *value.Value {
	return value.ListOf(subtasks, func(s Subtask) *value.Value {
		return value.NewMap(
			value.Field("id", value.NewString(s.ID)),
			value.Field("task", value.NewString(s.Task)),
			value.Field("dependencies", value.Strings(s.Dependencies)),
			value.Field("expectedResultContract", value.NewString(string(s.ExpectedResultContract))),
			value.Field("requestedAuthority", value.NewString(s.RequestedAuthority)))
	})
}
