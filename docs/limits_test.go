// Package docs holds the pages for people; its tests keep those that are
// made from the code equal to the code.
package docs

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the generated pages anew")

// limit is one exported constant Max… of the code.
type limit struct {
	room, name, value, doc string
}

const limitsHead = `# Limits

Every bound is a named constant in the code; reaching one gives a finding with its place, or one line that says what was
too large. This page is made from the code by ` + "`go test ./docs -update`" + `.

| constant | value | what it bounds |
|---|---|---|
`

func TestLimitsPageIsWhatTheCodeSays(t *testing.T) {
	var page strings.Builder
	page.WriteString(limitsHead)
	for _, l := range limits(t) {
		if l.doc == "" {
			t.Errorf("%s.%s has no comment", l.room, l.name)
		}
		fmt.Fprintf(&page, "| `%s.%s` | `%s` | %s |\n", l.room, l.name, l.value, l.doc)
	}
	same(t, "limits.md", page.String())
}

func same(t *testing.T, file, want string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("docs/%s is not what the code says; run `go test ./docs -update`", file)
	}
}

func limits(t *testing.T) []limit {
	t.Helper()
	var all []limit
	err := filepath.WalkDir("../internal", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		all = append(all, limitsOf(file)...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(all, func(a, b limit) int { return strings.Compare(a.room+"."+a.name, b.room+"."+b.name) })
	return all
}

func limitsOf(file *ast.File) []limit {
	var found []limit
	for _, decl := range file.Decls {
		group, ok := decl.(*ast.GenDecl)
		if !ok || group.Tok != token.CONST {
			continue
		}
		for _, spec := range group.Specs {
			value := spec.(*ast.ValueSpec)
			name := value.Names[0].Name
			if !strings.HasPrefix(name, "Max") || len(value.Values) != 1 {
				continue
			}
			found = append(found, limit{file.Name.Name, name, source(value.Values[0]), comment(group, value, name)})
		}
	}
	return found
}

// comment is the constant's doc or line comment, as one sentence of a table
// that names the constant already.
func comment(group *ast.GenDecl, value *ast.ValueSpec, name string) string {
	text := value.Doc.Text()
	if text == "" {
		text = value.Comment.Text()
	}
	if text == "" && len(group.Specs) == 1 {
		text = group.Doc.Text()
	}
	text = strings.Join(strings.Fields(text), " ")
	text = strings.TrimPrefix(strings.TrimPrefix(text, name+" is "), name+" bounds ")
	return strings.ReplaceAll(text, "|", `\|`)
}

func source(expr ast.Expr) string {
	var out bytes.Buffer
	if err := format.Node(&out, token.NewFileSet(), expr); err != nil {
		return "?"
	}
	return out.String()
}
