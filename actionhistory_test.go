package main

import (
	"fmt"
	"strings"
)

// history writes a history as a stream for git fast-import.
type history struct {
	stream  strings.Builder
	mark    int
	marks   []string       // names of commits by mark
	at      map[string]int // marks by name
	seconds int64
}

// commit adds one commit to a branch, from another if that is named. files are
// pairs of path and content; a content that starts with "->" is a link, one
// that starts with "=>" a submodule's commit.
func (h *history) commit(name, ref, message string, parents []string, files ...string) {
	h.mark++
	h.seconds += 60
	h.marks = append(h.marks, name)
	if h.at == nil {
		h.at = map[string]int{}
	}
	h.at[name] = h.mark
	fmt.Fprintf(&h.stream, "commit %s\nmark :%d\ncommitter Ada <ada@example.com> %d +0000\ndata %d\n%s\n", ref, h.mark, 1_700_000_000+h.seconds, len(message), message)
	for i, parent := range parents {
		word := "merge"
		if i == 0 {
			word = "from"
		}
		fmt.Fprintf(&h.stream, "%s :%d\n", word, h.at[parent])
	}
	for i := 0; i+1 < len(files); i += 2 {
		mode, content := "100644", files[i+1]
		if id, ok := strings.CutPrefix(content, "=>"); ok {
			fmt.Fprintf(&h.stream, "M 160000 %s %s\n", id, quoted(files[i]))
			continue
		}
		if target, ok := strings.CutPrefix(content, "->"); ok {
			mode, content = "120000", target
		}
		fmt.Fprintf(&h.stream, "M %s inline %s\ndata %d\n%s\n", mode, quoted(files[i]), len(content), content)
	}
	h.stream.WriteString("\n")
}

// quoted writes a path as git does in double quotes.
func quoted(path string) string {
	var out strings.Builder
	out.WriteByte('"')
	for _, c := range []byte(path) {
		if c < ' ' || c >= 0x7f || c == '"' || c == '\\' {
			fmt.Fprintf(&out, "\\%03o", c)
			continue
		}
		out.WriteByte(c)
	}
	return out.String() + `"`
}

func (h *history) line(ref, from, prefix string, n int) (last string) {
	last = from
	for i := range n {
		name := fmt.Sprintf("%s%d", prefix, i)
		h.commit(name, ref, name, []string{last}, "n", fmt.Sprintf("%s %d", prefix, i))
		last = name
	}
	return last
}
