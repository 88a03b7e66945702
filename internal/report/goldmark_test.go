package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	gmtext "github.com/yuin/goldmark/text"
)

// gfm reads Markdown as GitHub does, bare links, tables and task lists
// included. It is a witness beside checkMarkdown, which looks at the bytes.
var gfm = goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote))

// ourKinds are the nodes that a page may consist of, whatever it shows: no
// link, no picture, no HTML, no footnote and no box to tick.
var ourKinds = map[ast.NodeKind]bool{
	ast.KindDocument: true, ast.KindHeading: true, ast.KindParagraph: true, ast.KindTextBlock: true,
	ast.KindText: true, ast.KindString: true, ast.KindCodeSpan: true, ast.KindEmphasis: true,
	ast.KindList: true, ast.KindListItem: true, ast.KindFencedCodeBlock: true,
	extast.KindTable: true, extast.KindTableHeader: true, extast.KindTableRow: true, extast.KindTableCell: true,
}

// checkNodes fails on a node of a page that only a text from the repository
// could have made.
func checkNodes(t *testing.T, page string) {
	t.Helper()
	source := []byte(page)
	err := ast.Walk(gfm.Parser().Parse(gmtext.NewReader(source)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering && !ourKinds[n.Kind()] {
			t.Errorf("a %s in %q", n.Kind(), page)
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// asHTML renders a page as GitHub would show it, styles aside.
func asHTML(t *testing.T, page string) string {
	t.Helper()
	var out bytes.Buffer
	if err := gfm.Convert([]byte(page), &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestNodesWouldShowAForgedLink(t *testing.T) {
	for _, page := range []string{"- [a](b)\n", "- www.evil.example\n", "- http://evil.example\n", "- <b>x</b>\n", "- ![a](b)\n", "- [ ] x\n", "> x\n"} {
		forged := false
		_ = ast.Walk(gfm.Parser().Parse(gmtext.NewReader([]byte(page))), func(n ast.Node, _ bool) (ast.WalkStatus, error) {
			forged = forged || !ourKinds[n.Kind()]
			return ast.WalkContinue, nil
		})
		if !forged {
			t.Errorf("nothing is seen in %q", page)
		}
	}
	if html := asHTML(t, "`a`\n"); !strings.Contains(html, "<code>a</code>") {
		t.Error(html)
	}
}
