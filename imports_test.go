package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const modulePath = "github.com/fleetgate/fleetgate"

// allowedImports is the table of design.md, "The line": which rooms a room may
// import. Arrows only go down. A room's own sub-rooms share its row.
var allowedImports = map[string][]string{
	"main":                {"internal/cli"}, // main.go; the tests beside it may import any room
	"builtins":            {},
	"docs":                {}, // tests only: the pages that are made from the code
	"internal/cli":        {"*"},
	"internal/action":     {"internal/boundary", "internal/verdict", "internal/diag"},
	"internal/gate":       {"builtins", "internal/discover", "internal/policy", "internal/fleet", "internal/boundary", "internal/gitrepo", "internal/drift", "internal/result", "internal/verdict", "internal/value", "internal/diag"},
	"internal/report":     {"internal/verdict", "internal/value", "internal/diag"},
	"internal/github":     {"internal/diag"},
	"internal/verdict":    {"internal/value", "internal/diag"},
	"internal/drift":      {"internal/discover", "internal/policy", "internal/fleet", "internal/boundary", "internal/value", "internal/diag"},
	"internal/discover":   {"internal/policy", "internal/fleet", "internal/boundary", "internal/strictyaml", "internal/value", "internal/diag"},
	"internal/policy":     {"internal/result", "internal/strictyaml", "internal/value", "internal/diag"},
	"internal/fleet":      {"internal/boundary", "internal/strictyaml", "internal/value", "internal/diag"},
	"internal/result":     {"internal/value", "internal/diag"},
	"internal/boundary":   {"internal/value", "internal/diag"},
	"internal/gitrepo":    {"internal/boundary"},
	"internal/strictyaml": {"internal/value", "internal/diag"},
	"internal/value":      {"internal/diag"},
	"internal/diag":       {},
	"bench":               {"*"},
}

// doors are the packages that only some rooms may import, and all below them.
// Any other package from outside is a new dependency: it needs a reason, and a
// line here.
var doors = map[string][]string{
	"github.com/spf13":                             {"internal/cli"},
	"github.com/schollz/progressbar":               {"internal/cli"},
	"golang.org/x/term":                            {"internal/cli"},
	"gopkg.in/yaml.v3":                             {"internal/strictyaml"},
	"github.com/go-git":                            {"internal/gitrepo"},
	"github.com/go-git/go-git/v5/utils/diff":       {}, // text differences
	"github.com/go-git/go-git/v5/utils/merkletrie": {}, // behind go-git's tree differences
	"github.com/klauspost/compress":                {"internal/gitrepo"},
	"github.com/google/go-github":                  {"internal/github"},
	"github.com/sethvargo/go-githubactions":        {"internal/action"},
	"golang.org/x/text":                            {"internal/boundary", "internal/value", "internal/gitrepo"},
	"github.com/google/go-cmp":                     {},
	"github.com/rogpeppe/go-internal":              {},
	"github.com/yuin/goldmark":                     {}, // a witness of what GitHub makes of our Markdown
	"os/exec":                                      {"internal/action", "internal/cli", "bench"},
	"plugin":                                       {},
}

// testDoors are the doors that tests of any room may use.
var testDoors = []string{"github.com/google/go-cmp", "github.com/rogpeppe/go-internal", "github.com/yuin/goldmark", "os/exec"}

// process are the names by which code reaches the process it runs in. Only
// these rooms may; everywhere else the world comes in as arguments.
var process = map[string][]string{
	"os.Getenv":        {"internal/cli", "internal/action"},
	"os.LookupEnv":     {"internal/cli", "internal/action"},
	"os.Environ":       {"internal/cli", "internal/action"},
	"os.ExpandEnv":     {"internal/cli", "internal/action"},
	"syscall.Getenv":   {"internal/cli", "internal/action"},
	"os.UserHomeDir":   {"internal/cli"},
	"os.UserConfigDir": {"internal/cli"},
	"os.Args":          {"main", "internal/cli", "internal/action", "bench"},
	"os.Exit":          {"main", "internal/cli", "bench"},
	"os.Stdin":         {"main", "internal/cli", "internal/action"},
	"os.Stdout":        {"main", "internal/cli", "internal/action", "bench"},
	"os.Stderr":        {"main", "internal/cli", "internal/action", "bench"},
	"fmt.Print":        {},
	"fmt.Printf":       {},
	"fmt.Println":      {},
	"time.Now":         {"internal/cli", "internal/action", "internal/github", "bench"},
}

