package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/verdict"
)

// JUnit writes the verdict as JUnit's XML: the verdict itself, a test for each
// commit, and one for each file of the policy that has findings. An undecided
// verdict is an error there; findings that don't fail are output.
func JUnit(w io.Writer, v verdict.Verdict) error {
	suites := junitSuites{Name: "fleetgate", Suites: []junitSuite{verdictSuite(v)}}
	if len(v.Commits) > 0 {
		suites.Suites = append(suites.Suites, commitSuite(v))
	}
	if s := policySuite(v); len(s.Cases) > 0 {
		suites.Suites = append(suites.Suites, s)
	}
	for i := range suites.Suites {
		s := &suites.Suites[i]
		s.count()
		suites.Tests += s.Tests
		suites.Failures += s.Failures
		suites.Errors += s.Errors
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	out := xml.NewEncoder(w)
	out.Indent("", "  ")
	if err := out.Encode(suites); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name      string        `xml:"name,attr"`
	ClassName string        `xml:"classname,attr"`
	Failure   *junitProblem `xml:"failure"`
	Error     *junitProblem `xml:"error"`
	Output    string        `xml:"system-out,omitempty"`
}

type junitProblem struct {
	Type    string `xml:"type,attr"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

func (s *junitSuite) count() {
	s.Tests = len(s.Cases)
	for _, c := range s.Cases {
		if c.Failure != nil {
			s.Failures++
		}
		if c.Error != nil {
			s.Errors++
		}
	}
}

// verdictSuite has one test, which fails with the verdict: a run is never
// green here because all of its findings are of no commit and no file.
func verdictSuite(v verdict.Verdict) junitSuite {
	c := junitCase{Name: "verdict", ClassName: "fleetgate", Output: prose(Title(v)) + "\n"}
	switch v.Word {
	case verdict.Undecided:
		c.Error = &junitProblem{Type: prose(v.Reason), Message: "undecided, which is no pass: " + prose(Title(v)), Text: prose(wayOut(v))}
	case verdict.Failed:
		c.Failure = &junitProblem{Type: prose(v.Reason), Message: "failed: " + prose(Title(v)) + unread(v)}
	}
	return junitSuite{Name: "verdict", Cases: []junitCase{c}}
}

func commitSuite(v verdict.Verdict) junitSuite {
	byCommit := map[string][]diag.Diagnostic{}
	for _, d := range v.Diagnostics {
		byCommit[d.Commit] = append(byCommit[d.Commit], d)
	}
	s := junitSuite{Name: "commits"}
	for _, row := range v.Commits {
		g := commitGroup{row: row, found: byCommit[row.SHA]}
		c := junitCase{Name: strings.TrimSpace(short(row.SHA) + " " + Name(row.Subject)), ClassName: "fleetgate.commits"}
		c.Output = strings.TrimSpace(g.claims(item)) + "\n"
		c.add(v, g.found)
		s.Cases = append(s.Cases, c)
	}
	return s
}

// policySuite has the findings of no commit of the range, a test a file.
func policySuite(v verdict.Verdict) junitSuite {
	rows := rowIndex(v)
	var files []string
	byFile := map[string][]diag.Diagnostic{}
	for _, d := range v.Diagnostics {
		if _, listed := rows[d.Commit]; listed {
			continue
		}
		if byFile[d.Pos.File] == nil {
			files = append(files, d.Pos.File)
		}
		byFile[d.Pos.File] = append(byFile[d.Pos.File], d)
	}
	s := junitSuite{Name: "policy"}
	for _, file := range files {
		c := junitCase{Name: fileCase(file), ClassName: "fleetgate.policy"}
		c.add(v, byFile[file])
		s.Cases = append(s.Cases, c)
	}
	return s
}

func fileCase(file string) string {
	if file == "" {
		return "the range"
	}
	return Name(file)
}

// add puts findings under the failure or the output, as they weigh in this
// verdict. A test has one failure: most readers show no more.
func (c *junitCase) add(v verdict.Verdict, found []diag.Diagnostic) {
	var failure, output strings.Builder
	var first *diag.Diagnostic
	failures := 0
	for i, d := range found {
		if !fails(v, d) {
			output.WriteString(junitText(d))
			continue
		}
		failure.WriteString(junitText(d))
		if failures++; first == nil {
			first = &found[i]
		}
	}
	c.Output += output.String()
	if first == nil {
		return
	}
	message := prose(first.Message)
	if failures > 1 {
		message += " (and " + counted(failures-1, "more finding") + ")"
	}
	c.Failure = &junitProblem{Type: string(first.Code), Message: message, Text: failure.String()}
}

func junitText(d diag.Diagnostic) string {
	text := fmt.Sprintf("%s: %s (%s)\n", d.Severity, prose(d.Message), d.Code)
	if p := place(d.Pos); p != "" {
		text = p + ": " + text
	}
	if d.Hint != "" {
		text += "  way out: " + prose(d.Hint) + "\n"
	}
	return text
}

// fails says whether a finding is one that failed the verdict: an error, or a
// warning where there is no error and warnings fail too.
func fails(v verdict.Verdict, d diag.Diagnostic) bool {
	return d.Severity == diag.Error || d.Severity == diag.Warning && v.Word == verdict.Failed && v.Counts.Errors == 0
}
