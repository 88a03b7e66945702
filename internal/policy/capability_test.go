package policy

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/diag"
)

// agentOf makes a recipe with the given class and tools; a required entry
// "a|b" is a group, and an optional one ends in "?".
func agentOf(class, tools string, skills ...string) *Recipe {
	r := &Recipe{Spec: Spec{ID: "helper", CapabilityClass: class, Skills: skills}, Positions: map[string]diag.Pos{"tools": {Line: 4, Column: 1}}}
	for i, entry := range strings.Fields(tools) {
		name, optional := strings.CutSuffix(entry, "?")
		names := strings.Split(name, "|")
		switch {
		case optional:
			r.Optional = append(r.Optional, name)
		case len(names) > 1:
			r.Required = append(r.Required, Requirement{AnyOf: names})
		default:
			r.Required = append(r.Required, Requirement{Tool: name})
		}
		r.Tools = append(r.Tools, names...)
		for range names {
			r.ToolPos = append(r.ToolPos, diag.Pos{Line: 10 + i, Column: 1})
		}
	}
	return r
}

func TestPolicyErrorsReportsEveryBrokenRuleInOrder(t *testing.T) {
	for _, c := range []struct {
		name, class, tools string
		skills             []string
		want               []string // code without its family, and the line
	}{
		{"an editor with a group of mutation tools", WorkspaceEdit, "read write|edit", nil, nil},
		{"an editor may list unknown tools", WorkspaceEdit, "read write mcp_search?", nil, nil},
		{"an editor that may do without editing", WorkspaceEdit, "read write?", nil, []string{"workspace-edit-requires 4"}},
		{"a group that reading alone could satisfy", WorkspaceEdit, "read write|grep", nil, []string{"workspace-edit-requires 4"}},
		{"a verifier", Verification, "verify read?", nil, nil},
		{"a verifier that may do without verify", Verification, "read verify?", nil, []string{"verification-requires-verify 4"}},
		{"a verifier with a shell, a writer and a dispatcher", Verification, "verify bash? write? dispatch?", nil, []string{
			"verification-bash 11", "verification-action 12", "verification-action 13", "dispatch-without-orchestration 13",
		}},
		{"a writer of artifacts", ArtifactWrite, "artifact grep?", nil, nil},
		{"a writer of artifacts with other tools", ArtifactWrite, "artifact|read edit? bash? steer?", nil, []string{
			"artifact-requires-artifact 4", "artifact-write-tool 11", "artifact-action 12", "artifact-action 13",
		}},
		{"a reader", ReadOnly, "read grep|find git?", nil, nil},
		{"a reader is told of each class of action once", ReadOnly, "read write edit bash verify mcp_search", nil, []string{
			"read-only-action 11", "read-only-action 13", "read-only-action 15",
		}},
		{"an orchestrator", Orchestration, "dispatch steer?", nil, nil},
		{"an orchestrator that may do without dispatch", Orchestration, "read dispatch?", nil, []string{"orchestration-dispatch-optional 11"}},
		{"an orchestrator that doesn't dispatch", Orchestration, "read", nil, nil},
		{"nobody may ask the user", Internal, "read ask_user?", nil, []string{"ask-user 11"}},
		{"skills without context", Internal, "read", []string{"plan"}, []string{"skills-require-context 0", "skills-without-context 0"}},
		{"skills with an optional context", Internal, "read context?", []string{"plan"}, []string{"skills-require-context 0"}},
		{"skills with context", Internal, "read context", []string{"plan"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, d := range PolicyErrors(agentOf(c.class, c.tools, c.skills...)) {
				got = append(got, strings.TrimPrefix(string(d.Code), "capability-")+" "+strings.TrimPrefix(d.Pos.String(), ":"))
				if d.Hint == "" || !strings.HasPrefix(d.Message, `agent "helper" of class `+c.class+" ") {
					t.Errorf("%s: message %q, hint %q", d.Code, d.Message, d.Hint)
				}
			}
			for i, line := range got {
				got[i] = strings.TrimSuffix(line, ":1")
				if strings.HasSuffix(got[i], " ") {
					got[i] += "0"
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestActionClassKnowsTheToolsOfOldAndNewRuntimes(t *testing.T) {
	for want, tools := range map[Action]string{
		Read: "read grep find ls web_fetch git code_nav context monitor ask_user credential_present tasks ledger " +
			"evidence limitation web_read data gateway clio_docs clio_library panes decide",
		Write:    "write edit artifact",
		Execute:  "bash verify run_script extension_lint__run extension_a-b__c_d extension_" + strings.Repeat("p", 51) + "__t",
		Dispatch: "dispatch steer",
		Unknown: "Read BASH mcp_search extension_lint extension___run extension_lint__ Extension_lint__run extension_Lint__run " +
			"extension_" + strings.Repeat("p", 52) + "__t",
	} {
		for tool := range strings.FieldsSeq(tools) {
			if got := ActionClass(tool); got != want {
				t.Errorf("%s (%d bytes) is %s, want %s", tool, len(tool), got, want)
			}
		}
	}
	if got := ActionClass(""); got != Unknown {
		t.Errorf("a tool without a name is %s", got)
	}
}

func TestClassesAreRankedByWhatTheyMayDo(t *testing.T) {
	order := []string{ReadOnly, Verification, ArtifactWrite, WorkspaceEdit, Orchestration, Internal, "unheard-of"}
	if !slices.IsSortedFunc(order, func(a, b string) int { return ClassRank(a) - ClassRank(b) }) {
		t.Error("the ranks do not ascend")
	}
	if ClassRank(ReadOnly) == ClassRank(Verification) || ClassRank(Internal) == ClassRank("unheard-of") {
		t.Error("two classes share a rank")
	}
}

func TestCanWriteNeedsAClassAndAToolThatMayDoMoreThanRead(t *testing.T) {
	for _, c := range []struct {
		class, tools string
		want         bool
	}{
		{WorkspaceEdit, "read write", true},
		{ArtifactWrite, "artifact", true},
		{Orchestration, "dispatch", true},
		{Orchestration, "read", false},
		{Internal, "read bash?", true},
		{Internal, "mcp_search", true},
		{Internal, "read context", false},
		{ReadOnly, "read", false},
		{Verification, "verify", false},
		{Verification, "verify write", false},
	} {
		if got := CanWrite(agentOf(c.class, c.tools)); got != c.want {
			t.Errorf("%s with %s can write: %v, want %v", c.class, c.tools, got, c.want)
		}
	}
}
