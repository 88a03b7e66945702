package gate

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fleetgate/fleetgate/internal/drift"
)

// TestALockThatNobodyCouldReadIsNotWritten: commit steps that each record the
// same many steps multiply what a small contract says.
func TestALockThatNobodyCouldReadIsNotWritten(t *testing.T) {
	contract := func(commits int) string {
		var steps, ids []string
		for i := range 200 {
			ids = append(ids, fmt.Sprintf("s%d", i))
			steps = append(steps, writer(ids[i], "", fmt.Sprintf("%s/%d/", strings.Repeat("long", 20), i)))
		}
		from := strings.Join(ids, ", ")
		for i := range commits {
			steps = append(steps, fmt.Sprintf("{kind: code, id: c%d, command: x, scope: readonly, dependencies: [%s], commitFrom: [%s]}", i, from, from))
		}
		return contractOf(4, 1, "", steps...)
	}
	for _, c := range []struct {
		commits int
		written bool
	}{{10, true}, {300, false}} {
		dir := t.TempDir()
		write(t, filepath.Join(dir, ".clio-coder", "fleets", "demo.md"), contract(c.commits))
		write(t, filepath.Join(dir, ".clio-coder", "fleets", "commands.yaml"), "version: 1\ncommands: {x: {argv: [x]}}\n")
		_, _, err := WriteLock(t.Context(), Options{Dir: dir, Tool: "1"})
		var refused *UsageError
		if errors.As(err, &refused) == c.written || c.written && err != nil {
			t.Fatalf("%d commit steps: %v", c.commits, err)
		}
		info, err := os.Stat(filepath.Join(dir, drift.LockPath))
		if (err == nil) != c.written || c.written && info.Size() > drift.MaxLockBytes {
			t.Errorf("%d commit steps: the lock: %v", c.commits, err)
		}
		if _, err := CheckLock(t.Context(), Options{Dir: dir}); (err == nil) != c.written {
			t.Errorf("%d commit steps: checked: %v", c.commits, err)
		}
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
