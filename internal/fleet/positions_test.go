package fleet

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// shown prints a position on one line.
func shown(p Position) string {
	writes := "-"
	if p.Bounded {
		writes = fmt.Sprint(p.Writes)
	}
	return fmt.Sprintf("%s step=%d part=%q attempts=%d %s %s %d:%d", p.ID, p.Step, p.Part, p.Attempts, p.Scope, writes, p.Pos.Line, p.Pos.Column)
}

func shownAll(list []Position) []string {
	var out []string
	for _, p := range list {
		out = append(out, shown(p))
	}
	return out
}

func TestEveryPositionHasItsBoundary(t *testing.T) {
	messy := "{id: a, agent: x, scope: workspace, dependencies: [], writes: [src//b, docs/, ' src/b ', a10, a9]}"
	for _, c := range []struct {
		name    string
		version int
		steps   []string
		want    []string
	}{
		{
			"writes are normalized; readonly is the empty allowlist; a loop gives its halves", 4, lines(messy, readB, loopL),
			lines(
				`a step=0 part="" attempts=0 workspace [a10 a9 docs/ src/b] 4:59`,
				`b step=1 part="" attempts=0 readonly [] 5:5`,
				`l.check step=2 part="check" attempts=3 readonly [] 6:66`,
				`l.repair step=2 part="repair" attempts=2 workspace [src/] 6:153`,
			),
		},
		{
			"a gate's boundary is its path, and so is that of a check that names it", 5, lines(gatedL, gateG, planP),
			lines(
				`l.check step=0 part="check" attempts=2 workspace [reports/g.md] 5:48`,
				`l.repair step=0 part="repair" attempts=1 workspace [src/] 4:130`,
				`g step=1 part="" attempts=0 workspace [reports/g.md] 5:48`,
				`p step=2 part="" attempts=0 workspace [lib/] 6:99`,
			),
		},
		{
			"below version 4 there is none", 3, lines(step("a"), loopStep("l", 1)),
			lines(
				`a step=0 part="" attempts=0 readonly - 4:5`,
				`l.check step=1 part="check" attempts=1 readonly - 5:68`,
				`l.repair step=1 part="repair" attempts=0 readonly - 5:118`,
			),
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			contract := mustParse(t, doc(c.version, c.steps...))
			if diff := cmp.Diff(c.want, shownAll(contract.Positions())); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestResolve(t *testing.T) {
	c := mustParse(t, doc(5,
		agentA, gateG, gatedL,
		"{id: l.check, agent: x, scope: readonly, dependencies: []}",
		"{id: l.repair.2, agent: x, scope: readonly, dependencies: []}",
		"{kind: loop, id: m, maxAttempts: 1, dependencies: [], check: {kind: agent, agent: v, scope: readonly}, repair: {agent: w, scope: readonly}}",
		"{kind: loop, id: l.repair, maxAttempts: 3, dependencies: [], check: {kind: agent, agent: v, scope: readonly}, repair: {agent: w, scope: readonly}}",
	))
	for _, r := range []struct {
		name      string
		positions []string // "id step"
		attempt   int
		hint      string
	}{
		{name: "a", positions: lines("a 0")},
		{name: "g", positions: lines("g 1")},
		{name: "l.check", positions: lines("l.check 2", "l.check 3")},
		{name: "l.check.1", positions: lines("l.check 2"), attempt: 1},
		{name: "l.check.2", positions: lines("l.check 2"), attempt: 2},
		{name: "l.check.3", hint: "claim l.check, or an attempt from l.check.1 to l.check.2"},
		{name: "l.repair.1", positions: lines("l.repair 2"), attempt: 1},
		{name: "l.repair.2", positions: lines("l.repair.2 4")},
		{name: "l.repair", positions: lines("l.repair 2")},
		{name: "l.repair.repair.2", positions: lines("l.repair.repair 6"), attempt: 2},
		{name: "m.repair", positions: lines("m.repair 5")},
		{name: "m.repair.1", hint: "the loop never runs m.repair, because its maxAttempts is 1"},
		{name: "m", hint: "m is a loop; claim its half, m.check or m.repair"},
		{name: "l", hint: "l is a loop; claim its half, l.check or l.repair"},
		{name: "l.check.0", hint: all},
		{name: "l.check.01", hint: all},
		{name: "l.check.+1", hint: all},
		{name: "a.1", hint: all},
		{name: "m.chek", hint: "did you mean m.check? " + all},
		{name: "A", hint: "did you mean a? " + all},
		{name: "", hint: "did you mean a? " + all},
	} {
		t.Run(r.name, func(t *testing.T) {
			got := c.Resolve(r.name)
			var positions []string
			for _, p := range got.Positions {
				positions = append(positions, fmt.Sprint(p.ID, " ", p.Step))
			}
			want := Resolution{Attempt: r.attempt, Ambiguous: len(r.positions) > 1, Hint: r.hint}
			got.Positions = nil
			if r.hint == all {
				got.Hint = got.Hint[max(0, len(got.Hint)-len(all)):]
			}
			if diff := cmp.Diff(r.positions, positions) + cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

const all = "the positions are a, g, l.check, l.repair, l.check, l.repair.2, m.check, m.repair, l.repair.check, l.repair.repair"

// Whatever Positions lists, Resolve finds by its name, and every attempt that the runtime generates.
func TestResolveFindsEveryPositionAndAttempt(t *testing.T) {
	c := mustParse(t, doc(5, agentA, gateG, gatedL, planP, codeT))
	for _, p := range c.Positions() {
		found := c.Resolve(p.ID)
		if len(found.Positions) != 1 || shown(found.Positions[0]) != shown(p) {
			t.Errorf("%s: %v", p.ID, shownAll(found.Positions))
		}
	}
	for _, s := range c.Steps {
		checks, repairs := c.LoopIDs(s)
		for n, id := range append(checks, repairs...) {
			if found := c.Resolve(id); len(found.Positions) != 1 || found.Attempt != n%s.MaxAttempts+1 {
				t.Errorf("%s: %+v", id, found)
			}
		}
	}
}

func TestACommitStepMayWriteWhatItsSourcesMay(t *testing.T) {
	const commit = "{kind: code, id: c, command: commit, scope: %s, dependencies: [a, b, g, l, p], commitFrom: [%s]%s}"
	for _, c := range []struct {
		name   string
		step   string
		allow  []string
		commit bool
	}{
		{"a readonly commit step has its sources' writes", fmt.Sprintf(commit, "readonly", "a", ""), lines("docs/"), true},
		{"its own count as well, once each", fmt.Sprintf(commit, "workspace", "a, a", ", writes: [NOTES.md, docs/]"), lines("NOTES.md", "docs/"), true},
		{"a readonly source adds nothing", fmt.Sprintf(commit, "readonly", "b", ""), []string{}, true},
		{"of a loop both halves, a check by a gate with the gate's path", fmt.Sprintf(commit, "readonly", "l", ""), lines("reports/g.md", "src/"), true},
		{"a gate and a plan", fmt.Sprintf(commit, "readonly", "p, g", ""), lines("lib/", "reports/g.md"), true},
		{"without commitFrom it is a step like any other", "{kind: code, id: c, command: commit, scope: workspace, dependencies: [a], writes: [x]}", lines("x"), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			contract := mustParse(t, doc(5, agentA, readB, gateG, gatedL, planP, c.step))
			allow, commit := contract.Allow(contract.Resolve("c").Positions[0])
			if diff := cmp.Diff(c.allow, allow); diff != "" || commit != c.commit {
				t.Errorf("commit step %v\n%s", commit, diff)
			}
		})
	}
}

func TestBelowVersion4ACommitStepHasNoBoundary(t *testing.T) {
	c := mustParse(t, doc(3, step("a"), commitStep("c", "a", "a")))
	allow, commit := c.Allow(c.Resolve("c").Positions[0])
	if len(allow) > 0 || !commit {
		t.Errorf("allow %v, commit step %v", allow, commit)
	}
}

func TestAgentsListsEveryPlaceThatNamesOne(t *testing.T) {
	c := mustParse(t, doc(5, agentA, codeT, gateG, planP,
		"{kind: loop, id: m, maxAttempts: 1, dependencies: [], check: {kind: agent, agent: v, scope: readonly}, repair: {agent: w, scope: workspace, writes: [q]}}"))
	var got []string
	for _, u := range c.Agents() {
		got = append(got, fmt.Sprintf("%s %s %s roster=%v default=%v %d:%d", u.Agent.Value, u.Position, u.Scope, u.Roster, u.Default, u.Agent.Pos.Line, u.Agent.Pos.Column))
	}
	want := lines(
		"coder a workspace roster=false default=false 4:20",
		"verifier g workspace roster=false default=false 6:32",
		"architect p workspace roster=false default=true 7:5",
		"coder p workspace roster=true default=false 7:34",
		"tester p workspace roster=true default=false 7:41",
		"v m.check readonly roster=false default=false 8:87",
		"w m.repair workspace roster=false default=false 8:124",
	)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestLoopIDs(t *testing.T) {
	c := mustParse(t, doc(3, step("a"), loopStep("l", 1), loopStep("m", 3)))
	for i, want := range [][2][]string{
		{nil, nil},
		{{"l.check.1"}, nil},
		{{"m.check.1", "m.check.2", "m.check.3"}, {"m.repair.1", "m.repair.2"}},
	} {
		checks, repairs := c.LoopIDs(c.Steps[i])
		if diff := cmp.Diff(want, [2][]string{checks, repairs}); diff != "" {
			t.Error(diff)
		}
	}
}
