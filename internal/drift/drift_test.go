package drift

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/discover"
)

// policies reads the policy of a tree given as .clio-coder's files.
func policies(t *testing.T, texts map[string]string) *discover.Set {
	t.Helper()
	tree := fstest.MapFS{}
	for name, text := range texts {
		tree[discover.Dir+"/"+name] = &fstest.MapFile{Data: []byte(text)}
	}
	set, err := discover.Load(t.Context(), tree, discover.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return &set
}

// said gives findings as "code side place: message", without the directory.
func said(found []diag.Diagnostic) []string {
	var lines []string
	for _, d := range found {
		line := string(d.Code) + " " + string(d.Rev) + " " + d.Pos.String() + ": " + d.Message
		lines = append(lines, strings.ReplaceAll(line, discover.Dir+"/", ""))
	}
	return lines
}

func contract(version string, steps ...string) string {
	return "---\nversion: " + version + "\nname: demo\nsteps:\n  - " + strings.Join(steps, "\n  - ") + "\nmaxWorkers: 1\nonFailure: stop\n---\nDo {{task}}.\n"
}

func step(id, writes string) string {
	if writes == "" {
		return "{id: " + id + ", agent: coder, scope: readonly, dependencies: []}"
	}
	return "{id: " + id + ", agent: coder, scope: workspace, dependencies: [], writes: [" + writes + "]}"
}

func TestBoundariesThatMove(t *testing.T) {
	type pair struct{ base, head string }
	commit := func(from string) string {
		return "{kind: code, id: c, command: x, scope: readonly, dependencies: [a, b], commitFrom: [" + from + "]}"
	}
	const commands = "version: 1\ncommands: {x: {argv: [make]}}\n"
	for _, c := range []struct {
		name string
		pair
		want []string
	}{
		{"nothing", pair{contract("4", step("a", "docs/")), contract("4", step("a", "docs/"))}, nil},
		{"the order and spelling of entries", pair{contract("4", step("a", "docs/, b")), contract("4", step("a", "b, docs//"))}, nil},
		{
			"one more entry",
			pair{contract("4", step("a", "docs/")), contract("4", step("a", "docs/, src/"))},
			[]string{`policy-widened head fleets/demo.md:5:63: "demo/a" may now also write src/; at base it may write docs/`},
		},
		{"an entry below one that is there", pair{contract("4", step("a", "docs/")), contract("4", step("a", "docs/, docs/a"))}, nil},
		{
			"a directory doesn't cover a workflow below it",
			pair{contract("4", step("a", ".github/")), contract("4", step("a", ".github/, .github/workflows/ci.yml"))},
			[]string{`policy-widened head fleets/demo.md:5:63: "demo/a" may now also write .github/workflows/ci.yml; at base it may write .github/`},
		},
		{
			"a directory in place of one below it",
			pair{contract("4", step("a", "docs/a/")), contract("4", step("a", "docs/"))},
			[]string{`policy-widened head fleets/demo.md:5:63: "demo/a" may now also write docs/; at base it may write docs/a/`},
		},
		{
			"a directory below in place of one",
			pair{contract("4", step("a", "docs/")), contract("4", step("a", "docs/a/"))},
			[]string{`policy-narrowed head fleets/demo.md:5:63: "demo/a" may no longer write all of docs/; at head it may write docs/a/`},
		},
		{
			"one entry for another",
			pair{contract("4", step("a", "docs/")), contract("4", step("a", "src/"))},
			[]string{
				`policy-widened head fleets/demo.md:5:63: "demo/a" may now also write src/; at base it may write docs/`,
				`policy-narrowed head fleets/demo.md:5:63: "demo/a" may no longer write all of docs/; at head it may write src/`,
			},
		},
		{
			"a readonly step that may write",
			pair{contract("4", step("a", "")), contract("4", step("a", "docs/"))},
			[]string{
				`policy-widened head fleets/demo.md:5:63: "demo/a" may now also write docs/; at base it may write nothing`,
				`drift-fleet head fleets/demo.md:5:5: fleet "demo": step "a" changed: scope`,
			},
		},
		{
			"a version that has boundaries",
			pair{strings.ReplaceAll(contract("3", step("a", "docs/")), ", writes: [docs/]", ""), contract("4", step("a", "docs/"))},
			[]string{
				`policy-widened head fleets/demo.md:5:63: "demo/a" may now also write docs/; at base it may write nothing`,
				`drift-fleet head fleets/demo.md: fleet "demo" changed: version`,
			},
		},
		{
			"a commit step that records one more step",
			pair{contract("4", step("a", "docs/"), step("b", "src/"), commit("a")), contract("4", step("a", "docs/"), step("b", "src/"), commit("a, b"))},
			[]string{
				`policy-widened head fleets/demo.md:7:5: "demo/c" may now also write src/; at base it may write docs/`,
				`drift-fleet head fleets/demo.md:7:5: fleet "demo": step "c" changed: commitFrom`,
			},
		},
		{
			"a new step and one that is gone",
			pair{contract("4", step("a", "docs/")), contract("4", step("b", "src/"))},
			[]string{
				`policy-widened head fleets/demo.md:5:63: "demo/b" may now also write src/; at base it may write nothing`,
				`policy-narrowed base fleets/demo.md:5:63: "demo/a" may no longer write all of docs/; at head it may write nothing`,
				`drift-fleet head fleets/demo.md:5:5: fleet "demo": step "b" is new`,
				`drift-fleet base fleets/demo.md:5:5: fleet "demo": step "a" is gone at head`,
			},
		},
		{
			"a new fleet",
			pair{"", contract("4", step("a", "docs/"), step("b", ""))},
			[]string{
				`drift-fleet head fleets/demo.md: fleet "demo" is new`,
				`policy-widened head fleets/demo.md:5:63: "demo/a" may now also write docs/; at base it may write nothing`,
			},
		},
		{
			"a fleet that is gone",
			pair{contract("4", step("a", "docs/")), ""},
			[]string{
				`drift-fleet base fleets/demo.md: fleet "demo" is gone at head`,
				`policy-narrowed base fleets/demo.md:5:63: "demo/a" may no longer write all of docs/; at head it may write nothing`,
			},
		},
		{
			"a fleet that isn't valid any more",
			pair{contract("4", step("a", "docs/")), "broken"},
			[]string{
				`drift-fleet head fleets/demo.md: fleet "demo" is not valid any more`,
				`policy-narrowed base fleets/demo.md:5:63: "demo/a" may no longer write all of docs/; at head it may write nothing`,
			},
		},
		{
			"a fleet that is valid now",
			pair{"broken", contract("4", step("a", "docs/"))},
			[]string{
				`drift-fleet head fleets/demo.md: fleet "demo" is valid now`,
				`policy-widened head fleets/demo.md:5:63: "demo/a" may now also write docs/; at base it may write nothing`,
			},
		},
		{"a fleet that stays broken", pair{"broken", "still broken"}, nil},
		{
			"a prompt, an agent and the workers",
			pair{contract("4", step("a", "docs/")), strings.NewReplacer("Do ", "Quickly do ", "agent: coder", "agent: tester", "maxWorkers: 1", "maxWorkers: 2").Replace(contract("4", step("a", "docs/")))},
			[]string{
				`drift-fleet head fleets/demo.md: fleet "demo" changed: maxWorkers, the prompt`,
				`drift-fleet head fleets/demo.md:5:5: fleet "demo": step "a" changed: agent`,
			},
		},
		{"a name and a description", pair{contract("4", step("a", "docs/")), strings.Replace(contract("4", step("a", "docs/")), "name: demo", "name: other\ndescription: words", 1)}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			sides := [2]map[string]string{}
			for i, text := range []string{c.base, c.head} {
				sides[i] = map[string]string{"fleets/commands.yaml": commands}
				if text != "" {
					sides[i]["fleets/demo.md"] = text
				}
			}
			if diff := cmp.Diff(c.want, said(Compare(policies(t, sides[0]), policies(t, sides[1])))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestTheHalvesOfALoopAreComparedByThemselves(t *testing.T) {
	loop := func(writes, command string) string {
		return contract("4", "{kind: loop, id: l, maxAttempts: 2, dependencies: [], check: {kind: code, command: "+command+", scope: readonly}, repair: {agent: coder, scope: workspace, writes: ["+writes+"]}}")
	}
	const commands = "version: 1\ncommands: {x: {argv: [make]}, y: {argv: [make]}}\n"
	base := policies(t, map[string]string{"fleets/demo.md": loop("a", "x"), "fleets/commands.yaml": commands})
	head := policies(t, map[string]string{"fleets/demo.md": loop("a, b", "y"), "fleets/commands.yaml": commands})
	want := []string{
		`policy-widened head fleets/demo.md:5:150: "demo/l.repair" may now also write b; at base it may write a`,
		`drift-fleet head fleets/demo.md:5:5: fleet "demo": step "l" changed: check.command`,
	}
	if diff := cmp.Diff(want, said(Compare(base, head))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAFindingPointsAtBaseToo(t *testing.T) {
	base := policies(t, map[string]string{"fleets/demo.md": contract("4", step("a", "docs/"))})
	head := policies(t, map[string]string{"fleets/demo.md": contract("4", step("b", ""), step("a", "docs/, src/"))})
	for _, d := range Compare(base, head) {
		if d.Code != "policy-widened" {
			continue
		}
		want := []diag.Related{{Pos: diag.Pos{File: ".clio-coder/fleets/demo.md", Line: 5, Column: 63}, Rev: diag.Base, Message: "what base allows"}}
		if diff := cmp.Diff(want, d.Related); diff != "" || d.Severity != diag.Note {
			t.Errorf("severity %s, related (-want +got):\n%s", d.Severity, diff)
		}
		return
	}
	t.Error("nothing was widened")
}

func recipe(class, tools, rest string) string {
	return `---
version: 1
name: Helper
description: A helper for tests.
tools: {required: [` + tools + `], optional: []}
skills: []
audience: custom
category: implement
capabilityClass: ` + class + `
latencyClass: fast
projectContextTier: none
budget: {toolCalls: 8, readReserve: 2, synthesis: true}
resultContract: {kind: mutation-report}
tags: []
---
You help.
` + rest
}

func TestRecipesThatMove(t *testing.T) {
	reads, writes := recipe("read-only", "read", ""), recipe("workspace-edit", "read, write", "")
	for _, c := range []struct {
		name       string
		base, head string
		want       []string
	}{
		{"nothing", reads, reads, nil},
		{"a display-only edit", reads, strings.NewReplacer("name: Helper", "name: Other", "tags: []", "tags: [x]", "A helper", "One").Replace(reads), nil},
		{"the order of tools", recipe("workspace-edit", "read, write", ""), recipe("workspace-edit", "write, read", ""), nil},
		{"the persona", reads, reads + "More.\n", []string{`drift-recipe head agents/h.md: recipe "h" changed: the persona`}},
		{"a tool and a budget", reads, strings.NewReplacer("[read]", "[read, grep]", "toolCalls: 8", "toolCalls: 9").Replace(reads), []string{`drift-recipe head agents/h.md: recipe "h" changed: tools.required, budget`}},
		{
			"a class raised", reads, writes,
			[]string{
				`drift-recipe head agents/h.md: recipe "h" changed: capabilityClass, tools.required`,
				`drift-capability head agents/h.md:9:1: recipe "h" is raised from read-only to workspace-edit`,
			},
		},
		{"a class lowered", writes, reads, []string{`drift-recipe head agents/h.md: recipe "h" changed: capabilityClass, tools.required`}},
		{"a new recipe", "", reads, []string{`drift-recipe head agents/h.md: recipe "h" is new, of the class read-only`}},
		{"a new recipe that isn't valid", "", "broken", []string{`drift-recipe head agents/h.md: recipe "h" is new, and not valid`}},
		{"a recipe that is gone", reads, "", []string{`drift-recipe base agents/h.md: recipe "h" is gone at head`}},
		{"a recipe that broke", reads, "broken", []string{`drift-recipe head agents/h.md: recipe "h" is not valid any more`}},
		{"a recipe that was repaired", "broken", reads, []string{`drift-recipe head agents/h.md: recipe "h" is valid now, of the class read-only`}},
		{"a recipe that stays broken", "broken", "more broken", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			side := func(text string) *discover.Set {
				if text == "" {
					return policies(t, nil)
				}
				return policies(t, map[string]string{"agents/h.md": text})
			}
			if diff := cmp.Diff(c.want, said(Compare(side(c.base), side(c.head)))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestCommandsThatMove(t *testing.T) {
	const head = "version: 1\ncommands:\n  "
	for _, c := range []struct {
		name       string
		base, head string
		want       []string
	}{
		{"a description", head + "t: {argv: [make], description: a}\n", head + "t: {argv: [make], description: b}\n", nil},
		{
			"the command line and what it may see", head + "t: {argv: [make]}\n", head + "t: {argv: [sh, -c, 'x'], env: [TOKEN], cwd: sub, timeoutMs: 1000, argumentSlots: [{name: a, maxLength: 1}]}\n",
			[]string{`drift-command head fleets/commands.yaml:3:3: command "t" changed: argv, argumentSlots, cwd, env, timeoutMs; it runs "sh", "-c", "x"`},
		},
		{
			"a new one and one that is gone", head + "t: {argv: [make]}\n", head + "a: {argv: [make]}\n",
			[]string{`drift-command head fleets/commands.yaml:3:3: command "a" is new: "make"`, `drift-command base fleets/commands.yaml:3:3: command "t" is gone at head`},
		},
		{"a registry that broke", head + "t: {argv: [make]}\n", "version: 2\n", []string{"drift-command head fleets/commands.yaml: the command registry is not valid any more"}},
		{"a registry that was repaired", "version: 2\n", head + "t: {argv: [make]}\n", []string{"drift-command head fleets/commands.yaml: the command registry is valid now"}},
		{"a registry that stays broken", "version: 2\n", "version: 3\n", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			side := func(text string) *discover.Set { return policies(t, map[string]string{"fleets/commands.yaml": text}) }
			if diff := cmp.Diff(c.want, said(Compare(side(c.base), side(c.head)))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestConfigurationsThatMove(t *testing.T) {
	const at = "fleetgate.yaml"
	permit := func(entries ...string) string { return "permit:\n  - " + strings.Join(entries, "\n  - ") + "\n" }
	for _, c := range []struct {
		name       string
		base, head string
		want       []string
	}{
		{"nothing", "trusted: [a]\n", "trusted: [a]\n", nil},
		{"another order of branches", "trusted: [a, b]\n", "trusted: [b, a]\n", nil},
		{
			"a branch trusted, another not", "trusted: [a]\n", "trusted: [b]\n",
			[]string{
				`policy-widened head ` + at + `:2:11: the gate configuration trusts the branch "b": what is on it counts as judged, and its policy judges pull requests into it`,
				`policy-narrowed head ` + at + `: the gate configuration no longer trusts the branch "a"`,
			},
		},
		{
			"the first permit entry", "", permit("{login: a, steps: [f/*]}"),
			[]string{
				`policy-narrowed head ` + at + `:3:5: the gate configuration now says who may claim what; a bot without an entry may claim nothing`,
				`policy-widened head ` + at + `:3:5: the gate configuration permits login a to claim "f/*"`,
			},
		},
		{
			"the last permit entry", permit("{login: a, steps: [f/*]}"), "",
			[]string{`policy-widened head ` + at + `: the gate configuration no longer says who may claim what; every claim is the commit's own word`},
		},
		{
			"steps of an entry", permit("{login: a, steps: [f/s, f/t]}"), permit("{login: A, steps: [f/s, g/*]}"),
			[]string{
				`policy-widened head ` + at + `:3:5: the gate configuration permits login a to claim "g/*"`,
				`policy-narrowed head ` + at + `:3:5: the gate configuration no longer permits login a to claim "f/t"`,
			},
		},
		{
			"all of a fleet in place of a step", permit("{branch: a, steps: [f/s]}"), permit("{branch: a, steps: [f/*]}"),
			[]string{`policy-widened head ` + at + `:3:5: the gate configuration permits branch a to claim "f/*"`},
		},
		{
			"what unclaimed commits mean", permit("{login: a, steps: [f/*]}"), permit("{login: a, steps: [f/*], default: f/s, unclaimed: warn}"),
			[]string{
				`policy-widened head ` + at + `:3:5: the gate configuration takes unclaimed commits of login a for "f/s"`,
				`policy-widened head ` + at + `:3:5: the gate configuration only warns about unclaimed commits of login a`,
			},
		},
		{
			"and back", permit("{login: a, steps: [f/*], default: f/s, unclaimed: warn}"), permit("{login: a, steps: [f/*]}"),
			[]string{
				`policy-narrowed head ` + at + `:3:5: the gate configuration no longer takes unclaimed commits of login a for "f/s"`,
				`policy-narrowed head ` + at + `:3:5: the gate configuration fails for unclaimed commits of login a`,
			},
		},
		{
			"an entry that is gone", permit("{login: 'a[bot]', steps: [f/*]}", "{login: b, steps: [f/*]}"), permit("{login: b, steps: [f/*]}"),
			[]string{`policy-narrowed head ` + at + `: the gate configuration no longer has an entry for login a[bot]`},
		},
		{
			"an entry of a person, who is free without it", permit("{branch: 'a/*', steps: [f/*]}", "{login: b, steps: [f/*]}"), permit("{login: b, steps: [f/*]}"),
			[]string{`policy-widened head ` + at + `: the gate configuration no longer has an entry for branch a/*: a person may claim any step there, or none`},
		},
		{
			"the order of entries", permit("{branch: 'a*', steps: [f/*]}", "{branch: 'ab*', steps: [g/*]}"), permit("{branch: 'ab*', steps: [g/*]}", "{branch: 'a*', steps: [f/*]}"),
			[]string{`policy-widened head ` + at + `:3:5: the gate configuration looks at the entry for branch ab* before that for branch a*; the first that matches wins`},
		},
		{
			"identities", "identities: [a]\n", "identities: [b]\n",
			[]string{
				`policy-narrowed head ` + at + `:2:14: the gate configuration counts "b" as an agent's signature`,
				`policy-widened head ` + at + `: the gate configuration no longer counts "a" as an agent's signature`,
			},
		},
		{
			"severities", "severity: {tree-alias: error, recipe-reserved: note}\n", "severity: {recipe-reserved: error}\n",
			[]string{
				`policy-narrowed head ` + at + `:2:12: the gate configuration raises recipe-reserved from note to error`,
				`policy-widened head ` + at + `: the gate configuration lowers tree-alias from error to warning`,
			},
		},
		{
			"ignored findings", "ignore:\n  - {code: tree-alias, path: a, reason: r, until: 2030-01-01}\n  - {code: tree-alias, path: b, reason: r}\n  - {code: tree-alias, path: c, reason: r}\n",
			"ignore:\n  - {code: tree-alias, path: a, reason: other, until: 2031-01-01}\n  - {code: tree-alias, path: b, reason: r, until: 2030-01-01}\n  - {code: tree-alias, path: d, reason: r}\n",
			[]string{
				`policy-widened head ` + at + `:3:5: the gate configuration ignores tree-alias for "a" until 2031-01-01`,
				`policy-narrowed head ` + at + `:4:5: the gate configuration ignores tree-alias for "b" until 2030-01-01, and no longer than that`,
				`policy-widened head ` + at + `:5:5: the gate configuration ignores tree-alias for "d"`,
				`policy-narrowed head ` + at + `: the gate configuration no longer ignores tree-alias for "c"`,
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			side := func(text string) *discover.Set {
				set := policies(t, map[string]string{at: "version: 1\n" + text})
				if set.ConfigBroken {
					t.Fatalf("the test's configuration is broken: %v", set.Found)
				}
				return set
			}
			if diff := cmp.Diff(c.want, said(Compare(side(c.base), side(c.head)))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestEqualPoliciesHaveNoDrift(t *testing.T) {
	set, err := discover.Load(t.Context(), os.DirFS("../.."), discover.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(set.Fleets) == 0 {
		t.Fatal("this repository has a fleet of its own")
	}
	if found := Compare(&set, &set); len(found) > 0 {
		t.Errorf("got %v", said(found))
	}
}
