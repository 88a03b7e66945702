package policy

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/value"
)

func TestNormalizedShowsTheSpecInTheRuntimesLayout(t *testing.T) {
	want := `{"version":1,"id":"editor","name":"Editor","description":"Edits what it is told to edit. Nothing else.",` +
		`"tools":["read","write","edit","context","grep"],` +
		`"toolRequirements":{"required":["read",{"anyOf":["write","edit"]}],"optional":["context","grep"]},"skills":[],` +
		`"audience":"custom","category":"implement","capabilityClass":"workspace-edit","latencyClass":"balanced","projectContextTier":"bounded",` +
		`"budget":{"toolCalls":20,"readReserve":4,"synthesis":true,"maximum":{"toolCalls":60,"readReserve":8}},` +
		`"resultContract":{"kind":"mutation-report","maxSummaryBytes":2048},"product":"orientation","tags":["edit","local"],` +
		`"source":"project","body":"You edit files, and say which.\n"}`
	if diff := cmp.Diff(want, value.Stringify(mustParse(t, editorText).Normalized())); diff != "" {
		t.Error(diff)
	}
}

func TestNormalizeRefusesInTheRuntimesOrder(t *testing.T) {
	plain := func(names ...string) []Requirement {
		var list []Requirement
		for _, name := range names {
			list = append(list, Requirement{Tool: name})
		}
		return list
	}
	empty := Requirement{AnyOf: []string{}}
	for _, c := range []struct {
		name     string
		declared []string
		needs    *Requirements
		want     NormalizeError
	}{
		{"a blank name comes first", []string{"a", "\t"}, nil, NormalizeError{Reason: InvalidToolName, Field: "tools"}},
		{"no requirements at all", []string{"a"}, nil, NormalizeError{Reason: MissingRequirements, Field: "toolRequirements"}},
		{
			"an empty group, before an undeclared tool",
			[]string{"a"},
			&Requirements{Required: append(plain("b"), empty)},
			NormalizeError{Reason: AnyOfEmpty, Field: "tools.required[1].anyOf"},
		},
		{
			"an undeclared tool, before a duplicate",
			[]string{"a"},
			&Requirements{Required: plain("a", "a"), Optional: []string{"b"}},
			NormalizeError{Reason: UndeclaredTool, Field: "toolRequirements", Tool: "b"},
		},
		{
			"a duplicate, before a tool that nothing names",
			[]string{"a", "b"},
			&Requirements{Required: plain("a"), Optional: []string{"a"}},
			NormalizeError{Reason: DuplicateRequirement, Field: "toolRequirements"},
		},
		{
			"a tool that nothing names",
			[]string{"a", "b"},
			&Requirements{Required: plain("a")},
			NormalizeError{Reason: UnreferencedTool, Field: "tools"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Normalize("helper", c.declared, c.needs)
			var refused *NormalizeError
			if !errors.As(err, &refused) {
				t.Fatalf("got %v", err)
			}
			c.want.ID = "helper"
			if diff := cmp.Diff(c.want, *refused); diff != "" {
				t.Error(diff)
			}
			if refused.Error() == "" {
				t.Error("the error says nothing")
			}
		})
	}
}

func TestNormalizeKeepsDeclaredOrderAndDropsRepeats(t *testing.T) {
	tools, err := Normalize("helper", []string{"b", "a", "b"}, &Requirements{
		Required: []Requirement{{AnyOf: []string{"a"}}}, Optional: []string{"b"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"b", "a"}, tools); diff != "" {
		t.Error(diff)
	}
}

func TestAParsedRecipeAlwaysNormalizes(t *testing.T) {
	for _, text := range []string{editorText, plannerText} {
		r := mustParse(t, text)
		tools, err := Normalize(r.ID, r.Tools, &Requirements{Required: r.Required, Optional: r.Optional})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(r.Tools, tools); diff != "" {
			t.Error(diff)
		}
	}
}
