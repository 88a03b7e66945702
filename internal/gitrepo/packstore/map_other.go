//go:build !unix

package packstore

import (
	"errors"
	"os"
)

// mapFile refuses: on this platform files are read through ReaderAt.
func mapFile(*os.File, int) ([]byte, error) { return nil, errors.ErrUnsupported }

func unmapFile([]byte) error { return nil }
