package gate

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/discover"
)

// policyOf reads .clio-coder's files.
func policyOf(t *testing.T, files map[string]string) *discover.Set {
	t.Helper()
	tree := fstest.MapFS{}
	for name, text := range files {
		tree[discover.Dir+"/"+name] = &fstest.MapFile{Data: []byte(text)}
	}
	set, err := discover.Load(t.Context(), tree, discover.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range set.Found {
		t.Fatalf("%s: %s", d.Pos, d.Message)
	}
	return &set
}

func contractOf(version, workers int, more string, steps ...string) string {
	return fmt.Sprintf("---\nversion: %d\nname: demo\nsteps:\n  - %s\nmaxWorkers: %d\nonFailure: stop\n%s---\nDo.\n", version, strings.Join(steps, "\n  - "), workers, more)
}

func writer(id, dependencies, writes string) string {
	return fmt.Sprintf("{id: %s, agent: coder, scope: workspace, dependencies: [%s], writes: [%s]}", id, dependencies, writes)
}

func messages(found []diag.Diagnostic) []string {
	var all []string
	for _, d := range found {
		all = append(all, string(d.Code)+" "+d.Pos.String()+": "+d.Message)
	}
	return all
}

func TestOverlapsAreOfStepsThatMayRunAtOnce(t *testing.T) {
	const loop = "{kind: loop, id: l, maxAttempts: 2, dependencies: [], check: {kind: agent, agent: coder, scope: workspace, writes: [out/]}, repair: {agent: coder, scope: workspace, writes: [out/]}}"
	for _, c := range []struct {
		name, contract string
		want           []string
	}{
		{"one worker", contractOf(4, 1, "", writer("a", "", "x/"), writer("b", "", "x/")), nil},
		{"one writer at a time", contractOf(5, 2, "writers: 1\n", writer("a", "", "x/"), writer("b", "", "x/")), nil},
		{"one after the other", contractOf(4, 2, "", writer("a", "", "x/"), writer("b", "a", "x/")), nil},
		{"far after the other", contractOf(4, 2, "", writer("a", "", "x/"), writer("b", "a", "y/"), writer("c", "b", "x/")), nil},
		{"written in another order", contractOf(4, 2, "", writer("c", "a", "x/"), writer("a", "", "x/")), nil},
		{"the halves of a loop", contractOf(4, 2, "", loop), nil},
		{"beside each other", contractOf(4, 2, "", writer("a", "", "x"), writer("b", "", "x/")), nil},
		{
			"at once", contractOf(4, 2, "", writer("a", "", "x/, y"), writer("b", "", "x/z, y, w/")),
			[]string{`audit-overlap .clio-coder/fleets/demo.md:6:63: steps "demo/a" and "demo/b" may run at once, and both may write x/z, y`},
		},
		{
			"a loop beside a step", contractOf(4, 2, "", loop, writer("b", "", "out/b")),
			[]string{
				`audit-overlap .clio-coder/fleets/demo.md:6:63: steps "demo/l.check" and "demo/b" may run at once, and both may write out/b`,
				`audit-overlap .clio-coder/fleets/demo.md:6:63: steps "demo/l.repair" and "demo/b" may run at once, and both may write out/b`,
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			set := policyOf(t, map[string]string{"fleets/demo.md": c.contract})
			f, _ := set.ProjectFleet("demo")
			if diff := cmp.Diff(c.want, messages(overlaps(f))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestBoundsOfOverlaps(t *testing.T) {
	many := func(n int) *discover.Fleet {
		var steps []string
		for i := range n {
			steps = append(steps, writer(fmt.Sprintf("s%d", i), "", fmt.Sprintf("d%d/", i/2)))
		}
		set := policyOf(t, map[string]string{"fleets/demo.md": contractOf(4, 2, "", steps...)})
		f, _ := set.ProjectFleet("demo")
		return f
	}
	if n := len(overlaps(many(2 * (MaxOverlaps - 1)))); n != MaxOverlaps-1 {
		t.Errorf("%d overlaps, want %d", n, MaxOverlaps-1)
	}
	if n := len(overlaps(many(2 * (MaxOverlaps + 1)))); n != MaxOverlaps {
		t.Errorf("%d overlaps are listed, want %d", n, MaxOverlaps)
	}
	if found := overlaps(many(MaxOverlapPositions)); strings.Contains(found[0].Message, "looked for") {
		t.Errorf("not all of %d positions were compared: %s", MaxOverlapPositions, found[0].Message)
	}
	found := overlaps(many(MaxOverlapPositions + 1))
	if want := `fleet "demo" has 513 positions that may write; overlaps were looked for among the first 512`; found[0].Message != want {
		t.Errorf("says %q, want %q", found[0].Message, want)
	}
}

func TestWhatAnEntryReaches(t *testing.T) {
	for entry, want := range map[string]string{
		"docs/":                           "",
		"docs/CODEOWNERS":                 reachFile.says,
		"CODEOWNERS":                      reachFile.says,
		"a/b/codeowners":                  reachFile.says,
		".github/":                        reachDirectory.says,
		".github/workflows/":              reachDirectory.says,
		".github/workflows/ci.yml":        reachFile.says,
		".github/ISSUE_TEMPLATE/":         "",
		".github/ISSUE_TEMPLATE/bug.md":   "",
		"action.yml":                      reachFile.says,
		".gitattributes":                  reachFile.says,
		"x/.gitmodules":                   reachFile.says,
		".clio-coder/":                    reachPolicy.says,
		".clio-coder/fleets/docs.md":      reachPolicy.says,
		".Clio-Coder/agents/":             reachPolicy.says,
		".clio-coder/notes/today.md":      "",
		".clio-coder/fleetgate.lock":      reachPolicy.says,
		".GITHUB/Workflows/ci.yml":        reachFile.says,
		"src/workflows/ci.yml":            "",
		".github/actions/build/run.sh":    reachFile.says,
		".github/dependabot-workflows.md": "",
	} {
		if got, _ := reachOf(entry); got.says != want {
			t.Errorf("%s: %q, want %q", entry, got.says, want)
		}
	}
}

func TestOnlyAbsoluteDatesAreDates(t *testing.T) {
	for text, want := range map[string]string{
		"2026-01-31":                "2026-01-31T00:00:00Z",
		"2026-01-31T10:00:00Z":      "2026-01-31T10:00:00Z",
		"2026-01-31T10:00:00+02:00": "2026-01-31T08:00:00Z",
		"2026-1-31":                 "",
		"2026-02-30":                "",
		"2026-01-31T10:00:00":       "", // in which zone?
		"yesterday":                 "",
		"main":                      "",
		"":                          "",
	} {
		got := ""
		if when, ok := absoluteDate(text); ok {
			got = when.UTC().Format(time.RFC3339)
		}
		if got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

func TestWhatNobodyUses(t *testing.T) {
	const recipe = "---\nversion: 1\nname: %[1]s\ndescription: Reads.\ntools: {required: [read], optional: []}\nskills: []\naudience: custom\ncategory: explore\n" +
		"capabilityClass: read-only\nlatencyClass: fast\nprojectContextTier: none\nbudget: {toolCalls: 8, readReserve: 2, synthesis: true}\nresultContract: {kind: scout-report}\ntags: []\n---\nRead.\n"
	set := policyOf(t, map[string]string{
		"agents/used.md":       fmt.Sprintf(recipe, "used"),
		"agents/unused.md":     fmt.Sprintf(recipe, "unused"),
		"fleets/commands.yaml": "version: 1\ncommands:\n  used: {argv: [a]}\n  unused: {argv: [b]}\n",
		"fleets/demo.md":       contractOf(4, 1, "", "{id: a, agent: used, scope: readonly, dependencies: []}", "{kind: code, id: b, command: used, scope: readonly, dependencies: []}"),
		"fleets/old.md":        contractOf(3, 1, "", "{id: a, agent: used, scope: readonly, dependencies: []}"),
		"fleetgate.yaml":       "version: 1\npermit:\n  - {login: octocat, steps: [demo/*]}\n",
	})
	want := []string{
		`audit-unbounded .clio-coder/fleets/old.md: fleet "old" is version 3: its steps have no boundaries, and no commit can claim them`,
		`audit-unpermitted .clio-coder/fleets/old.md: no permit entry names fleet "old": nothing ties a claim of it to an author`,
		`audit-unused-recipe .clio-coder/agents/unused.md: no fleet names the agent "unused"`,
		`audit-unused-command .clio-coder/fleets/commands.yaml:4:3: no fleet runs the command "unused"`,
	}
	if diff := cmp.Diff(want, messages(housekeeping(set))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
