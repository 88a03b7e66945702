package packstore

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
)

// packEntry is one object of a crafted pack: header and compressed body.
func packEntry(t testing.TB, kind Kind, content []byte) []byte {
	t.Helper()
	size := len(content)
	head := []byte{byte(kind)<<4 | byte(size&15)}
	for size >>= 4; size > 0; size >>= 7 {
		head[len(head)-1] |= 0x80
		head = append(head, byte(size&0x7f))
	}
	return append(head, deflate(t, content)...)
}

func packOf(entries ...[]byte) (pack []byte, offsets []int) {
	pack = binary.BigEndian.AppendUint32([]byte("PACK\x00\x00\x00\x02"), uint32(len(entries)))
	for _, e := range entries {
		offsets = append(offsets, len(pack))
		pack = append(pack, e...)
	}
	return append(pack, make([]byte, idBytes)...), offsets
}

// bothWays runs a test with mapped files and through ReaderAt.
func bothWays(t *testing.T, test func(t *testing.T)) {
	for _, mapping := range []bool{true, false} {
		t.Run(fmt.Sprintf("mapped %v", mapping), func(t *testing.T) {
			useMapping = mapping
			defer func() { useMapping = true }()
			test(t)
		})
	}
}

func TestWrongOffsetsAreErrors(t *testing.T) {
	bothWays(t, func(t *testing.T) {
		id := ID{7}
		blob := packEntry(t, Blob, bytes.Repeat([]byte("content "), 40))
		pack, offsets := packOf(blob)
		for at := range len(pack) + 64 {
			s := craft(t, pack, map[ID]int{id: at})
			_, content, err := s.Object(id)
			if at == offsets[0] && (err != nil || len(content) != 320) {
				t.Fatalf("at the right offset: %d bytes, %v", len(content), err)
			}
			if at != offsets[0] && err == nil && bytes.HasPrefix(content, []byte("content ")) {
				t.Fatalf("the object is read at offset %d", at)
			}
			_, _, _ = s.Header(id)
		}
	})
}

func TestTruncatedPacksAreErrors(t *testing.T) {
	bothWays(t, func(t *testing.T) {
		id := ID{7}
		pack, offsets := packOf(packEntry(t, Blob, []byte("some content, not much")))
		for length := range len(pack) {
			s := craft(t, pack[:length], map[ID]int{id: offsets[0]})
			if _, _, err := s.Object(id); err == nil {
				t.Fatalf("%d of %d bytes are enough", length, len(pack))
			}
		}
	})
}

func TestADeltaOnItselfIsAnError(t *testing.T) {
	id := ID{7}
	body := append([]byte{byte(refDelta)<<4 | 4}, id[:]...)
	pack, offsets := packOf(append(body, deflate(t, []byte{1, 1, 1, 'x'})...))
	s := craft(t, pack, map[ID]int{id: offsets[0]})
	var format *FormatError
	if _, _, err := s.Object(id); !errors.As(err, &format) {
		t.Errorf("Object gives %v", err)
	}
	if _, _, err := s.Header(id); !errors.As(err, &format) {
		t.Errorf("Header gives %v", err)
	}
}

func TestAnObjectAboveTheLimitIsNotRead(t *testing.T) {
	dir := history(t, 60)
	git(t, dir, "repack", "-adfq", "--depth=50")
	s := openStore(t, dir)
	r := s.Reader()
	for _, o := range allObjects(t, dir) {
		size := int64(len(o.content))
		if _, content, err := r.View(o.id, size); err != nil || !bytes.Equal(content, o.content) {
			t.Fatalf("%x of %d bytes: %v", o.id, size, err)
		}
		var larger *SizeError
		kind, content, err := s.Reader().View(o.id, size-1)
		if size > 0 && (!errors.As(err, &larger) || larger.Size != size || content != nil || kindNames[kind] != o.kind) {
			t.Fatalf("%x of %d bytes, one too many: %v", o.id, size, err)
		}
	}
}

