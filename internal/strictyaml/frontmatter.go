package strictyaml

import (
	"bytes"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/value"
)

// The codes of this room's findings.
const (
	codeMissingOpen  diag.Code = "frontmatter-missing-open"
	codeMissingClose diag.Code = "frontmatter-missing-close"
	codeInvalidYAML  diag.Code = "frontmatter-invalid-yaml"
	codeNotObject    diag.Code = "frontmatter-not-object"
	codeNotUTF8      diag.Code = "policy-not-utf8"
	codeTooLarge     diag.Code = "policy-too-large"
	codeDirective    diag.Code = "yaml-directive"
)

// FrontMatter is a Markdown file split at its delimiters.
type FrontMatter struct {
	Root *value.Value // the mapping; nil where there are findings
	Body string       // everything after the closing delimiter's line end, untouched
	Line int          // the 1-based line on which the body starts
}

// ParseFrontMatter splits text at its delimiters and reads the block between
// them (spec section 2). Lines are those of the file. The findings are
// frontmatter-missing-open, -missing-close, -invalid-yaml and -not-object,
// policy-not-utf8, policy-too-large and yaml-directive; where there is any,
// the root is nil.
func ParseFrontMatter(file string, text []byte) (FrontMatter, []diag.Diagnostic) {
	if found := checkText(file, text); found != nil {
		return FrontMatter{}, found
	}
	block, body, found := split(file, text)
	if found != nil {
		return FrontMatter{}, found
	}
	fm := FrontMatter{Body: string(body), Line: bytes.Count(text[:len(text)-len(body)], []byte("\n")) + 1}
	root, found := parse(file, block, 2, codeInvalidYAML)
	if found != nil {
		return fm, found
	}
	if root.Kind != value.Map {
		return fm, []diag.Diagnostic{notObject(file, root)}
	}
	fm.Root = root
	return fm, nil
}

var delimiter = []byte("---")

// split gives the block between the delimiters, without the line end before
// the closing one, and the body.
func split(file string, text []byte) (block, body []byte, found []diag.Diagnostic) {
	rest, ok := bytes.CutPrefix(text, delimiter)
	if ok {
		rest, ok = cutLineEnd(rest)
	}
	if !ok {
		return nil, nil, []diag.Diagnostic{missingOpen(file, text)}
	}
	for from := 0; ; {
		end := bytes.IndexByte(rest[from:], '\n')
		if end < 0 {
			return nil, nil, []diag.Diagnostic{missingClose(file, rest)}
		}
		from += end + 1
		after, ok := bytes.CutPrefix(rest[from:], delimiter)
		if !ok {
			continue
		}
		if after, ok := cutLineEnd(after); ok || len(after) == 0 {
			return bytes.TrimSuffix(rest[:from-1], []byte("\r")), after, nil
		}
	}
}

// cutLineEnd removes a line end, "\n" or "\r\n", from the start of text.
func cutLineEnd(text []byte) (rest []byte, ok bool) {
	if rest, ok = bytes.CutPrefix(text, []byte("\n")); ok {
		return rest, true
	}
	return bytes.CutPrefix(text, []byte("\r\n"))
}

var byteOrderMark = []byte("\uFEFF")

func missingOpen(file string, text []byte) diag.Diagnostic {
	pos := diag.Pos{File: file, Line: 1, Column: 1}
	if bytes.HasPrefix(text, byteOrderMark) {
		return diag.New(codeMissingOpen, pos, "", "the file starts with a byte order mark (U+FEFF); front matter must start at the first byte").
			WithHint("save the file as UTF-8 without a byte order mark")
	}
	first, _, _ := bytes.Cut(text, []byte("\n"))
	message := "the file must start with a line that is exactly ---, not with " + quote(string(first))
	switch {
	case len(text) == 0:
		message = "the file is empty; it must start with a line that is exactly ---"
	case bytes.Equal(first, delimiter):
		message = "the file ends after its first line, ---"
	}
	return diag.New(codeMissingOpen, pos, "", message).WithHint("begin the file with --- on a line of its own, then the keys, then --- again")
}

func missingClose(file string, rest []byte) diag.Diagnostic {
	d := diag.New(codeMissingClose, diag.Pos{File: file, Line: 1, Column: 1}, "", "the front matter that opens here is never closed: no later line is exactly ---")
	for i, line := range lines(rest) {
		if message := nearDelimiter(i, line); message != "" {
			return d.WithRelated(diag.Pos{File: file, Line: 2 + i, Column: 1}, message).
				WithHint("write the closing line as --- alone, without spaces before or behind it")
		}
	}
	return d.WithHint("put a line that is exactly --- behind the last key")
}

// nearDelimiter says why the i-th line behind the opening one, which looks like
// a closing line, is none; nothing for other lines.
func nearDelimiter(i int, line []byte) string {
	near := bytes.TrimSpace(line)
	switch {
	case len(near) < len(delimiter) || len(bytes.Trim(near, "-")) > 0:
		return ""
	case i == 0 && bytes.Equal(line, delimiter):
		return "a --- on line 2 does not close: it opens a YAML document inside the block"
	}
	return "this line is " + quote(string(line)) + ", not exactly ---"
}

// lines splits text at its line ends, which are not part of the lines.
func lines(text []byte) [][]byte {
	all := bytes.Split(text, []byte("\n"))
	for i, line := range all {
		all[i] = bytes.TrimSuffix(line, []byte("\r"))
	}
	return all
}

func notObject(file string, root *value.Value) diag.Diagnostic {
	pos := root.Pos
	if pos.Line == 0 {
		pos = diag.Pos{File: file, Line: 1, Column: 1}
	}
	message := "the front matter must be a mapping of keys to values, not a " + root.Kind.String()
	if root.Kind == value.Null {
		message = "the front matter is empty; it must be a mapping of keys to values"
	}
	return diag.New(codeNotObject, pos, "", message).WithHint("write one key: value a line between the two --- lines")
}
