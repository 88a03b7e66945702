package report

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/verdict"
)

func surveyOf(s string) verdict.Survey {
	v := hostile(s)
	return verdict.Survey{Tool: "0.1.0", Missing: []string{s}, Repositories: []verdict.Surveyed{
		verdict.NewSurveyed(s, &v), verdict.Unreadable("other "+s, s),
	}}
}

func surveyed(t *testing.T, format func(io.Writer, verdict.Survey) error, s verdict.Survey) string {
	t.Helper()
	var out bytes.Buffer
	if err := format(&out, s); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestSurveysForgeNothing(t *testing.T) {
	for name, s := range hostileTexts {
		t.Run(name, func(t *testing.T) {
			checkLog(t, surveyed(t, SurveyText, surveyOf(s)), false)
			checkLog(t, surveyed(t, SurveySARIF, surveyOf(s)), false)
			page := surveyed(t, SurveyHTML, surveyOf(s))
			checkLog(t, page, false)
			checkMarkup(t, page, false)
			if strings.Contains(page, "<script") {
				t.Error("the page has a script")
			}
		})
	}
}

func TestBoundsOfTheDashboard(t *testing.T) {
	s := verdict.Survey{}
	for i := range maxPageCommits + 2 {
		s.Repositories = append(s.Repositories, verdict.Surveyed{Name: fmt.Sprint("r", i), Word: verdict.Passed})
	}
	s.Repositories[0].Diagnostics = make([]diag.Diagnostic, maxRowFindings+3)
	s.Repositories[0].Counts.Errors = maxRowFindings + 3
	page := surveyed(t, SurveyHTML, s)
	for what, want := range map[string]int{
		`<th role="rowheader" scope="row">`: maxPageCommits,
		"<li><span":                         maxRowFindings,
		"… and 3 more; the JSON report lists every finding.":    1,
		"… and 2 more; the JSON report lists every repository.": 1,
	} {
		if got := strings.Count(page, what); got != want {
			t.Errorf("%q: %d, want %d", what, got, want)
		}
	}
}

// surveySample fills every section of the dashboard.
func surveySample(t *testing.T) verdict.Survey {
	v := sealed(t, auditedSample())
	s := verdict.Survey{Tool: "0.1.0", Missing: []string{"3/4"}, Repositories: []verdict.Surveyed{
		verdict.NewSurveyed("octo/site", &v),
		verdict.NewSurveyed("octo/app", &verdict.Verdict{Word: verdict.Passed, Summary: "0 errors, 0 warnings, 0 notes; 2 valid fleets, 3 recipes", Head: sha(9)}),
		verdict.Unreadable("octo/gone", "the history of octo/gone can't be fetched: remote: Repository not found."),
	}}
	for i := range 3 {
		drifted := verdict.Verdict{Word: verdict.Failed, Head: sha(20 + i), Summary: "2 errors, 0 warnings, 0 notes", Diagnostics: []diag.Diagnostic{
			{Code: "drift-recipe", Severity: diag.Error, Pos: diag.Pos{File: ".clio-coder/agents/documenter.md"}, Message: `agent "documenter" isn't as the lock has it`, Hint: "write the lock anew with `fleetgate lock`, if that is meant"},
			{Code: "boundary-outside", Severity: diag.Error, Path: "src/a.go", Step: "docs/write", Commit: sha(3), Message: `step "docs/write" may not write "src/a.go"; its writes are docs/`},
		}}
		drifted.Counts.Errors = 2
		s.Repositories = append(s.Repositories, verdict.NewSurveyed(fmt.Sprintf("octo/a-service-with-a-rather-long-name-%d", i), &drifted))
	}
	return s
}

// TestDashboardInABrowser looks at a survey's page as TestPageInABrowser does at a verdict's.
func TestDashboardInABrowser(t *testing.T) {
	b := startBrowser(t)
	file := filepath.Join(t.TempDir(), "survey.html")
	if err := os.WriteFile(file, []byte(surveyed(t, SurveyHTML, surveySample(t))), 0o644); err != nil {
		t.Fatal(err)
	}
	b.everyWindow("survey", file)
	b.silent()
}
