package packstore

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func deflate(t testing.TB, content []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zlib.NewWriter(&out)
	if _, err := w.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// craft opens a store of one pack with the given bytes, and a version 2 index
// that points where it is told.
func craft(t testing.TB, pack []byte, offsets map[ID]int) *Store {
	t.Helper()
	repo := t.TempDir()
	folder := filepath.Join(repo, ".git", "objects", "pack")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"p.pack": pack, "p.idx": craftIndex(offsets)} {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return openStore(t, repo)
}

func craftIndex(offsets map[ID]int) []byte {
	var ids []ID
	for id := range offsets {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b ID) int { return bytes.Compare(a[:], b[:]) })
	out := []byte("\377tOc\x00\x00\x00\x02")
	for first := range 256 {
		n := 0
		for _, id := range ids {
			if int(id[0]) <= first {
				n++
			}
		}
		out = binary.BigEndian.AppendUint32(out, uint32(n))
	}
	for _, id := range ids {
		out = append(out, id[:]...)
	}
	out = append(out, make([]byte, 4*len(ids))...) // checksums, which nobody reads
	for _, id := range ids {
		out = binary.BigEndian.AppendUint32(out, uint32(offsets[id]))
	}
	return append(out, make([]byte, trailerBytes)...)
}
