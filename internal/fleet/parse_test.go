package fleet

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/value"
)

func TestParseReadsEveryKindOfStep(t *testing.T) {
	c := mustParse(t, `---
version: 5
name: demo
description: All of it.
budgetUsd: 2.5
writers: 1
maxWorkers: 3
onFailure: continue
steps:
  - {id: a, agent: coder, scope: workspace, dependencies: [], writes: [" docs//x ", b, b], target: gpu}
  - {kind: code, id: t, command: test, args: ["{{ file }}"], scope: readonly, dependencies: [a], commitFrom: [a]}
  - {kind: loop, id: l, maxAttempts: 2, dependencies: [t], check: {kind: agent, agent: v, scope: readonly, profile: p}, repair: {agent: coder, scope: workspace, writes: [src/]}}
  - {kind: gate, id: g, agent: v, path: r.md, run: test, scope: workspace, dependencies: [l, l]}
  - {kind: plan, id: p, roster: [x, y], maxTasks: 2.0, proposals: true, scope: readonly, dependencies: []}
---

  Do {{ task }}.
`)
	want := `{"version":5,"name":"demo","description":"All of it.","steps":[` +
		`{"kind":"agent","id":"a","agent":"coder","scope":"workspace","dependencies":[],"writes":["b","docs/x"],"target":"gpu"},` +
		`{"kind":"code","id":"t","command":"test","args":["{{ file }}"],"scope":"readonly","dependencies":["a"],"commitFrom":["a"]},` +
		`{"kind":"loop","id":"l","maxAttempts":2,"dependencies":["t"],"check":{"kind":"agent","agent":"v","scope":"readonly","profile":"p"},` +
		`"repair":{"kind":"agent","agent":"coder","scope":"workspace","writes":["src/"]}},` +
		`{"kind":"gate","id":"g","agent":"v","path":"r.md","run":"test","scope":"workspace","dependencies":["l","l"]},` +
		`{"kind":"plan","id":"p","agent":"architect","roster":["x","y"],"maxTasks":2,"proposals":true,"scope":"readonly","dependencies":[]}` +
		`],"maxWorkers":3,"budgetUsd":2.5,"onFailure":"continue","writers":1,"body":"Do {{ task }}.","path":"demo.md"}`
	if diff := cmp.Diff(want, value.Stringify(c.Normalized())); diff != "" {
		t.Error(diff)
	}
}

func TestEveryValueRemembersItsPlace(t *testing.T) {
	c := mustParse(t, doc(5, gateG, loopL, codeT))
	at := func(line, column int) diag.Pos { return diag.Pos{File: "demo.md", Line: line, Column: column} }
	for _, v := range []struct {
		name      string
		got, want diag.Pos
	}{
		{"steps", c.Pos, at(3, 1)},
		{"a step", c.Steps[1].Pos, at(5, 5)},
		{"an id", c.Steps[1].ID.Pos, at(5, 22)},
		{"a gate's path", c.Steps[0].Path.Pos, at(4, 48)},
		{"a half", c.Steps[1].Check.Pos, at(5, 66)},
		{"a half's command", c.Steps[1].Check.Command.Pos, at(5, 88)},
		{"a half's writes key", c.Steps[1].Repair.WritesPos, at(5, 153)},
		{"the prompt", c.BodyPos, at(11, 1)},
	} {
		if diff := cmp.Diff(v.want, v.got); diff != "" {
			t.Errorf("%s: %s", v.name, diff)
		}
	}
}

