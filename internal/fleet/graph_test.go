package fleet

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/value"
)

func step(id string, dependencies ...string) string {
	return fmt.Sprintf("{id: %q, agent: x, scope: readonly, dependencies: [%s]}", id, strings.Join(dependencies, ", "))
}

func commitStep(id, dependencies, sources string) string {
	return fmt.Sprintf("{kind: code, id: %q, command: c, scope: readonly, dependencies: [%s], commitFrom: [%s]}", id, dependencies, sources)
}

func loopStep(id string, attempts int) string {
	return fmt.Sprintf("{kind: loop, id: %q, maxAttempts: %d, dependencies: [], check: {kind: agent, agent: v, scope: readonly}, repair: {agent: w, scope: readonly}}", id, attempts)
}

func TestGraph(t *testing.T) {
	for _, c := range []struct {
		name  string
		steps []string
		want  []string // nil: sound
	}{
		{"a step may come before what it waits for", lines(step("a", "b"), step("b")), nil},
		{"a dependency may be listed twice", lines(step("a"), step("b", "a", "a")), nil},
		{"ids differ by case", lines(step("a"), step("A", "a")), nil},
		{"two steps of one id", lines(step("a"), step("b"), step("a"), step("a")), lines("6:10 fleet-duplicate-step-id steps[2].id", "7:10 fleet-duplicate-step-id steps[3].id")},
		{"of two steps of one id, no cycle is told", lines(step("a", "b"), step("b", "a"), step("a")), lines("6:10 fleet-duplicate-step-id steps[2].id")},
		{"a loop's first check", lines(loopStep("l", 1), step("l.check.1")), lines("5:10 fleet-generated-id-collision steps[1].id")},
		{"a loop of one attempt repairs nothing", lines(loopStep("l", 1), step("l.repair.1"), step("l.check.2")), nil},
		{"a loop's last repair", lines(step("l.repair.2"), loopStep("l", 3)), lines("4:10 fleet-generated-id-collision steps[0].id")},
		{"a loop's halves may be steps' ids", lines(loopStep("l", 3), step("l.check"), step("l.repair")), nil},
		{"a loop that is called as another's attempt", lines(loopStep("l", 3), loopStep("l.check.2", 1)), lines("5:22 fleet-generated-id-collision steps[1].id")},
		{"itself", lines(step("a", "a")), lines("4:57 fleet-self-dependency steps[0].dependencies[0]")},
		{"nothing", lines(step("a", "b")), lines("4:57 fleet-unknown-dependency steps[0].dependencies[0]")},
		{"a circle of two", lines(step("a", "b"), step("b", "a")), lines("4:57 fleet-cycle steps")},
		{"a circle beside unknown ids", lines(step("a", "b", "z"), step("b", "a")), lines("4:60 fleet-unknown-dependency steps[0].dependencies[1]", "4:57 fleet-cycle steps")},
		{"a commit of a step that it waits for through another", lines(step("a"), step("b", "a"), commitStep("c", "b", "a, b")), nil},
		{"a commit of a loop", lines(loopStep("l", 2), commitStep("c", "l", "l")), nil},
		{"a commit of a loop's half", lines(loopStep("l", 2), commitStep("c", "l", "l.repair")), lines("5:88 fleet-commit-unknown-source steps[1].commitFrom[0]")},
		{"a commit of itself", lines(commitStep("c", "", "c")), lines("4:87 fleet-commit-code-source steps[0].commitFrom[0]")},
		{"a commit before the work", lines(step("a"), step("b"), commitStep("c", "b", "b, a")), lines("6:91 fleet-commit-not-ancestor steps[2].commitFrom[1]")},
		{"a commit of what waits for it", lines(commitStep("c", "", "a"), step("a", "c")), lines("4:87 fleet-commit-not-ancestor steps[0].commitFrom[0]")},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, found := Parse("demo.md", []byte(doc(3, c.steps...)))
			if diff := cmp.Diff(c.want, brief(found)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestACycleIsToldWithItsEdges(t *testing.T) {
	_, found := Parse("demo.md", []byte(doc(3, step("d", "c"), step("a", "c"), step("b", "a"), step("c", "b"))))
	if len(found) != 1 {
		t.Fatal(brief(found))
	}
	if want := "steps a, b, c, d can't be put in order: c waits for b, b waits for a, a waits for c"; found[0].Message != want {
		t.Errorf("message %q, want %q", found[0].Message, want)
	}
	var related []string
	for _, r := range found[0].Related {
		related = append(related, fmt.Sprint(r.Pos, " ", r.Message))
	}
	if diff := cmp.Diff(lines("demo.md:7:57 c waits for b", "demo.md:6:57 b waits for a", "demo.md:5:57 a waits for c"), related); diff != "" {
		t.Error(diff)
	}
}

func TestAncestorsAreSortedByUTF16AndLeaveOutTheStep(t *testing.T) {
	c := mustParse(t, doc(3, step("s9"), step("s10", "s9"), step("～", "s10"), step("😀", "～", "s9"), step("B", "😀"), step("x")))
	for id, want := range map[string][]string{
		"B":  {"s10", "s9", "😀", "～"},
		"s9": {},
		"x":  {},
		"y":  {},
	} {
		if diff := cmp.Diff(want, c.Ancestors(id)); diff != "" {
			t.Errorf("%s: %s", id, diff)
		}
	}
}

// randomSteps makes steps of which each may wait for any other: seldom a sound
// order when dense, mostly one when sparse.
func randomSteps(r *rand.Rand, steps, edges int) []string {
	waits := make([][]string, steps)
	for range edges {
		from, to := r.IntN(steps), r.IntN(steps)
		if from != to {
			waits[from] = append(waits[from], fmt.Sprintf("s%d", to))
		}
	}
	var out []string
	for i := range steps {
		if i%3 == 2 {
			out = append(out, commitStep(fmt.Sprintf("s%d", i), strings.Join(waits[i], ", "), fmt.Sprintf("s%d, s%d", r.IntN(steps/3)*3, r.IntN(steps/3)*3+1)))
			continue
		}
		out = append(out, step(fmt.Sprintf("s%d", i), waits[i]...))
	}
	return out
}

// closure computes every step's ancestors the plain way.
func closure(c *Contract) map[string]map[string]bool {
	all := map[string]map[string]bool{}
	for _, s := range c.Steps {
		all[s.ID.Value] = map[string]bool{}
		for _, d := range s.Dependencies {
			all[s.ID.Value][d.Value] = true
		}
	}
	for k := range all {
		for i := range all {
			for j := range all {
				if all[i][k] && all[k][j] {
					all[i][j] = true
				}
			}
		}
	}
	return all
}

func TestOrderCyclesAncestorsAndSourcesAgreeWithThePlainClosure(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	sound, cyclic, refused := 0, 0, 0
	for range 400 {
		steps := 3 * (1 + r.IntN(5))
		text := doc(3, randomSteps(r, steps, r.IntN(steps+2))...)
		_, found := Parse("demo.md", []byte(text))
		c := &Contract{}
		p := parser{version: 3, contract: c}
		readAgain(t, &p, text)
		all := closure(c)
		inCycle := slices.ContainsFunc(c.Steps, func(s Step) bool { return all[s.ID.Value][s.ID.Value] })
		if got := slices.ContainsFunc(brief(found), func(s string) bool { return strings.Contains(s, "fleet-cycle") }); got != inCycle {
			t.Fatalf("cycle told: %v, there is one: %v\n%s", got, inCycle, text)
		}
		if inCycle {
			cyclic++
			continue
		}
		sound++
		refused += compareClosure(t, c, all, brief(found))
	}
	if sound < 50 || cyclic < 50 || refused < 20 {
		t.Errorf("%d sound, %d cyclic, %d bad sources: the generator no longer covers both", sound, cyclic, refused)
	}
}

// readAgain builds the contract whether or not it is valid.
func readAgain(t *testing.T, p *parser, text string) {
	t.Helper()
	front := strings.Split(text, "---\n")[1]
	root, err := parseYAML(front)
	if err != nil {
		t.Fatal(err)
	}
	p.root, p.steps = root, root.Get("steps").Items
	contract := p.contract
	p.read()
	*contract = *p.contract
}

func compareClosure(t *testing.T, c *Contract, all map[string]map[string]bool, found []string) (refused int) {
	t.Helper()
	for i, s := range c.Steps {
		want := []string{}
		for id := range all[s.ID.Value] {
			want = append(want, id)
		}
		value.SortUTF16(want)
		if diff := cmp.Diff(want, c.Ancestors(s.ID.Value)); diff != "" {
			t.Errorf("ancestors of %s: %s", s.ID.Value, diff)
		}
		for n, source := range s.CommitFrom {
			at := fmt.Sprintf(" fleet-commit-not-ancestor steps[%d].commitFrom[%d]", i, n)
			told := slices.ContainsFunc(found, func(f string) bool { return strings.HasSuffix(f, at) })
			if told == all[s.ID.Value][source.Value] {
				t.Errorf("%s commits from %s: refused %v, waits for it %v", s.ID.Value, source.Value, told, !told)
			}
			if told {
				refused++
			}
		}
	}
	return refused
}
