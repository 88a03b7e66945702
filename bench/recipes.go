package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// recipeCount is how many recipes generate writes.
const recipeCount = 10_000

// recipesDir is where a repository's recipes lie.
const recipesDir = ".clio-coder/agents"

// generatedRecipe has a number three times: its file's, and two that make no
// two recipes the same.
const generatedRecipe = `---
version: 1
name: Helper %[1]d
description: Reads what part %[1]d of the program does, and says what it found there.
tools:
  required:
    - read
    - anyOf: [grep, code_nav]
  optional: [find, ls]
skills: []
audience: custom
category: research
capabilityClass: read-only
latencyClass: fast
projectContextTier: bounded
budget:
  toolCalls: %[2]d
  readReserve: 6
  synthesis: true
resultContract: {kind: scout-report}
tags: [reading, part-%[1]d]
---
You read part %[1]d.

Say what it does, which other parts need it, and which tests hold it in place.
Name the file and the line of everything that you say.
`

// generateRecipes writes a folder of recipes; no repository is needed for them.
func generateRecipes(dir string, number int) error {
	agents := filepath.Join(dir, filepath.FromSlash(recipesDir))
	if err := os.MkdirAll(agents, 0o755); err != nil {
		return err
	}
	const least, kinds = 10, 50
	for i := range number {
		text := fmt.Sprintf(generatedRecipe, i, least+i%kinds)
		if err := os.WriteFile(filepath.Join(agents, fmt.Sprintf("helper-%05d.md", i)), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// measureRecipes measures the policing of recipes against reading the same
// front matter with the npm package yaml.
func (b *bench) measureRecipes() error {
	if b.recipes == "" {
		return nil
	}
	agents := filepath.Join(b.recipes, filepath.FromSlash(recipesDir))
	files, err := filepath.Glob(filepath.Join(agents, "*.md"))
	if err != nil {
		return err
	}
	yaml, err := filepath.Abs(b.yaml)
	if err != nil {
		return err
	}
	gate := of(b.gate, "lint", "--repo", b.recipes)
	node := of("node", filepath.Join("bench", "frontmatter.cjs"), yaml, agents)
	for _, want := range []struct {
		call call
		text string
	}{
		{gate.call, fmt.Sprintf("passed: the policy is sound: 0 valid fleets, %d recipes read", len(files))},
		{node.call, fmt.Sprintf("%d recipes", len(files))},
	} {
		if err := says(want.call, want.text); err != nil {
			return err
		}
	}
	return b.pair(row{work: fmt.Sprintf("%d recipes policed", len(files)), against: "node, yaml " + packageVersion(yaml), ours: gate, theirs: node, aim: recipesAim})
}

// says holds what a command prints against what it should.
func says(c call, want string) error {
	out, err := c.command().Output()
	if err != nil {
		return fmt.Errorf("%s: %w", strings.Join(c.args, " "), err)
	}
	if got := strings.TrimSpace(string(out)); got != want {
		return fmt.Errorf("%s: says %q, not %q", strings.Join(c.args, " "), got, want)
	}
	return nil
}
