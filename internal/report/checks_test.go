package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/diag"
)

func TestExampleIsShownAsCommandsAndFiles(t *testing.T) {
	got := readExample("# A step writes\n# outside.\nexec git init\nraises check --base main\n# a later remark\nspares lint\n\n-- a.md --\nraises the question\n# heading\n")
	want := example{
		situation: "A step writes outside.",
		script:    "git init\nfleetgate check --base main\n# a later remark\nfleetgate lint\n\n-- a.md --\nraises the question\n# heading\n",
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(example{})); diff != "" {
		t.Error(diff)
	}
}

// sampleRule borrows the examples of a registered rule for a text of its own.
func sampleRule(t *testing.T) diag.Rule {
	t.Helper()
	return diag.Rule{
		Code: "fleet-readonly-with-writes", Title: "A writes entry leaves the repository | by its `..`", Severity: diag.Error, Fixed: true,
		Why: "Nobody may write there.", Fix: "Name a path inside.", Since: "0.1.0",
	}
}

func TestExplainShowsTheRuleAndBothExamples(t *testing.T) {
	var out strings.Builder
	if err := Explain(&out, sampleRule(t)); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		"fleet-readonly-with-writes: A writes entry leaves the repository | by its `..`\nerror, since 0.1.0; configuration can't lower it\n\n",
		"why      Nobody may write there.\nway out  Name a path inside.\n\nThis raises it. ",
		"\n\nThis does not. ", "    fleetgate lint\n", "    -- .clio-coder/fleets/",
	} {
		if !strings.Contains(out.String(), part) {
			t.Errorf("no %q in\n%s", part, out.String())
		}
	}
}

func TestChecksPageListsAndExplainsEachRule(t *testing.T) {
	var out strings.Builder
	if err := checksPage(&out, []diag.Rule{sampleRule(t)}); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		"| [`fleet-readonly-with-writes`](#fleet-readonly-with-writes) | error, fixed | A writes entry leaves the repository \\| by its `..` |\n",
		"\n## fleet-readonly-with-writes\n\n**A writes entry", "<details><summary>Raises it: ", "```text\nfleetgate lint\n",
	} {
		if !strings.Contains(out.String(), part) {
			t.Errorf("no %q in\n%s", part, out.String())
		}
	}
	if open, closed := strings.Count(out.String(), "<details>"), strings.Count(out.String(), "</details>"); open != 2 || closed != 2 {
		t.Errorf("%d details open, %d close", open, closed)
	}
}

func TestARuleWithoutExamplesIsAnError(t *testing.T) {
	rule := diag.Rule{Code: "no-such-code", Severity: diag.Error}
	if Explain(&strings.Builder{}, rule) == nil || checksPage(&strings.Builder{}, []diag.Rule{rule}) == nil {
		t.Error("it is explained")
	}
}

func TestRuleTextsStayCodeAndPlain(t *testing.T) {
	got := ruleText("Write `Fleet-Step: <fleet>` as <fleet>/<step> & a_b *c* [d](e) `x_y`.")
	want := "Write `Fleet-Step: <fleet>` as &lt;fleet>/&lt;step> &amp; a\\_b \\*c\\* \\[d](e) `x_y`."
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