func TestTheCacheOfAReaderIsBounded(t *testing.T) {
	const large = 1 << 20
	var entries [][]byte
	ids := map[ID]int{}
	for i := range 2 * MaxCacheBytes / large {
		entries = append(entries, packEntry(t, Tree, bytes.Repeat([]byte{byte(i)}, large)))
	}
	pack, offsets := packOf(entries...)
	for i, offset := range offsets {
		ids[ID{byte(i)}] = offset
	}
	r := craft(t, pack, ids).Reader()
	for i := range offsets {
		o, err := r.Hold(ID{byte(i)}, large)
		if err != nil || o.Content[0] != byte(i) {
			t.Fatal(i, err)
		}
		o.Release()
		if used := r.cache.used + r.cache.spare; used > MaxCacheBytes {
			t.Fatalf("the cache holds %d bytes", used)
		}
	}
	if r.cache.count < 8 || r.cache.count > minKept {
		t.Errorf("%d objects are kept", r.cache.count)
	}
}

func TestReadersOfTheirOwnMayRunAtOnce(t *testing.T) {
	bothWays(t, func(t *testing.T) {
		dir := history(t, 60)
		git(t, dir, "repack", "-adfq")
		s, all := openStore(t, dir), allObjects(t, dir)
		var readers sync.WaitGroup
		for first := range 4 {
			readers.Go(func() {
				r := s.Reader()
				for i := range all {
					o := all[(i+first*len(all)/4)%len(all)]
					if _, content, err := r.Object(o.id); err != nil || !bytes.Equal(content, o.content) {
						t.Errorf("%x: %v", o.id, err)
						return
					}
				}
			})
		}
		readers.Wait()
	})
}

func TestPrefixListsWhatBeginsSo(t *testing.T) {
	dir := history(t, 40)
	git(t, dir, "repack", "-adfq")
	s := openStore(t, dir)
	for _, o := range allObjects(t, dir) {
		low, high := ID{o.id[0], o.id[1]}, ID(bytes.Repeat([]byte{0xff}, idBytes))
		high[0], high[1] = o.id[0], o.id[1]
		found := false
		for _, id := range s.Prefix(low, high, 100) {
			if id[0] != o.id[0] || id[1] != o.id[1] {
				t.Fatalf("%x doesn't begin with %x", id, low[:2])
			}
			found = found || id == o.id
		}
		if !found {
			t.Fatalf("%x isn't listed", o.id)
		}
	}
}

// graphOf opens a repository's commit-graph, if it can be used.
func graphOf(t testing.TB, dir string) *CommitGraph {
	t.Helper()
	g := OpenCommitGraph([]string{filepath.Join(dir, ".git", "objects")})
	t.Cleanup(func() {
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	})
	return g
}

func TestTheCommitGraphSaysWhatTheCommitsSay(t *testing.T) {
	for name, commands := range map[string][][]string{
		"single": {{"commit-graph", "write", "--reachable"}},
		"chain": {
			{"commit-graph", "write", "--reachable", "--split=no-merge"},
			{"commit", "-q", "--allow-empty", "-m", "more"},
			{"commit-graph", "write", "--reachable", "--split=no-merge"},
			{"commit", "-q", "--allow-empty", "-m", "not in the graph"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := history(t, 50)
			git(t, dir, "reset", "-q", "--hard")
			tips := []string{"commit", "-q", "--allow-empty", "-m", "octopus"}
			for i := range 5 {
				git(t, dir, "branch", fmt.Sprint("b", i), fmt.Sprintf("HEAD~%d", 10*i))
			}
			git(t, dir, tips...)
			tree := string(bytes.TrimSpace([]byte(git(t, dir, "rev-parse", "HEAD^{tree}"))))
			merge := git(t, dir, "commit-tree", tree, "-p", "HEAD", "-p", "b1", "-p", "b2", "-p", "b3", "-p", "b4", "-m", "merge")
			git(t, dir, "update-ref", "refs/heads/main", string(bytes.TrimSpace([]byte(merge))))
			for _, args := range commands {
				git(t, dir, args...)
			}
			g, known := graphOf(t, dir), 0
			for _, o := range allObjects(t, dir) {
				c, ok := g.Commit(o.id)
				if !ok {
					continue
				}
				known++
				text := fmt.Sprintf("tree %x\n", c.Tree)
				for _, parent := range c.Parents {
					text += fmt.Sprintf("parent %x\n", parent)
				}
				rest, found := bytes.CutPrefix(o.content, []byte(text))
				if !found || bytes.HasPrefix(rest, []byte("parent ")) {
					t.Errorf("%x: the graph says\n%s, the commit\n%s", o.id, text, o.content)
				}
				if !bytes.Contains(o.content, fmt.Appendf(nil, "> %d +0000\n", c.Date)) {
					t.Errorf("%x: the graph says %d, the commit\n%s", o.id, c.Date, o.content)
				}
			}
			if known < 52 {
				t.Errorf("the graph knows %d commits", known)
			}
		})
	}
}

