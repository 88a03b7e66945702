package discover

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/fleetgate/fleetgate/internal/diag"
)

// batch is how many files are parsed before their findings are counted: what
// a batch finds is in memory at once.
const batch = 64

// parseEach parses the files of a folder, several at a time, and gives the
// results in the files' order. found points at a result's findings, of which
// the reader's tally says how many stay. Between files it looks whether to go on.
func parseEach[T any](r *reader, files []file, parse func(file) T, found func(*T) *[]diag.Diagnostic) ([]T, error) {
	all := make([]T, 0, len(files))
	for some := range slices.Chunk(files, batch) {
		parsed := make([]T, len(some))
		if err := share(r.ctx, len(some), func(i int) { parsed[i] = parse(some[i]) }); err != nil {
			return nil, err
		}
		for i := range parsed {
			list := found(&parsed[i])
			*list = r.tally.keep(*list)
		}
		all = append(all, parsed...)
	}
	return all, nil
}

// share does pieces of work, numbered from 0, as many at a time as there are
// processors. A panic of one is the caller's.
func share(ctx context.Context, pieces int, do func(int)) error {
	var next atomic.Int64
	var crash atomic.Value
	work := func() {
		defer func() {
			if found := recover(); found != nil {
				crash.CompareAndSwap(nil, crashed{found})
			}
		}()
		for i := int(next.Add(1)) - 1; i < pieces && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
			do(i)
		}
	}
	var others sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), pieces) - 1 {
		others.Go(work)
	}
	work()
	others.Wait()
	if found, ok := crash.Load().(crashed); ok {
		panic(found.why)
	}
	return ctx.Err()
}

// crashed holds what a piece of work panicked with.
type crashed struct{ why any }
