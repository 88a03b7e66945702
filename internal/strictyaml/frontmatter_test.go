package strictyaml

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/value"
)

func TestFrontMatterIsSplitAtItsDelimiters(t *testing.T) {
	for _, c := range []struct {
		name, text, root, body string
		line                   int
	}{
		{"an empty body", "---\na: 1\n---", `{"a":1}`, "", 3},
		{"a body", "---\na: 1\n---\nbody\n", `{"a":1}`, "body\n", 4},
		{"a body is kept as it is", "---\na: 1\n---\n\n  b\r\n\t", `{"a":1}`, "\n  b\r\n\t", 4},
		{"carriage returns", "---\r\na: 1\r\nb: 2\r\n---\r\nbody", `{"a":1,"b":2}`, "body", 5},
		{"a rule in the body", "---\na: 1\n---\nb\n---\nc", `{"a":1}`, "b\n---\nc", 4},
		{"a line of dashes and a space", "---\na: >\n --- \n---\nb", `{"a":"--- \n"}`, "b", 5},
		{"a document's start on line 2", "---\n---\na: 1\n---\nb", `{"a":1}`, "b", 5},
		{"a block text before the closing line", "---\na: |+\n  b\n\n---\nc", `{"a":"b\n"}`, "c", 6},
	} {
		t.Run(c.name, func(t *testing.T) {
			fm, found := ParseFrontMatter("f.md", []byte(c.text))
			if found != nil {
				t.Fatal(found)
			}
			got := []any{value.Stringify(fm.Root), fm.Body, fm.Line}
			if diff := cmp.Diff([]any{c.root, c.body, c.line}, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFrontMatterFaultsAreFourDifferentErrors(t *testing.T) {
	for _, c := range []struct {
		name, text string
		code       diag.Code
		place      string
		message    string
	}{
		{"an empty file", "", codeMissingOpen, "f.md:1:1", "the file is empty; it must start with a line that is exactly ---"},
		{"a file without front matter", "# Title\n", codeMissingOpen, "f.md:1:1", `the file must start with a line that is exactly ---, not with "# Title"`},
		{"an empty line first", "\n---\na: 1\n---\n", codeMissingOpen, "f.md:1:1", `the file must start with a line that is exactly ---, not with ""`},
		{"a space behind the opening", "--- \na: 1\n---\n", codeMissingOpen, "f.md:1:1", `the file must start with a line that is exactly ---, not with "--- "`},
		{"a carriage return alone behind the opening", "---\ra: 1\r---\r", codeMissingOpen, "f.md:1:1", `the file must start with a line that is exactly ---, not with "---\ra: 1\r---\r"`},
		{"an opening alone", "---", codeMissingOpen, "f.md:1:1", "the file ends after its first line, ---"},
		{"no closing", "---\na: 1\n", codeMissingClose, "f.md:1:1", "the front matter that opens here is never closed: no later line is exactly ---"},
		{"a closing on line 2", "---\n---\n", codeMissingClose, "f.md:1:1", "the front matter that opens here is never closed: no later line is exactly ---"},
		{"a space behind the closing", "---\na: 1\n--- \nb", codeMissingClose, "f.md:1:1", "the front matter that opens here is never closed: no later line is exactly ---"},
		{"bad YAML", "---\na: 1\nb: [\n---\n", codeInvalidYAML, "f.md:3:4", "this [ is never closed by a ]"},
		{"a list", "---\n- a\n---\n", codeNotObject, "f.md:2:1", "the front matter must be a mapping of keys to values, not a list"},
		{"a text", "---\na\n---\n", codeNotObject, "f.md:2:1", "the front matter must be a mapping of keys to values, not a string"},
		{"nothing", "---\n\n---\n", codeNotObject, "f.md:2:1", "the front matter is empty; it must be a mapping of keys to values"},
		{"a byte that is no text", "---\na: \xff\n---\n", codeNotUTF8, "f.md:2:4", "byte 0xFF is not UTF-8"},
		{"a directive", "---\n%YAML 1.1\n--- {a: no}\n---\n", codeDirective, "f.md:2:1", `the directive "%YAML 1.1" would make the runtime read this document by other rules`},
	} {
		t.Run(c.name, func(t *testing.T) {
			fm, found := ParseFrontMatter("f.md", []byte(c.text))
			if fm.Root != nil || len(found) != 1 {
				t.Fatalf("root %v, findings %+v", fm.Root, found)
			}
			d := found[0]
			got := []string{string(d.Code), d.Pos.String(), d.Message}
			if diff := cmp.Diff([]string{string(c.code), c.place, c.message}, got); diff != "" {
				t.Error(diff)
			}
			if d.Hint == "" {
				t.Error("no hint")
			}
		})
	}
}

func TestANearDelimiterIsPointedOut(t *testing.T) {
	for text, want := range map[string]string{
		"---\na: 1\n--- \nb":     `f.md:3:1 this line is "--- ", not exactly ---`,
		"---\na: 1\n ---\nb":     `f.md:3:1 this line is " ---", not exactly ---`,
		"---\na: 1\n-----\nb":    `f.md:3:1 this line is "-----", not exactly ---`,
		"---\r\n---\r\nbody\r\n": "f.md:2:1 a --- on line 2 does not close: it opens a YAML document inside the block",
	} {
		_, found := ParseFrontMatter("f.md", []byte(text))
		if len(found) != 1 || len(found[0].Related) != 1 {
			t.Errorf("%q: %+v", text, found)
			continue
		}
		related := found[0].Related[0]
		if got := related.Pos.String() + " " + related.Message; got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func TestP4AByteOrderMarkIsNamed(t *testing.T) {
	_, found := ParseFrontMatter("f.md", []byte("\ufeff---\na: 1\n---\n"))
	if len(found) != 1 || found[0].Code != codeMissingOpen || !strings.Contains(found[0].Message, "byte order mark") {
		t.Errorf("%+v", found)
	}
}

func TestP3AKeyGivenTwiceInOneStepIsReportedWithBothLines(t *testing.T) {
	text := "---\nversion: 4\nsteps:\n  - id: a\n    writes: [docs/]\n    scope: workspace\n    writes: [src/]\n---\nDo it.\n"
	_, found := ParseFrontMatter("f.md", []byte(text))
	if len(found) != 1 || found[0].Code != codeInvalidYAML || found[0].Pos != (diag.Pos{File: "f.md", Line: 7, Column: 5}) {
		t.Fatalf("%+v", found)
	}
	want := []diag.Related{{Pos: diag.Pos{File: "f.md", Line: 5, Column: 5}, Message: "first written here"}}
	if diff := cmp.Diff(want, found[0].Related); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(found[0].Message, `"writes"`) {
		t.Error(found[0].Message)
	}
}

// finite says whether JSON can hold every number of v.
func finite(v *value.Value) bool {
	if v.Kind == value.Number {
		return !math.IsNaN(v.Number) && !math.IsInf(v.Number, 0)
	}
	for _, item := range v.Items {
		if !finite(item) {
			return false
		}
	}
	for _, m := range v.Members {
		if !finite(m.Value) {
			return false
		}
	}
	return true
}

// inside says whether every place in v is one of the text's lines, and none lies before its start.
func inside(v *value.Value, lines int) bool {
	if v.Pos.Line < 1 || v.Pos.Line > lines || v.Pos.Column < 1 || v.End.Line > lines || v.End.Column < 1 {
		return false
	}
	for _, item := range v.Items {
		if !inside(item, lines) {
			return false
		}
	}
	for _, m := range v.Members {
		if m.KeyPos.Line < 1 || m.KeyPos.Line > lines || m.KeyPos.Column < 1 || !inside(m.Value, lines) {
			return false
		}
	}
	return true
}

func FuzzParseFrontMatter(f *testing.F) {
	for _, seed := range []string{
		contract, "---\na: [1, {b: 'c'}, *x]\n---\n", "---\na: &x |+2\n   b\n\n\t\n? [c]\n: !!str *x\n---\nbody",
		"---\r\n\"a\\\r\n b\": >-\r\n  c\r\n...\r\n---\r\n", "---\n- - ? a\n  - : b\n---\n", "---\n%YAML 1.1\n--- {a: \"\\ud83d\"}\n---\n", "---\n\ufeffa: '''\n---", "---\n? a\n  [b\n: c\n---\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		fm, found := ParseFrontMatter("f.md", text)
		if (fm.Root == nil) != (len(found) > 0) {
			t.Fatalf("root %v with findings %v", fm.Root, found)
		}
		lines := 1 + strings.Count(string(text), "\n")
		for _, d := range found {
			if d.Pos.Line < 0 || d.Pos.Line > lines || d.Message == "" || d.Hint == "" {
				t.Errorf("%q: %+v", text, d)
			}
		}
		if fm.Root == nil {
			return
		}
		if !inside(fm.Root, lines) {
			t.Errorf("%q: a place outside the text", text)
		}
		written := value.Stringify(fm.Root)
		parsed, err := value.ParseJSON("f", []byte(written))
		if err != nil {
			t.Fatalf("%q is written as %q, which is no JSON: %v", text, written, err)
		}
		if !finite(fm.Root) || len(written) > MaxBytes {
			return
		}
		again, found := Parse("f", []byte(written), codeInvalidYAML)
		if found != nil {
			t.Fatalf("%q is written as %q, which is no YAML: %v", text, written, found)
		}
		if !parsed.Equal(fm.Root) || !again.Equal(fm.Root) {
			t.Errorf("%q reads differently when written as JSON: %q", text, written)
		}
	})
}
