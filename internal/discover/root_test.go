package discover

import (
	"reflect"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/builtins"
	"github.com/fleetgate/fleetgate/internal/policy"
)

// Several Loads share what a builtin root holds: what one makes of it, by its
// own registry or by what it overrides, may not show in the next.
func TestABuiltinRootIsTheSameInEveryLoad(t *testing.T) {
	shared := Builtin(builtins.FS, builtins.Path)
	plain := Root{Source: policy.Builtin, FS: builtins.FS, Path: builtins.Path}
	trees := []fstest.MapFS{
		files(map[string]string{".clio-coder/fleets/docs.md": contract(docsStep)}),
		files(map[string]string{".clio-coder/fleets/commands.yaml": commands, ".clio-coder/fleets/build-test.md": contract(docsStep)}),
		files(map[string]string{".clio-coder/agents/coder.md": reader1, ".clio-coder/agents/worker.md": reader1}),
		files(map[string]string{".clio-coder/fleets/commands.yaml": "version: broken\n"}),
		{},
	}
	for range 2 {
		for i, tree := range trees {
			got, err := Load(t.Context(), tree, Options{Roots: []Root{shared}})
			if err != nil {
				t.Fatal(err)
			}
			want, err := Load(t.Context(), tree, Options{Roots: []Root{plain}})
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Agents) == 0 || len(got.Fleets) == 0 {
				t.Fatal("the builtins are missing")
			}
			if diff := cmp.Diff(want, got, cmp.Exporter(func(reflect.Type) bool { return true })); diff != "" {
				t.Errorf("tree %d (-alone +shared):\n%s", i, diff)
			}
		}
	}
}

func TestADefectiveBuiltinIsAnErrorOfEveryLoad(t *testing.T) {
	root := Builtin(fstest.MapFS{"agents/a.md": {Data: []byte("broken")}}, "builtins")
	for range 2 {
		if _, err := Load(t.Context(), fstest.MapFS{}, Options{Roots: []Root{root}}); err == nil {
			t.Error("a defective builtin is no error")
		}
	}
}
