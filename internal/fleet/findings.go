package fleet

import "github.com/fleetgate/fleetgate/internal/diag"

// findings collects what is wrong with one file, in the runtime's order.
type findings struct {
	diag.Findings
	dropped diag.Diagnostic // takes what is added when the list is full
}

// add says whether there is room for more.
func (f *findings) add(d diag.Diagnostic) bool {
	f.Add(d)
	if f.Overflowed() {
		f.dropped = d
	}
	return !f.Overflowed()
}

// addAt adds a finding and gives it, for what is related to it.
func (f *findings) addAt(code diag.Code, pos diag.Pos, at path, message, hint string) *diag.Diagnostic {
	if !f.add(diag.New(code, pos, at.String(), message).WithHint(hint)) {
		return &f.dropped
	}
	return &f.List[len(f.List)-1]
}
