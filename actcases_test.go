package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/action/gitserver"
)

// actCases are the cases from the field about output, ranges and attacks, each
// with the verdicts that a job gives where the case's script asks for one, in
// its order: what was found, without doubles, worst first.
var actCases = map[string][]string{
	"O1": {"1 failed, findings: error boundary-outside"},
	"O2": {"1 failed, findings: error boundary-outside"},
	"O3": {"1 failed, findings: error boundary-outside", "0 passed, nothing-to-judge"},
	"O4": {"1 failed, findings: error boundary-outside", "1 failed, findings: error boundary-outside"},
	"O5": {"1 failed, findings: error boundary-outside"},
	"O6": {"1 failed, findings: error boundary-outside"},
	"O7": {"1 failed, findings: error boundary-outside, error boundary-policy-edit"},
	"O8": {"0 passed, clean", "1 failed, findings: error boundary-outside"},
	"R1": {
		"0 passed, clean",
		"1 failed, findings: error boundary-outside",
		"0 passed, clean",
		"0 passed, clean: warning frontmatter-missing-open",
		"0 passed, clean",
	},
	"R2": {"0 passed, clean", "0 passed, clean", "0 passed, clean"},
	"R3": {"1 failed, findings: error boundary-outside", "0 passed, clean", "0 passed, clean"},
	"R4": {"0 passed, clean", "0 passed, clean"},
	"R5": {
		"1 failed, findings: error boundary-outside",
		"1 failed, findings: error boundary-outside",
		"1 failed, findings: error boundary-outside",
		"1 failed, findings: error boundary-policy-edit, note drift-fleet, note policy-narrowed",
		"0 passed, clean",
	},
	"R6": {"0 passed, clean", "0 passed, clean"},
	"R7": {"0 passed, nothing-to-judge", "0 passed, nothing-to-judge", "0 passed, nothing-to-judge", "1 failed, findings: error claim-unknown"},
	"R8": {
		"0 passed, clean",
		"1 failed, findings: error boundary-outside",
		"0 passed, clean",
		"1 failed, findings: error boundary-outside",
		"1 failed, findings: error boundary-outside",
		"0 passed, clean",
		"3 undecided, missing-base",
		"3 undecided, missing-base",
		"3 undecided, missing-object",
	},
	"R9": {
		"1 failed, findings: error boundary-outside",
		"1 failed, findings: error boundary-outside",
		"0 passed, clean: warning boundary-outside",
		"3 undecided, forced-push",
		"3 undecided, forced-push",
		"3 undecided, forced-push",
		"3 undecided, missing-object",
		"3 undecided, no-before",
	},
	"R10": {
		"0 passed, clean: warning boundary-restored",
		"1 failed, findings: warning boundary-restored",
		"0 passed, clean: warning boundary-restored",
		"1 failed, findings: error boundary-outside, warning boundary-restored",
		"1 failed, findings: error boundary-policy-edit",
	},
	"R11": {
		"1 failed, findings: error boundary-outside, note policy-widened",
		"0 passed, clean",
		"1 failed, findings: error boundary-outside, note policy-widened",
		"0 passed, no-policy",
		"1 failed, findings: error claim-unknown",
	},
	"R12": {"0 passed, clean", "0 passed, clean", "1 failed, findings: error boundary-outside"},
	"A1": {
		"1 failed, findings: error merge-dropped",
		"1 failed, findings: error merge-dropped",
		"0 passed, clean: warning merge-dropped",
		"1 failed, findings: error boundary-outside",
		"0 passed, nothing-to-judge",
	},
	"A2": {
		"1 failed, findings: error boundary-outside",
		"0 passed, clean: warning boundary-outside",
		"0 passed, clean: warning boundary-outside",
		"1 failed, findings: error boundary-outside, error claim-missing",
		"0 passed, clean",
		"1 failed, findings: error merge-dropped",
	},
	"A3": {
		"1 failed, findings: error boundary-outside",
		"1 failed, findings: error boundary-outside",
		"0 passed, clean",
		"1 failed, findings: error boundary-outside",
		"1 failed, findings: error boundary-outside",
		"1 failed, findings: error boundary-outside",
		"1 failed, findings: error boundary-outside",
		"1 failed, findings: error boundary-outside",
		"1 failed, findings: error boundary-outside",
		"1 failed, findings: error boundary-outside",
		"1 failed, findings: error boundary-outside",
	},
	"A4": {
		"1 failed, findings: error boundary-outside, note policy-widened",
		"1 failed, findings: error boundary-outside, note policy-widened",
		"0 passed, clean",
	},
	"A5": {
		"0 passed, clean: note policy-widened",
		"1 failed, findings: error boundary-outside, note policy-widened",
		"1 failed, findings: error boundary-outside, error boundary-policy-edit, error frontmatter-missing-open, note drift-fleet, note policy-widened",
	},
	"A6": {
		"1 failed, findings: error claim-unbounded, error claim-untrusted, note drift-fleet, note policy-widened",
		"1 failed, findings: error claim-unbounded, error claim-untrusted, note drift-fleet, note policy-widened",
		"1 failed, findings: error claim-unbounded, note drift-fleet, note policy-widened",
		"1 failed, findings: error boundary-policy-edit, error claim-untrusted",
	},
	"A7": {
		"0 passed, clean",
		"1 failed, findings: error claim-not-permitted",
		"1 failed, findings: error claim-not-permitted",
		"1 failed, findings: error claim-missing",
		"0 passed, clean",
		"0 passed, clean",
		"0 passed, clean",
		"1 failed, findings: error claim-not-permitted",
		"0 passed, clean",
		"1 failed, findings: error claim-not-permitted",
		"1 failed, findings: error claim-not-permitted",
		"0 passed, clean",
	},
	"A8": {
		"1 failed, findings: error boundary-outside, error boundary-policy-edit",
		"1 failed, findings: error boundary-outside",
		"1 failed, findings: error boundary-outside, error boundary-policy-edit",
		"1 failed, findings: error boundary-outside, error boundary-policy-edit",
		"1 failed, findings: error boundary-outside, error boundary-policy-edit",
		"0 passed, clean",
	},
	"A9": {
		"1 failed, findings: error boundary-policy-edit, warning commit-unattributed, note policy-widened",
		"1 failed, findings: error boundary-policy-edit, warning commit-unattributed, note policy-widened",
		"1 failed, findings: error boundary-policy-edit, warning commit-unattributed, note policy-widened",
		"1 failed, findings: error boundary-policy-edit, warning commit-unattributed, note policy-widened",
		"1 failed, findings: error boundary-policy-edit, warning commit-unattributed",
		"0 passed, clean: note policy-widened",
	},
	"A10": {
		"1 failed, findings: error boundary-outside, warning merge-dropped",
		"1 failed, findings: error boundary-outside, error merge-dropped",
		"1 failed, findings: error boundary-outside, warning merge-dropped",
		"0 passed, clean: warning boundary-restored",
	},
	"A11": {
		"1 failed, findings: error boundary-policy-edit",
		"1 failed, findings: error boundary-outside, error boundary-policy-edit",
		"0 passed, clean",
		"1 failed, findings: error boundary-policy-edit, error tree-alias",
		"0 passed, clean",
	},
	"A12": {
		"0 passed, clean",
		"1 failed, findings: error boundary-outside",
		"1 failed, findings: error boundary-outside",
		"0 passed, clean",
		"0 passed, clean",
		"0 passed, clean",
		"1 failed, findings: error boundary-outside, note claim-near-miss",
	},
	"A13": {"0 passed, clean", "0 passed, clean", "1 failed, findings: error merge-dropped"},
}

