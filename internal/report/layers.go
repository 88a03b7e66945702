package report

import (
	"cmp"
	"slices"

	"github.com/fleetgate/fleetgate/internal/verdict"
)

// spot is one place in a layered drawing: a step, or a bend of an edge that
// passes a layer by.
type spot struct {
	step  int // index into the fleet's steps; -1 for a bend
	layer int
	order int // in its layer, from the left
}

// link joins two spots of neighbouring layers.
type link struct{ from, to int }

// layers is a fleet drawn from top to bottom: each step below all that it
// waits for, edges through bends, as few of them crossed as a few sweeps find.
type layers struct {
	spots []spot
	rows  [][]int // spots by layer, in order
	links []link
	paths [][]int // for each drawn edge the spots that it passes, first to last
	loops [][2]int
}

// sweeps is how often the order within the layers is improved.
const sweeps = 6

func layOutFleet(p picture) layers {
	var l layers
	forward := p.forward()
	depth := depths(len(p.fleet.Steps), forward)
	placed := map[int]bool{}
	for _, e := range p.fleet.Edges {
		from, to, ok := p.ends(e)
		if ok && e.Loop && !placed[to] && !waitsOrIsWaitedFor(forward, to) {
			depth[to] = depth[from] // a loop's repair stands beside its check
			placed[to] = true
		}
	}
	for i := range p.fleet.Steps {
		l.add(i, depth[i])
	}
	for _, e := range p.fleet.Edges {
		from, to, ok := p.ends(e)
		switch {
		case ok && e.Loop && from < to:
			l.loops = append(l.loops, [2]int{from, to})
		case ok && !e.Loop && depth[from] < depth[to]:
			l.path(from, to)
		}
	}
	for range sweeps {
		l.sweep(false)
		l.sweep(true)
	}
	return l
}

// ends are the indexes of an edge's steps.
func (p picture) ends(e verdict.Edge) (from, to int, ok bool) {
	from, known := p.number[e.From]
	to, too := p.number[e.To]
	return from, to, known && too && from != to
}

func (p picture) forward() [][2]int {
	var edges [][2]int
	for _, e := range p.fleet.Edges {
		if from, to, ok := p.ends(e); ok && !e.Loop {
			edges = append(edges, [2]int{from, to})
		}
	}
	return edges
}

func waitsOrIsWaitedFor(edges [][2]int, step int) bool {
	return slices.ContainsFunc(edges, func(e [2]int) bool { return e[0] == step || e[1] == step })
}

// depths gives each step one more than the deepest that it waits for. Steps of
// a circle, which no contract has, stay at the top.
func depths(n int, edges [][2]int) []int {
	depth, waits := make([]int, n), make([]int, n)
	after := make([][]int, n)
	for _, e := range edges {
		waits[e[1]]++
		after[e[0]] = append(after[e[0]], e[1])
	}
	var ready []int
	for i := range waits {
		if waits[i] == 0 {
			ready = append(ready, i)
		}
	}
	for len(ready) > 0 {
		at := ready[0]
		ready = ready[1:]
		for _, to := range after[at] {
			depth[to] = max(depth[to], depth[at]+1)
			if waits[to]--; waits[to] == 0 {
				ready = append(ready, to)
			}
		}
	}
	for i := range waits {
		if waits[i] > 0 {
			depth[i] = 0
		}
	}
	return depth
}

func (l *layers) add(step, layer int) int {
	for len(l.rows) <= layer {
		l.rows = append(l.rows, nil)
	}
	l.spots = append(l.spots, spot{step: step, layer: layer, order: len(l.rows[layer])})
	at := len(l.spots) - 1
	l.rows[layer] = append(l.rows[layer], at)
	return at
}

// path leads an edge down, with a bend in each layer between.
func (l *layers) path(from, to int) {
	path := []int{from}
	for layer := l.spots[from].layer + 1; layer < l.spots[to].layer; layer++ {
		path = append(path, l.add(-1, layer))
	}
	path = append(path, to)
	for i := range path[1:] {
		l.links = append(l.links, link{path[i], path[i+1]})
	}
	l.paths = append(l.paths, path)
}

// sweep orders every layer by where its spots' neighbours stand in the layer
// above, or below.
func (l *layers) sweep(up bool) {
	neighbours := make([][]int, len(l.spots))
	for _, k := range l.links {
		if up {
			neighbours[k.from] = append(neighbours[k.from], k.to)
		} else {
			neighbours[k.to] = append(neighbours[k.to], k.from)
		}
	}
	rows := slices.Clone(l.rows)
	if up {
		slices.Reverse(rows)
	}
	for _, row := range rows {
		weight := map[int]float64{}
		for _, at := range row {
			weight[at] = l.weight(at, neighbours[at])
		}
		slices.SortStableFunc(row, func(a, b int) int { return cmp.Compare(weight[a], weight[b]) })
		for i, at := range row {
			l.spots[at].order = i
		}
	}
}

// weight is the mean place of a spot's neighbours, its own where it has none,
// both as a share of their layer.
func (l *layers) weight(at int, neighbours []int) float64 {
	share := func(at int) float64 {
		return (float64(l.spots[at].order) + 0.5) / float64(len(l.rows[l.spots[at].layer]))
	}
	if len(neighbours) == 0 {
		return share(at)
	}
	sum := 0.0
	for _, n := range neighbours {
		sum += share(n)
	}
	return sum / float64(len(neighbours))
}
