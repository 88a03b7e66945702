package policy

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/result"
)

func TestClassifyTaskLooksForWholeWordsInOrder(t *testing.T) {
	for _, c := range []struct {
		task string
		want TaskType
	}{
		{"Add unit tests for the docs", TaskTest},
		{"write a changelog", TaskDocs},
		{"review the fix", TaskReview},
		{"FIX it", TaskDebug},
		{"clean up", TaskRefactor},
		{"cleanup", TaskRefactor},
		{"clean  up", TaskUnknown},
		{"install it", TaskConfig},
		{"state of the art", TaskWorldKnowledge},
		{"an advisory second opinion", TaskWorldKnowledge},
		{"find out more", TaskResearch},
		{"walk through it", TaskRead},
		{"build it", TaskWrite},
		{"fix_it", TaskUnknown},
		{"fixes", TaskUnknown},
		{"éfixé", TaskDebug},
		{"ſurvey", TaskUnknown}, // the long s is no s, nor the Kelvin sign a k
		{"\u212a", TaskUnknown},
		{"brea\u212a bro\u212aen", TaskUnknown},
		{"\xff fix", TaskDebug},
		{"", TaskUnknown},
	} {
		if got := ClassifyTask(c.task); got != c.want {
			t.Errorf("%q is %s, want %s", c.task, got, c.want)
		}
	}
}

func TestMismatchRefusesOnlyAPinnedReporterWhoseTaskDoesNotAskToLook(t *testing.T) {
	coder := []Spec{{ID: "coder", CapabilityClass: WorkspaceEdit}}
	refuse := Mismatched{Refused: true, Task: TaskDebug, Suggest: "coder"}
	flag := Mismatched{Task: TaskDebug, Suggest: "coder"}
	base := Assignment{CapabilityClass: ReadOnly, Contract: result.ScoutReport, Task: "Fix the bug", Available: coder}
	for _, c := range []struct {
		name string
		edit func(*Assignment)
		want *Mismatched
	}{
		{"a scout told to fix", func(*Assignment) {}, &refuse},
		{"one chosen by routing", func(a *Assignment) { a.AutoSelected = true }, &flag},
		{"one told to explain as well", func(a *Assignment) { a.Task += " and explain it" }, &flag},
		{"one told to find where", func(a *Assignment) { a.Task = "Find where the bug is" }, &flag},
		{"find where in the middle", func(a *Assignment) { a.Task = "Fix it; find where" }, &refuse},
		{"one whose result is a plan", func(a *Assignment) { a.Contract = result.ArchitectPlan }, &flag},
		{"an editor", func(a *Assignment) { a.CapabilityClass = WorkspaceEdit }, nil},
		{"a task that changes nothing", func(a *Assignment) { a.Task = "Explain it" }, nil},
		{"an intent without writes or outputs", func(a *Assignment) { a.Intent = &Intent{} }, nil},
		{"an intent with an output", func(a *Assignment) { a.Intent = &Intent{ExpectedOutputs: []string{"a"}} }, &refuse},
		{"nobody to suggest", func(a *Assignment) { a.Available = []Spec{{ID: "coder", CapabilityClass: Verification}} }, &Mismatched{Refused: true, Task: TaskDebug}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := base
			c.edit(&a)
			got, mismatched := Mismatch(a)
			if c.want == nil {
				if mismatched {
					t.Errorf("got %+v, want no mismatch", got)
				}
				return
			}
			if diff := cmp.Diff(*c.want, got); diff != "" || !mismatched {
				t.Errorf("mismatched %v: %s", mismatched, diff)
			}
		})
	}
}

func TestCompatibilityListsWhatIsMissingAndWhatIsLost(t *testing.T) {
	spec := mustParse(t, editorText).Spec
	for _, c := range []struct {
		name      string
		available []string
		mediates  bool
		want      ToolCompatibility
	}{
		{"all that is required", []string{"edit", "read", "grep"}, false, ToolCompatibility{Compatible: true, MissingRequired: []string{}, LostOptional: []string{"context"}}},
		{"a group unmet", []string{"read"}, false, ToolCompatibility{MissingRequired: []string{"anyOf(write|edit)"}, LostOptional: []string{"context", "grep"}}},
		{"dispatch that nobody mediates", []string{"read", "write", "context", "grep", "dispatch"}, false, ToolCompatibility{MissingRequired: []string{unmediated}, LostOptional: []string{}}},
		{"dispatch that is mediated", []string{"read", "write", "context", "grep", "dispatch"}, true, ToolCompatibility{Compatible: true, MissingRequired: []string{}, LostOptional: []string{}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, Compatibility(spec, c.available, c.mediates)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
