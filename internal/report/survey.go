package report

import (
	"bufio"
	"encoding/json"
	"fmt"
	"html"
	"io"

	"github.com/fleetgate/fleetgate/internal/verdict"
)

// SurveyText writes a survey for people: a line for each repository, the worst
// first, then what drifts and what is broken most often.
func SurveyText(w io.Writer, s verdict.Survey) error {
	out := newLines(w)
	out.line("%s: %s", s.Word(), prose(s.Summary()))
	for i, r := range s.ByRisk() {
		if i == 0 {
			out.blank()
		}
		out.line("%-9s  %s: %s", r.Word, Name(r.Name), prose(r.Summary))
	}
	tallies := func(title string, list []verdict.Tally) {
		for i, t := range list {
			if i == 0 {
				out.blank()
				out.line("%s", title)
			}
			out.line("  %s: %s in %s", Name(t.Name), counted(t.Findings, "finding"), repositories(t.Repositories))
		}
	}
	tallies("recipes that drifted most", s.DriftedRecipes())
	tallies("boundaries that were broken most", s.WorstBoundaries())
	return out.flush()
}

func repositories(n int) string {
	if n == 1 {
		return "1 repository"
	}
	return fmt.Sprintf("%d repositories", n)
}

// SurveySARIF writes a survey as one SARIF file with a run for each repository,
// named in the run's automationDetails. A repository that can't be read is a
// run that didn't succeed.
func SurveySARIF(w io.Writer, survey verdict.Survey) error {
	file := sarifFile{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRun{}}
	for i := range survey.Repositories {
		v := survey.Repositories[i].Verdict(survey.Tool)
		s := &sarif{gone: goneAtHead(v), seen: map[string]int{}}
		run := s.run(v)
		run.AutomationDetails.ID = "fleetgate/audit/" + Name(v.Repository) + "/"
		file.Runs = append(file.Runs, run)
	}
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	return out.Encode(file)
}

var surveyTemplate = parsedOnce("page/survey.html.tmpl")

// surveyPage is what the dashboard's template shows, made visible like htmlPage.
type surveyPage struct {
	Word, Summary, Tool string
	Lists               []surveyList
	Rows                []surveyRow
	RowsLeft            string
}

type surveyList struct {
	ID, Title, Column, None string
	Tallies                 []verdict.Tally
}

type surveyRow struct {
	Name, Word, Summary, Head string
	Errors, Warnings          int
	Findings                  []htmlFinding
	Left                      string
}

// maxRowFindings is how many findings of one repository the dashboard lists.
const maxRowFindings = 50

// SurveyHTML writes a survey as one page like HTML's, without any script.
func SurveyHTML(w io.Writer, s verdict.Survey) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, pageHead, fmt.Sprintf("default-src 'none'; style-src '%s'; base-uri 'none'; form-action 'none'", source(pageStyle())),
		html.EscapeString("fleetgate survey: "+string(s.Word())), pageStyle())
	if err := surveyTemplate().Execute(out, newSurveyPage(s)); err != nil {
		return err
	}
	return out.Flush()
}

func newSurveyPage(s verdict.Survey) surveyPage {
	p := surveyPage{Word: string(s.Word()), Summary: prose(s.Summary()), Tool: Name(s.Tool)}
	p.Lists = []surveyList{
		{"recipes", "Recipes that drifted most", "Recipe", "No recipe differs from a lock.", shownTallies(s.DriftedRecipes())},
		{"boundaries", "Boundaries that were broken most", "Step", "No boundary was broken.", shownTallies(s.WorstBoundaries())},
	}
	rows := s.ByRisk()
	for i := range rows {
		if i == maxPageCommits {
			p.RowsLeft = notListed(len(rows)-i, "repository")
			break
		}
		p.Rows = append(p.Rows, newSurveyRow(&rows[i]))
	}
	return p
}

func shownTallies(list []verdict.Tally) []verdict.Tally {
	for i := range list {
		list[i].Name = Name(list[i].Name)
	}
	return list
}

func newSurveyRow(r *verdict.Surveyed) surveyRow {
	row := surveyRow{Name: Name(r.Name), Word: string(r.Word), Summary: prose(r.Summary), Head: short(r.Head), Errors: r.Counts.Errors, Warnings: r.Counts.Warnings}
	shown := r.Diagnostics[:min(len(r.Diagnostics), maxRowFindings)]
	for i := range shown {
		row.Findings = append(row.Findings, newFinding(&shown[i]))
	}
	all := r.Counts.Errors + r.Counts.Warnings + r.Counts.Notes
	row.Left = notListed(all-len(shown), "finding")
	return row
}
