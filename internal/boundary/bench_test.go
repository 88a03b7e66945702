package boundary

import (
	"fmt"
	"testing"

	"github.com/fleetgate/fleetgate/internal/diag"
)

// benchInput is a range of commits that alternate between two steps, each
// changing files of its own boundary and one outside, with a merge after every
// tenth that decides a path.
func benchInput(commits, changes int) Input {
	w := &world{trees: map[OID]map[string]Entry{}, blobs: map[OID]string{}, commits: map[string]Commit{}, missing: map[string]bool{}}
	w.outside("base", "README.md=1")
	w.rng.MergeBases = []OID{id("base")}
	tree := w.commits["base"].Tree
	previous, before := id("base"), id("base")
	for i := range commits {
		step, dir := docs, "docs"
		if i%2 == 1 {
			step, dir = src, "src"
		}
		c := Commit{ID: id(fmt.Sprint("c", i)), Tree: tree, Parents: []OID{previous}, Lines: []OID{previous}, Message: step, FirstParent: true}
		var delta Delta
		for k := range changes {
			delta.Changes = append(delta.Changes, Change{Path: fmt.Sprintf("%s/room%d/file%d.md", dir, i%7, k), New: w.entry("x")})
		}
		delta.Changes = append(delta.Changes, Change{Path: "lib/outside.go", New: w.entry("x")})
		if i%10 == 9 {
			c.Parents = []OID{previous, before}
			c.Lines = c.Parents
			delta = Delta{Decisions: []Decision{{Path: "docs/a", Conflict: true, Got: w.entry("x"), Parents: []Entry{{}, {}}}}}
		}
		w.rng.Commits = append(w.rng.Commits, c)
		w.history.Deltas = append(w.history.Deltas, delta)
		before, previous = previous, c.ID
	}
	w.rng.Head = previous
	return w.input(Rules{}, Actor{}, "")
}

func BenchmarkJudge(b *testing.B) {
	const commits, changes = 1000, 50
	in := benchInput(commits, changes)
	var found []diag.Diagnostic
	for b.Loop() {
		var err error
		if found, err = Judge(in); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(commits, "commits")
	b.ReportMetric(commits*changes, "paths")
	b.ReportMetric(float64(len(found)), "findings")
}

func BenchmarkReadClaims(b *testing.B) {
	const commits = 1000
	in := benchInput(commits, 0)
	for b.Loop() {
		ReadClaims(in.Range.Commits, Rules{}, Actor{}, "")
	}
	b.ReportMetric(commits, "commits")
}
