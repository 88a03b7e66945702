//go:build unix

package discover

import (
	"syscall"
	"testing"
)

// makePipe makes a named pipe, which would block whoever opened it.
func makePipe(t *testing.T, path string) {
	t.Helper()
	if err := syscall.Mkfifo(path, 0o644); err != nil {
		t.Fatal(err)
	}
}
