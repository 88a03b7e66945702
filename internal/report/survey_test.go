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
		`<th scope="row">`: maxPageCommits,
		"<li><span":        maxRowFindings,
		"… and 3 more; the JSON report lists every finding.":    1,
		"… and 2 more; the JSON report lists every repository.": 1,
	} {
		if got := strings.Count(page, what); got != want {
			t.Errorf("%q: %d, want %d", what, got, want)
		}
	}
}

// TestDashboardInABrowser looks at a survey's page as TestPageInABrowser does at a verdict's.
func TestDashboardInABrowser(t *testing.T) {
	b := startBrowser(t)
	v := sealed(t, auditedSample())
	s := verdict.Survey{Tool: "0.1.0", Repositories: []verdict.Surveyed{
		verdict.NewSurveyed("octo/site", &v), verdict.NewSurveyed("octo/app", &verdict.Verdict{Word: verdict.Passed, Summary: "0 errors", Head: sha(9)}),
		verdict.Unreadable("octo/gone", "it can't be read"),
	}}
	file := filepath.Join(t.TempDir(), "survey.html")
	if err := os.WriteFile(file, []byte(surveyed(t, SurveyHTML, s)), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, width := range []int{1280, 400} {
		b.show(file, width, "light")
		if got := b.eval("document.documentElement.scrollWidth"); got != float64(width) {
			t.Errorf("at %d the page is %v wide", width, got)
		}
		b.picture(fmt.Sprintf("survey-%d-light.png", width))
	}
	b.axe()
	if len(b.log) > 0 {
		t.Errorf("the page says, or asks for:\n%s", strings.Join(b.log, "\n"))
	}
}
