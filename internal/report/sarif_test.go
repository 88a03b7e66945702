package report

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/verdict"
)

func sarifRunOf(t *testing.T, v verdict.Verdict) sarifRun {
	t.Helper()
	var file sarifFile
	if err := json.Unmarshal([]byte(rendered(t, SARIF, sealed(t, v))), &file); err != nil {
		t.Fatal(err)
	}
	return file.Runs[0]
}

func TestSARIFResultsAreGolden(t *testing.T) {
	run := sarifRunOf(t, manyKinds())
	text, err := json.MarshalIndent(map[string]any{"results": run.Results, "invocations": run.Invocations}, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "many-kinds.sarif-results.json", string(text)+"\n")
}

func TestSARIFRulesAreThoseOfTheResults(t *testing.T) {
	run := sarifRunOf(t, manyKinds())
	used := map[string]bool{}
	for _, r := range run.Results {
		used[r.RuleID] = true
		if rule := run.Tool.Driver.Rules[r.RuleIndex]; rule.ID != r.RuleID {
			t.Errorf("result of %s points at rule %s", r.RuleID, rule.ID)
		}
	}
	for _, rule := range run.Tool.Driver.Rules {
		if !used[rule.ID] || !strings.HasSuffix(rule.HelpURI, "#"+rule.ID) {
			t.Errorf("rule %+v", rule)
		}
		delete(used, rule.ID)
	}
	if len(used) > 0 {
		t.Errorf("no rules for %v", used)
	}
}

func TestSARIFHelpIsTheRegistrys(t *testing.T) {
	for _, rule := range diag.Rules() {
		got := sarifRuleOf(rule.Code)
		if got.ShortDescription.Text != rule.Title || !strings.Contains(got.Help.Text, rule.Fix) || got.DefaultConfiguration.Level != rule.Severity.String() {
			t.Errorf("%+v is not %+v", got, rule)
		}
	}
}

func TestSARIFOfAnUndecidedRunIsNoCleanRun(t *testing.T) {
	i := sarifRunOf(t, undecided()).Invocations[0]
	if i.ExecutionSuccessful || len(i.ToolExecutionNotifications) != 1 || !strings.Contains(i.ToolExecutionNotifications[0].Message.Text, "no pass") {
		t.Errorf("%+v", i)
	}
	if i := sarifRunOf(t, passed()).Invocations[0]; !i.ExecutionSuccessful || len(i.ToolExecutionNotifications) != 0 {
		t.Errorf("%+v", i)
	}
}

// A fingerprint must outlive a rebase and an edit above, and tell findings apart.
func TestSARIFFingerprints(t *testing.T) {
	prints := func(change func(*diag.Diagnostic)) (out []string) {
		v := manyKinds()
		for i := range v.Diagnostics {
			change(&v.Diagnostics[i])
		}
		for _, r := range sarifRunOf(t, v).Results {
			out = append(out, r.PartialFingerprints["primaryLocationLineHash"])
		}
		return out
	}
	before := prints(func(*diag.Diagnostic) {})
	after := prints(func(d *diag.Diagnostic) {
		if d.Commit != "" {
			d.Commit = d.Commit[:39] + "f"
		}
		if d.Pos.Line > 0 {
			d.Pos.Line++
		}
	})
	if diff := cmp.Diff(before, after); diff != "" {
		t.Error(diff)
	}
	seen := map[string]bool{}
	for _, print := range prints(func(d *diag.Diagnostic) { d.Path, d.Code, d.Pos.File, d.Step, d.Field = "", "x", "", "", "" }) {
		if seen[print] {
			t.Errorf("%s stands for two results", print)
		}
		seen[print] = true
	}
}

func TestSARIFKeepsTheBytesOfAPath(t *testing.T) {
	for file, want := range map[string]string{
		"docs/a.md": "docs/a.md", "a b%c#d?e:f": "a%20b%25c%23d%3Fe%3Af", "caf\xe9/é": "caf%E9/%C3%A9", "x\n::error::y": "x%0A%3A%3Aerror%3A%3Ay",
	} {
		if got := uriPath(file); got != want {
			t.Errorf("%q is %s, want %s", file, got, want)
		}
	}
}

// GitHub refuses a file whose result has no place in the repository.
func TestSARIFResultsAlwaysHaveAPlace(t *testing.T) {
	for _, file := range []string{"", "/etc/passwd", "../x", "..", "a/../../b"} {
		v := verdict.Verdict{Word: verdict.Failed, Diagnostics: []diag.Diagnostic{{
			Code: "x", Severity: diag.Error, Pos: diag.Pos{File: file, Line: 3}, Related: []diag.Related{{Pos: diag.Pos{File: file}}},
		}}}
		result := sarifRunOf(t, v).Results[0]
		if uri := result.Locations[0].PhysicalLocation.ArtifactLocation.URI; uri != fallbackFile || len(result.RelatedLocations) != 0 {
			t.Errorf("%q is at %s", file, uri)
		}
	}
}

func TestSARIFLinksNothing(t *testing.T) {
	eachHostile(t, func(t *testing.T, v verdict.Verdict) {
		checkLog(t, rendered(t, SARIF, v), false)
		for _, r := range sarifRunOf(t, v).Results {
			if strings.Contains(strings.ReplaceAll(r.Message.Text, `\[`, ""), "[") {
				t.Errorf("a link in %q", r.Message.Text)
			}
		}
	})
}

func TestSARIFHasNoMoreResultsThanGitHubTakes(t *testing.T) {
	run := sarifRunOf(t, violations(MaxSARIFResults+7, 3))
	if len(run.Results) != MaxSARIFResults || !strings.HasPrefix(run.Invocations[0].ToolExecutionNotifications[0].Message.Text, "7 more findings") {
		t.Errorf("%d results, %+v", len(run.Results), run.Invocations)
	}
}

func TestSARIFOfAPassHasAnEmptyList(t *testing.T) {
	if text := rendered(t, SARIF, sealed(t, passed())); !strings.Contains(text, `"results": []`) || !strings.Contains(text, fmt.Sprintf("%q: %q", "verdict", "passed")) {
		t.Error(text)
	}
}
