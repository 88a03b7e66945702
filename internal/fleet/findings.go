package fleet

import "github.com/fleetgate/fleetgate/internal/diag"

// MaxFindings is how many findings of one file are listed. A text of 1 MiB can
// hold hundreds of thousands of faults; the last one listed says that there
// are more.
const MaxFindings = 1000

// findings collects what is wrong with one file, in the runtime's order.
type findings struct {
	list    []diag.Diagnostic
	dropped diag.Diagnostic // takes the findings beyond MaxFindings
}

// overflowed says whether there were more findings than are listed.
func (f *findings) overflowed() bool { return f.dropped.Code != "" }

// add says whether there is room for more.
func (f *findings) add(d diag.Diagnostic) bool {
	if len(f.list) < MaxFindings {
		f.list = append(f.list, d)
		return true
	}
	if last := &f.list[MaxFindings-1]; !f.overflowed() {
		*last = last.WithRelated(d.Pos, "further findings in this file, from here on, are not listed")
	}
	f.dropped = d
	return false
}

// addAt adds a finding and gives it, for what is related to it.
func (f *findings) addAt(code diag.Code, pos diag.Pos, at path, message, hint string) *diag.Diagnostic {
	if !f.add(diag.New(code, pos, at.String(), message).WithHint(hint)) {
		return &f.dropped
	}
	return &f.list[len(f.list)-1]
}
