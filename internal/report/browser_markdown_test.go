package report

import (
	"html"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// markdownStyle is about how GitHub sets a summary or a comment.
const markdownStyle = `body{font:14px/1.5 sans-serif;max-width:900px;margin:1rem auto;padding:0 1rem;overflow-wrap:anywhere}
code{font:12px monospace;background:#eff1f3;padding:.15em .35em;border-radius:4px}pre{background:#f6f8fa;padding:12px;overflow:auto}
table{border-collapse:collapse;display:block;overflow:auto}td,th{border:1px solid #d1d9e0;padding:4px 10px;text-align:left}`

// TestSummariesInABrowser looks at the recorded summaries as GitHub makes HTML
// of them: what a list or a table is, is one, and nothing shows its signs.
func TestSummariesInABrowser(t *testing.T) {
	b := startBrowser(t)
	for _, name := range []string{"first-failure", "many-kinds", "passed-permitted", "undecided"} {
		page, err := os.ReadFile(filepath.Join("testdata", "golden", name+".md"))
		if err != nil {
			t.Fatal(err)
		}
		b.show(markdownPage(t, name, string(page)), 1000, "light")
		b.picture("summary-" + name + ".png")
		checkSummary(t, b, name, string(page))
	}
	b.silent()
}

func markdownPage(t *testing.T, title, page string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), title+".html")
	text := "<!DOCTYPE html><html lang=en><meta charset=utf-8><title>" + html.EscapeString(title) + "</title><style>" + markdownStyle + "</style>" + asHTML(t, page)
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// checkSummary holds what the browser shows against the Markdown's lines.
func checkSummary(t *testing.T, b *browser, name, page string) {
	t.Helper()
	count := func(selector string) int {
		return int(b.eval("document.querySelectorAll('" + selector + "').length").(float64))
	}
	if got := count("h2"); got != 1 {
		t.Errorf("%s: %d titles", name, got)
	}
	if got, want := count("table"), strings.Count(page, "\n|---"); got != want {
		t.Errorf("%s: %d tables of %d", name, got, want)
	}
	if got, want := count("pre"), strings.Count(page, "```mermaid"); got != want {
		t.Errorf("%s: %d pictures of %d", name, got, want)
	}
	if got := count("a, img, script:not([src]), input"); got != 0 {
		t.Errorf("%s: %d links, images or scripts", name, got)
	}
	shown := b.eval("[...document.querySelectorAll('p, li, td, th, h2, h3')].map((e) => { const c = e.cloneNode(true); c.querySelectorAll('code').forEach((x) => x.remove()); return c.textContent }).join('\\n')").(string)
	for _, sign := range []string{"**", "`", "&#", "| "} {
		if strings.Contains(shown, sign) {
			t.Errorf("%s: %q is shown as it is in %q", name, sign, shown)
		}
	}
}
