package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// Every name that a room hands to others says what it is (style: doc comments
// give units, errors and the rule's section). A name in a group may lean on the
// group's comment, or have its own at the end of its line.
func TestEveryExportedNameHasADocComment(t *testing.T) {
	names := 0
	err := filepath.WalkDir("internal", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, name := range exportedNames(file) {
			if names++; !name.said {
				t.Errorf("%s: %s has no doc comment", fset.Position(name.pos), name.text)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d exported names", names)
	if names < 500 {
		t.Errorf("only %d exported names were looked at", names)
	}
}

func TestDocCommentsAreLookedForWhereTheyStand(t *testing.T) {
	const text = `package p

type A struct{}
func (A) B() {}
func (a *A) C() {}
func (hidden) D() {}
func E() {}
type hidden struct{}
var (
	F = 1
	g = 2
)
const H = 1 // H is said

// I and J are said together.
const (
	I = 1
	J = 2
)
// K is said.
func K() {}
type (
	// L is said.
	L int
	M[T any] struct{ X T }
)
func (*M[T]) N() {}
`
	file, err := parser.ParseFile(token.NewFileSet(), "p.go", text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var said, unsaid []string
	for _, name := range exportedNames(file) {
		if name.said {
			said = append(said, name.text)
		} else {
			unsaid = append(unsaid, name.text)
		}
	}
	if got := strings.Join(said, " ") + " / " + strings.Join(unsaid, " "); got != "H I J K L / A B C E F M N" {
		t.Errorf("said / unsaid: %s", got)
	}
}

// exportedName is a name that other rooms can use, and whether a comment says what it is.
type exportedName struct {
	text string
	pos  token.Pos
	said bool
}

func exportedNames(file *ast.File) []exportedName {
	var names []exportedName
	add := func(id *ast.Ident, comments ...*ast.CommentGroup) {
		if !id.IsExported() {
			return
		}
		name := exportedName{id.Name, id.Pos(), false}
		for _, comment := range comments {
			name.said = name.said || strings.TrimSpace(comment.Text()) != ""
		}
		names = append(names, name)
	}
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil || ast.IsExported(receiver(d.Recv.List[0].Type)) {
				add(d.Name, d.Doc)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					add(s.Name, d.Doc, s.Doc, s.Comment)
				case *ast.ValueSpec:
					for _, id := range s.Names {
						add(id, d.Doc, s.Doc, s.Comment)
					}
				}
			}
		}
	}
	return names
}

// receiver is the name of a method's type.
func receiver(of ast.Expr) string {
	switch e := of.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}
