package packstore

import (
	"fmt"
	"os"
)

// file is a read-only file of known size: mapped into memory where the
// platform can, else read piece by piece.
type file struct {
	path   string
	size   int64
	mapped []byte   // the whole file, or nil
	handle *os.File // where it is not mapped
}

// useMapping is switched off by the tests to run the portable path.
var useMapping = true

func openFile(path string) (*file, error) {
	handle, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := handle.Stat()
	if err != nil {
		handle.Close()
		return nil, err
	}
	f := &file{path: path, size: info.Size(), handle: handle}
	if !useMapping || f.size == 0 || f.size != int64(int(f.size)) {
		return f, nil
	}
	if mapped, err := mapFile(handle, int(f.size)); err == nil {
		f.mapped, f.handle = mapped, nil
		return f, handle.Close()
	}
	return f, nil
}

// slice gives n bytes at an offset: a view of the mapping, or a copy.
func (f *file) slice(offset, n int64) ([]byte, error) {
	if offset < 0 || n < 0 || offset > f.size || n > f.size-offset {
		return nil, f.malformed("reads past its end at offset %d", offset)
	}
	if f.mapped != nil {
		return f.mapped[offset : offset+n : offset+n], nil
	}
	buf := make([]byte, n)
	if _, err := f.handle.ReadAt(buf, offset); err != nil {
		return nil, fmt.Errorf("%s: %w", f.path, err)
	}
	return buf, nil
}

func (f *file) malformed(format string, args ...any) error {
	return &FormatError{File: f.path, Reason: fmt.Sprintf(format, args...)}
}

func (f *file) close() error {
	if f == nil {
		return nil
	}
	if f.mapped != nil {
		mapped := f.mapped
		f.mapped = nil
		return unmapFile(mapped)
	}
	if f.handle != nil {
		return f.handle.Close()
	}
	return nil
}
