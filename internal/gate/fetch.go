package gate

import (
	"context"
	"maps"
	"slices"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

// MaxFetches bounds how often one check asks for what it lacks.
const MaxFetches = 24

// deepening is by how many commits a shallow clone is deepened, step by step.
// A history that forks further back is undecided.
var deepening = []int{50, 500, 5_000}

// Need is what a check lacks and a fetch may bring.
type Need struct {
	Branches []string       // whose tips are asked for, in the repository under judgement
	Commits  []boundary.OID // by id; what is behind them comes only where the clone isn't shallow
	Objects  []boundary.OID // trees with the trees below them, and blobs
	Deepen   int            // so many commits more behind Commits, from where the shallow clone ends

	GitDir  string // the repository to bring it to
	Origin  string // origin's address, if origin is the repository under judgement; else empty
	Shallow bool   // the clone left out a part of the history
	Partial bool   // the clone left out objects, to be fetched when needed
}

// Tips are the tips of branches of the repository under judgement; zero for
// one that doesn't exist there.
type Tips map[string]boundary.OID

// Fetch brings what a check lacks into the repository, or says that it can't.
// It gives the tips of the branches that were asked for.
type Fetch func(ctx context.Context, need Need) (Tips, error)

// fetches are those of one check. The check begins anew after each, so that
// what it finds depends on nothing but what the repository holds by then.
type fetches struct {
	fetch    Fetch
	tips     Tips
	count    int
	deepened int  // how many steps of deepening were taken
	guessed  bool // the history behind HEAD was asked for
	last     Need
}

// mends says whether to begin anew after a run that ended with err, because a
// fetch may have brought what it was for lack of.
func (f *fetches) mends(ctx context.Context, r *run, err error) bool {
	if f.fetch == nil || err == nil || f.count == MaxFetches {
		return false
	}
	need, guess, ok := f.need(ctx, r, err)
	if !ok || need.same(f.last) {
		return false
	}
	f.count, f.last = f.count+1, need
	tips, err := f.fetch(ctx, need)
	if err == nil {
		maps.Copy(f.tips, tips)
	}
	return err == nil || guess && ctx.Err() == nil
}

// need says what a fetch should bring so that a run gets past err. A guess may
// fail: what is known to be lacking is asked for after it.
func (f *fetches) need(ctx context.Context, r *run, err error) (need Need, guess, ok bool) {
	if need, ok = r.lacking(ctx, err); !ok {
		return Need{}, false, false
	}
	need.GitDir, need.Shallow, need.Partial = r.repo.GitDir(), r.repo.Shallow(), r.repo.Partial()
	if r.originIsOurs() {
		if need.Origin, err = r.repo.RemoteURL("origin"); err != nil {
			return Need{}, false, false
		}
	}
	if need.Deepen > 0 {
		if f.deepened == len(deepening) {
			return Need{}, false, false
		}
		need.Deepen = deepening[f.deepened]
		f.deepened++
		return need, false, true
	}
	if len(need.Commits) > 0 && need.Shallow && !f.guessed {
		need, guess = f.guess(r, need)
	}
	return need, guess, true
}

// guess asks for the history behind HEAD in place of commits: what a runner
// checked out is, or joins, what an event is about, so one fetch brings most
// of it.
func (f *fetches) guess(r *run, need Need) (Need, bool) {
	f.guessed = true
	head, err := r.repo.Resolve("HEAD")
	if err != nil {
		return need, false
	}
	need.Commits, need.Deepen = []boundary.OID{head}, deepening[0]
	return need, true
}

func (n Need) same(other Need) bool {
	return n.Deepen == 0 && other.Deepen == 0 && slices.Equal(n.Branches, other.Branches) &&
		slices.Equal(n.Commits, other.Commits) && slices.Equal(n.Objects, other.Objects)
}
