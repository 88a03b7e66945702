package discover

import (
	"fmt"
	"io/fs"
	"path"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/builtins"
	"github.com/fleetgate/fleetgate/internal/diag"
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

// opening is a tree that counts what is opened, and may break at it.
type opening struct {
	fstest.MapFS
	opened *atomic.Int64
	crash  string
}

func (o opening) Open(name string) (fs.File, error) {
	o.opened.Add(1)
	if o.crash != "" {
		panic(o.crash)
	}
	return o.MapFS.Open(name)
}

// ownBuiltins copies the recipes that come with the gate.
func ownBuiltins(t *testing.T) fstest.MapFS {
	t.Helper()
	tree := fstest.MapFS{}
	err := fs.WalkDir(builtins.FS, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(builtins.FS, name)
		tree[name] = &fstest.MapFile{Data: text}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func TestABuiltinRootIsReadOnce(t *testing.T) {
	var opened atomic.Int64
	root := Builtin(opening{MapFS: ownBuiltins(t), opened: &opened}, "builtins")
	var first int64
	for i := range 3 {
		if set := load(t, fstest.MapFS{}, root); len(set.Agents) == 0 {
			t.Fatal("the builtins are missing")
		}
		if i == 0 {
			first = opened.Load()
		}
	}
	if again := opened.Load(); first == 0 || again != first {
		t.Errorf("%d were opened for the first Load, %d for all", first, again)
	}
}

func TestAPanicOfABuiltinRootIsTheLoads(t *testing.T) {
	var opened atomic.Int64
	root := Builtin(opening{MapFS: ownBuiltins(t), opened: &opened, crash: "broken"}, "builtins")
	for range 2 {
		func() {
			defer func() {
				if found := recover(); found != "broken" {
					t.Errorf("the panic is %v", found)
				}
			}()
			_, _ = Load(t.Context(), fstest.MapFS{}, Options{Roots: []Root{root}})
		}()
	}
}

// Loads append to what a root's files have as findings.
func TestTheFindingsOfASharedRootHaveNoRoomBehindThem(t *testing.T) {
	root := Root{Source: policy.Plugin, Name: "p", FS: files(map[string]string{"agents/a.md": "---\nx: 1\ny: 2\nz: 3\n---\n", "fleets/f.md": "---\nx: 1\ny: 2\n---\n"})}
	c, err := readRoot(t.Context(), root, &tally{})
	if err != nil || len(c.agents) != 1 || len(c.fleets) != 1 {
		t.Fatal(c, err)
	}
	for _, found := range [][]diag.Diagnostic{c.agents[0].Found, c.fleets[0].Found} {
		if len(found) == 0 || cap(found) != len(found) {
			t.Errorf("%d findings in room for %d", len(found), cap(found))
		}
	}
}

// What is read at once is in memory at once, whatever the bound on all files.
func TestFewFilesAreReadBeyondTheTotal(t *testing.T) {
	tree := fstest.MapFS{}
	big := &fstest.MapFile{Data: []byte(strings.Repeat("x", MaxFileBytes))}
	const within = MaxTotalBytes / MaxFileBytes
	for i := range within + 4*readAhead {
		tree[fmt.Sprintf(".clio-coder/agents/a%04d.md", i)] = big
	}
	var opened atomic.Int64
	load(t, opening{MapFS: tree, opened: &opened})
	const directories = 8 // and what else is looked at
	if n := opened.Load(); n < within || n > within+readAhead+directories {
		t.Errorf("%d files were opened, of which %d are within the bound", n, within)
	}
}

func TestOfFilesReadAtOnceTheFirstFailureCounts(t *testing.T) {
	texts := map[string]string{}
	for i := range 2 * readAhead {
		texts[fmt.Sprintf(".clio-coder/agents/a%04d.md", i)] = reader1
	}
	for range 20 {
		_, err := Load(t.Context(), failing{files(texts), []string{"a0003.md", "a0007.md", "a0031.md", "a0040.md"}}, Options{})
		if err == nil || !strings.Contains(err.Error(), "a0003.md") {
			t.Fatalf("the error is %v", err)
		}
	}
}

// failing is a tree in which some files can't be opened.
type failing struct {
	fstest.MapFS
	names []string
}

func (f failing) Open(name string) (fs.File, error) {
	if slices.Contains(f.names, path.Base(name)) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errMissing}
	}
	return f.MapFS.Open(name)
}
