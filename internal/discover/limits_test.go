package discover

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fleetgate/fleetgate/internal/diag"
)

// further is the note that says how many findings are not listed.
func further(found []diag.Diagnostic) string {
	last := found[len(found)-1]
	if len(last.Related) == 0 {
		return ""
	}
	return last.Related[len(last.Related)-1].Message
}

func TestOneLoadListsNoMoreThanMaxFindings(t *testing.T) {
	const more = 7
	texts := map[string]string{}
	faulty := strings.Replace(reader1, "tags: []", "tags: ["+strings.Repeat("1, ", diag.MaxFindings)+"]", 1)
	for i := range MaxFindings/diag.MaxFindings + more {
		texts[fmt.Sprintf("%s/agents/a%03d.md", Dir, i)] = faulty
	}
	set := load(t, files(texts))
	if len(set.Found) != MaxFindings+more {
		t.Errorf("%d findings, want %d and one for each of the %d files that are left", len(set.Found), MaxFindings, more)
	}
	if got, want := further(set.Found), fmt.Sprintf("further findings that are not listed: %d", diag.MaxFindings-1); got != want {
		t.Errorf("the last finding says %q, want %q", got, want)
	}
	for _, a := range set.Agents {
		if !a.Quarantined() || !diag.HasError(a.Found) {
			t.Errorf("%s passes, or nothing says why it doesn't", a.Path)
		}
		if shown, says := len(a.Found), further(a.Found); shown < diag.MaxFindings && says == "" || shown > 1 && says != "" {
			t.Errorf("%s has %d findings and says %q", a.Path, shown, says)
		}
	}
}

// However many findings there are: a file's error is not lost behind its warnings.
func TestBeyondMaxFindingsAFilesErrorIsKept(t *testing.T) {
	warning := diag.New("agent-missing", diag.Pos{File: "a.md"}, "", "a warning")
	failure := diag.New("bind-unknown-command", diag.Pos{File: "a.md"}, "", "an error")
	full := tally{listed: MaxFindings}
	if got := full.keep([]diag.Diagnostic{warning, failure, failure}); len(got) != 1 || got[0].Severity != diag.Error || further(got) != "further findings that are not listed: 2" {
		t.Errorf("kept %v", got)
	}
	if got := full.keep([]diag.Diagnostic{warning, warning}); len(got) != 1 || further(got) != "further findings that are not listed: 1" {
		t.Errorf("kept %v", got)
	}
	if got := full.keep([]diag.Diagnostic{warning}); len(got) != 1 || further(got) != "" {
		t.Errorf("kept %v", got)
	}
	if got := full.keep(nil); got != nil {
		t.Errorf("kept %v", got)
	}
}

// A broken registry's findings stand with every fleet that needs it, and count there.
func TestABrokenRegistrysFindingsAreBoundedToo(t *testing.T) {
	var bad strings.Builder
	for i := range diag.MaxFindings {
		fmt.Fprintf(&bad, "\n  c%d: {argv: []}", i)
	}
	texts := map[string]string{Dir + "/fleets/commands.yaml": "version: 1\ncommands:" + bad.String() + "\n"}
	fleets := MaxFindings/diag.MaxFindings + 20
	for i := range fleets {
		texts[fmt.Sprintf("%s/fleets/f%03d.md", Dir, i)] = contract(testStep)
	}
	set := load(t, files(texts))
	all := 0
	for _, f := range set.Fleets {
		if all += len(f.Found); f.OK() || len(f.Found) == 0 {
			t.Errorf("%s passes, or nothing says why it doesn't", f.Path)
		}
	}
	if all > MaxFindings+fleets || all < MaxFindings-diag.MaxFindings {
		t.Errorf("%d findings stand with the fleets", all)
	}
}

func TestUnknownAgentsAreNoMoreThanMaxFindings(t *testing.T) {
	const perFleet, more = 5_000, 3
	steps := make([]string, perFleet)
	for i := range steps {
		steps[i] = fmt.Sprintf("{id: s%d, agent: nobody, scope: readonly, dependencies: []}", i)
	}
	texts := map[string]string{}
	for i := range MaxFindings / perFleet {
		texts[fmt.Sprintf("%s/fleets/f%03d.md", Dir, i)] = contract(steps...)
	}
	texts[Dir+"/fleets/last.md"] = contract(steps[:more]...)
	texts[ConfigPath] = "version: 1\npermit:\n  - {login: a, steps: [none/x]}\n"
	set := load(t, files(texts))
	found := CrossCheck(&set)
	if len(found) != MaxFindings+1 || found[MaxFindings].Code != "permit-unknown-step" {
		t.Errorf("%d findings, want %d and the permit entry's", len(found), MaxFindings)
	}
	if got, want := further(found[:MaxFindings]), fmt.Sprintf("further findings that are not listed: %d", more); got != want {
		t.Errorf("the last finding says %q, want %q", got, want)
	}
}
