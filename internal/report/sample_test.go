package report

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/verdict"
)

func sha(n int) string { return fmt.Sprintf("%08x", uint32(n)*2654435761) + strings.Repeat("0", 32) }

func sealed(t testing.TB, v verdict.Verdict) verdict.Verdict {
	t.Helper()
	if err := v.Seal(); err != nil {
		t.Fatal(err)
	}
	return v
}

func rendered(t testing.TB, format Format, v verdict.Verdict) string {
	t.Helper()
	var out bytes.Buffer
	if err := format(&out, v); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

const contract = ".clio-coder/fleets/docs.md"

var writesLine = diag.Pos{File: contract, Line: 9, Column: 14}

func docsFleet() verdict.Fleet {
	return verdict.Fleet{
		Name: "docs", Path: contract,
		Steps: []verdict.Step{
			{ID: "read", Kind: "agent", Agent: "scout", Scope: "readonly"},
			{ID: "write", Kind: "agent", Agent: "documenter", Scope: "workspace", Writes: []string{"README.md", "docs/"}},
			{ID: "proof.check", Kind: "code", Scope: "readonly"},
			{ID: "proof.repair", Kind: "agent", Agent: "documenter", Scope: "workspace", Writes: []string{"CHANGELOG.md", "README.md", "docs/", "mkdocs.yml"}},
		},
		Edges: []verdict.Edge{
			{From: "read", To: "write"},
			{From: "write", To: "proof.check"},
			{From: "proof.check", To: "proof.repair", Loop: true},
			{From: "proof.repair", To: "proof.check", Loop: true},
		},
	}
}

func docsCommit(n int, subject string, changes ...verdict.Change) verdict.Commit {
	return verdict.Commit{
		SHA: sha(n), Subject: subject, Status: verdict.StatusClaimed,
		Claims: []string{"docs/write"}, Allow: []string{"README.md", "docs/"}, Changes: changes,
	}
}

// outside is the finding that a commit of docs/write changed path.
func outside(commit, path string) diag.Diagnostic {
	return diag.Diagnostic{
		Code: "boundary-outside", Severity: diag.Error, Rev: diag.Base, Pos: writesLine,
		Message: fmt.Sprintf("step %q may not write %s; its writes are README.md, docs/", "docs/write", Name(path)),
		Hint:    "move the change to a commit that claims a step which may write it, or add it to the step's writes in a pull request of its own",
		Commit:  commit, Step: "docs/write", Path: path,
	}
}

func passed() verdict.Verdict {
	return verdict.Verdict{
		Tool: "0.1.0", Command: "check", Word: verdict.Passed, Reason: "clean", Summary: "2 of 3 commits claimed, 0 outside",
		Assurance: verdict.SelfDeclared, Event: "local", Base: sha(100), Head: sha(3),
		MergeBases: []string{sha(100)}, Trusted: []string{sha(100)}, Policy: strings.Repeat("5a", 32),
		Counts: verdict.Counts{Judged: 2},
		Commits: []verdict.Commit{
			docsCommit(3, "Say how to install", verdict.Change{Status: "M", Path: "README.md"}),
			{SHA: sha(2), Subject: "Bump the version", Status: verdict.StatusUnclaimed, Changes: []verdict.Change{{Status: "M", Path: "VERSION"}}},
			docsCommit(1, "Write the first guide", verdict.Change{Status: "A", Path: "docs/guide.md"}),
		},
		Fleets: []verdict.Fleet{docsFleet()},
	}
}

// firstFailure is what a repository's first violating pull request looks like.
func firstFailure() verdict.Verdict {
	v := passed()
	v.Word, v.Reason, v.Summary = verdict.Failed, "findings", "2 of 3 commits claimed, 3 errors"
	v.Commits[0] = docsCommit(3, "Describe the parser, and tidy it on the way",
		verdict.Change{Status: "M", Path: ".clio-coder/fleets/docs.md"},
		verdict.Change{Status: "A", Path: "docs/parser.md"},
		verdict.Change{Status: "M", Path: "src/parser.go"},
		verdict.Change{Status: "D", Path: "src/parser_old.go"})
	v.Diagnostics = []diag.Diagnostic{
		outside(sha(3), "src/parser.go"),
		outside(sha(3), "src/parser_old.go"),
		{
			Code: "boundary-policy-edit", Severity: diag.Error, Rev: diag.Base, Pos: writesLine,
			Message: `a commit that claims "docs/write" may not change the policy file .clio-coder/fleets/docs.md`,
			Hint:    "let a person change the policy in a pull request of its own",
			Commit:  sha(3), Step: "docs/write", Path: ".clio-coder/fleets/docs.md",
		},
	}
	v.Fleets[0].Violated = []string{"write"}
	return v
}

// manyKinds has a finding of every sort that a report shows in its own way.
func manyKinds() verdict.Verdict {
	v := firstFailure()
	v.Incomplete, v.Hint = true, "fetch the missing tree"
	v.Assurance, v.Repository, v.Event = verdict.Permitted, "octo/site", "pull_request"
	v.Commits[2].Claims = []string{"docs/writ", "docs/proof.repair.1"}
	v.Commits = append(v.Commits, verdict.Commit{SHA: sha(4), Subject: "Merge main", Status: verdict.StatusMerge})
	v.Diagnostics = append(v.Diagnostics,
		diag.Diagnostic{
			Code: "claim-unknown", Severity: diag.Error, Rev: diag.Base, Pos: diag.Pos{File: contract}, Commit: sha(1), Step: "docs/writ",
			Message: `claim "docs/writ": fleet "docs" has no position "writ"`, Hint: `did you mean "docs/write"?`,
		},
		diag.Diagnostic{
			Code: "merge-dropped", Severity: diag.Warning, Commit: sha(4), Path: "src/fix.go",
			Message: "the merge throws away what its second parent changed in src/fix.go",
		},
		diag.Diagnostic{
			Code: "writes-parent", Severity: diag.Error, Rev: diag.Head, Pos: diag.Pos{File: contract, Line: 12, Column: 20}, End: diag.Pos{File: contract, Line: 12, Column: 28},
			Field: "steps[1].writes[2]", Message: `writes entry "../site/" leaves the repository by its ".." segment`, Hint: "name a path inside the repository",
			Related: []diag.Related{{Pos: diag.Pos{File: contract, Line: 12, Column: 6}, Rev: diag.Head, Message: "the step is declared here"}},
		},
		diag.Diagnostic{Code: "policy-widened", Severity: diag.Note, Rev: diag.Head, Pos: writesLine, Message: `step "docs/write" would also write src/`},
		diag.Diagnostic{Code: "commit-unattributed", Severity: diag.Warning, Commit: sha(2), Message: "signed by an agent, and claims no step"},
	)
	return v
}

func permitted() verdict.Verdict {
	v := passed()
	v.Assurance = verdict.Permitted
	return v
}

// landed is a push to a trusted branch: what is outside can't be held back any more.
func landed() verdict.Verdict {
	v := firstFailure()
	v.Word, v.Reason = verdict.Passed, "clean"
	for i := range v.Diagnostics {
		v.Diagnostics[i].Severity = diag.Warning
	}
	return v
}

// unclaimedOnly is what a person's pull request looks like where there is a policy.
func unclaimedOnly() verdict.Verdict {
	v := noPolicy()
	v.Reason, v.Summary, v.Fleets = "clean", "0 of 3 commits claimed, 0 outside", []verdict.Fleet{docsFleet()}
	return v
}

func observed() verdict.Verdict {
	v := firstFailure()
	v.Observe = true
	return v
}

func noPolicy() verdict.Verdict {
	v := passed()
	v.Reason, v.Summary = "no-policy", "nothing was judged: base has no fleet contract, and no commit claims a step"
	v.Fleets, v.Policy, v.Counts.Judged = nil, "", 0
	for i := range v.Commits {
		v.Commits[i].Claims, v.Commits[i].Allow, v.Commits[i].Status = nil, nil, verdict.StatusUnclaimed
	}
	return v
}

func undecided() verdict.Verdict {
	v := passed()
	v.Word, v.Reason, v.Incomplete = verdict.Undecided, "missing-object", true
	v.Summary = "nothing is decided: tree 4f1c77e2a0b9 of commit 0a1b2c3d4e5f is missing from this clone"
	v.Commits, v.Fleets, v.Counts.Judged = nil, nil, 0
	return v
}

func lintFailure() verdict.Verdict {
	return verdict.Verdict{
		Tool: "0.1.0", Command: "lint", Word: verdict.Failed, Reason: "findings", Summary: "1 error, 1 warning", Assurance: verdict.SelfDeclared,
		Policy: strings.Repeat("5a", 32), Fleets: []verdict.Fleet{docsFleet()},
		Diagnostics: []diag.Diagnostic{
			{
				Code: "frontmatter-duplicate-key", Severity: diag.Error, Pos: diag.Pos{File: contract, Line: 11, Column: 5}, Field: "steps[1].writes",
				Message: `key "writes" is given twice`, Hint: "keep one of the two",
				Related: []diag.Related{{Pos: diag.Pos{File: contract, Line: 9, Column: 5}, Message: "first given here"}},
			},
			{Code: "fleet-agent-unknown", Severity: diag.Warning, Pos: diag.Pos{File: contract, Line: 6, Column: 12}, Message: `step "read" names the agent "scot", which nothing declares`, Hint: `did you mean "scout"?`},
		},
	}
}

var samples = map[string]func() verdict.Verdict{
	"first-failure": firstFailure, "many-kinds": manyKinds, "passed": passed, "passed-permitted": permitted,
	"observed": observed, "landed": landed, "unclaimed": unclaimedOnly, "no-policy": noPolicy, "undecided": undecided, "lint-failure": lintFailure,
}
