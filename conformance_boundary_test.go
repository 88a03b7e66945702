package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

func init() {
	conformanceKinds = append(conformanceKinds, conformanceKind{
		kind:  "boundary",
		check: checkBoundaryCase,
		want:  conformanceCounts{ran: 163, passed: 163},
	})
}

type boundaryInput struct {
	Op       string   `json:"op"`
	Entry    string   `json:"entry"`
	Entries  []string `json:"entries"`
	Boundary []string `json:"boundary"`
	Path     string   `json:"path"`
	Left     []string `json:"left"`
	Right    []string `json:"right"`
	Version  int      `json:"version"`
	Scope    string   `json:"scope"`
	Writes   []string `json:"writes"`
}

// boundaryAnswer is what is compared: ok, code and at of a refusal, and the
// one value that the operation gives, as JSON would hold it.
type boundaryAnswer struct {
	OK   bool
	Code string
	At   string
	Data any
}

func checkBoundaryCase(c conformanceCase) string {
	var input boundaryInput
	if err := json.Unmarshal(c.Input, &input); err != nil {
		return err.Error()
	}
	want, err := boundaryWant(c.Expect)
	if err != nil {
		return err.Error()
	}
	got, err := boundaryGot(input)
	if err != nil {
		return err.Error()
	}
	return cmp.Diff(want, got)
}

func boundaryWant(expect json.RawMessage) (boundaryAnswer, error) {
	var fields map[string]any
	if err := json.Unmarshal(expect, &fields); err != nil {
		return boundaryAnswer{}, err
	}
	want := boundaryAnswer{OK: fields["ok"] == true}
	if !want.OK {
		code, _ := fields["code"].(string)
		want.Code = strings.Replace(code, "boundary/", "writes-", 1)
		want.At, _ = fields["at"].(string)
		return want, nil
	}
	for _, key := range []string{"value", "covers", "overlap", "text", "writes"} {
		if value, has := fields[key]; has {
			want.Data = value
			return want, nil
		}
	}
	return want, fmt.Errorf("no answer that this test knows in %s", expect)
}

func boundaryGot(input boundaryInput) (boundaryAnswer, error) {
	switch input.Op {
	case "entry":
		entry, refusal, _ := boundary.ParseEntry(input.Entry)
		return boundaryParsed(string(refusal), -1, entry), nil
	case "list":
		entries, refusal, _, at := boundary.ParseList(input.Entries)
		return boundaryParsed(string(refusal), at, boundaryAnyList(entries)), nil
	case "covers":
		return boundaryAnswer{OK: true, Data: boundary.RuntimeCovers(input.Boundary, input.Path)}, nil
	case "overlap":
		return boundaryAnswer{OK: true, Data: boundary.RuntimeOverlap(input.Left, input.Right)}, nil
	case "describe":
		return boundaryAnswer{OK: true, Data: boundary.Describe(input.Boundary)}, nil
	case "step":
		allow, bounded := boundary.StepBoundary(input.Version, input.Scope == "readonly", input.Writes)
		if !bounded {
			return boundaryAnswer{OK: true}, nil
		}
		return boundaryAnswer{OK: true, Data: boundaryAnyList(allow)}, nil
	}
	return boundaryAnswer{}, fmt.Errorf("unknown operation %q", input.Op)
}

func boundaryParsed(refusal string, at int, data any) boundaryAnswer {
	if refusal == "" {
		return boundaryAnswer{OK: true, Data: data}
	}
	answer := boundaryAnswer{Code: refusal}
	if at >= 0 {
		answer.At = fmt.Sprintf("[%d]", at)
	}
	return answer
}

// boundaryAnyList gives a list as encoding/json decodes one.
func boundaryAnyList(entries []string) any {
	list := []any{}
	for _, entry := range entries {
		list = append(list, entry)
	}
	return list
}

// Enforcement compares git's raw bytes; where the recorded grammar turns
// backslashes into slashes, ours must not.
func TestEnforcementKeepsBackslashes(t *testing.T) {
	for _, path := range []string{`a\b`, `a\..\b`} {
		if boundary.Covers([]string{"a/"}, path) {
			t.Errorf("a/ covers the root file %q", path)
		}
		if !boundary.RuntimeCovers([]string{"a/"}, path) {
			t.Errorf("the runtime's grammar reads %q as under a/, RuntimeCovers does not", path)
		}
	}
}
