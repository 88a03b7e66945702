package report

import (
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/verdict"
)

func junitOf(t *testing.T, v verdict.Verdict) junitSuites {
	t.Helper()
	var suites junitSuites
	if err := xml.Unmarshal([]byte(rendered(t, JUnit, sealed(t, v))), &suites); err != nil {
		t.Fatal(err)
	}
	return suites
}

func TestJUnitCountsWhatItHolds(t *testing.T) {
	for name, sample := range samples {
		got := junitOf(t, sample())
		tests, failures, errs := 0, 0, 0
		for _, s := range got.Suites {
			for _, c := range s.Cases {
				tests++
				if c.Failure != nil {
					failures++
				}
				if c.Error != nil {
					errs++
				}
			}
		}
		if got.Tests != tests || got.Failures != failures || got.Errors != errs {
			t.Errorf("%s: says %d, %d, %d; holds %d, %d, %d", name, got.Tests, got.Failures, got.Errors, tests, failures, errs)
		}
	}
}

// A reader of JUnit knows green and red only: each verdict must be what it looks like.
func TestJUnitIsGreenExactlyForAPass(t *testing.T) {
	for name, sample := range samples {
		v := sample()
		got := junitOf(t, v)
		switch v.Word {
		case verdict.Passed:
			if got.Failures+got.Errors != 0 {
				t.Errorf("%s passed: %+v", name, got)
			}
		case verdict.Failed:
			if got.Failures == 0 || got.Errors != 0 {
				t.Errorf("%s failed: %+v", name, got)
			}
		case verdict.Undecided:
			if got.Errors == 0 {
				t.Errorf("%s is undecided: %+v", name, got)
			}
		}
	}
}

func TestJUnitWarningsFailWhereTheyFailedTheVerdict(t *testing.T) {
	v := firstFailure()
	for i := range v.Diagnostics {
		v.Diagnostics[i].Severity = diag.Warning
	}
	if got := junitOf(t, v); got.Failures != 2 {
		t.Errorf("%d failures, want those of the verdict and of the commit", got.Failures)
	}
	v.Word = verdict.Passed
	if got := junitOf(t, v); got.Failures != 0 {
		t.Errorf("%d failures of a pass", got.Failures)
	}
}

func TestJUnitForgesNothing(t *testing.T) {
	eachHostile(t, func(t *testing.T, v verdict.Verdict) {
		text := rendered(t, JUnit, v)
		checkLog(t, text, false)
		names := map[string]int{}
		for in := xml.NewDecoder(strings.NewReader(text)); ; {
			token, err := in.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if start, ok := token.(xml.StartElement); ok {
				names[start.Name.Local]++
			}
		}
		for name := range names {
			if !strings.Contains("testsuites testsuite testcase failure error system-out", name) {
				t.Errorf("a forged element %s", name)
			}
		}
		if names["testcase"] != junitOf(t, v).Tests {
			t.Errorf("%d tests in %s", names["testcase"], text)
		}
	})
}

func TestJUnitHoldsManyFindingsOfOneFile(t *testing.T) {
	v := verdict.Verdict{Word: verdict.Failed}
	for range many {
		v.Diagnostics = append(v.Diagnostics, diag.Diagnostic{Code: "x", Severity: diag.Error, Pos: writesLine, Message: strings.Repeat("wrong ", 20)})
	}
	if got := junitOf(t, v); got.Tests != 2 || !strings.HasSuffix(got.Suites[1].Cases[0].Failure.Message, "(and 19999 more findings)") {
		t.Errorf("%d tests", got.Tests)
	}
}
