package discover

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/diag"
)

func TestWhatIsNoRegularFileIsNeverFollowed(t *testing.T) {
	link := &fstest.MapFile{Mode: fs.ModeSymlink, Data: []byte("../elsewhere")}
	gitlink := &fstest.MapFile{Mode: fs.ModeIrregular}
	sound := &fstest.MapFile{Data: []byte(contract(docsStep))}
	for _, c := range []struct {
		name   string
		tree   fstest.MapFS
		found  []string
		policy bool
		broken bool
	}{
		{"the whole policy is a link", fstest.MapFS{".clio-coder": link}, []string{"policy-symlink .clio-coder"}, true, true},
		{"the whole policy is a submodule", fstest.MapFS{".clio-coder": gitlink}, []string{"policy-unreadable .clio-coder"}, true, true},
		{"the whole policy is a file", fstest.MapFS{".clio-coder": sound}, []string{"policy-unreadable .clio-coder"}, true, true},
		{"a directory of fleets is a link", fstest.MapFS{".clio-coder/fleets": link}, []string{"policy-symlink .clio-coder/fleets"}, true, false},
		{"a directory of fleets is a submodule", fstest.MapFS{".clio-coder/fleets": gitlink}, []string{"policy-unreadable .clio-coder/fleets"}, true, false},
		{"a directory of recipes is a link", fstest.MapFS{".clio-coder/agents": link}, []string{"policy-symlink .clio-coder/agents"}, false, false},
		{"a contract is a link", fstest.MapFS{".clio-coder/fleets/docs.md": link}, []string{"policy-symlink .clio-coder/fleets/docs.md"}, true, false},
		{"a recipe is a link", fstest.MapFS{".clio-coder/agents/a.md": link}, []string{"policy-symlink .clio-coder/agents/a.md"}, false, false},
		{"a contract is a submodule", fstest.MapFS{".clio-coder/fleets/docs.md": gitlink}, nil, false, false},
		{"a link of another name", fstest.MapFS{".clio-coder/fleets/README": link}, nil, false, false},
		{"the configuration is a link", fstest.MapFS{".clio-coder/fleetgate.yaml": link}, []string{"policy-symlink .clio-coder/fleetgate.yaml"}, false, true},
		{"the configuration is a directory", fstest.MapFS{".clio-coder/fleetgate.yaml/x": sound}, []string{"policy-unreadable .clio-coder/fleetgate.yaml"}, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.tree["elsewhere/docs.md"] = sound
			set := load(t, c.tree)
			if diff := cmp.Diff(c.found, brief(set.Found)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
			if set.HasPolicy != c.policy || set.ConfigBroken != c.broken {
				t.Errorf("policy %t, broken configuration %t; want %t, %t", set.HasPolicy, set.ConfigBroken, c.policy, c.broken)
			}
			if len(set.Fleets)+len(set.Agents) > 0 {
				t.Errorf("something was read: %+v %+v", set.Fleets, set.Agents)
			}
			if len(c.found) > 0 && set.Digest == "" {
				t.Error("the digest must tell such a tree from one without policy")
			}
		})
	}
}

