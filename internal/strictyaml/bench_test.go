package strictyaml

import (
	"strings"
	"testing"
)

const contract = `---
version: 4
name: build
description: "Builds, tests and documents: one change"
steps:
  - id: docs/write
    agent: documenter
    scope: workspace
    dependencies: []
    writes: [docs/, README.md]
  # the code comes after its documents
  - id: code
    kind: code
    command: test
    args: ["{{task}}", --all]
    scope: readonly
    dependencies: [docs/write]
maxWorkers: 2
onFailure: stop
---
Do {{task}}.
`

func BenchmarkParseFrontMatter(b *testing.B) {
	text := []byte(contract)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, found := ParseFrontMatter("f.md", text); found != nil {
			b.Fatal(found)
		}
	}
}

func BenchmarkParseLargestFile(b *testing.B) {
	text := []byte(strings.Repeat("- {id: a, agent: b, writes: [docs/, README.md]}\n", MaxBytes/48))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, found := Parse("f.yaml", text, codeInvalidYAML); found != nil {
			b.Fatal(found)
		}
	}
}
