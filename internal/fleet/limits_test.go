package fleet

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/strictyaml"
)

func manySteps(n int) string {
	var text strings.Builder
	text.WriteString("---\nversion: 3\nname: n\nmaxWorkers: 1\nonFailure: stop\nsteps:\n")
	for i := range n {
		fmt.Fprintf(&text, "- {id: s%d, agent: a, scope: readonly, dependencies: []}\n", i)
	}
	return text.String() + "---\nx\n"
}

func TestTenThousandStepsAreJudgedAndOneMoreIsRefused(t *testing.T) {
	if c := mustParse(t, manySteps(MaxSteps)); len(c.Steps) != MaxSteps || len(c.Positions()) != MaxSteps {
		t.Errorf("%d steps", len(c.Steps))
	}
	_, found := Parse("demo.md", []byte(manySteps(MaxSteps+1)))
	if len(found) != 1 || found[0].Code != codeTooManySteps || found[0].Pos.Line != 6 {
		t.Errorf("found %v", brief(found))
	}
}

func TestAContractOfOneMebibyteIsReadAndOneByteMoreIsRefused(t *testing.T) {
	text := doc(4, agentA)
	text += strings.Repeat("x", strictyaml.MaxBytes-len(text))
	mustParse(t, text)
	_, found := Parse("demo.md", []byte(text+"x"))
	if len(found) != 1 || found[0].Code != "policy-too-large" {
		t.Errorf("found %v", brief(found))
	}
}

func TestAChainOfTenThousandCommitStepsIsSound(t *testing.T) {
	c := mustParse(t, string(chainContract(MaxSteps)))
	if n := len(c.Ancestors(fmt.Sprintf("s%d", MaxSteps-1))); n != MaxSteps-1 {
		t.Errorf("the last of the chain has %d ancestors", n)
	}
}

// Commit steps that name thousands of sources among a million dependencies.
func TestSourcesAreFollowedThroughAMillionDependencies(t *testing.T) {
	const steps, wide = MaxSteps, 100
	g := graph{start: []int{0, 0}}
	order := []int{0}
	for i := 1; i < steps; i++ {
		for d := max(0, i-wide); d < i; d++ {
			g.steps = append(g.steps, int32(d))
		}
		g.start = append(g.start, len(g.steps))
		order = append(order, i)
	}
	var sources []source
	for i := range steps {
		sources = append(sources, source{commit: i, step: i / 2}, source{commit: i / 2, step: i})
	}
	g.markWaited(order, sources)
	for _, s := range sources {
		if s.waited != (s.step < s.commit) {
			t.Fatalf("step %d waits for step %d: %v", s.commit, s.step, s.waited)
		}
	}
}

func TestASourceThatIsNamedAgainCostsNothing(t *testing.T) {
	allocations := func(names int) float64 {
		c := mustParse(t, doc(4, agentA, "{kind: code, id: t, command: test, scope: readonly, dependencies: [a], commitFrom: ["+strings.Repeat("a,", names)+"]}"))
		p := c.Positions()[1]
		return testing.AllocsPerRun(1, func() { c.Allow(p) })
	}
	if once, often := allocations(1), allocations(1000); often > once {
		t.Errorf("%v allocations for a source that is named once, %v for one that is named 1000 times", once, often)
	}
}

func TestTheNearestIDIsLookedForTwentyTimes(t *testing.T) {
	var steps []string
	for i := range 3 * maxGuesses {
		steps = append(steps, step(fmt.Sprintf("step%d", i), fmt.Sprintf("stop%d", (i+1)%(3*maxGuesses))))
	}
	_, found := Parse("demo.md", []byte(doc(4, steps...)))
	guessed := 0
	for _, d := range found {
		if strings.HasPrefix(d.Hint, "did you mean step") {
			guessed++
		}
	}
	if len(found) != 3*maxGuesses || guessed != maxGuesses {
		t.Errorf("%d findings, %d with a guess", len(found), guessed)
	}
}

func TestACircleOfTenThousandStepsIsToldInOneFinding(t *testing.T) {
	var text strings.Builder
	text.WriteString("---\nversion: 3\nname: n\nmaxWorkers: 1\nonFailure: stop\nsteps:\n")
	for i := range MaxSteps {
		fmt.Fprintf(&text, "- {id: s%d, agent: a, scope: readonly, dependencies: [s%d]}\n", i, (i+1)%MaxSteps)
	}
	_, found := Parse("demo.md", []byte(text.String()+"---\nx\n"))
	if len(found) != 1 || found[0].Code != codeCycle || len(found[0].Related) != maxListed {
		t.Fatalf("found %v", brief(found))
	}
	if !strings.Contains(found[0].Message, fmt.Sprintf("and %d more", MaxSteps-maxListed)) {
		t.Errorf("message %q", found[0].Message)
	}
}

// As many faults as fit into a file: the list ends, and says so.
func TestFindingsOfOneFileAreBounded(t *testing.T) {
	for _, c := range []struct{ name, step string }{
		{"of the schema", "{id: s%d, agent: a, scope: readonly, dependencies: [], model: x}"},
		{"of the graph", "{id: s%d, agent: a, scope: readonly, dependencies: [nowhere, nobody]}"},
		{"by name", "{id: s%d, agent: a, scope: readonly, dependencies: [], target: x}"},
		{"of steps that are none", "%d"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var steps []string
			for i := range MaxSteps {
				steps = append(steps, fmt.Sprintf(c.step, i))
			}
			_, found := Parse("demo.md", []byte(doc(4, steps...)))
			if len(found) != diag.MaxFindings {
				t.Fatalf("%d findings", len(found))
			}
			last := found[diag.MaxFindings-1]
			if len(last.Related) != 1 || !strings.Contains(last.Related[0].Message, "not listed") {
				t.Errorf("the last finding doesn't say that there are more: %+v", last)
			}
			if len(found[diag.MaxFindings-2].Related) != 0 {
				t.Errorf("related: %+v", found[diag.MaxFindings-2])
			}
		})
	}
}

func TestExactlyAsManyFindingsAsAreListedAreAll(t *testing.T) {
	var f findings
	for range diag.MaxFindings {
		f.addAt(codeVersion, f.dropped.Pos, nil, "", "")
	}
	if f.Overflowed() || len(f.List[diag.MaxFindings-1].Related) != 0 {
		t.Error("nothing was left out")
	}
}

func TestAHostileTextIsCutShortInMessages(t *testing.T) {
	long := strings.Repeat("\\e[31m", 10_000)
	_, found := Parse("demo.md", []byte(doc(4, `{id: a, agent: x, scope: "`+long+`", dependencies: []}`)))
	if len(found) != 1 || len(found[0].Message) > 500 || strings.ContainsAny(found[0].Message, "\x1b\n") {
		t.Errorf("message %q", found[0].Message)
	}
}
