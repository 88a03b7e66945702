package packstore

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// deltaTo makes content of a base by one piece of it and an insertion.
func deltaTo(base, content []byte) []byte {
	kept := 0
	for kept < len(base) && kept < len(content) && base[kept] == content[kept] && kept < 1<<16-1 {
		kept++
	}
	delta := appendVarint(appendVarint(nil, len(base)), len(content))
	if kept > 0 {
		delta = append(delta, 0x80|0x10|0x20, byte(kept), byte(kept>>8))
	}
	for rest := content[kept:]; len(rest) > 0; {
		n := min(len(rest), 127)
		delta = append(append(delta, byte(n)), rest[:n]...)
		rest = rest[n:]
	}
	return delta
}

func appendVarint(out []byte, n int) []byte {
	for ; n >= 0x80; n >>= 7 {
		out = append(out, byte(n)|0x80)
	}
	return append(out, byte(n))
}

// chains makes a store of trees, in chains of deltas of ten, with their contents.
func chains(t *testing.T, rnd *rand.Rand, objects int) (*Store, [][]byte) {
	t.Helper()
	var entries, contents [][]byte
	ids := map[ID]int{}
	before, at := 0, 12
	for i := range objects {
		content := make([]byte, rnd.IntN(3000))
		var entry []byte
		if i%10 == 0 {
			for j := range content {
				content[j] = byte(rnd.IntN(256))
			}
			entry = packEntry(t, Tree, content)
		} else {
			content = append(bytes.Clone(contents[i-1][:len(contents[i-1])/2]), content[:len(content)/8]...)
			delta := deltaTo(contents[i-1], content)
			entry = append(offsetHeader(len(delta), at-before), deflate(t, delta)...)
		}
		contents, entries = append(contents, content), append(entries, entry)
		ids[ID{byte(i), byte(i >> 8), 7}] = at
		before, at = at, at+len(entry)
	}
	pack, _ := packOf(entries...)
	return craft(t, pack, ids), contents
}

// offsetHeader begins a delta of so many bytes whose base lies so far back.
func offsetHeader(size, back int) []byte {
	out := []byte{byte(offsetDelta)<<4 | byte(size&15)}
	for size >>= 4; size > 0; size >>= 7 {
		out[len(out)-1] |= 0x80
		out = append(out, byte(size&0x7f))
	}
	var digits []byte
	for digits = []byte{byte(back & 0x7f)}; back >= 0x80; digits = append([]byte{0x80 | byte(back&0x7f)}, digits...) {
		back = back>>7 - 1
	}
	return append(out, digits...)
}

func TestAHeldObjectStaysAsItIs(t *testing.T) {
	const objects = 400
	rnd := rand.New(rand.NewPCG(3, 5))
	store, contents := chains(t, rnd, objects)
	r := store.Reader()
	r.cache.limit, r.cache.most = 20_000, 40_000
	type hold struct {
		o    *Object
		want int
	}
	var held []hold
	reused := map[*Object]bool{}
	for range 20_000 {
		if len(held) > 0 && (len(held) > 20 || rnd.IntN(2) == 0) {
			i := rnd.IntN(len(held))
			held[i].o.Release()
			held = append(held[:i], held[i+1:]...)
			continue
		}
		want := rnd.IntN(objects)
		o, err := r.Hold(ID{byte(want), byte(want >> 8), 7}, MaxObjectBytes)
		if err != nil {
			t.Fatal(err)
		}
		if o.Noted && o.Note != want {
			t.Fatalf("object %d has the note of %v", want, o.Note)
		}
		if !o.Noted && o.Note != nil {
			reused[o] = true
		}
		r.Note(o, want, 0)
		for _, h := range append(held, hold{o, want}) {
			if !bytes.Equal(h.o.Content, contents[h.want]) {
				t.Fatalf("object %d is not itself any more", h.want)
			}
		}
		held = append(held, hold{o, want})
		if used := r.cache.used + r.cache.spare; used > 40_000+24*3_500 {
			t.Fatalf("the cache holds %d bytes", used)
		}
	}
	if len(reused) < 20 {
		t.Errorf("only %d rooms were used again", len(reused))
	}
}

func TestAViewIsTheObjectAndIsBounded(t *testing.T) {
	store, contents := chains(t, rand.New(rand.NewPCG(1, 2)), 200)
	r := store.Reader()
	for i, want := range contents {
		id := ID{byte(i), byte(i >> 8), 7}
		kind, got, err := r.View(id, int64(len(want)))
		if err != nil || kind != Tree || !bytes.Equal(got, want) {
			t.Fatalf("object %d: %v", i, err)
		}
		if _, err := r.Hold(id, int64(len(want))-1); err == nil {
			t.Fatalf("object %d of %d bytes is held although it is too large", i, len(want))
		}
	}
}

func TestRoomsAreFewSizes(t *testing.T) {
	sizes := map[int]bool{}
	for n := range 100_000 {
		size := roomFor(n)
		if size < n || n > 512 && size > n+n/8 || roomFor(size) != size {
			t.Fatalf("%d bytes get %d", n, size)
		}
		sizes[size] = true
	}
	if len(sizes) > 100 {
		t.Errorf("%d sizes", len(sizes))
	}
}
