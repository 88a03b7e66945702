package gitrepo

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

// graphFile is where git writes a commit-graph of one file.
func (g *gitDir) graphFile() string {
	return filepath.Join(g.dir, ".git", "objects", "info", "commit-graph")
}

func TestACommitGraphChangesNoRange(t *testing.T) {
	const seed, graphs = 29, 200
	rnd := rand.New(rand.NewPCG(seed, seed))
	git := newGit(t)
	var history stream
	all := make([]randomGraph, graphs)
	firsts := make([]int, graphs)
	for i := range all {
		all[i] = newRandomGraph(rnd, 40)
		firsts[i] = all[i].write(&history)
	}
	ids := git.load(&history)
	plain := git.open()
	for _, commands := range [][]string{{"--reachable"}, {"--reachable", "--split=replace"}} {
		git.run(append([]string{"commit-graph", "write"}, commands...)...)
		graphed := git.open()
		if graphed.graph == nil {
			t.Fatal("the commit-graph isn't used")
		}
		for i, g := range all {
			head, tips := ids[firsts[i]+g.head], pick(ids, firsts[i], g.tips)
			want, err := plain.Range(t.Context(), head, tips)
			if err != nil {
				t.Fatal(err)
			}
			got, err := graphed.Range(t.Context(), head, tips)
			if diff := cmp.Diff(want, got); err != nil || diff != "" {
				t.Fatalf("graph %d: %v (-commits +commit-graph):\n%s", i, err, diff)
			}
		}
	}
}

func TestADamagedCommitGraphIsPassedOverOrNoticed(t *testing.T) {
	const seed = 31
	git := newSmall(t)
	head, base := git.id("HEAD"), git.id("HEAD~2")
	want, err := git.open().Range(t.Context(), head, []boundary.OID{base})
	if err != nil {
		t.Fatal(err)
	}
	git.run("commit-graph", "write", "--reachable")
	whole := readFile(t, git.graphFile())
	rnd := rand.New(rand.NewPCG(seed, seed))
	for range 200 {
		raw := []byte(whole)
		// Only what says how the file is laid out: an id that is another is no
		// damage that can be told from a graph of another history.
		raw[rnd.IntN(8+6*12)] ^= byte(1 + rnd.IntN(255))
		if rnd.IntN(4) == 0 {
			raw = []byte(whole)[:rnd.IntN(len(whole))]
		}
		writeFile(t, git.graphFile(), string(raw))
		got, err := git.open().Range(t.Context(), head, []boundary.OID{base})
		if isError[*CorruptError](err) || isError[*MissingObjectError](err) {
			continue
		}
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Fatalf("%v (-whole +damaged):\n%s", err, diff)
		}
	}
}

func TestACommitThatIsNotWhatTheCommitGraphSaysIsAnError(t *testing.T) {
	git := newSmall(t)
	head, base := git.id("HEAD"), git.id("HEAD~1")
	git.run("commit-graph", "write", "--reachable")
	raw, tree := []byte(readFile(t, git.graphFile())), git.id("HEAD^{tree}")
	at := indexOf(raw, tree[:])
	raw[at] ^= 1
	writeFile(t, git.graphFile(), string(raw))
	if _, err := git.open().Range(t.Context(), head, []boundary.OID{base}); !isError[*CorruptError](err) {
		t.Errorf("gives %v, want a CorruptError", err)
	}
}

func indexOf(raw, part []byte) int {
	for at := range len(raw) - len(part) {
		if string(raw[at:at+len(part)]) == string(part) {
			return at
		}
	}
	return -1
}

func TestAClosedRepositoryReadsNothing(t *testing.T) {
	git := newSmall(t)
	git.run("repack", "-q", "-a", "-d")
	git.run("commit-graph", "write", "--reachable")
	head, repo := git.id("HEAD"), git.open()
	if _, err := repo.Commit(head); err != nil {
		t.Fatal(err)
	}
	if err := repo.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := repo.Commit(head); err == nil {
		t.Error("a commit is read")
	}
	if err := os.RemoveAll(git.dir); err != nil {
		t.Error(err)
	}
}
