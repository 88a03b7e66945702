package gitrepo

import (
	"crypto/sha1"
	"fmt"
	"math/rand/v2"
	"strings"
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

// withAndWithoutGraph runs a benchmark on a repository without a commit-graph,
// then with one. The repository is opened anew each time.
func withAndWithoutGraph(b *testing.B, git *gitDir, bench func(*testing.B, *Repo)) {
	b.Helper()
	run := func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			repo, err := Open(git.dir)
			if err != nil {
				b.Fatal(err)
			}
			bench(b, repo)
			if err := repo.Close(); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.Run("plain", run)
	git.run("commit-graph", "write", "--reachable")
	b.Run("commit-graph", run)
}

// BenchmarkRange walks a range and reads its commits.
func BenchmarkRange(b *testing.B) {
	files, commits := benchmarkSize(50_000, 1000)
	git, head, base := largeRepository(b, files, commits)
	withAndWithoutGraph(b, git, func(b *testing.B, repo *Repo) {
		rng, err := repo.Range(b.Context(), head, []boundary.OID{base})
		if err != nil || len(rng.Commits) != commits {
			b.Fatal(len(rng.Commits), err)
		}
	})
}

// BenchmarkRangeOfABaseAhead walks from a base to a head that lies far behind it.
func BenchmarkRangeOfABaseAhead(b *testing.B) {
	_, commits := benchmarkSize(0, 10_000)
	git, base, head := largeRepository(b, 500, commits)
	withAndWithoutGraph(b, git, func(b *testing.B, repo *Repo) {
		rng, err := repo.Range(b.Context(), head, []boundary.OID{base})
		if err != nil || len(rng.Commits) != 0 || len(rng.MergeBases) != 1 {
			b.Fatal(rng, err)
		}
	})
}

func BenchmarkParseCommit(b *testing.B) {
	raw := []byte("tree 1111111111111111111111111111111111111111\nparent 2222222222222222222222222222222222222222\n" +
		"author A U Thor <author@example.com> 1700000000 +0100\ncommitter C O Mitter <committer@example.com> 1700000001 +0100\n\n" +
		"Say what the commit does\n\nAnd why it does so.\n\nFleet-Step: demo/w\n")
	b.SetBytes(int64(len(raw)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := parseCommit(boundary.OID{1}, raw); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLooseObject reads an object that lies in a file of its own.
func BenchmarkLooseObject(b *testing.B) {
	git := newGit(b)
	content := []byte(strings.Repeat("a line of a file\n", 500))
	id := git.object("blob", content)
	repo := git.open()
	b.SetBytes(int64(len(content)))
	b.ReportAllocs()
	for b.Loop() {
		if got, err := repo.Blob(id, MaxFileBytes); err != nil || len(got) != len(content) {
			b.Fatal(len(got), err)
		}
	}
}

// thousandFiles is a directory of a thousand files.
func thousandFiles() []byte {
	var raw []byte
	for i := range 1000 {
		id := sha1.Sum([]byte{byte(i >> 8), byte(i)})
		raw = append(fmt.Appendf(raw, "100644 file%05d.go\x00", i), id[:]...)
	}
	return raw
}

// BenchmarkTreeDifference checks a directory of a thousand files by its
// neighbour in the history, and lists the one file in which they differ.
func BenchmarkTreeDifference(b *testing.B) {
	before, err := parseTree(boundary.OID{1}, thousandFiles())
	if err != nil || len(before.problems) > 0 {
		b.Fatal(before, err)
	}
	raw := thousandFiles()
	raw[len(raw)/2-1]++ // the entries are equally long: the last byte of an id
	b.SetBytes(int64(len(raw)))
	b.ReportAllocs()
	for b.Loop() {
		after := &tree{}
		if err := after.parseNear(boundary.OID{2}, raw, before); err != nil {
			b.Fatal(err)
		}
		changed := 0
		for was, is := differing(before, after); was.valid || is.valid; {
			if _, old, new := nextOf(&was, &is); old != new {
				changed++
			}
		}
		if changed != 1 {
			b.Fatal(changed)
		}
	}
}

// BenchmarkParseTree checks a directory of a thousand files.
func BenchmarkParseTree(b *testing.B) {
	raw := thousandFiles()
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