// underAct is which cases a runner has a part in.
var underAct = regexp.MustCompile(`^[ORA][0-9]+$`)

// aboutItsClone is the case in which the clone itself is the attack. The jobs
// of the others check out one commit, as they do by default.
const aboutItsClone = "A3"

func TestEveryCaseThatARunnerMeetsRunsUnderAct(t *testing.T) {
	for id := range caseIDs(t) {
		if underAct.MatchString(id) && len(actCases[id]) == 0 {
			t.Errorf("case %s is run under act by no row", id)
		}
	}
}

// TestActCases has every case run as a job, whose verdict, exit code and
// digest are those that check gives of the same event in a whole clone.
func TestActCases(t *testing.T) {
	actPath(t)
	base := newWorld(t)
	shared := newActRunner(t, base)
	all := momentsOf(t, underAct.MatchString)
	for id := range all {
		if actCases[id] == nil {
			t.Errorf("case %s has a script, but no row", id)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(actCases)) {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			moments, want := all[id], actCases[id]
			if testing.Short() {
				moments, want = moments[:min(1, len(moments))], want[:1]
			}
			var got []string
			for _, m := range moments {
				got = append(got, shared.runMoment(t, id, m))
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("verdicts (-want +got):\n%s", diff)
			}
		})
	}
}

