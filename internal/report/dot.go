package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/fleetgate/fleetgate/internal/verdict"
)

// DOT writes the verdict's fleets as one Graphviz graph, violated steps marked.
func DOT(w io.Writer, v verdict.Verdict) error {
	out := bufio.NewWriter(w)
	out.WriteString("digraph fleets {\n  rankdir=LR\n  node [shape=box, fontname=\"sans-serif\"]\n")
	first := 0
	for i, f := range v.Fleets {
		fmt.Fprintf(out, "  subgraph cluster_%d {\n    label=\"%s\"\n", i, quoted([]string{Name(f.Name)}, dotText, ""))
		dotFleet(out, newPicture(f, first))
		out.WriteString("  }\n")
		first += len(f.Steps)
	}
	out.WriteString("}\n")
	return out.Flush()
}

var dotShapes = map[string]string{"code": "box3d", "gate": "hexagon", "plan": "parallelogram"}

func dotFleet(out io.Writer, p picture) {
	for _, step := range p.fleet.Steps {
		style := ""
		if shape, ok := dotShapes[step.Kind]; ok {
			style = ", shape=" + shape
		}
		if p.violated(step) {
			style += `, style=filled, color="#cf222e", fillcolor="#ffebe9", fontcolor="#82071e", penwidth=3`
		}
		fmt.Fprintf(out, "    n%d [label=\"%s\"%s]\n", p.number[step.ID], quoted(p.label(step), dotText, `\n`), style)
	}
	p.edges(func(from, to int, loop bool) {
		style := ""
		if loop {
			style = " [style=dashed, constraint=false]"
		}
		fmt.Fprintf(out, "    n%d -> n%d%s\n", from, to, style)
	})
}

// dotText escapes what a quoted string, its escape sequences (\N is the
// node's name) and its entities would read as syntax.
var dotEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, `&`, `&amp;`, `<`, `&lt;`, `>`, `&gt;`)

func dotText(s string) string { return dotEscapes.Replace(s) }
