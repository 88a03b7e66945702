package fleet

import (
	"fmt"
	"slices"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/value"
)

// source is one entry of a commit step's commitFrom.
type source struct {
	commit int       // the commit step
	entry  int       // which entry of its commitFrom
	name   value.Str // as written
	step   int       // the step that it names, or -1
	waited bool      // the commit step waits for it
}

// checkCommitSources: each source exists, isn't a code step, and is an
// ancestor of the commit step. Without a sound order of the steps the last is
// left open.
func (p *parser) checkCommitSources(g graph, order []int, sound bool) {
	sources := p.commitSources()
	if sound {
		g.markWaited(order, sources)
	}
	for _, s := range sources {
		p.checkCommitSource(s, sound)
	}
}

func (p *parser) commitSources() []source {
	if p.version < commitSince {
		return nil // an unknown key
	}
	var sources []source
	for i := range p.contract.Steps {
		if p.contract.Steps[i].Kind != CodeStep {
			continue
		}
		for n, name := range p.contract.Steps[i].CommitFrom {
			step, declared := p.contract.step(name.Value)
			if !declared {
				step = -1
			}
			sources = append(sources, source{commit: i, entry: n, name: name, step: step})
		}
	}
	return sources
}

// batch is how many sources markWaited follows at once: one a bit.
const batch = 64

// markWaited finds the sources that their commit step waits for. It follows 64
// of the named steps at a time through the order, so that memory stays linear
// and 10,000 commit steps of a 10,000-step chain stay cheap.
func (g graph) markWaited(order []int, sources []source) {
	number := slices.Repeat([]int{-1}, g.size()) // the named steps, numbered in order of appearance
	of := [][]*source{}                          // who names each
	for n := range sources {
		s := &sources[n]
		if s.step < 0 {
			continue
		}
		if number[s.step] < 0 {
			number[s.step] = len(of)
			of = append(of, nil)
		}
		of[number[s.step]] = append(of[number[s.step]], s)
	}
	masks := make([]uint64, g.size())
	for from := 0; from < len(of); from += batch {
		g.spread(order, masks, number, from)
		for bit, named := range of[from:min(from+batch, len(of))] {
			for _, s := range named {
				s.waited = masks[s.commit]&(1<<bit) != 0
			}
		}
	}
}

// spread sets, for each step, the bits of the steps numbered from..from+63 that it waits for.
func (g graph) spread(order []int, masks []uint64, number []int, from int) {
	for _, i := range order {
		masks[i] = 0
		for _, d := range g.dependencies(i) {
			masks[i] |= masks[d]
			if bit := number[d] - from; bit >= 0 && bit < batch {
				masks[i] |= 1 << bit
			}
		}
	}
}

func (p *parser) checkCommitSource(s source, sound bool) {
	if s.name.Value == "" {
		return // the schema's matter
	}
	commit := stepName(p.contract.Steps[s.commit].ID.Value)
	refuse := func(code diag.Code, what, hint string) {
		p.addAt(code, s.name.Pos, stepPath(s.commit, "commitFrom").at(s.entry), fmt.Sprintf("%s: commitFrom names %s, %s", commit, quote(s.name.Value), what), hint)
	}
	switch {
	case s.step < 0 && p.named:
		refuse(codeUnknownSource, "which no step has as its id",
			p.didYouMean(s.name.Value, "possible sources", "take commitFrom out", func(j int) bool { return p.contract.Steps[j].Kind != CodeStep }))
	case s.step < 0:
		return
	case p.contract.Steps[s.step].Kind == CodeStep:
		refuse(codeCodeSource, "a code step, which writes no commit message", "name the step whose agent did the work")
	case sound && !s.waited:
		refuse(codeNotAncestor, "for which it does not wait", "add "+s.name.Value+" to its dependencies")
	}
}