func TestALinkedRegistryMakesCommandStepsInvalid(t *testing.T) {
	tree := files(map[string]string{".clio-coder/fleets/run.md": contract(testStep), "commands.yaml": commands})
	tree[".clio-coder/fleets/commands.yaml"] = &fstest.MapFile{Mode: fs.ModeSymlink, Data: []byte("../../commands.yaml")}
	set := load(t, tree)
	run, _ := set.Fleet("run")
	if !set.RegistryBroken || run.Contract != nil || len(run.NeedsCommands) > 0 {
		t.Errorf("got %+v", run)
	}
	if diff := cmp.Diff([]string{"policy-symlink .clio-coder/fleets/commands.yaml"}, brief(run.Found)); diff != "" {
		t.Errorf("why (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(brief(run.Found), brief(set.Found)); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

func TestAWorkTreeIsReadThroughARealDirectory(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("outside/evil.md", contract(docsStep))
	write("work/.clio-coder/fleets/docs.md", contract(docsStep))
	if err := os.Symlink("../../../outside/evil.md", filepath.Join(dir, "work/.clio-coder/fleets/evil.md")); err != nil {
		t.Skipf("this system makes no symbolic links: %v", err)
	}
	makePipe(t, filepath.Join(dir, "work/.clio-coder/fleets/pipe.md"))
	root, err := os.OpenRoot(filepath.Join(dir, "work"))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	set := load(t, root.FS())
	if diff := cmp.Diff([]string{"policy-symlink .clio-coder/fleets/evil.md"}, brief(set.Found)); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	if len(set.Fleets) != 1 || set.Fleets[0].Name != "docs" {
		t.Errorf("fleets %+v", set.Fleets)
	}
}

// refusing is a tree in which one name can't be opened, or not even looked up.
type refusing struct {
	fstest.MapFS
	name  string
	err   error
	lstat bool
}

func (r refusing) Open(name string) (fs.File, error) {
	if name == r.name && !r.lstat {
		return nil, &fs.PathError{Op: "open", Path: name, Err: r.err}
	}
	return r.MapFS.Open(name)
}

func (r refusing) Lstat(name string) (fs.FileInfo, error) {
	if name == r.name && r.lstat {
		return nil, &fs.PathError{Op: "lstat", Path: name, Err: r.err}
	}
	return r.MapFS.Lstat(name)
}

// errMissing stands for an object that a repository doesn't have.
var errMissing = errors.New("object missing")

func TestWhatCannotBeReadIsNeverTakenForAbsent(t *testing.T) {
	tree := func() fstest.MapFS {
		return files(map[string]string{
			".clio-coder/agents/a.md":          reader1,
			".clio-coder/fleets/docs.md":       contract(docsStep),
			".clio-coder/fleets/commands.yaml": commands,
			".clio-coder/fleetgate.yaml":       "version: 1\n",
		})
	}
	for _, name := range []string{
		".clio-coder/agents", ".clio-coder/fleets", ".clio-coder/agents/a.md", ".clio-coder/fleets/docs.md",
		".clio-coder/fleets/commands.yaml", ".clio-coder/fleetgate.yaml",
	} {
		t.Run("a missing object is an error: "+name, func(t *testing.T) {
			_, err := Load(t.Context(), refusing{tree(), name, errMissing, false}, Options{WorkTree: true})
			if !errors.Is(err, errMissing) || !strings.Contains(err.Error(), name) {
				t.Errorf("got %v", err)
			}
		})
		t.Run("a refused permission is an error in a commit's tree: "+name, func(t *testing.T) {
			_, err := Load(t.Context(), refusing{tree(), name, fs.ErrPermission, false}, Options{})
			if !errors.Is(err, fs.ErrPermission) {
				t.Errorf("got %v", err)
			}
		})
		t.Run("a refused permission is a finding in a work tree: "+name, func(t *testing.T) {
			set, err := Load(t.Context(), refusing{tree(), name, fs.ErrPermission, false}, Options{WorkTree: true})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]string{"policy-unreadable " + name}, brief(set.Found)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
			if !set.HasPolicy {
				t.Error("an unreadable policy is a policy")
			}
			if strings.HasSuffix(name, "fleetgate.yaml") != set.ConfigBroken {
				t.Errorf("broken configuration: %t", set.ConfigBroken)
			}
		})
	}
	for _, name := range []string{".clio-coder", ".clio-coder/fleets", ".clio-coder/fleetgate.yaml"} {
		t.Run("a missing object where a name is looked up is an error: "+name, func(t *testing.T) {
			if _, err := Load(t.Context(), refusing{tree(), name, errMissing, true}, Options{WorkTree: true}); !errors.Is(err, errMissing) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestBounds(t *testing.T) {
	fill := func(n int) string { return strings.Repeat("x", n) }
	t.Run("a file of exactly the largest size is read", func(t *testing.T) {
		text := contract(docsStep)
		set := load(t, files(map[string]string{".clio-coder/fleets/docs.md": text + fill(MaxFileBytes-len(text))}))
		if docs, ok := set.Fleet("docs"); !ok || !docs.OK() {
			t.Errorf("got %v", set.Found)
		}
	})
	t.Run("a byte more is a finding", func(t *testing.T) {
		text := contract(docsStep)
		set := load(t, files(map[string]string{".clio-coder/fleets/docs.md": text + fill(MaxFileBytes-len(text)+1)}))
		if diff := cmp.Diff([]string{"policy-too-large .clio-coder/fleets/docs.md"}, brief(set.Found)); diff != "" {
			t.Errorf("findings (-want +got):\n%s", diff)
		}
		if !set.HasPolicy {
			t.Error("an oversized contract is a policy")
		}
	})
	t.Run("a configuration that is too large is a broken one", func(t *testing.T) {
		set := load(t, files(map[string]string{".clio-coder/fleetgate.yaml": "version: 1\n" + strings.Repeat("#\n", MaxFileBytes/2)}))
		if !set.ConfigBroken {
			t.Error("the configuration must count as broken")
		}
	})
	t.Run("of a directory with too many entries nothing is read", func(t *testing.T) {
		tree := fstest.MapFS{".clio-coder/agents/a.md": {Data: []byte(reader1)}}
		for i := range MaxDirEntries + 1 {
			tree[fmt.Sprintf(".clio-coder/fleets/f%d.md", i)] = &fstest.MapFile{Data: []byte("broken")}
		}
		set := load(t, tree)
		if diff := cmp.Diff([]string{"policy-too-many-files .clio-coder/fleets"}, brief(set.Found)); diff != "" {
			t.Errorf("findings (-want +got):\n%s", diff)
		}
		if len(set.Fleets) > 0 || len(set.Agents) != 1 || !set.HasPolicy {
			t.Errorf("%d fleets, %d agents, policy %t", len(set.Fleets), len(set.Agents), set.HasPolicy)
		}
	})
	t.Run("beyond the total nothing is read, and it is said once", func(t *testing.T) {
		tree := fstest.MapFS{".clio-coder/fleets/docs.md": {Data: []byte(contract(docsStep))}}
		big := []byte(fill(MaxFileBytes))
		for i := range MaxTotalBytes/MaxFileBytes + 3 {
			tree[fmt.Sprintf(".clio-coder/agents/a%03d.md", i)] = &fstest.MapFile{Data: big}
		}
		set := load(t, tree)
		last := set.Found[len(set.Found)-1]
		if last.Code != "policy-too-large" || last.Pos.File != fmt.Sprintf(".clio-coder/agents/a%03d.md", MaxTotalBytes/MaxFileBytes) {
			t.Errorf("got %v", last)
		}
		if len(set.Agents) != MaxTotalBytes/MaxFileBytes || len(set.Fleets) > 0 {
			t.Errorf("%d recipes and %d fleets were read", len(set.Agents), len(set.Fleets))
		}
	})
}

func TestHostileNamesAreShownOnOneLineAndInUTF8(t *testing.T) {
	dir := t.TempDir()
	fleets := filepath.Join(dir, ".clio-coder/fleets")
	if err := os.MkdirAll(fleets, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"bad\xff.md", "two\nlines.md"} {
		if err := os.WriteFile(filepath.Join(fleets, name), []byte("broken"), 0o644); err != nil {
			t.Skipf("this file system refuses the name: %v", err)
		}
	}
	set := load(t, os.DirFS(dir))
	want := []string{
		"frontmatter-missing-open .clio-coder/fleets/two\nlines.md:1:1",
		"policy-unreadable .clio-coder/fleets/bad\ufffd.md",
	}
	if diff := cmp.Diff(want, brief(set.Found)); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	for _, d := range set.Found {
		if d.Code == "policy-unreadable" && (!utf8.ValidString(d.Message) || strings.Contains(d.Message, "\n") || d.Severity != diag.Error) {
			t.Errorf("got %q", d.Message)
		}
	}
}
