package policy

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/diag"
)

func TestParseKeepsEveryFieldAndItsPlace(t *testing.T) {
	r := mustParse(t, editorText)
	pos := func(line, column int) diag.Pos { return diag.Pos{File: testPath, Line: line, Column: column} }
	if diff := cmp.Diff([]diag.Pos{pos(7, 7), pos(8, 15), pos(8, 22), pos(9, 14), pos(9, 23)}, r.ToolPos); diff != "" {
		t.Errorf("the places of the tools: %s", diff)
	}
	if diff := cmp.Diff([]string{"read", "write", "edit", "context", "grep"}, r.Tools); diff != "" {
		t.Errorf("the flattened tools: %s", diff)
	}
	if diff := cmp.Diff(Budget{Figures{20, 4}, true, &Figures{60, 8}}, r.Budget); diff != "" {
		t.Errorf("the budget: %s", diff)
	}
	if r.Positions["tools"] != pos(5, 1) || r.ResultContract.Pos != pos(24, 3) {
		t.Errorf("places: tools %v, contract %v", r.Positions["tools"], r.ResultContract.Pos)
	}
	if r.ID != "editor" || r.Source != Project || r.Path != testPath || r.Body != "You edit files, and say which.\n" {
		t.Errorf("id %q, source %q, path %q, body %q", r.ID, r.Source, r.Path, r.Body)
	}
}

// Everything is wrong at once: the findings come in the order in which the runtime would meet them.
func TestParseReportsAllProblemsInTheRuntimesOrder(t *testing.T) {
	text := `---
version: "1"
nmae: Editor
description: " "
tools: {required: [1, read, {anyOf: []}, {anyOf: [read, read]}, {allOf: [x]}], optional: read, other: []}
skills: [a, 7, a]
audience: base
category: explorer
capabilityClass: read-write
latencyClass: [fast]
budget: {toolCalls: 4.5, readReserve: -1, sinthesis: true, maximum: {toolCalls: 0}}
resultContract: {kind: scout-report, path: x}
product: null
tags: none
---
`
	r, found := Parse(testPath, "editor", Project, []byte(text))
	if r != nil {
		t.Error("a recipe with findings is given back")
	}
	want := []string{
		"recipe-unknown-key nmae 3:1",
		"recipe-missing-key name 2:1",
		"recipe-missing-key projectContextTier 2:1",
		"recipe-version version 2:10",
		"recipe-empty-body body 15:1",
		"recipe-tools-unknown-key tools.other 5:96",
		"recipe-tools-not-array tools.optional 5:90",
		"recipe-tool-shape tools.required[0] 5:20",
		"recipe-anyof-empty tools.required[2].anyOf 5:37",
		"recipe-string-array-duplicates tools.required[3].anyOf 5:57",
		"recipe-tool-group-keys tools.required[4] 5:65",
		"recipe-tools-duplicate tools 5:51",
		"budget-unknown-key budget.sinthesis 11:43",
		"budget-missing-key budget.synthesis 11:9",
		"budget-not-integer budget.toolCalls 11:21",
		"budget-negative-reserve budget.readReserve 11:39",
		"budget-missing-key budget.maximum.readReserve 11:69",
		"budget-not-positive budget.maximum.toolCalls 11:81",
		"recipe-string description 4:14",
		"recipe-string skills[1] 6:13",
		"recipe-string-array-duplicates skills 6:16",
		"recipe-audience-provenance audience 7:11",
		"recipe-enum category 8:11",
		"recipe-enum capabilityClass 9:18",
		"recipe-enum latencyClass 10:15",
		"contract-unknown-key resultContract.path 12:38",
		"recipe-enum product 13:10",
		"recipe-string-array tags 14:7",
	}
	if diff := cmp.Diff(want, brief(found)); diff != "" {
		t.Error(diff)
	}
	for _, d := range found {
		if d.Message == "" || d.Hint == "" {
			t.Errorf("%s at %s lacks its message or its way out: %q, %q", d.Code, d.Field, d.Message, d.Hint)
		}
	}
}

