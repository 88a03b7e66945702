package diag

// MaxFindings is how many findings of one file are listed. A text of 1 MiB can
// hold hundreds of thousands of faults; it is refused all the same, and the
// others show when the listed ones are mended.
const MaxFindings = 1_000

// Findings collects what is wrong with one file, in the order in which it is added.
type Findings struct {
	List       []Diagnostic // at most MaxFindings; the last one says where further ones begin
	overflowed bool
}

// Add lists a finding, if there is room.
func (f *Findings) Add(d Diagnostic) {
	if len(f.List) < MaxFindings {
		f.List = append(f.List, d)
		return
	}
	if last := &f.List[MaxFindings-1]; !f.overflowed {
		*last = last.WithRelated(d.Pos, "further findings in this file, from here on, are not listed")
		f.overflowed = true
	}
}

// Overflowed says whether a finding was not listed, so that a reader need not look for more.
func (f *Findings) Overflowed() bool { return f.overflowed }
