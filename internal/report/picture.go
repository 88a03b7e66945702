package report

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/fleetgate/fleetgate/internal/verdict"
)

// maxLabel is how many code points one line of a step's label has.
const maxLabel = 60

// picture is one fleet with a number for each step, so that no name from a
// repository ever stands where the drawing program reads syntax.
type picture struct {
	fleet  verdict.Fleet
	number map[string]int
}

func newPicture(f verdict.Fleet, first int) picture {
	p := picture{fleet: f, number: make(map[string]int, len(f.Steps))}
	for i := range f.Steps {
		if _, twice := p.number[f.Steps[i].ID]; !twice {
			p.number[f.Steps[i].ID] = first + i
		}
	}
	return p
}

func (p picture) violated(step verdict.Step) bool { return slices.Contains(p.fleet.Violated, step.ID) }

// label is a step's name, who does it, and what it may write, a line each.
func (p picture) label(step verdict.Step) []string {
	name := Name(step.ID)
	if p.violated(step) {
		name = "✗ " + name
	}
	label := []string{name, who(step)}
	return append(label, writes(step))
}

// writes lists what a step may write, as far as it has room on one line.
func writes(step verdict.Step) string {
	if len(step.Writes) == 0 {
		return "writes nothing"
	}
	var text string
	for i, entry := range step.Writes {
		next := text + item(entry)
		if left := len(step.Writes) - i; i > 0 && utf8.RuneCountInString(next) > maxLabel-len(", 99 more") {
			return fmt.Sprintf("%s%d more", text, left)
		}
		text = next + ", "
	}
	return strings.TrimSuffix(text, ", ")
}

func who(step verdict.Step) string {
	if step.Agent == "" {
		return Name(step.Kind)
	}
	return Name(step.Kind) + " " + Name(step.Agent)
}

// quoted shows a label, each line quoted by the drawing program's rules.
func quoted(label []string, quote func(string) string, br string) string {
	return strings.Join(mapped(label, func(s string) string { return quote(shorten(s, maxLabel)) }), br)
}

// edges gives the ends of each edge whose both ends are drawn.
func (p picture) edges(draw func(from, to int, loop bool)) {
	for _, e := range p.fleet.Edges {
		from, ok := p.number[e.From]
		to, too := p.number[e.To]
		if ok && too {
			draw(from, to, e.Loop)
		}
	}
}
