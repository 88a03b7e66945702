package policy

import (
	"slices"

	"github.com/fleetgate/fleetgate/internal/result"
)

// Intent is what a caller says in typed form that a task may change.
type Intent struct {
	WriteRoots      []string
	ExpectedOutputs []string
}

// Assignment is a task about to be given to an agent.
type Assignment struct {
	CapabilityClass string
	Contract        result.Kind // the agent's; empty where there is none
	Task            string
	AutoSelected    bool    // the agent was chosen by routing, not named by the caller
	Intent          *Intent // nil where the caller gave none
	Available       []Spec  // the agents that could be suggested instead
}

// Mismatched says that an agent which may not change the workspace was given a task that needs a change.
type Mismatched struct {
	Refused bool // the dispatch must not run; otherwise it runs and is flagged
	Task    TaskType
	Suggest string // the agent to ask instead; empty where none is available
}

// Mismatch holds an agent's capability against its task, before a run (spec
// 3.8). It reports false where the two fit.
func Mismatch(a Assignment) (Mismatched, bool) {
	task := ClassifyTask(a.Task)
	if !readsOnly(a.CapabilityClass) || !task.mutates() || a.Intent.changesNothing() {
		return Mismatched{}, false
	}
	return Mismatched{
		Refused: !a.AutoSelected && reportsOnly(a.Contract) && !asksToLook(a.Task),
		Task:    task,
		Suggest: suggest(task, a.Available),
	}, true
}

// changesNothing says whether the caller stated that the task has nothing to write.
func (i *Intent) changesNothing() bool {
	return i != nil && len(i.WriteRoots) == 0 && len(i.ExpectedOutputs) == 0
}

// reportsOnly says whether a contract's whole result is a report.
func reportsOnly(kind result.Kind) bool {
	switch kind {
	case result.ScoutReport, result.VerifierReport, result.ResearchReport, result.WorldKnowledgeReport,
		result.ProvenanceReport, result.DebuggerReport, result.OracleReport:
		return true
	}
	return false
}

// suggest names the first available agent that suits a mutating task.
func suggest(task TaskType, available []Spec) string {
	for _, id := range suited(task) {
		suits := func(s Spec) bool { return s.ID == id && !readsOnly(s.CapabilityClass) }
		if slices.ContainsFunc(available, suits) {
			return id
		}
	}
	return ""
}

// suited lists the builtins for a task, the best one first.
func suited(task TaskType) []string {
	switch task {
	case TaskDebug:
		return []string{"debugger", "coder"}
	case TaskTest:
		return []string{"tester", "coder"}
	case TaskDocs:
		return []string{"documenter", "coder"}
	}
	return []string{"coder"}
}
