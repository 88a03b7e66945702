package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

// A range is compared in parts of neighbouring commits, the newest first, as
// packs store what they hold. How it is parted depends on its length alone, so
// that whatever is found doesn't depend on the machine.
const (
	minPart = 8
	parts   = 4
)

// part is the commits from number from up to, not including, number to.
type part struct{ from, to int }

// partsOf parts n commits, the newest, which are the last, first. Few parts are
// best: at the beginning of each, trees have to be read anew.
func partsOf(n int) []part {
	size := max((n+parts-1)/parts, minPart)
	var all []part
	for to := n; to > 0; to -= size {
		all = append(all, part{max(to-size, 0), to})
	}
	return all
}

// run compares all parts of the range, and its ends, as many at a time as
// there are processors.
func (c *comparison) run(ctx context.Context) error {
	all := partsOf(len(c.rng.Commits))
	failed := make([]error, len(all)+1) // the last is that of the net difference
	var next atomic.Int64
	work := func() {
		h := c.worker(ctx)
		defer h.reader.close()
		for {
			i := int(next.Add(1)) - 1
			switch {
			case i < len(all):
				failed[i] = h.compare(all[i])
			case i == len(all):
				failed[i] = h.net()
			default:
				return
			}
		}
	}
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(failed)) - 1 {
		workers.Go(work)
	}
	work()
	workers.Wait()
	return firstFailure(failed)
}

// firstFailure gives the error of the first part that has one, but a limit of
// the whole range before it: where one is exceeded, it depends on chance which
// parts were read to their end.
func firstFailure(failed []error) error {
	var first error
	for _, err := range failed {
		for _, limit := range []error{errSteps, errChanges} {
			if errors.Is(err, limit) {
				return fmt.Errorf("compare the range: %w", limit)
			}
		}
		if first == nil {
			first = err
		}
	}
	return first
}

// compare compares the commits of one part, up to the first that fails.
func (h *history) compare(p part) error {
	for i := p.to - 1; i >= p.from; i-- {
		if err := h.commit(i); err != nil {
			return err
		}
	}
	return nil
}
