package fleet

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/strictyaml"
	"github.com/fleetgate/fleetgate/internal/value"
)

// doc is a contract of the given steps, one a line from line 4 on.
func doc(version int, steps ...string) string {
	return fmt.Sprintf("---\nversion: %d\nsteps:\n  - %s\nname: demo\nmaxWorkers: 2\nonFailure: stop\n---\nDo {{ task }}.\n",
		version, strings.Join(steps, "\n  - "))
}

// mustParse reads a contract that is valid.
func mustParse(t testing.TB, text string) *Contract {
	t.Helper()
	c, found := Parse("demo.md", []byte(text))
	if c == nil {
		t.Fatalf("refused: %v\n%s", brief(found), text)
	}
	return c
}

func mustParseCommands(t testing.TB, text string) *Registry {
	t.Helper()
	r, found := ParseCommands("commands.yaml", []byte(text))
	if r == nil {
		t.Fatalf("refused: %v\n%s", brief(found), text)
	}
	return r
}

// brief gives findings as "line:column code field".
func brief(found []diag.Diagnostic) []string {
	var lines []string
	for _, d := range found {
		lines = append(lines, strings.TrimSpace(fmt.Sprintf("%d:%d %s %s", d.Pos.Line, d.Pos.Column, d.Code, d.Field)))
	}
	return lines
}

// worded gives findings as "message | hint".
func worded(found []diag.Diagnostic) []string {
	var lines []string
	for _, d := range found {
		lines = append(lines, d.Message+" | "+d.Hint)
	}
	return lines
}

func lines(text ...string) []string { return text }

const (
	agentA  = "{id: a, agent: coder, scope: workspace, dependencies: [], writes: [docs/]}"
	readB   = "{id: b, agent: scout, scope: readonly, dependencies: []}"
	codeT   = "{kind: code, id: t, command: test, scope: readonly, dependencies: []}"
	loopL   = "{kind: loop, id: l, maxAttempts: 3, dependencies: [], check: {kind: code, command: test, scope: readonly}, repair: {agent: coder, scope: workspace, writes: [src/]}}"
	gateG   = "{kind: gate, id: g, agent: verifier, path: reports/g.md, run: test, dependencies: []}"
	gatedL  = "{kind: loop, id: l, maxAttempts: 2, dependencies: [], check: {kind: gate, gate: g}, repair: {agent: coder, scope: workspace, writes: [src/]}}"
	planP   = "{kind: plan, id: p, roster: [coder, tester], maxTasks: 4, scope: workspace, dependencies: [], writes: [lib/]}"
	withArg = "{kind: code, id: t, command: test, args: [%q], scope: readonly, dependencies: []}"
)

// parseYAML reads the front matter of a contract by itself.
func parseYAML(text string) (*value.Value, error) {
	root, found := strictyaml.Parse("demo.md", []byte(text), codeInvalidYAML)
	if root == nil {
		return nil, fmt.Errorf("%v", brief(found))
	}
	return root, nil
}