func TestWithoutACommitGraphNothingIsKnown(t *testing.T) {
	if _, ok := graphOf(t, history(t, 2)).Commit(ID{1}); ok {
		t.Error("a commit is known")
	}
}

// craftGraph is a commit-graph of three commits: a root, its child, and a merge
// of both with itself for a third parent.
func craftGraph() []byte {
	ids := []ID{{1}, {2}, {3}}
	chunks := []struct {
		name string
		data []byte
	}{{"OIDF", nil}, {"OIDL", nil}, {"CDAT", nil}, {"EDGE", binary.BigEndian.AppendUint32([]byte{0, 0, 0, 1}, moreParents|2)}}
	for first := range uint32(256) {
		chunks[0].data = binary.BigEndian.AppendUint32(chunks[0].data, min(first, 3))
	}
	parents := [][2]uint32{{noParent, noParent}, {0, noParent}, {0, moreParents}}
	for i, id := range ids {
		chunks[1].data = append(chunks[1].data, id[:]...)
		chunks[2].data = append(chunks[2].data, make([]byte, idBytes)...)
		chunks[2].data = binary.BigEndian.AppendUint32(chunks[2].data, parents[i][0])
		chunks[2].data = binary.BigEndian.AppendUint32(chunks[2].data, parents[i][1])
		chunks[2].data = binary.BigEndian.AppendUint64(chunks[2].data, 1_700_000_000)
	}
	out, at := []byte("CGPH\x01\x01\x04\x00"), uint64(graphHeader+chunkEntry*5)
	for _, c := range chunks {
		out = binary.BigEndian.AppendUint64(append(out, c.name...), at)
		at += uint64(len(c.data))
	}
	out = binary.BigEndian.AppendUint64(append(out, 0, 0, 0, 0), at)
	for _, c := range chunks {
		out = append(out, c.data...)
	}
	return append(out, make([]byte, idBytes)...)
}

func layerOf(raw []byte) (*CommitGraph, error) {
	layer, err := readLayer(&file{path: "commit-graph", size: int64(len(raw)), mapped: raw}, 0)
	if err != nil {
		return nil, err
	}
	return &CommitGraph{layers: []*graphLayer{layer}, count: layer.ids.count()}, nil
}

func TestFurtherParentsAreRead(t *testing.T) {
	g, err := layerOf(craftGraph())
	if err != nil {
		t.Fatal(err)
	}
	c, ok := g.Commit(ID{3})
	if !ok || len(c.Parents) != 3 || c.Parents[0] != (ID{1}) || c.Parents[1] != (ID{2}) || c.Parents[2] != (ID{3}) {
		t.Errorf("gives %v, %v", c, ok)
	}
}

// FuzzCommitGraph holds that no bytes of a commit-graph make a look-up panic.
func FuzzCommitGraph(f *testing.F) {
	f.Add(craftGraph())
	f.Fuzz(func(t *testing.T, raw []byte) {
		g, err := layerOf(raw)
		if err != nil {
			return
		}
		for _, id := range []ID{{}, {1}, {2}, {3}, {0xff}} {
			if c, ok := g.Commit(id); ok && len(c.Parents) > MaxGraphParents {
				t.Errorf("%d parents", len(c.Parents))
			}
		}
	})
}
