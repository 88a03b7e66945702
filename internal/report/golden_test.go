package report

import (
	"flag"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/verdict"
)

var update = flag.Bool("update", false, "write the golden files anew")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", "golden", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got; -update writes it anew):\n%s", path, diff)
	}
}

func TestGoldens(t *testing.T) {
	formats := map[string]Format{"txt": Text, "github": GitHub, "md": Markdown, "json": JSON, "xml": JUnit}
	for name, sample := range samples {
		for extension, format := range formats {
			t.Run(name+"."+extension, func(t *testing.T) {
				golden(t, name+"."+extension, rendered(t, format, sealed(t, sample())))
			})
		}
	}
}

func TestGoldenOfANarrowColourTerminal(t *testing.T) {
	narrow := func(w io.Writer, v verdict.Verdict) error { return Style{Color: true, Width: 60}.Text(w, v) }
	golden(t, "many-kinds-60.ansi", rendered(t, narrow, sealed(t, manyKinds())))
}

func TestGoldenPictures(t *testing.T) {
	v := firstFailure()
	golden(t, "fleet.mmd", rendered(t, Mermaid, v))
	golden(t, "fleet.dot", rendered(t, DOT, v))
	other := docsFleet()
	other.Name = "site"
	v.Fleets = append(v.Fleets, other)
	golden(t, "fleets.mmd", rendered(t, Mermaid, v))
	golden(t, "fleets.dot", rendered(t, DOT, v))
}
