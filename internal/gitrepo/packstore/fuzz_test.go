package packstore

import (
	"bytes"
	"testing"
)

// FuzzApplyDelta holds that a delta gives an error or each byte of a result of the size it names.
func FuzzApplyDelta(f *testing.F) {
	f.Add([]byte("base text"), []byte{9, 4, 0x91, 5, 4})
	f.Add([]byte("base"), []byte{4, 3, 3, 'a', 'b', 'c'})
	f.Add([]byte(""), []byte{0, 1, 0})
	f.Fuzz(func(t *testing.T, base, delta []byte) {
		size, instructions, err := deltaSizes(len(base), delta)
		if err != nil || size > 1<<20 {
			return
		}
		zeros, ones := make([]byte, size), bytes.Repeat([]byte{1}, int(size))
		err = applyDelta(zeros, base, instructions)
		if again := applyDelta(ones, base, instructions); err != again {
			t.Errorf("%v, then %v", err, again)
		}
		if err == nil && !bytes.Equal(zeros, ones) {
			t.Error("not every byte is written")
		}
	})
}

// FuzzPack holds that no bytes of a pack make a read panic or hang.
func FuzzPack(f *testing.F) {
	f.Add(append([]byte{byte(Blob)<<4 | 1}, deflate(f, []byte("x"))...))
	f.Add(append([]byte{byte(offsetDelta)<<4 | 4, 1}, deflate(f, []byte{1, 1, 1, 'x'})...))
	f.Add(append([]byte{byte(refDelta)<<4 | 4}, bytes.Repeat([]byte{1}, 30)...))
	f.Fuzz(func(t *testing.T, body []byte) {
		id := ID{1}
		pack := append([]byte("PACK\x00\x00\x00\x02\x00\x00\x00\x01"), body...)
		pack = append(pack, make([]byte, 20)...)
		s := craft(t, pack, map[ID]int{id: 12})
		_, content, err := s.Object(id)
		_, size, headerErr := s.Header(id)
		if err == nil && (headerErr != nil || size != int64(len(content))) {
			t.Errorf("the header says %d (%v), the object has %d", size, headerErr, len(content))
		}
	})
}

// FuzzIndex holds that no bytes of an index make a lookup panic.
func FuzzIndex(f *testing.F) {
	f.Add(craftIndex(map[ID]int{{1}: 12, {2}: 20}))
	f.Fuzz(func(t *testing.T, raw []byte) {
		x, err := readIndex(&file{path: "p.idx", size: int64(len(raw)), mapped: raw})
		if err != nil {
			return
		}
		for _, id := range []ID{{}, {1}, {2}, {0xff}} {
			_, _, _ = x.find(id)
			x.ids.between(id, ID{0xff}, 10, nil)
		}
	})
}
