package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/github/githubtest"
)

var schedule = event{"schedule", `{"schedule": "0 6 * * 1"}`}

// audits runs the step as a scheduled audit that keeps its issue.
func (w *world) audits(dir string, more ...string) stepRun {
	w.t.Helper()
	return w.run(dir, schedule, append([]string{"audit", "true", "issue", "true"}, more...)...)
}

func TestAScheduledAuditKeepsItsIssue(t *testing.T) {
	w := newWorld(t)
	server := w.api(nil)
	dir := w.clone("octo/app", "merge2")
	r := w.audits(dir, "since", w.ids["new0"])
	if r.code != 1 || r.outputs["verdict"] != "failed" || r.report["command"] != "audit" || !strings.Contains(r.stdout, "fleetgate: issue created https://github.com/octo/app/issues/3\n") {
		t.Fatalf("exit code %d, outputs %v\n%s%s", r.code, r.outputs, r.stdout, r.stderr)
	}
	issue := posted(server).Issue(3)
	if issue.State != "open" || issue.User != botLogin || !strings.Contains(issue.Body, "`src/x`") || strings.Contains(issue.Body, r.outputs["digest"]) {
		t.Errorf("the issue is %+v", issue)
	}
	if r = w.audits(dir, "since", w.ids["new0"]); !strings.Contains(r.stdout, "fleetgate: issue unchanged ") || r.code != 1 {
		t.Errorf("exit code %d\n%s", r.code, r.stdout)
	}
	if r = w.audits(dir); !strings.Contains(r.stdout, "fleetgate: issue closed ") || r.code != 0 || posted(server).Issue(3).State != "closed" {
		t.Errorf("exit code %d\n%s", r.code, r.stdout)
	}
	if r = w.audits(dir); !strings.Contains(r.stdout, "fleetgate: issue: there is nothing to write\n") || r.code != 0 {
		t.Errorf("exit code %d\n%s", r.code, r.stdout)
	}
}

func TestAnIssueThatIsRefusedIsANotice(t *testing.T) {
	w := newWorld(t)
	dir := w.clone("octo/app", "merge2")
	want := w.run(dir, schedule, "audit", "true", "since", w.ids["new0"])
	w.api(func(s *githubtest.State) { s.ReadOnly = true })
	r := w.audits(dir, "since", w.ids["new0"])
	if r.code != want.code || r.outputs["digest"] != want.outputs["digest"] {
		t.Errorf("exit code %d, outputs %v; want %d, %v", r.code, r.outputs, want.code, want.outputs)
	}
	if diff := cmp.Diff(withoutNotices(want.stdout), withoutNotices(r.stdout)); diff != "" {
		t.Errorf("the log differs by more than notices (-want +got):\n%s", diff)
	}
	if !strings.Contains(r.stdout, "::notice title=fleetgate::the audit's issue in octo/app was refused (403): Resource not accessible by integration; give the job `permissions: issues: write`") {
		t.Errorf("no notice:\n%s", r.stdout)
	}
}

func TestInputsOfAnAuditThatHaveNoEffectAreRefused(t *testing.T) {
	w := newWorld(t)
	dir := w.clone("octo/app", "merge2")
	for want, inputs := range map[string][]string{
		"the inputs since and issue are for audit: true":          {"issue", "true"},
		"inputs since and issue are for audit: true":              {"since", "2026-01-01"},
		"the inputs base and results are for judging a range":     {"audit", "true", "base", "HEAD"},
		"inputs base and results are for judging a range":         {"audit", "true", "results", "*.json"},
		"the input audit is \"yes\"; it is true or false":         {"audit", "yes"},
		"give a revision, or an absolute date such as 2026-01-31": {"audit", "true", "since", "last week"},
	} {
		if r := w.run(dir, schedule, inputs...); r.code != 2 || r.outputs["verdict"] != "undecided" || !strings.Contains(r.stdout, want) {
			t.Errorf("%v: exit code %d\n%s", inputs, r.code, r.stdout)
		}
	}
}
