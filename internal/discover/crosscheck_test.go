package discover

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCrossCheck(t *testing.T) {
	built := builtin(map[string]string{
		"coder":     recipe("base", "workspace-edit", "read, write"),
		"scout":     recipe("shadow", "read-only", "read"),
		"verifier":  recipe("base", "verification", "verify"),
		"architect": recipe("base", "artifact-write", "artifact"),
	})
	v5 := func(steps ...string) string {
		return strings.Replace(contract(steps...), "version: 4", "version: 5", 1)
	}
	const config = "version: 1\npermit:\n  - {login: a, steps: ["
	for _, c := range []struct {
		name     string
		files    map[string]string
		external []ExternalAgent
		want     []string
		says     string
	}{
		{"a known agent", map[string]string{"fleets/f.md": contract(docsStep)}, nil, nil, ""},
		{
			"an unknown agent",
			map[string]string{"fleets/f.md": contract("{id: a, agent: codr, scope: readonly, dependencies: []}")},
			nil,
			[]string{"agent-missing .clio-coder/fleets/f.md:5:20"},
			"did you mean coder?",
		},
		{
			"a recipe that isn't valid",
			map[string]string{"fleets/f.md": contract("{id: a, agent: x, scope: readonly, dependencies: []}"), "agents/x.md": "broken"},
			nil,
			[]string{"agent-missing .clio-coder/fleets/f.md:5:20"},
			".clio-coder/agents/x.md is not valid",
		},
		{
			"a recipe that a builtin stands for",
			map[string]string{"fleets/f.md": contract(docsStep), "agents/coder.md": reader1},
			nil,
			nil, "",
		},
		{
			"an external agent",
			map[string]string{"fleets/f.md": contract("{id: a, agent: ext, scope: workspace, dependencies: [], writes: [a]}")},
			[]ExternalAgent{{ID: "ext", Command: "x"}},
			nil, "",
		},
		{
			"a workspace step whose agent only reads",
			map[string]string{"fleets/f.md": contract("{id: a, agent: scout, scope: workspace, dependencies: [], writes: [a]}")},
			nil,
			[]string{"agent-cannot-write .clio-coder/fleets/f.md:5:20"},
			"is of the class read-only",
		},
		{
			"a readonly step whose agent only reads",
			map[string]string{"fleets/f.md": contract("{id: a, agent: scout, scope: readonly, dependencies: []}")},
			nil,
			nil, "",
		},
		{
			"both halves of a loop",
			map[string]string{"fleets/f.md": contract("{kind: loop, id: l, maxAttempts: 2, dependencies: [], check: {kind: agent, agent: nobody, scope: readonly}, repair: {agent: verifier, scope: workspace, writes: [a]}}")},
			nil,
			[]string{"agent-missing .clio-coder/fleets/f.md:5:87", "agent-cannot-write .clio-coder/fleets/f.md:5:129"},
			`"f/l.check"`,
		},
		{
			"a plan's roster and default planner",
			map[string]string{"fleets/f.md": v5("{kind: plan, id: p, roster: [coder, scout, nobody], maxTasks: 2, scope: workspace, dependencies: [], writes: [a]}")},
			nil,
			[]string{"agent-missing .clio-coder/fleets/f.md:5:48"},
			"nobody",
		},
		{
			"a gate's agent writes its path",
			map[string]string{"fleets/f.md": v5("{kind: gate, id: g, agent: verifier, path: a.md, run: test, dependencies: []}"), "fleets/commands.yaml": commands},
			nil,
			[]string{"agent-cannot-write .clio-coder/fleets/f.md:5:32"},
			"",
		},
		{
			"a fleet that needs commands is looked at too",
			map[string]string{"fleets/f.md": contract(testStep, "{id: a, agent: nobody, scope: readonly, dependencies: []}")},
			nil,
			[]string{"agent-missing .clio-coder/fleets/f.md:6:20"},
			"",
		},
		{
			"permitted steps",
			map[string]string{"fleets/f.md": contract(docsStep), "fleetgate.yaml": config + "f/write, f/*]}\n"},
			nil,
			nil, "",
		},
		{
			"permitted attempts of a loop",
			map[string]string{
				"fleets/f.md":    contract("{kind: loop, id: l, maxAttempts: 2, dependencies: [], check: {kind: agent, agent: scout, scope: readonly}, repair: {agent: coder, scope: workspace, writes: [a]}}"),
				"fleetgate.yaml": config + "f/l.check, f/l.repair.1]}\n",
			},
			nil,
			nil, "",
		},
		{
			"permitted steps that there aren't",
			map[string]string{"fleets/f.md": contract(docsStep), "fleetgate.yaml": config + "g/write, f/wirte, f/write.1]}\n"},
			nil,
			[]string{
				"permit-unknown-step .clio-coder/fleetgate.yaml:3:5 permit[0].steps[0]",
				"permit-unknown-step .clio-coder/fleetgate.yaml:3:5 permit[0].steps[1]",
				"permit-unknown-step .clio-coder/fleetgate.yaml:3:5 permit[0].steps[2]",
			},
			"no fleet of this repository",
		},
		{
			"permitted steps of a fleet that isn't valid are not reported twice",
			map[string]string{"fleets/f.md": "broken", "fleetgate.yaml": config + "f/write]}\n"},
			nil,
			nil, "",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			texts := map[string]string{}
			for name, text := range c.files {
				texts[Dir+"/"+name] = text
			}
			set, err := Load(t.Context(), files(texts), Options{Roots: []Root{built}, External: c.external})
			if err != nil {
				t.Fatal(err)
			}
			found := CrossCheck(&set)
			if diff := cmp.Diff(c.want, brief(found)); diff != "" {
				t.Fatalf("findings (-want +got):\n%s", diff)
			}
			if len(found) > 0 && !strings.Contains(found[0].Message+found[0].Hint, c.says) {
				t.Errorf("%q, hint %q: want %q", found[0].Message, found[0].Hint, c.says)
			}
		})
	}
}

func TestNearestNamesAreLookedForAFewTimesOnly(t *testing.T) {
	var list []string
	for i := range maxSuggestions + 1 {
		list = append(list, fmt.Sprintf("{id: s%d, agent: codr, scope: readonly, dependencies: []}", i))
	}
	set := load(t, files(map[string]string{".clio-coder/fleets/f.md": contract(list...)}),
		builtin(map[string]string{"coder": recipe("base", "workspace-edit", "read, write")}))
	found := CrossCheck(&set)
	if len(found) != maxSuggestions+1 {
		t.Fatalf("%d findings", len(found))
	}
	for i, d := range found {
		if guessed := strings.Contains(d.Hint, "did you mean coder?"); guessed != (i < maxSuggestions) {
			t.Errorf("finding %d: hint %q", i, d.Hint)
		}
	}
}