func TestEachProblemAloneIsReportedAtItsPlace(t *testing.T) {
	for _, c := range []struct{ name, old, replacement, want string }{
		{"a version in quotes", "version: 1", `version: "1"`, "recipe-version version 2:10"},
		{"a number for a name", "name: Editor", "name: 7", "recipe-string name 3:7"},
		{"tools as a list", "tools:\n  required:\n    - read\n    - anyOf: [write, edit]\n  optional: [context, grep]", "tools: [read]", "recipe-tools-not-object tools 5:8"},
		{"no optional list", "\n  optional: [context, grep]", "", "recipe-tools-missing-list tools.optional 6:3"},
		{"a blank tool", "- read", `- " "`, "recipe-string tools.required[0] 7:7"},
		{"an empty group", "- anyOf: [write, edit]", "- {}", "recipe-tool-group-keys tools.required[1] 8:7"},
		{"a group with a second key", "- anyOf: [write, edit]", "- {anyOf: [write, edit], min: 1}", "recipe-tool-group-keys tools.required[1] 8:7"},
		{"a tool that is required and optional", "[context, grep]", "[context, read]", "recipe-tools-duplicate tools 9:23"},
		{"an empty budget", "budget:\n  toolCalls: 20\n  readReserve: 4\n  synthesis: true\n  maximum:\n    toolCalls: 60\n    readReserve: 8\n", "budget:\n", "budget-not-object budget 16:8"},
		{"a reserve that eats the budget", "readReserve: 4", "readReserve: 20", "budget-reserve-too-large budget.readReserve 18:16"},
		{"no calls at all", "toolCalls: 20", "toolCalls: 0", "budget-not-positive budget.toolCalls 17:14"},
		{"a maximum below the default", "toolCalls: 60", "toolCalls: 19", "budget-maximum-below-default budget.maximum.toolCalls 21:16"},
		{"a maximal reserve below the default", "readReserve: 8", "readReserve: 3", "budget-maximum-below-default budget.maximum.readReserve 22:18"},
		{"yes for true", "synthesis: true", "synthesis: yes", "budget-synthesis-type budget.synthesis 19:14"},
		{"a shadow audience", "audience: custom", "audience: shadow", "recipe-audience-provenance audience 11:11"},
		{"no persona", "You edit files, and say which.\n", " \n", "recipe-empty-body body 28:1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, found := Parse(testPath, "editor", Project, []byte(edit(t, editorText, c.old, c.replacement)))
			if diff := cmp.Diff([]string{c.want}, brief(found)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTheAudienceFollowsTheSource(t *testing.T) {
	for _, source := range []Source{Builtin, Plugin, User, Project} {
		for _, audience := range audiences {
			text := edit(t, editorText, "audience: custom", "audience: "+audience)
			_, found := Parse(testPath, "editor", source, []byte(text))
			if fits := (source == Builtin) != (audience == AudienceCustom); fits != (len(found) == 0) {
				t.Errorf("audience %s of a %s recipe: fits %v, found %v", audience, source, fits, found)
			}
		}
	}
}

func TestAClosedSetIsListedInTheHint(t *testing.T) {
	for key, legal := range map[string][]string{
		"audience": audiences, "category": categories, "capabilityClass": capabilityClasses,
		"latencyClass": latencyClasses, "projectContextTier": contextTiers, "product": products,
	} {
		var line string
		for candidate := range strings.Lines(editorText) {
			if strings.HasPrefix(candidate, key+":") {
				line = candidate
			}
		}
		_, found := Parse(testPath, "editor", Project, []byte(edit(t, editorText, line, key+": "+legal[0]+"x\n")))
		if len(found) != 1 || found[0].Code != "recipe-enum" {
			t.Errorf("%s: found %v", key, found)
			continue
		}
		for _, word := range legal {
			if !strings.Contains(found[0].Hint, word) {
				t.Errorf("the hint about %s lacks %s: %q", key, word, found[0].Hint)
			}
		}
		if !strings.HasPrefix(found[0].Hint, "did you mean "+legal[0]+"? ") {
			t.Errorf("the hint about %s does not offer the nearest value: %q", key, found[0].Hint)
		}
	}
}

func TestNoFileListsMoreThanMaxFindings(t *testing.T) {
	var keys strings.Builder
	for i := range diag.MaxFindings + 10 {
		fmt.Fprintf(&keys, "%q: 1\n", fmt.Sprint("k", i))
	}
	contract := "{kind: scout-report, " + strings.ReplaceAll(strings.TrimSpace(keys.String()), "\n", ", ") + "}"
	for _, text := range []string{
		edit(t, editorText, "version: 1\n", "version: 1\n"+keys.String()),
		edit(t, plannerText, "\n  kind: architect-plan\n  path: docs/PLAN.md", " "+contract),
		edit(t, editorText, "[edit, local]", "["+strings.Repeat("1, ", diag.MaxFindings+1)+"]"),
	} {
		r, found := Parse(testPath, "editor", Project, []byte(text))
		if r != nil || len(found) != diag.MaxFindings {
			t.Errorf("%d findings, want %d; recipe %v", len(found), diag.MaxFindings, r)
			continue
		}
		if last := found[diag.MaxFindings-1]; len(last.Related) != 1 {
			t.Errorf("the last finding does not say that there are more: %v", last)
		}
	}
}

func TestAMessageDoesNotRepeatAHostileValueWhole(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	for _, text := range []string{
		edit(t, editorText, "category: implement", "category: "+long),
		edit(t, editorText, "product: orientation", long+": 1"),
		edit(t, editorText, "kind: mutation-report", "kind: "+long),
		edit(t, editorText, "[edit, local]", "["+long+", "+long+"]"),
	} {
		_, found := Parse(testPath, "editor", Project, []byte(text))
		if len(found) == 0 {
			t.Fatal("accepted")
		}
		for _, d := range found {
			if len(d.Message) > 1_000 || len(d.Hint) > 1_000 {
				t.Errorf("%s has a message of %d bytes and a hint of %d", d.Code, len(d.Message), len(d.Hint))
			}
		}
	}
}