// Each contract has a fault of every later check as well; the first finding
// must be that of the earliest.
func TestFindingsStandInTheRuntimesOrder(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{
			"front matter before everything", "---\nversion: 6\n",
			lines("1:1 frontmatter-missing-close"),
		},
		{
			"an unknown version alone, since no rule is known for it",
			"---\nversion: 6\nextra: 1\n---\n",
			lines("2:10 fleet-version version"),
		},
		{
			"below 4: writes everywhere, then writers, then step by step kind before routes, then the schema",
			"---\nversion: 2\nsteps:\n" +
				"  - {id: a, agent: x, scope: readonly, dependencies: [], target: null}\n" +
				"  - {kind: plan, id: p, profile: q, writes: null}\n" +
				"writers: 1\nextra: 1\nbudgetUsd: 0\n---\n",
			lines(
				"5:37 fleet-writes-before-v4 steps[1].writes",
				"6:1 fleet-writers-before-v5 writers",
				"4:58 fleet-route-before-v5 steps[0].target",
				"5:12 fleet-kind-before-v5 steps[1].kind",
				"5:25 fleet-route-before-v5 steps[1].profile",
				"7:1 fleet-schema-unknown-key extra",
				"2:1 fleet-schema-missing-key name",
				"2:1 fleet-schema-missing-key maxWorkers",
				"2:1 fleet-schema-missing-key onFailure",
				"8:12 fleet-budget-not-positive budgetUsd",
				"9:0 fleet-empty-body body",
			),
		},
		{
			"from 5 on: gate writes, schema, budget, body, grammar, graph, boundaries, routes",
			"---\nversion: 5\nname: n\nmaxWorkers: 1\nonFailure: stop\nbudgetUsd: -1\nsteps:\n" +
				"  - {id: a, agent: x, scope: workspace, dependencies: [z], writes: [../q]}\n" +
				"  - {id: b, agent: x, scope: workspace, dependencies: [b], target: t, profile: p}\n" +
				"  - {id: c, agent: x, scope: readonly, dependencies: [], writes: []}\n" +
				"  - {kind: gate, id: g, agent: x, path: p//q, run: t, dependencies: [], writes: [s]}\n" +
				"extra: 1\n---\n",
			lines(
				"11:73 fleet-gate-writes steps[3].writes",
				"12:1 fleet-schema-unknown-key extra",
				"6:12 fleet-budget-not-positive budgetUsd",
				"13:0 fleet-empty-body body",
				"8:69 writes-parent steps[0].writes[0]",
				"8:56 fleet-unknown-dependency steps[0].dependencies[0]",
				"9:56 fleet-self-dependency steps[1].dependencies[0]",
				"9:5 fleet-workspace-needs-writes steps[1].writes",
				"10:58 fleet-readonly-with-writes steps[2].writes",
				"9:5 fleet-route-both steps[1]",
				"11:41 fleet-gate-path-not-normalized steps[3].path",
			),
		},
		{
			"a null step stops the runtime's look for newer keys",
			doc(1, "{id: a, agent: x, scope: readonly, dependencies: [], writes: [q]}", "null", "{id: c, agent: x, scope: readonly, dependencies: [], writes: [q]}"),
			lines(
				"4:58 fleet-writes-before-v4 steps[0].writes",
				"5:5 fleet-schema-type steps[1]",
				"6:58 fleet-writes-before-v4 steps[2].writes",
			),
		},
		{
			"every workspace position before any readonly one, a loop's check before its repair",
			doc(4, "{id: a, agent: x, scope: readonly, dependencies: [], writes: [q]}",
				"{kind: loop, id: l, maxAttempts: 1, dependencies: [], check: {kind: agent, agent: v, scope: workspace}, repair: {agent: w, scope: workspace, writes: []}}"),
			lines(
				"5:66 fleet-workspace-needs-writes steps[1].check.writes",
				"5:146 fleet-workspace-needs-writes steps[1].repair.writes",
				"4:58 fleet-readonly-with-writes steps[0].writes",
			),
		},
		{
			"version 5's rules step by step: route, roster, the halves' routes",
			doc(5, "{kind: plan, id: p, roster: [x, y, x], maxTasks: 1, scope: readonly, dependencies: [], target: t, profile: p}",
				"{kind: loop, id: l, maxAttempts: 1, dependencies: [], check: {kind: agent, agent: v, scope: readonly, target: t, profile: p}, repair: {agent: w, scope: readonly, target: t, profile: p}}"),
			lines(
				"4:5 fleet-route-both steps[0]",
				"4:40 fleet-roster-duplicate steps[0].roster",
				"5:66 fleet-route-both steps[1].check",
				"5:139 fleet-route-both steps[1].repair",
			),
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			contract, found := Parse("demo.md", []byte(c.text))
			if contract != nil {
				t.Error("a contract in spite of findings")
			}
			if diff := cmp.Diff(c.want, brief(found)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A fault in one step must not raise false alarms about what it leaves open,
// nor hide what is wrong elsewhere.
func TestWhatAFaultLeavesOpenIsNotJudged(t *testing.T) {
	for _, c := range []struct {
		name string
		text string
		want []string
	}{
		{
			"a step without a readable id: unknown names might be its own",
			doc(4, "{id: 1, agent: x, scope: readonly, dependencies: []}", "{id: b, agent: x, scope: readonly, dependencies: [one]}"),
			lines("4:10 fleet-schema-type steps[0].id"),
		},
		{
			"a misspelt writes: that writes is missing isn't said again",
			doc(4, "{id: a, agent: x, scope: workspace, dependencies: [], write: [q]}", "{id: b, agent: x, scope: workspace, dependencies: []}"),
			lines("4:59 fleet-schema-unknown-key steps[0].write", "5:5 fleet-workspace-needs-writes steps[1].writes"),
		},
		{
			"an unknown key hides no cycle",
			doc(4, "{id: a, agent: x, scope: readonly, dependencies: [b], model: m}", "{id: b, agent: x, scope: readonly, dependencies: [a]}"),
			lines("4:59 fleet-schema-unknown-key steps[0].model", "4:55 fleet-cycle steps"),
		},
		{
			"dependencies that can't be read leave the order open",
			doc(3, "{id: a, agent: x, scope: readonly, dependencies: b}", readB,
				"{kind: code, id: c, command: t, scope: readonly, dependencies: [a], commitFrom: [b, c, zz]}"),
			lines("4:54 fleet-schema-type steps[0].dependencies", "6:89 fleet-commit-code-source steps[2].commitFrom[1]", "6:92 fleet-commit-unknown-source steps[2].commitFrom[2]"),
		},
		{
			"a step of unknown kind might be the gate",
			doc(5, "{kind: gat, id: g}", gatedL),
			lines("4:12 fleet-schema-value steps[0].kind"),
		},
		{
			"an unknown kind is a step's only fault",
			doc(1, loopL),
			lines("4:153 fleet-writes-before-v4 steps[0].repair.writes", "4:12 fleet-schema-value steps[0].kind"),
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, found := Parse("demo.md", []byte(c.text))
			if diff := cmp.Diff(c.want, brief(found)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestMessagesNameTheThingTheRuleAndTheWayOut(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{
			doc(3, "{id: a, agent: x, scope: Readonly, dependancies: []}"),
			lines(
				`step "a": scope must be readonly or workspace, not "Readonly" | did you mean readonly?`,
				`step "a" has the unknown key "dependancies" | did you mean dependencies? the keys of an agent step in version 3 are kind, id, agent, scope, dependencies`,
				`step "a" lacks the key dependencies, which an agent step must have | add dependencies: [] if it waits for nothing`,
			),
		},
		{
			doc(2, "{kind: code, id: c, command: t, scope: readonly, dependencies: [], commitFrom: [a]}", "{kind: loop, id: l}"),
			lines(
				`step "c" has the unknown key "commitFrom" | commitFrom needs contract version 3; raise version, or take the key out`,
				`step "l": kind must be agent or code, not "loop" | kind loop needs contract version 3; raise version`,
			),
		},
		{
			doc(4, "{kind: loop, id: l, maxAttempts: 6, dependencies: 7, check: {kind: agent, agent: '', scope: readonly}, repair: 1}", "7"),
			lines(
				`step "l": maxAttempts must be from 1 to 5, not 6 | write maxAttempts: how often to check, from 1 to 5`,
				`step "l": dependencies must be a list, not 7 | write dependencies: [] if it waits for nothing`,
				`step "l": check.agent must not be empty | write the name of the agent, such as agent: coder`,
				`step "l": repair must be a mapping, not 1 | write repair: {agent: coder, scope: workspace}`,
				`steps[1] must be a mapping, not 7 | write steps: a list of at least one step`,
			),
		},
		{
			doc(4, "{id: a, agent: x, scope: workspace, dependencies: []}"),
			lines(`step "a" has scope workspace and no writes; from version 4 on it needs at least one entry | ` +
				`add the files and directories that it may change, such as writes: [docs/], or make its scope readonly`),
		},
		{
			doc(3, "{id: a, agent: x, scope: workspace, dependencies: [], writes: [q]}"),
			lines(`step "a": writes needs contract version 4; this contract is version 3, where it would not be honoured | raise version to 4, or take writes out`),
		},
		{
			doc(4, loopL, "{id: w, agent: x, scope: readonly, dependencies: [l.check.2, W]}"),
			lines(
				`step "w" depends on "l.check.2", which no step has as its id | name the whole loop, l`,
				`step "w" depends on "W", which no step has as its id | did you mean l? the other steps are l`,
			),
		},
		{
			doc(5, readB, "{kind: gate, id: h, agent: v, path: ./r, run: t, dependencies: []}", gatedL),
			lines(
				`step "l": its check names gate "g", which no step has as its id | did you mean h? the gates are h`,
				`step "h": the gate's path "./r" has a "." segment | leave the "." out; there is no way to write "the whole repository"`,
			),
		},
		{
			doc(5, readB, "{kind: loop, id: l, maxAttempts: 1, dependencies: [], check: {kind: gate, gate: b}, repair: {agent: x, scope: readonly}}"),
			lines(`step "l": its check names gate "b", which is a step of kind agent | add a step of kind gate with that id`),
		},
	} {
		_, found := Parse("demo.md", []byte(c.text))
		if diff := cmp.Diff(c.want, worded(found)); diff != "" {
			t.Errorf("%s\n%s", c.text, diff)
		}
	}
}

func TestTheVersionIsANumberFromOneToFive(t *testing.T) {
	for _, c := range []struct {
		version string
		ok      bool
	}{
		{"1", true},
		{"5", true},
		{"4.0", true},
		{"0x4", true},
		{"04", true},
		{"0", false},
		{"6", false},
		{"4.5", false},
		{"-4", false},
		{".nan", false},
		{"true", false},
		{"[4]", false},
		{"'4'", false},
		{"~", false},
	} {
		text := "---\nversion: " + c.version + "\nname: n\nsteps: [{id: a, agent: x, scope: readonly, dependencies: []}]\nmaxWorkers: 1\nonFailure: stop\n---\nx\n"
		contract, found := Parse("demo.md", []byte(text))
		if (contract != nil) != c.ok {
			t.Errorf("version %s: accepted %v, want %v", c.version, contract != nil, c.ok)
		}
		if !c.ok && found[0].Code != codeVersion {
			t.Errorf("version %s: %v", c.version, brief(found))
		}
	}
}

// What a contract says of itself, written as a contract again, is the same contract.
func TestNormalizedIsAFixedPoint(t *testing.T) {
	for version := 4; version <= 5; version++ {
		steps := lines(agentA, readB, codeT, loopL)
		if version == 5 {
			steps = lines(agentA, gateG, gatedL, planP, codeT)
		}
		first := mustParse(t, doc(version, steps...)).Normalized()
		var front []value.Member
		for _, m := range first.Members {
			if m.Key != "body" && m.Key != "path" && m.Key != "budgetUsd" {
				front = append(front, m)
			}
		}
		text := "---\n" + value.Stringify(value.NewMap(front...)) + "\n---\n" + first.Get("body").Text
		if diff := cmp.Diff(value.Stringify(first), value.Stringify(mustParse(t, text).Normalized())); diff != "" {
			t.Error(diff)
		}
	}
}
