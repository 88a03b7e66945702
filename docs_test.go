package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/report"
)

// TestChecksPage keeps docs/checks.md what the registry and its examples say; -update writes it anew.
func TestChecksPage(t *testing.T) {
	var page strings.Builder
	if err := report.Checks(&page); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("docs", "checks.md")
	if *update {
		if err := os.WriteFile(path, []byte(page.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	committed, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(committed), page.String()); diff != "" {
		t.Errorf("%s is not what the registry says (-page +registry; -update writes it anew):\n%s", path, diff)
	}
}