// treeDifferences are go-git's own ways to compare trees: they detect renames,
// and drop changes silently where a subtree is missing.
var treeDifferences = []string{
	"Diff", "DiffContext", "DiffTree", "DiffTreeContext", "DiffTreeWithOptions", "Patch", "PatchContext", "Stats", "StatsContext", "FileStats",
}

// listed is what `go list -json` says of a package.
type listed struct {
	ImportPath, Dir                    string
	Imports, TestImports, XTestImports []string
	GoFiles, TestGoFiles, XTestGoFiles []string
}

func (p *listed) room() string { return roomOf(p.ImportPath) }

// roomOf gives the row of a package of this module; a sub-room belongs to the
// longest row above it. A package without a row is its own room.
func roomOf(importPath string) string {
	inside := strings.TrimPrefix(strings.TrimPrefix(importPath, modulePath), "/")
	if inside == "" {
		return "main"
	}
	for at := inside; at != "."; at = path.Dir(at) {
		if _, ok := allowedImports[at]; ok {
			return at
		}
	}
	return inside
}

func listPackages(t *testing.T) []listed {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Dir,Imports,TestImports,XTestImports,GoFiles,TestGoFiles,XTestGoFiles", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var packages []listed
	for in := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		err := in.Decode(&p)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
	if len(packages) < 10 {
		t.Fatalf("go list gave %d packages", len(packages))
	}
	return packages
}

func TestImportsStayInsideTheTable(t *testing.T) {
	for _, p := range listPackages(t) {
		if _, ok := allowedImports[p.room()]; !ok {
			t.Errorf("%s has no row in the table of rooms", p.ImportPath)
		}
		for _, imported := range p.Imports {
			if why := cmp.Or(refusedRoom(p.room(), imported), refusedDoor(p.room(), imported, false)); why != "" {
				t.Errorf("%s imports %s: %s", p.ImportPath, imported, why)
			}
		}
		for _, imported := range slices.Concat(p.TestImports, p.XTestImports) {
			// Tests may look at any room; the compiler refuses a circle.
			if why := refusedDoor(p.room(), imported, true); why != "" {
				t.Errorf("%s imports %s in its tests: %s", p.ImportPath, imported, why)
			}
		}
	}
}

// refusedRoom says why a room may not import another, or gives "".
func refusedRoom(room, imported string) string {
	if !strings.HasPrefix(imported, modulePath+"/") {
		return ""
	}
	allowed, target := allowedImports[room], roomOf(imported)
	if target == room || slices.Contains(allowed, "*") || slices.Contains(allowed, target) {
		return ""
	}
	return fmt.Sprintf("arrows only go down; its row allows %q", allowed)
}

// refusedDoor says why a room may not import a package from outside, or gives "".
func refusedDoor(room, imported string, test bool) string {
	if strings.HasPrefix(imported, modulePath) {
		return ""
	}
	door := doorOf(imported)
	host, _, _ := strings.Cut(imported, "/")
	switch {
	case door == "" && strings.Contains(host, "."):
		return "a new dependency needs a reason, and a line among the doors"
	case door == "" || slices.Contains(doors[door], room) || test && slices.Contains(testDoors, door):
		return ""
	}
	return fmt.Sprintf("only %q may", doors[door])
}

func doorOf(imported string) string {
	for at := imported; at != "."; at = path.Dir(at) {
		if _, ok := doors[at]; ok {
			return at
		}
	}
	return ""
}

// TestOnlyTheEdgesTouchTheProcess: below cli and action nobody reads the
// environment, prints, exits or looks at the clock.
func TestOnlyTheEdgesTouchTheProcess(t *testing.T) {
	for _, p := range listPackages(t) {
		for _, name := range p.GoFiles {
			for _, use := range selectors(t, filepath.Join(p.Dir, name)) {
				if rooms, known := process[use.name]; known && !slices.Contains(rooms, p.room()) {
					t.Errorf("%s: %s belongs to %q", use.at, use.name, rooms)
				}
			}
		}
	}
}

