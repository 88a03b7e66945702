package verdict

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/fleetgate/fleetgate/internal/diag"
)

// Envelope is the JSON of a command that gives no verdict (list, show,
// version, …): what every command's JSON has, around data of its own. Its
// schema is named fleetgate/<command>/v1.
type Envelope struct {
	Tool    string // the version of fleetgate
	Command string
	// Data is anything that marshals to a JSON object, or nil. Its members
	// stand at the top of the document, between command and diagnostics.
	Data        any
	Diagnostics []diag.Diagnostic // in any order; written sorted
}

// WriteJSON writes the document, indented. Data that is no object, or that has
// a member which the envelope has too, is an error of the caller's.
func (v Envelope) WriteJSON(w io.Writer) error {
	data, err := splitObject(v.Data)
	if err != nil {
		return err
	}
	found := slices.Clone(v.Diagnostics)
	slices.SortStableFunc(found, diag.Compare)

	e := newEncoder(w, false)
	envelopeObject(data).write(e, &Envelope{Tool: v.Tool, Command: v.Command, Diagnostics: found})
	e.out.WriteByte('\n')
	return e.flush()
}

func envelopeObject(data []rawMember) *object[Envelope] {
	members := []member[Envelope]{
		text("schema", func(v *Envelope) string { return "fleetgate/" + v.Command + "/v1" }),
		text("tool", func(v *Envelope) string { return v.Tool }),
		text("command", func(v *Envelope) string { return v.Command }),
	}
	for _, d := range data {
		members = append(members, member[Envelope]{key: d.key, write: func(e *encoder, _ *Envelope) { e.raw(d.value) }})
	}
	return &object[Envelope]{members: append(members,
		list("diagnostics", diagnosticObject, func(v *Envelope) []diag.Diagnostic { return v.Diagnostics }))}
}

// ownMembers are the envelope's, which data may not have.
var ownMembers = []string{"schema", "tool", "command", "diagnostics"}

// splitObject marshals data and gives its members in their order.
func splitObject(data any) ([]rawMember, error) {
	if data == nil {
		return nil, nil
	}
	marshalled, err := json.Marshal(data)
	if err != nil {
		return nil, fmt.Errorf("verdict: envelope data: %w", err)
	}
	if marshalled[0] != '{' {
		return nil, errors.New("verdict: envelope data is not a JSON object")
	}
	members := splitMembers(marshalled)
	for _, m := range members {
		if slices.Contains(ownMembers, m.key) {
			return nil, fmt.Errorf("verdict: envelope data has the member %q, which is the envelope's own", m.key)
		}
	}
	return members, nil
}
