package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/fleetgate/fleetgate/internal/verdict"
)

// Mermaid writes the verdict's fleets as one flowchart, violated steps marked.
func Mermaid(w io.Writer, v verdict.Verdict) error {
	out := bufio.NewWriter(w)
	out.WriteString(mermaidHead)
	first := 0
	for _, f := range v.Fleets {
		if len(v.Fleets) == 1 {
			mermaidFleet(out, newPicture(f, first))
			break
		}
		fmt.Fprintf(out, "  subgraph f%d[\"%s\"]\n", first, quoted([]string{Name(f.Name)}, mermaidText, ""))
		mermaidFleet(out, newPicture(f, first))
		out.WriteString("  end\n")
		first += len(f.Steps)
	}
	return out.Flush()
}

// The colours of a violated step are given with their text's, so that it can
// be read on a dark page too; its name is marked as well.
const mermaidHead = "flowchart LR\n" +
	"  classDef violated fill:#ffebe9,stroke:#cf222e,stroke-width:3px,color:#82071e\n"

var mermaidShapes = map[string][2]string{"code": {"[[", "]]"}, "gate": {"{{", "}}"}, "plan": {"[/", "/]"}}

func mermaidFleet(out io.Writer, p picture) {
	for _, step := range p.fleet.Steps {
		shape, ok := mermaidShapes[step.Kind]
		if !ok {
			shape = [2]string{"[", "]"}
		}
		n := p.number[step.ID]
		fmt.Fprintf(out, "  n%d%s\"%s\"%s\n", n, shape[0], quoted(p.label(step), mermaidText, "<br/>"), shape[1])
		if p.violated(step) {
			fmt.Fprintf(out, "  class n%d violated\n", n)
		}
	}
	p.edges(func(from, to int, loop bool) {
		arrow := "-->"
		if loop {
			arrow = "-.->"
		}
		fmt.Fprintf(out, "  n%d %s n%d\n", from, arrow, to)
	})
}

// mermaidText writes as numbered entities all characters that Mermaid, and
// the Markdown and HTML around it, could read as syntax.
func mermaidText(s string) string {
	var out strings.Builder
	all := []rune(s)
	for i, r := range all {
		if mermaidPlain(all, i) {
			out.WriteRune(r)
			continue
		}
		fmt.Fprintf(&out, "#%d;", r)
	}
	return out.String()
}

// mermaidLigature stands for # in Mermaid's own inner encoding.
const mermaidLigature = 'ﬂ'

func mermaidPlain(all []rune, i int) bool {
	switch r := all[i]; r {
	case ' ', '/', ',', '✗', '…':
		return true
	case '.': // not as in a numbered list
		return i+1 < len(all) && isWordRune(all[i+1])
	case '-', '_': // between letters, where they begin no list and no emphasis
		return i > 0 && i+1 < len(all) && isWordRune(all[i-1]) && isWordRune(all[i+1])
	default:
		return isWordRune(r)
	}
}

func isWordRune(r rune) bool {
	return r != mermaidLigature && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r))
}