// TestNoTreeDifferenceOfGoGit holds the one room that may import go-git, its
// tests included, against go-git's tree differences.
func TestNoTreeDifferenceOfGoGit(t *testing.T) {
	for _, p := range listPackages(t) {
		if p.room() != "internal/gitrepo" {
			continue
		}
		for _, name := range slices.Concat(p.GoFiles, p.TestGoFiles, p.XTestGoFiles) {
			for _, use := range selectors(t, filepath.Join(p.Dir, name)) {
				if slices.Contains(treeDifferences, use.name[strings.LastIndex(use.name, ".")+1:]) && use.name != "github.com/google/go-cmp/cmp.Diff" {
					t.Errorf("%s: go-git's tree differences are never used: %s", use.at, use.name)
				}
			}
		}
	}
}

// selector is one x.Name in a file; a package's is written with its import path.
type selector struct{ at, name string }

func selectors(t *testing.T, name string) []selector {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	imported := map[string]string{}
	for _, spec := range file.Imports {
		of, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		name := path.Base(of)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		imported[name] = of
	}
	var found []selector
	ast.Inspect(file, func(node ast.Node) bool {
		s, ok := node.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		of := ""
		if x, ok := s.X.(*ast.Ident); ok {
			if of = x.Name; imported[of] != "" {
				of = imported[of]
			}
		}
		found = append(found, selector{files.Position(s.Pos()).String(), of + "." + s.Sel.Name})
		return true
	})
	return found
}

// TestTheImportTestsSee makes sure that the tests above would find what they look for.
func TestTheImportTestsSee(t *testing.T) {
	rooms := []struct {
		room, imported string
		refused        bool
	}{
		{"internal/boundary", "internal/fleet", true},
		{"internal/boundary", "internal/gitrepo", true},
		{"internal/report", "internal/gate", true},
		{"main", "internal/gate", true},
		{"internal/gate", "internal/boundary", false},
		{"internal/gitrepo", "internal/gitrepo/packstore", false},
		{"internal/cli", "internal/gate", false},
	}
	for _, r := range rooms {
		if got := refusedRoom(r.room, modulePath+"/"+r.imported) != ""; got != r.refused {
			t.Errorf("%s imports %s: refused is %t, want %t", r.room, r.imported, got, r.refused)
		}
	}
	outside := []struct {
		room, imported string
		test, refused  bool
	}{
		{"internal/gate", "os/exec", false, true},
		{"internal/gate", "os/exec", true, false},
		{"internal/gate", "github.com/go-git/go-git/v5/plumbing", false, true},
		{"internal/gate", "github.com/go-git/go-git/v5/plumbing", true, true},
		{"internal/gitrepo", "github.com/go-git/go-git/v5/plumbing/object", false, false},
		{"internal/gitrepo", "github.com/go-git/go-git/v5/utils/merkletrie/noder", false, true},
		{"internal/fleet", "gopkg.in/yaml.v3", false, true},
		{"internal/gate", "github.com/spf13/cobra", false, true},
		{"internal/cli", "github.com/sethvargo/go-githubactions", false, true},
		{"internal/cli", "github.com/google/go-github/v60/github", false, true},
		{"internal/value", "example.com/new", false, true},
		{"internal/value", "github.com/google/go-cmp/cmp", false, true},
		{"internal/value", "github.com/google/go-cmp/cmp", true, false},
		{"internal/value", "strings", false, false},
	}
	for _, o := range outside {
		if got := refusedDoor(o.room, o.imported, o.test) != ""; got != o.refused {
			t.Errorf("%s imports %s (in a test: %t): refused is %t, want %t", o.room, o.imported, o.test, got, o.refused)
		}
	}
	var seen []string
	for _, s := range selectors(t, "main.go") {
		seen = append(seen, s.name)
	}
	if !slices.Contains(seen, "os.Args") || !slices.Contains(seen, "os.Exit") {
		t.Errorf("main.go reads os.Args and calls os.Exit, but the test saw %q", seen)
	}
}
