package discover

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/policy"
)

// recipe gives the text of a sound recipe: class is its capability class, and
// tools the inside of its required tools.
func recipe(audience, class, tools string) string {
	return `---
version: 1
name: Helper
description: A helper for tests.
tools: {required: [` + tools + `], optional: []}
skills: []
audience: ` + audience + `
category: implement
capabilityClass: ` + class + `
latencyClass: fast
projectContextTier: none
budget: {toolCalls: 8, readReserve: 2, synthesis: true}
resultContract: {kind: mutation-report}
tags: []
---
You help.
`
}

var (
	reader1 = recipe("custom", "read-only", "read")
	writer1 = recipe("custom", "workspace-edit", "read, {anyOf: [write, edit]}")
)

// contract gives the text of a version 4 contract with the given steps, each a flow mapping.
func contract(steps ...string) string {
	return "---\nversion: 4\nname: demo\nsteps:\n  - " + strings.Join(steps, "\n  - ") + "\nmaxWorkers: 1\nonFailure: stop\n---\nDo {{task}}.\n"
}

const (
	docsStep = "{id: write, agent: coder, scope: workspace, dependencies: [], writes: [docs/]}"
	testStep = "{kind: code, id: check, command: test, scope: readonly, dependencies: []}"
	commands = "version: 1\ncommands:\n  test: {argv: [make, test]}\n"
)

// files makes a tree of texts.
func files(texts map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, text := range texts {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

func load(t *testing.T, project fs.FS, roots ...Root) Set {
	t.Helper()
	set, err := Load(t.Context(), project, Options{Roots: roots, WorkTree: true})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// builtin makes a builtin root of recipes by id.
func builtin(recipes map[string]string) Root {
	return Root{Source: policy.Builtin, Path: "builtins", FS: files(under("agents/", recipes))}
}

func under(dir string, texts map[string]string) map[string]string {
	moved := map[string]string{}
	for name, text := range texts {
		moved[dir+name+".md"] = text
	}
	return moved
}

// brief gives findings as "code file field" lines, for comparing.
func brief(found []diag.Diagnostic) []string {
	var lines []string
	for _, d := range found {
		lines = append(lines, strings.TrimSpace(string(d.Code)+" "+d.Pos.String()+" "+d.Field))
	}
	return lines
}
