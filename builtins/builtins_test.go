package builtins_test

import (
	"flag"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/builtins"
	"github.com/fleetgate/fleetgate/internal/discover"
	"github.com/fleetgate/fleetgate/internal/policy"
	"github.com/fleetgate/fleetgate/internal/result"
)

var update = flag.Bool("update", false, "write each kind's shape into the recipes")

// load discovers the builtins alone.
func load(t *testing.T) discover.Set {
	t.Helper()
	set, err := discover.Load(t.Context(), os.DirFS(t.TempDir()), discover.Options{
		Roots: []discover.Root{{Source: policy.Builtin, FS: builtins.FS, Path: builtins.Path}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func TestBuiltinsAreWithoutFindings(t *testing.T) {
	set := load(t)
	for _, d := range append(set.Found, discover.CrossCheck(&set)...) {
		t.Errorf("%s: %s: %s", d.Pos, d.Code, d.Message)
	}
}

func TestBuiltinAgentsHaveTheRuntimesFacts(t *testing.T) {
	want := map[string][2]string{
		"architect":         {"base", "artifact-write"},
		"coder":             {"base", "workspace-edit"},
		"context-bootstrap": {"internal", "read-only"},
		"debugger":          {"base", "verification"},
		"documenter":        {"base", "workspace-edit"},
		"git-master":        {"base", "workspace-edit"},
		"oracle":            {"shadow", "read-only"},
		"provenance":        {"shadow", "read-only"},
		"researcher":        {"shadow", "read-only"},
		"scout":             {"shadow", "read-only"},
		"tester":            {"base", "workspace-edit"},
		"verifier":          {"base", "verification"},
		"wiki-writer":       {"base", "workspace-edit"},
		"world-knowledge":   {"shadow", "read-only"},
	}
	got := map[string][2]string{}
	set := load(t)
	for _, a := range set.Agents {
		got[a.ID] = [2]string{a.Recipe.Audience, a.Recipe.CapabilityClass}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("audience and class by id (-want +got):\n%s", diff)
	}
}

func TestBuiltinFleetsAreValidAndSayWhichCommandsTheyNeed(t *testing.T) {
	want := map[string][]string{
		"build-review":   nil,
		"build-test":     {"test"},
		"docs-update":    nil,
		"planned-change": {"acceptance"},
		"sdlc":           {"commit", "test"},
	}
	got := map[string][]string{}
	set := load(t)
	for _, f := range set.Fleets {
		if f.Contract == nil {
			t.Errorf("%s is not valid: %v", f.Path, f.Found)
			continue
		}
		if f.Contract.Name.Value != f.Name {
			t.Errorf("%s calls itself %q", f.Path, f.Contract.Name.Value)
		}
		got[f.Name] = f.NeedsCommands
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("commands by fleet (-want +got):\n%s", diff)
	}
}

func TestBuiltinPersonasQuoteTheShapeOfTheirReport(t *testing.T) {
	set := load(t)
	for _, a := range set.Agents {
		shape := result.Shape(a.Recipe.ResultContract)
		if shape == "" {
			t.Errorf("%s: its contract %s has no shape", a.ID, a.Recipe.ResultContract.Kind)
			continue
		}
		if *update {
			quoteShape(t, a.ID, shape)
		}
		if !*update && !strings.Contains(a.Recipe.Body, shape) {
			t.Errorf("%s does not quote the shape of %s; run this test with -update", a.Path, a.Recipe.ResultContract.Kind)
		}
	}
}

// quoteShape puts a shape into the fenced block of a recipe's report section.
func quoteShape(t *testing.T, id, shape string) {
	t.Helper()
	const open, end = "\n```text\n", "\n```\n"
	file := path.Join("agents", id+".md")
	text, err := fs.ReadFile(builtins.FS, file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), open)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s has no fenced block for the shape", file)
	}
	if err := os.WriteFile(file, []byte(before+open+shape+end+after), 0o644); err != nil {
		t.Fatal(err)
	}
}
