package fleet

import (
	"fmt"
	"strings"
	"testing"
)

// benchContract is a contract as repositories have them: every kind of step.
func benchContract(n int) []byte {
	return fmt.Appendf(nil, `---
version: 5
name: docs-%d
description: Write, check and record the documentation.
steps:
  - id: read
    agent: scout
    scope: readonly
    dependencies: []
  - id: write
    agent: coder
    scope: workspace
    dependencies: [read]
    writes: [docs/, README.md, "examples/%d/"]
  - kind: gate
    id: review
    agent: verifier
    path: reports/review.md
    run: lint
    dependencies: [write]
  - kind: loop
    id: fix
    maxAttempts: 3
    dependencies: [review]
    check: {kind: code, command: test, scope: readonly}
    repair: {agent: coder, scope: workspace, writes: [src/]}
  - kind: plan
    id: split
    roster: [coder, tester]
    maxTasks: 4
    scope: workspace
    dependencies: [fix]
    writes: [src/, test/]
  - kind: code
    id: commit
    command: commit
    scope: workspace
    dependencies: [write, split]
    commitFrom: [write, split]
    writes: [CHANGELOG.md]
maxWorkers: 2
onFailure: stop
---
Document {{ topic }}, and keep it short.
`, n, n)
}

// BenchmarkParse reads 10,000 contracts an operation.
func BenchmarkParse(b *testing.B) {
	const contracts = 10_000
	texts := make([][]byte, contracts)
	bytes := 0
	for i := range texts {
		texts[i] = benchContract(i)
		bytes += len(texts[i])
	}
	b.SetBytes(int64(bytes))
	b.ReportAllocs()
	for b.Loop() {
		for i, text := range texts {
			if c, found := Parse("fleets/docs.md", text); c == nil {
				b.Fatal(i, found)
			}
		}
	}
	b.ReportMetric(contracts, "contracts/op")
}

// chainContract is one long chain of steps, the last of which commits the first's work.
func chainContract(steps int) []byte {
	var text strings.Builder
	text.WriteString("---\nversion: 3\nname: c\nmaxWorkers: 1\nonFailure: stop\nsteps:\n- {id: s0, agent: a, scope: readonly, dependencies: []}\n")
	for i := 1; i < steps; i++ {
		fmt.Fprintf(&text, "- {kind: code, id: s%d, command: c, scope: readonly, dependencies: [s%d], commitFrom: [s0]}\n", i, i-1)
	}
	text.WriteString("---\nx\n")
	return []byte(text.String())
}

// BenchmarkParseChain reads one contract of 10,000 steps, all of them commit steps.
func BenchmarkParseChain(b *testing.B) {
	text := chainContract(MaxSteps)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if c, found := Parse("fleets/chain.md", text); c == nil {
			b.Fatal(found)
		}
	}
}