// runMoment runs a job and says what it found.
func (r actRunner) runMoment(t *testing.T, id string, m moment) string {
	t.Helper()
	w := &world{t: t, root: m.folder, env: r.world.env, ids: map[string]string{"rev": m.rev}, server: gitserver.New(t, m.folder, canary)}
	r.world, r.left, r.env = w, t.TempDir(), nil
	r.setenv("SOURCE", "file://"+w.path("octo/app"), "LEFT", r.left, "GITHUB_REPOSITORY", "octo/app", "GITHUB_SERVER_URL", w.server.URL, "REV", m.rev)
	r.setenv(m.inputs...)
	if id == aboutItsClone {
		r.takesTheCloneAt(filepath.Join(m.folder, "clone"))
	}
	job := r.run(workflow(t, "cases.yml"), m.event)
	report := r.keptReport("report.json")
	want := w.checked(m.event, "rev", m.flags()...)
	if report["digest"] != want["digest"] || job.outputs["digest"] != want["digest"] {
		t.Errorf("the digest is not that of check:\n%s", cmp.Diff(want, report))
	}
	if report["verdict"] != job.outputs["verdict"] {
		t.Errorf("the output is %s, the report's verdict %s", job.outputs["verdict"], report["verdict"])
	}
	if len(job.annotations) > 2*10 || slices.ContainsFunc(job.commands, notTheGates) {
		t.Errorf("%d annotations; the runner obeyed %q", len(job.annotations), job.commands)
	}
	if holdsSecret(job.all) {
		t.Error("the token is in the log")
	}
	if m.exit != job.exit && m.exit != "3" { // a clone that lacks something is completed by a job
		t.Errorf("exit code %s, but %s in the script", job.exit, m.exit)
	}
	return job.exit + " " + foundBy(report)
}

// notTheGates says whether a command that a runner obeyed is none of the gate's.
func notTheGates(command string) bool {
	return !slices.Contains([]string{"error", "warning", "set-output", "summary"}, command)
}

// takesTheCloneAt has the job check out nothing, but take a script's clone. What
// came from GitHub there comes from the server here.
func (r *actRunner) takesTheCloneAt(dir string) {
	r.setenv("CLONE", dir)
	url := r.git(dir, "config", "remote.origin.url")
	r.git(dir, "config", "remote.origin.url", strings.Replace(url, "https://github.com/", r.server.URL+"/", 1))
}

// flags are those of check for the same inputs.
func (m moment) flags() (flags []string) {
	for i := 0; i+1 < len(m.inputs); i += 2 {
		switch m.inputs[i] {
		case "BASE":
			flags = append(flags, "--base", m.inputs[i+1])
		case "FAIL_ON":
			flags = append(flags, "--fail-on", m.inputs[i+1])
		case "MODE":
			flags = append(flags, "--observe")
		}
	}
	return flags
}

// foundBy is a report in one line.
func foundBy(report map[string]any) string {
	var found []string
	for _, severity := range []string{"error", "warning", "note"} {
		codes := map[string]bool{}
		for _, d := range report["diagnostics"].([]any) {
			if d := d.(map[string]any); d["severity"] == severity {
				codes[severity+" "+d["code"].(string)] = true
			}
		}
		found = append(found, slices.Sorted(maps.Keys(codes))...)
	}
	return strings.TrimSuffix(fmt.Sprintf("%s, %s: %s", report["verdict"], report["reason"], strings.Join(found, ", ")), ": ")
}
