package policy

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/diag"
)

// Whatever the bytes are, a recipe is either sound, and then everything that
// is asked of it has an answer, or refused at a place in its file.
func FuzzParseRecipe(f *testing.F) {
	for _, seed := range []string{editorText, plannerText, strings.ReplaceAll(editorText, "\n", "\r\n"), "", "---\n---\n", "---\na: &a [*a]\n---\nx"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		r, found := Parse(testPath, "editor", Project, text)
		if again, foundAgain := Parse(testPath, "editor", Project, text); !cmp.Equal(r, again) || !cmp.Equal(found, foundAgain) {
			t.Fatal("a second reading differs")
		}
		if r == nil {
			holdFindings(t, text, found)
			return
		}
		if len(found) > 0 {
			t.Fatalf("a recipe with findings is given back: %v", found)
		}
		holdRecipe(t, r)
	})
}

func holdFindings(t *testing.T, text []byte, found []diag.Diagnostic) {
	t.Helper()
	if len(found) == 0 {
		t.Fatal("neither a recipe nor a finding")
	}
	lines := bytes.Count(text, []byte("\n")) + bytes.Count(text, []byte("\r")) + 1
	for _, d := range found {
		if _, registered := diag.Lookup(d.Code); !registered || d.Message == "" {
			t.Errorf("code %q, message %q", d.Code, d.Message)
		}
		if d.Pos.File != testPath || d.Pos.Line > lines {
			t.Errorf("%s is reported at %v of %d lines", d.Code, d.Pos, lines)
		}
	}
}

func holdRecipe(t *testing.T, r *Recipe) {
	t.Helper()
	tools, err := Normalize(r.ID, r.Tools, &Requirements{Required: r.Required, Optional: r.Optional})
	if err != nil || !cmp.Equal(tools, r.Tools) || len(r.Tools) != len(r.ToolPos) {
		t.Errorf("tools %q at %v normalize to %q, %v", r.Tools, r.ToolPos, tools, err)
	}
	if len(Fingerprint(r)) != 64 || r.Normalized() == nil || CatalogSection([]Spec{r.Spec}) == "" {
		t.Error("the recipe has no fingerprint, no value, or no line in the catalog")
	}
	for _, d := range PolicyErrors(r) {
		if _, registered := diag.Lookup(d.Code); !registered {
			t.Errorf("code %q is not registered", d.Code)
		}
	}
}

// benchmarkRecipes is how many recipes one round of a benchmark reads.
const benchmarkRecipes = 10_000

func BenchmarkParse(b *testing.B) {
	files := make([][]byte, benchmarkRecipes)
	for i := range files {
		files[i] = fmt.Appendf(nil, "%sYou are number %d.\n", editorText, i)
	}
	b.ReportAllocs()
	for b.Loop() {
		for i, text := range files {
			r, found := Parse(testPath, fmt.Sprint("helper", i), Project, text)
			if len(found) > 0 || len(PolicyErrors(r)) > 0 {
				b.Fatal(found)
			}
		}
	}
	b.ReportMetric(float64(b.N)*benchmarkRecipes/b.Elapsed().Seconds(), "recipes/s")
}

func BenchmarkFingerprint(b *testing.B) {
	r := mustParse(b, editorText)
	b.ReportAllocs()
	for b.Loop() {
		if len(Fingerprint(r)) != 64 {
			b.Fatal("no fingerprint")
		}
	}
}
