package report

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/fleetgate/fleetgate/internal/verdict"
)

// The measures of a picture, in its own units.
const (
	nodeWidth  = 200
	nodeHeight = 62
	bendWidth  = 16
	gapAcross  = 26
	gapDown    = 44
	margin     = 14
	nodeText   = 23 // code points of a line in a node
)

// SVG draws the verdict's fleets, one below the other, as a picture of its own
// that is light or dark as its reader is.
func SVG(w io.Writer, v verdict.Verdict) error {
	out := bufio.NewWriter(w)
	drawings := make([]drawing, len(v.Fleets))
	width, height := 0, 0
	for i := range v.Fleets {
		drawings[i] = draw(v.Fleets[i], i)
		width, height = max(width, drawings[i].width), height+drawings[i].height
	}
	fmt.Fprintf(out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-label="%s">`+"\n",
		width, height, width, height, svgText(svgLabel(v.Fleets)))
	fmt.Fprintf(out, "<style>%s%s</style>\n", svgColors, svgStyle)
	top := 0
	for _, d := range drawings {
		fmt.Fprintf(out, `<g transform="translate(0 %d)">`+"\n%s</g>\n", top, d.body)
		top += d.height
	}
	out.WriteString("</svg>\n")
	return out.Flush()
}

func svgLabel(fleets []verdict.Fleet) string {
	names := make([]string, len(fleets))
	for i := range fleets {
		names[i] = fleets[i].Name
	}
	return "Steps and their order: " + list(names, item)
}

const svgColors = `svg{--ink:#1f2328;--soft:#57606a;--node:#f6f8fa;--line:#57606a;--bad:#b42318;--badfill:#ffebe9}
@media (prefers-color-scheme:dark){svg{--ink:#e6edf3;--soft:#9da7b3;--node:#161b22;--line:#9da7b3;--bad:#ff8f85;--badfill:#3c1618}}
`

// svgStyle is part of the page's style too, which has the colours of its own.
const svgStyle = `svg text{font-family:system-ui,sans-serif;font-size:12px;fill:var(--soft)}
svg .id{font-size:13px;font-weight:600;fill:var(--ink)}
svg .node{fill:var(--node);stroke:var(--line);stroke-width:1.2}
svg .bad .node{fill:var(--badfill);stroke:var(--bad);stroke-width:2.4}
svg .bad .id{fill:var(--bad)}
svg .edge{fill:none;stroke:var(--line);stroke-width:1.4}
svg .loop{stroke-dasharray:4 3}
svg .tip{fill:var(--line)}
`

// drawing is one fleet, drawn.
type drawing struct {
	width, height int
	body          string
}

// draw draws a fleet; n tells the drawings of one page apart.
func draw(f verdict.Fleet, n int) drawing {
	if why := tooLarge(f); why != "" {
		text := fmt.Sprintf(`<text x="%d" y="%d">%s is not drawn: %s.</text>`+"\n", margin, 2*margin, svgText(Name(f.Name)), why)
		return drawing{3 * nodeWidth, nodeHeight, text}
	}
	p := newPicture(f, 0)
	d := &drafting{picture: p, layers: layOutFleet(p), tip: fmt.Sprintf("tip%d", n)}
	d.place()
	fmt.Fprintf(&d.out, `<defs><marker id="%s" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path class="tip" d="M0 0 8 4 0 8z"/></marker></defs>`+"\n", d.tip)
	for _, path := range d.paths {
		d.edge(path)
	}
	for _, loop := range d.loops {
		d.loop(loop[0], loop[1])
	}
	for i := range d.spots {
		if d.spots[i].step >= 0 {
			d.node(i)
		}
	}
	return drawing{d.width, 2*margin + len(d.rows)*nodeHeight + max(len(d.rows)-1, 0)*gapDown, d.out.String()}
}

type drafting struct {
	picture
	layers
	tip   string
	x     []int // the left of each spot
	width int
	out   strings.Builder
}

// place centres every layer.
func (d *drafting) place() {
	d.x = make([]int, len(d.spots))
	widths := make([]int, len(d.rows))
	for i, row := range d.rows {
		for _, at := range row {
			widths[i] += d.spotWidth(at) + gapAcross
		}
		widths[i] -= gapAcross
		d.width = max(d.width, widths[i]+2*margin)
	}
	for i, row := range d.rows {
		x := (d.width - widths[i]) / 2
		for _, at := range row {
			d.x[at] = x
			x += d.spotWidth(at) + gapAcross
		}
	}
}

func (d *drafting) spotWidth(at int) int {
	if d.spots[at].step < 0 {
		return bendWidth
	}
	return nodeWidth
}

func (d *drafting) top(at int) int { return margin + d.spots[at].layer*(nodeHeight+gapDown) }

func (d *drafting) middle(at int) int { return d.x[at] + d.spotWidth(at)/2 }

// edge draws a dependency: from a step's lower side through the bends, each
// passed straight, to the upper side of the step that waits.
func (d *drafting) edge(path []int) {
	var line strings.Builder
	x, y := d.middle(path[0]), d.top(path[0])+nodeHeight
	fmt.Fprintf(&line, "M%d %d", x, y)
	for i, at := range path[1:] {
		toX, toY := d.middle(at), d.top(at)
		half := (y + toY) / 2
		fmt.Fprintf(&line, "C%d %d %d %d %d %d", x, half, toX, half, toX, toY)
		x, y = toX, toY
		if i < len(path)-2 {
			y += nodeHeight
			fmt.Fprintf(&line, "V%d", y)
		}
	}
	fmt.Fprintf(&d.out, `<path class="edge" d="%s" marker-end="url(#%s)"/>`+"\n", line.String(), d.tip)
}

// loop draws the way round between a loop's halves: beside each other where
// they are, else in a bow.
func (d *drafting) loop(check, repair int) {
	a, b := check, repair
	if d.x[a] > d.x[b] {
		a, b = b, a
	}
	y, toY := d.top(a)+nodeHeight/2, d.top(b)+nodeHeight/2
	x, toX := d.x[a]+nodeWidth, d.x[b]
	if d.spots[a].layer != d.spots[b].layer {
		x, toX = d.middle(a), d.middle(b)
	}
	fmt.Fprintf(&d.out, `<path class="edge loop" d="M%d %dQ%d %d %d %d" marker-start="url(#%s)" marker-end="url(#%s)"/>`+"\n",
		x, y, (x+toX)/2, min(y, toY)-bow(d, a, b), toX, toY, d.tip, d.tip)
}

// bow is how far a loop's line rises, so that it passes what stands between.
func bow(d *drafting, a, b int) int {
	if d.spots[b].order-d.spots[a].order == 1 && d.spots[a].layer == d.spots[b].layer {
		return 0
	}
	return nodeHeight
}

func (d *drafting) node(at int) {
	step := d.fleet.Steps[d.spots[at].step]
	class, x, y := "", d.x[at], d.top(at)
	if d.violated(step) {
		class = ` class="bad"`
	}
	label := d.label(step)
	fmt.Fprintf(&d.out, `<g%s><title>%s</title>%s`, class, svgText(strings.Join(label, "; ")), nodeShape(step.Kind, x, y))
	for i, text := range label {
		id := ""
		if i == 0 {
			id = ` class="id"`
		}
		fmt.Fprintf(&d.out, `<text%s x="%d" y="%d" text-anchor="middle">%s</text>`, id, x+nodeWidth/2, y+19+i*17, svgText(shorten(text, nodeText)))
	}
	d.out.WriteString("</g>\n")
}

// nodeShape tells the kinds of step apart, as the other drawings do.
func nodeShape(kind string, x, y int) string {
	r, b := x+nodeWidth, y+nodeHeight
	switch kind {
	case "code":
		return fmt.Sprintf(`<rect class="node" x="%d" y="%d" width="%d" height="%d"/><path class="edge" d="M%d %dV%dM%d %dV%d"/>`,
			x, y, nodeWidth, nodeHeight, x+6, y, b, r-6, y, b)
	case "gate":
		return fmt.Sprintf(`<path class="node" d="M%d %dH%dL%d %d %d %dH%dL%d %dz"/>`, x+10, y, r-10, r, (y+b)/2, r-10, b, x+10, x, (y+b)/2)
	case "plan":
		return fmt.Sprintf(`<path class="node" d="M%d %dH%dL%d %dH%dz"/>`, x+12, y, r, r-12, b, x)
	}
	return fmt.Sprintf(`<rect class="node" x="%d" y="%d" width="%d" height="%d" rx="7"/>`, x, y, nodeWidth, nodeHeight)
}

// svgText escapes what a document would read as markup, and leaves out what
// XML can't hold.
func svgText(s string) string {
	return html.EscapeString(strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' && r != '\n' || r == 0xFFFE || r == 0xFFFF {
			return -1
		}
		return r
	}, s))
}
