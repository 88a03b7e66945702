package verdict

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/fleetgate/fleetgate/internal/diag"
)

func id(n int) string { return fmt.Sprintf("%040x", n) }

// sample has every field set, so that a test over the fields misses none.
func sample() Verdict {
	return Verdict{
		Tool: "0.1.0", Command: "check", Word: Failed, Reason: "findings", Summary: "2 of 3 commits claimed, 1 error",
		Hint: "look", Incomplete: true, Assurance: Permitted, Repository: "octo/site", Event: "pull_request",
		Base: id(1), Head: id(9), MergeBases: []string{id(2), id(1)}, Trusted: []string{id(4), id(3), id(3)},
		Policy: "5af0", Counts: Counts{Judged: 2},
		Commits: []Commit{
			{
				SHA: id(9), Subject: "Write\tthe guide", Claims: []string{"docs/write"}, Allow: []string{"docs/"}, Status: StatusClaimed,
				Changes: []Change{{Status: "M", Path: "docs/a.md"}, {Status: "A", Path: "src/\xffé.go"}},
			},
			{SHA: id(8), Subject: "Caf\xe9", Claims: []string{"docs/write"}, Status: StatusImported},
			{SHA: id(7), Subject: "Merge", Status: StatusMerge},
		},
		Fleets: []Fleet{{
			Name: "docs", Path: ".clio-coder/fleets/docs.md",
			Steps: []Step{
				{ID: "write", Kind: "agent", Agent: "documenter", Scope: "workspace", Writes: []string{"docs/", "README.md"}},
				{ID: "fix", Kind: "agent", Writes: []string{"docs/"}},
			},
			Edges:    []Edge{{From: "write", To: "fix"}, {From: "fix", To: "write", Loop: true}},
			Violated: []string{"write"},
		}},
		Audit: &Audit{Since: id(3), SinceDate: "2026-01-31", Timeline: []Moment{{
			Commit: id(7), Subject: "Wid\xe9r", Author: "Ad\xe4", Date: "2026-02-01",
			Changes: []diag.Diagnostic{{Code: "policy-widened", Severity: diag.Note, Rev: diag.Head, Message: "wider"}},
		}}},
		Results: &Results{Pattern: "results/*.json", Required: true, Files: []ResultFile{
			{File: "results/\xff.json"},
			{File: "results/w.json", SHA256: "0a", Step: "docs/write", Agent: "coder", Kind: "mutation-report", Conformance: "pass", Quality: "fail", Digest: "0b"},
		}},
		Diagnostics: []diag.Diagnostic{
			{Code: "claim-near-miss", Severity: diag.Note, Message: "a note", Commit: id(8)},
			{
				Code: "boundary-outside", Severity: diag.Error, Rev: diag.Base,
				Pos: diag.Pos{File: ".clio-coder/fleets/docs.md", Line: 7, Column: 5},
				End: diag.Pos{File: ".clio-coder/fleets/docs.md", Line: 7, Column: 19}, Field: "steps[0].writes",
				Message: "step \"docs/write\" may not write \"src/\\xffé.go\"", Hint: "move it",
				Related: []diag.Related{{Pos: diag.Pos{File: "a\xff", Line: 1, Column: 2}, Rev: diag.Head, Message: "here"}},
				Commit:  id(9), Step: "docs/write", Path: "src/\xffé.go",
			},
		},
	}
}

func sealed(t testing.TB, v Verdict) Verdict {
	t.Helper()
	if err := v.Seal(); err != nil {
		t.Fatal(err)
	}
	return v
}

func written(t testing.TB, v Verdict) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := v.WriteJSON(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func decoded(t testing.TB, text []byte) map[string]any {
	t.Helper()
	var document map[string]any
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return document
}
