package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/verdict"
)

func issueText(t *testing.T, v verdict.Verdict) string {
	t.Helper()
	return rendered(t, IssueWithin(10_000), v)
}

// Else the issue would be edited at every commit.
func TestAnIssueSaysTheSameOfTheSameFindings(t *testing.T) {
	for _, incomplete := range []bool{true, false} {
		v := sealed(t, auditedSample())
		v.Incomplete = incomplete
		checkSameIssue(t, v)
	}
}

func checkSameIssue(t *testing.T, v verdict.Verdict) {
	t.Helper()
	before := issueText(t, v)
	v.Head, v.Base, v.Policy, v.Digest, v.Summary = sha(77), sha(77), "other", "other", "other"
	v.Counts.Commits += 5
	if after := issueText(t, v); after != before {
		t.Errorf("another commit, another text:\n%s\n%s", before, after)
	}
	for _, d := range v.Diagnostics {
		if !strings.Contains(before, string(d.Code)) {
			t.Errorf("%s isn't in the issue:\n%s", d.Code, before)
		}
	}
	v.Diagnostics = v.Diagnostics[1:]
	if issueText(t, v) == before {
		t.Error("fewer findings, and the same text")
	}
}

func TestWhatAnIssueIsOpenFor(t *testing.T) {
	of := func(word verdict.Word, severities ...diag.Severity) verdict.Verdict {
		v := verdict.Verdict{Word: word, Summary: "so"}
		for _, s := range severities {
			v.Diagnostics = append(v.Diagnostics, diag.Diagnostic{Code: "audit-reach", Severity: s, Message: "m"})
		}
		v.Counts.Errors, v.Counts.Warnings, v.Counts.Notes = diag.Count(v.Diagnostics)
		return v
	}
	part := of(verdict.Passed)
	part.Incomplete = true
	for name, c := range map[string]struct {
		verdict verdict.Verdict
		clean   bool
		says    string
	}{
		"nothing":      {of(verdict.Passed), true, "nothing that needs a person"},
		"a note":       {of(verdict.Passed, diag.Note), true, "nothing that needs a person"},
		"a warning":    {of(verdict.Passed, diag.Warning), false, "audit-reach"},
		"an error":     {of(verdict.Failed, diag.Error, diag.Note), false, "audit-reach"},
		"undecided":    {of(verdict.Undecided), false, "This is no pass"},
		"a part of it": {part, false, "Not everything could be read"},
	} {
		if got := IssueIsClean(c.verdict); got != c.clean {
			t.Errorf("%s: clean is %t", name, got)
		}
		if got := issueText(t, c.verdict); !strings.Contains(got, c.says) || !strings.HasSuffix(got, issueFoot) || c.clean && strings.Contains(got, "audit-reach") {
			t.Errorf("%s: the text is %q", name, got)
		}
	}
}

func TestAnIssueStaysInsideItsBound(t *testing.T) {
	v := verdict.Verdict{Word: verdict.Failed}
	for i := range 500 {
		v.Diagnostics = append(v.Diagnostics, diag.Diagnostic{Code: "audit-reach", Severity: diag.Error, Message: fmt.Sprint("finding ", i)})
	}
	v.Counts.Errors = 500
	text := issueText(t, v)
	if len(text) > 10_000 || len(text) < 8_000 || !strings.Contains(text, "more findings; the JSON report lists them all.") || !strings.HasSuffix(text, issueFoot) {
		t.Errorf("%d bytes, which end in %q", len(text), text[len(text)-300:])
	}
}

func TestIssuesForgeNothing(t *testing.T) {
	for name, s := range hostileTexts {
		t.Run(name, func(t *testing.T) {
			checkMarkdown(t, issueText(t, hostile(s)))
			v := hostile(s)
			v.Word, v.Summary = verdict.Undecided, s
			checkMarkdown(t, issueText(t, v))
		})
	}
}
