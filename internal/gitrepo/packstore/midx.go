package packstore

import (
	"bytes"
	"encoding/binary"
	"strings"
)

// multiIndex is a multi-pack-index, version 1.
type multiIndex struct {
	data   *file
	ids    table
	names  []string // the packs that it covers, without their ending
	packs  []*pack  // parallel to names
	places int64    // of the (pack, offset) pairs
	large  int64
	larges int64
}

const (
	midxHeader = 12
	chunkEntry = 12
)

func openMultiIndex(path string) (*multiIndex, error) {
	data, err := openFile(path)
	if err != nil {
		return nil, err
	}
	m, err := readMultiIndex(data)
	if err != nil {
		data.close()
		return nil, err
	}
	return m, nil
}

// span is a chunk's place in the file.
type span struct{ start, end int64 }

func readMultiIndex(data *file) (*multiIndex, error) {
	head, err := data.slice(0, midxHeader)
	if err != nil || !bytes.Equal(head[:4], []byte("MIDX")) {
		return nil, data.malformed("is not a multi-pack index")
	}
	if head[4] != 1 || head[5] != 1 {
		return nil, data.malformed("has the version %d and the hash version %d, not 1 and 1", head[4], head[5])
	}
	chunks, err := readChunks(data, midxHeader, int(head[6]))
	if err != nil {
		return nil, err
	}
	m := &multiIndex{data: data}
	if err := m.readNames(chunks["PNAM"], binary.BigEndian.Uint32(head[8:])); err != nil {
		return nil, err
	}
	return m, m.readTables(chunks)
}

// readChunks reads a table of contents: the layout that multi-pack indexes and
// commit-graphs share.
func readChunks(data *file, at int64, count int) (map[string]span, error) {
	raw, err := data.slice(at, int64(count+1)*chunkEntry)
	if err != nil {
		return nil, err
	}
	chunks := map[string]span{}
	for i := range count {
		start := int64(binary.BigEndian.Uint64(raw[chunkEntry*i+4:]))
		end := int64(binary.BigEndian.Uint64(raw[chunkEntry*(i+1)+4:]))
		if start < 0 || end < start || end > data.size {
			return nil, data.malformed("has a chunk outside the file")
		}
		chunks[string(raw[chunkEntry*i:chunkEntry*i+4])] = span{start, end}
	}
	return chunks, nil
}

func (m *multiIndex) readNames(at span, packs uint32) error {
	raw, err := m.data.slice(at.start, at.end-at.start)
	if err != nil {
		return err
	}
	for name := range strings.SplitSeq(string(raw), "\x00") {
		if name == "" {
			continue
		}
		m.names = append(m.names, strings.TrimSuffix(name, ".idx"))
	}
	if len(m.names) != int(packs) {
		return m.data.malformed("names %d packs, and says %d", len(m.names), packs)
	}
	return nil
}

func (m *multiIndex) readTables(chunks map[string]span) (err error) {
	fanout, ids, places, large := chunks["OIDF"], chunks["OIDL"], chunks["OOFF"], chunks["LOFF"]
	if m.ids, err = readTable(m.data, fanout.start); err != nil {
		return err
	}
	n := m.ids.count()
	if ids.end-ids.start != n*idBytes || places.end-places.start != n*8 || fanout.end-fanout.start != fanoutBytes {
		return m.data.malformed("has chunks that do not fit %d objects", n)
	}
	m.ids.start, m.places = ids.start, places.start
	m.large, m.larges = large.start, (large.end-large.start)/8
	return nil
}

func (m *multiIndex) find(id ID) (*pack, uint64, bool, error) {
	i, found := m.ids.position(id)
	if !found {
		return nil, 0, false, nil
	}
	raw, err := m.data.slice(m.places+8*i, 8)
	if err != nil {
		return nil, 0, false, err
	}
	number, offset := binary.BigEndian.Uint32(raw), uint64(binary.BigEndian.Uint32(raw[4:]))
	if int(number) >= len(m.packs) {
		return nil, 0, false, m.data.malformed("points at its pack %d of %d", number, len(m.packs))
	}
	// Without a chunk of 64-bit offsets, all 32 bits are the offset.
	if offset >= largeOffset && m.larges > 0 {
		if offset, err = readLarge(m.data, m.large, m.larges, int64(offset-largeOffset)); err != nil {
			return nil, 0, false, err
		}
	}
	return m.packs[number], offset, true, nil
}
