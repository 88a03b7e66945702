package discover

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"
)

func TestEachPieceIsDoneOnce(t *testing.T) {
	for _, pieces := range []int{0, 1, 2, 1000} {
		done := make([]atomic.Int32, pieces)
		if err := share(t.Context(), pieces, func(i int) { done[i].Add(1) }); err != nil {
			t.Fatal(err)
		}
		for i := range done {
			if times := done[i].Load(); times != 1 {
				t.Errorf("piece %d of %d was done %d times", i, pieces, times)
			}
		}
	}
}

func TestAPanicOfAPieceIsTheCallers(t *testing.T) {
	defer func() {
		if found := recover(); found != "piece 3" {
			t.Errorf("recovered %v", found)
		}
	}()
	_ = share(t.Context(), 100, func(i int) {
		if i == 3 {
			panic("piece 3")
		}
	})
	t.Error("share returned")
}

func TestSharingEndsWithItsContext(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	var done atomic.Int32
	err := share(ctx, 100_000, func(int) {
		stop()
		done.Add(1)
	})
	if most := int32(runtime.GOMAXPROCS(0)); !errors.Is(err, context.Canceled) || done.Load() > most {
		t.Errorf("%d pieces were done, error %v", done.Load(), err)
	}
}
