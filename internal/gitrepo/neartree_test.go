package gitrepo

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

// randomTree gives a tree in git's order, of few names so that files and
// directories of one name meet, and of few ids so that bytes repeat.
func randomTree(rnd *rand.Rand, entries int) []byte {
	var all []treeEntry
	for range entries {
		mode := []boundary.Mode{boundary.Regular, boundary.Dir, boundary.Executable}[rnd.IntN(3)]
		name := fmt.Sprintf("%c%s", 'a'+rnd.IntN(4), []string{"", "", ".b", "-", "0", "100644 a"}[rnd.IntN(6)])
		all = append(all, treeEntry{name: []byte(name), entry: boundary.Entry{Mode: mode, OID: boundary.OID(bytes.Repeat([]byte{byte(1 + rnd.IntN(2))}, 20))}})
	}
	slices.SortFunc(all, compareEntries)
	all = slices.CompactFunc(all, func(a, b treeEntry) bool { return bytes.Equal(a.name, b.name) })
	var raw []byte
	for _, e := range all {
		raw = appendEntry(raw, e)
	}
	return raw
}

// mutated changes some bytes, or takes out or puts in some entries.
func mutated(rnd *rand.Rand, raw []byte) []byte {
	raw = slices.Clone(raw)
	for range 1 + rnd.IntN(3) {
		t, err := parseTree(boundary.OID{1}, raw)
		if err != nil || len(t.starts) == 0 || len(t.problems) > 0 {
			break
		}
		i := rnd.IntN(len(t.starts))
		from, to := t.boundary(i), t.boundary(i+1)
		switch rnd.IntN(5) {
		case 0:
			raw = slices.Delete(raw, from, to)
		case 1:
			raw = slices.Insert(raw, from, randomTree(rnd, 1)...)
		case 2:
			raw[rnd.IntN(len(raw))] = byte(rnd.IntN(256))
		case 3:
			raw = slices.Replace(raw, to-20, to, bytes.Repeat([]byte{3}, 20)...)
		default:
			raw = slices.Insert(raw, to, raw[from:to]...)
		}
	}
	return raw
}

// entriesOf says all that a tree gives, as text.
func entriesOf(t *tree, err error) string {
	if err != nil {
		return err.Error()
	}
	return fmt.Sprint(t.starts, t.problems, slices.Collect(t.entries()))
}

// readNear reads a tree by its neighbour, in the room of another.
func readNear(raw []byte, near *tree) (*tree, error) {
	t := &tree{starts: []uint32{7, 7, 7}, problems: []treeProblem{{}}}
	return t, t.parseNear(boundary.OID{2}, raw, near)
}

func TestATreeReadByItsNeighbourIsTheTreeReadAlone(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 11))
	short := 0
	for range 30_000 {
		near, err := parseTree(boundary.OID{1}, randomTree(rnd, rnd.IntN(12)))
		if err != nil {
			t.Fatal(err)
		}
		raw := mutated(rnd, near.raw)
		if near.changedTo(raw, &tree{}) {
			short++
		}
		alone, err := parseTree(boundary.OID{2}, raw)
		want := entriesOf(alone, err)
		if diff := cmp.Diff(want, entriesOf(readNear(raw, near))); diff != "" {
			t.Fatalf("%q beside %q (-alone +near):\n%s", raw, near.raw, diff)
		}
	}
	if short < 5_000 {
		t.Errorf("only %d trees were read by their neighbour", short)
	}
}

// walked lists the differences between two trees by cursors over both.
func walked(was, is cursor) []string {
	var found []string
	for was.valid || is.valid {
		name, old, new := nextOf(&was, &is)
		if old != new {
			found = append(found, fmt.Sprintf("%q %v %v", name, old, new))
		}
	}
	return found
}

func TestWhatIsPassedOverInTwoTreesDoesNotDiffer(t *testing.T) {
	rnd := rand.New(rand.NewPCG(13, 17))
	shorter := 0
	for range 30_000 {
		first := randomTree(rnd, rnd.IntN(20))
		second := mutated(rnd, first)
		if rnd.IntN(10) == 0 {
			second = randomTree(rnd, rnd.IntN(20))
		}
		before, err := parseTree(boundary.OID{1}, first)
		if err != nil {
			t.Fatal(err)
		}
		after, err := parseTree(boundary.OID{2}, second)
		if err != nil {
			continue
		}
		was, is := differing(before, after)
		if len(was.rest) < len(first)/2 {
			shorter++
		}
		if diff := cmp.Diff(walked(before.cursor(), after.cursor()), walked(was, is)); diff != "" {
			t.Fatalf("%q and %q (-all +parts):\n%s", first, second, diff)
		}
	}
	if shorter < 5_000 {
		t.Errorf("only %d pairs were walked in part", shorter)
	}
}

func FuzzParseNear(f *testing.F) {
	rnd := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		first := randomTree(rnd, 8)
		f.Add(first, mutated(rnd, first))
	}
	f.Fuzz(func(t *testing.T, first, second []byte) {
		near, err := parseTree(boundary.OID{1}, first)
		if err != nil {
			return
		}
		alone, err := parseTree(boundary.OID{2}, second)
		if want, got := entriesOf(alone, err), entriesOf(readNear(second, near)); want != got {
			t.Fatalf("beside %q: %s\nalone: %s", first, got, want)
		}
		if err != nil {
			return
		}
		was, is := differing(near, alone)
		if diff := cmp.Diff(walked(near.cursor(), alone.cursor()), walked(was, is)); diff != "" {
			t.Fatal(diff)
		}
	})
}
