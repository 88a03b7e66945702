package verdict

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/diag"
)

func TestEnvelopeCarriesDataAtItsTopAndSortedFindings(t *testing.T) {
	type agent struct {
		ID    string   `json:"id"`
		Tools []string `json:"tools"`
	}
	e := Envelope{
		Tool: "0.1.0", Command: "list",
		Data: struct {
			Zero   int      `json:"zero"`
			Agents []agent  `json:"agents"`
			None   []string `json:"none"`
		}{Agents: []agent{{"coder", []string{"read", "write"}}, {"<##[error]>", []string{}}}, None: []string{}},
		Diagnostics: []diag.Diagnostic{{Code: "b", Severity: diag.Note}, {Code: "a", Severity: diag.Error}},
	}
	var out bytes.Buffer
	if err := e.WriteJSON(&out); err != nil {
		t.Fatal(err)
	}
	want := `{
  "schema": "fleetgate/list/v1",
  "tool": "0.1.0",
  "command": "list",
  "zero": 0,
  "agents": [{"id": "coder", "tools": ["read", "write"]}, {"id": "<\u0023#[error]>", "tools": []}],
  "none": [],
  "diagnostics": [
    {
      "code": "a",
      "severity": "error",
      "message": "",
      "related": []
    },
    {
      "code": "b",
      "severity": "note",
      "message": "",
      "related": []
    }
  ]
}
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
	decoded(t, out.Bytes())
}

func TestEnvelopeBreaksLongDataOverLines(t *testing.T) {
	var out bytes.Buffer
	e := Envelope{Data: map[string]any{"long": []any{strings.Repeat("a", oneLine), nil, true, 1.5}}}
	if err := e.WriteJSON(&out); err != nil {
		t.Fatal(err)
	}
	want := "  \"long\": [\n    \"" + strings.Repeat("a", oneLine) + "\",\n    null,\n    true,\n    1.5\n  ],\n"
	if !strings.Contains(out.String(), want) {
		t.Errorf("no %s in %s", want, out.String())
	}
}

func TestEnvelopeOfNothing(t *testing.T) {
	var out bytes.Buffer
	if err := (Envelope{Command: "version"}).WriteJSON(&out); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"schema": "fleetgate/version/v1", "tool": "", "command": "version", "diagnostics": []any{}}
	if diff := cmp.Diff(want, decoded(t, out.Bytes())); diff != "" {
		t.Error(diff)
	}
}

func TestEnvelopeRefusesDataThatCannotStandInIt(t *testing.T) {
	for name, data := range map[string]any{
		"a list":           []int{1},
		"a string":         "x",
		"a null":           (*struct{})(nil),
		"a member it has":  map[string]any{"diagnostics": 1},
		"no JSON encoding": map[string]any{"f": func() {}},
	} {
		if err := (Envelope{Data: data}).WriteJSON(&bytes.Buffer{}); err == nil {
			t.Errorf("%s is written", name)
		}
	}
}
