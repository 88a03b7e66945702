package gitrepo

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

// largeRepository makes a packed repository of many files in directories of a
// hundred, and so many commits, each of which changes a few files.
func largeRepository(b *testing.B, files, commits int) (repo *gitDir, head, base boundary.OID) {
	b.Helper()
	const inDir, edits, seed = 100, 3, 51
	rnd := rand.New(rand.NewPCG(seed, seed))
	path := func(n int) string {
		return fmt.Sprintf("pkg%03d/part%02d/file%05d.go", n/inDir/20, n/inDir%20, n)
	}
	var s stream
	first := step{date: 1_000_000, message: "files"}
	for n := range files {
		first.edits = append(first.edits, inline("100644", path(n), fmt.Sprintf("package p%d\n", n)))
	}
	at := s.commit(first)
	for i := range commits {
		next := step{date: int64(1_000_001 + i), message: fmt.Sprintf("change %d", i), parents: []int{at}}
		for range edits {
			n := rnd.IntN(files)
			next.edits = append(next.edits, inline("100644", path(n), fmt.Sprintf("package p%d // %d\n", n, i)))
		}
		at = s.commit(next)
	}
	git := newGit(b)
	ids := git.load(&s)
	git.run("repack", "-q", "-a", "-d")
	return git, ids[at], ids[1]
}

func benchmarkSize(files, commits int) (int, int) {
	if testing.Short() {
		return files / 10, commits / 10
	}
	return files, commits
}

// BenchmarkRangeAndChanges opens the repository anew each time, as a run of
// the gate does.
func BenchmarkRangeAndChanges(b *testing.B) {
	files, commits := benchmarkSize(50_000, 1000)
	git, head, base := largeRepository(b, files, commits)
	b.ReportAllocs()
	for b.Loop() {
		rng, history, err := changesOf(b, git.open(), head, base)
		if err != nil || len(rng.Commits) != commits {
			b.Fatal(len(rng.Commits), err)
		}
		changes := 0
		for _, delta := range history.Deltas {
			changes += len(delta.Changes)
		}
		b.ReportMetric(float64(commits), "commits")
		b.ReportMetric(float64(changes), "changes")
	}
}

func BenchmarkRange(b *testing.B) {
	files, commits := benchmarkSize(50_000, 1000)
	git, head, base := largeRepository(b, files, commits)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := git.open().Range(b.Context(), head, []boundary.OID{base}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkParseTree checks a directory of a thousand files.
func BenchmarkParseTree(b *testing.B) {
	var entries []string
	for i := range 1000 {
		entries = append(entries, fmt.Sprintf("100644 file%05d.go", i))
	}
	raw := rawTree(entries...)
	b.SetBytes(int64(len(raw)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := parseTree(boundary.OID{1}, raw); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkMergeDecisions works out what a merge of two branches over a large
// tree decides: one changed some hundred files, the other a few more.
func BenchmarkMergeDecisions(b *testing.B) {
	files, _ := benchmarkSize(50_000, 0)
	git, head, base := largeRepository(b, files, 100)
	blob := git.object("blob", []byte("other\n"))
	git.run("read-tree", base.String())
	for dir := range 5 {
		git.run("update-index", "--add", "--cacheinfo", fmt.Sprintf("100644,%s,pkg%03d/part00/other.go", blob, dir))
	}
	other := git.commitTree(mustID(b, git.run("write-tree")), base)
	tree, ok := git.mergeTree(head, other)
	if !ok {
		b.Fatal("git can't merge the two")
	}
	merge := git.commitTree(tree, head, other)
	repo := git.open()
	b.ReportAllocs()
	for b.Loop() {
		if found := decisions(b, repo, merge); len(found) != 0 {
			b.Fatal(found)
		}
	}
}
