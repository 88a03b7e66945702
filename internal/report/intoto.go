package report

import (
	"encoding/json"
	"io"

	"github.com/fleetgate/fleetgate/internal/verdict"
)

// What an in-toto statement of ours says of itself.
const (
	statementType = "https://in-toto.io/Statement/v1"
	predicateType = projectURI + "/verdict/v1"
)

// InToto writes the verdict as an in-toto Statement v1, to be signed by
// whoever vouches for the run. Its subject is the judged commit; its predicate
// says by which policy it was judged and what came of it, and names the whole
// JSON report by its digest. A verdict about no commit (lint, or one whose
// head isn't known) has no subject, and so attests nothing.
func InToto(w io.Writer, v verdict.Verdict) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	return out.Encode(statement{
		Type: statementType, Subject: subjects(v), PredicateType: predicateType, Predicate: predicateOf(v),
	})
}

type statement struct {
	Type          string    `json:"_type"`
	Subject       []subject `json:"subject"`
	PredicateType string    `json:"predicateType"`
	Predicate     predicate `json:"predicate"`
}

type subject struct {
	Name   string            `json:"name,omitempty"`
	Digest map[string]string `json:"digest"`
}

// predicate holds what a reader decides by; all else is in the report.
type predicate struct {
	Tool       string            `json:"tool"`
	Verdict    verdict.Word      `json:"verdict"`
	Reason     string            `json:"reason"`
	Incomplete bool              `json:"incomplete"`
	Assurance  verdict.Assurance `json:"assurance"`
	Repository string            `json:"repository"`
	Event      string            `json:"event"`
	Base       string            `json:"base"`
	MergeBases []string          `json:"mergeBases"`
	Trusted    []string          `json:"trusted"`
	Policy     string            `json:"policy"`
	Counts     verdict.Counts    `json:"counts"`
	Report     reportDigest      `json:"report"`
}

// reportDigest names the JSON report by the digest that stands in it.
type reportDigest struct {
	Schema string            `json:"schema"`
	Digest map[string]string `json:"digest"`
}

func subjects(v verdict.Verdict) []subject {
	if v.Head == "" {
		return []subject{}
	}
	return []subject{{Name: Line(v.Repository), Digest: map[string]string{"gitCommit": v.Head}}}
}

func predicateOf(v verdict.Verdict) predicate {
	return predicate{
		Tool: v.Tool, Verdict: v.Word, Reason: v.Reason, Incomplete: v.Incomplete, Assurance: v.Assurance,
		Repository: Line(v.Repository), Event: Line(v.Event), Base: v.Base,
		MergeBases: append([]string{}, v.MergeBases...), Trusted: append([]string{}, v.Trusted...),
		Policy: v.Policy, Counts: v.Counts,
		Report: reportDigest{Schema: verdict.Schema, Digest: map[string]string{"sha256": v.Digest}},
	}
}
