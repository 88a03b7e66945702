package policy

import (
	"strings"
	"testing"

	"github.com/fleetgate/fleetgate/internal/diag"
)

// editorText is a sound recipe, one key a line, with every key but a path.
const editorText = `---
version: 1
name: Editor
description: Edits what it is told to edit. Nothing else.
tools:
  required:
    - read
    - anyOf: [write, edit]
  optional: [context, grep]
skills: []
audience: custom
category: implement
capabilityClass: workspace-edit
latencyClass: balanced
projectContextTier: bounded
budget:
  toolCalls: 20
  readReserve: 4
  synthesis: true
  maximum:
    toolCalls: 60
    readReserve: 8
resultContract:
  kind: mutation-report
  maxSummaryBytes: 2048
product: orientation
tags: [edit, local]
---
You edit files, and say which.
`

// plannerText is a sound recipe with an architect's plan.
const plannerText = `---
version: 1
name: Planner
description: Writes one plan.
tools: {required: [artifact, read, context], optional: []}
skills: [planning, writing]
audience: custom
category: plan
capabilityClass: artifact-write
latencyClass: deep
projectContextTier: none
budget: {toolCalls: 8, readReserve: 0, synthesis: false}
resultContract:
  kind: architect-plan
  path: docs/PLAN.md
tags: []
---
You write the plan and nothing else.
`

const testPath = ".clio-coder/agents/editor.md"

// mustParse parses a text that must be sound.
func mustParse(t testing.TB, text string) *Recipe {
	t.Helper()
	r, found := Parse(testPath, "editor", Project, []byte(text))
	if len(found) > 0 {
		t.Fatalf("a sound recipe is refused: %v", found)
	}
	return r
}

// edit replaces the one place where old stands in the text.
func edit(t *testing.T, text, old, replacement string) string {
	t.Helper()
	if strings.Count(text, old) != 1 {
		t.Fatalf("%q stands %d times in the text", old, strings.Count(text, old))
	}
	return strings.Replace(text, old, replacement, 1)
}

// brief writes each finding as code, field and place.
func brief(found []diag.Diagnostic) []string {
	var list []string
	for _, d := range found {
		list = append(list, strings.Join([]string{string(d.Code), d.Field, strings.TrimPrefix(d.Pos.String(), testPath+":")}, " "))
	}
	return list
}
