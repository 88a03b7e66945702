package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

// task is a piece of a comparison. It gives the pieces that it led to.
type task func(*history) []task

// tasks are the pieces that wait for a worker, the last first.
type tasks struct {
	mu      sync.Mutex
	changed sync.Cond
	waiting []task
	running int
	crash   any // what a piece panicked with
}

// next gives a piece, once there is one; nil when all is done, or one panicked.
func (t *tasks) next() task {
	t.mu.Lock()
	defer t.mu.Unlock()
	for len(t.waiting) == 0 && t.running > 0 {
		t.changed.Wait()
	}
	last := len(t.waiting) - 1
	if last < 0 || t.crash != nil {
		return nil
	}
	piece := t.waiting[last]
	t.waiting = t.waiting[:last]
	t.running++
	return piece
}

// done says that a piece is finished, and what it led to.
func (t *tasks) done(more []task) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.running--
	t.waiting = append(t.waiting, more...)
	t.changed.Broadcast()
}

// share lets workers carry out work, as many at a time as there are
// processors. What they find doesn't depend on who finds it.
func (c *comparison) share(ctx context.Context, work []task) {
	all := &tasks{waiting: work}
	all.changed.L = &all.mu
	defer func() {
		if all.crash != nil {
			panic(all.crash)
		}
	}()
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) - 1 {
		workers.Go(func() { c.work(ctx, all) })
	}
	c.work(ctx, all)
	workers.Wait()
}

// work is one worker's life, which begins with the first piece it gets.
func (c *comparison) work(ctx context.Context, all *tasks) {
	var h *history
	for piece := all.next(); piece != nil; piece = all.next() {
		if h == nil {
			h = c.worker(ctx)
			defer h.reader.close()
		}
		all.done(all.try(piece, h))
	}
}

// try carries out a piece. After a panic no other is begun; it is the panic of
// whoever called share.
func (t *tasks) try(piece task, h *history) (more []task) {
	defer func() {
		if found := recover(); found != nil {
			t.mu.Lock()
			defer t.mu.Unlock()
			t.crash = found
		}
	}()
	return piece(h)
}

// failures keep the error that counts of several: the newest commit's, and of
// one commit's the first in a walk over its tree. Work goes on after one, so
// that which of them is met doesn't depend on who was first; it stops at
// MaxSteps, which counts before all.
type failures struct {
	mu      sync.Mutex
	err     error
	number  int32 // of the commit
	dir     string
	stopped atomic.Bool // MaxSteps is exceeded
}

// failure gives the error that counts.
func (c *comparison) failure() error {
	if c.failed.stopped.Load() {
		return fmt.Errorf("compare the range: %w", errSteps)
	}
	return c.failed.err
}

// fail notes an error, if it is one, that was met in a directory of a commit.
func (c *comparison) fail(number int32, dir string, err error) {
	if err == nil {
		return
	}
	f := &c.failed
	f.mu.Lock()
	defer f.mu.Unlock()
	if errors.Is(err, errSteps) {
		f.stopped.Store(true)
		return
	}
	if f.err != nil && (number < f.number || number == f.number && dir >= f.dir) {
		return
	}
	f.number, f.dir = number, dir
	if number == netNumber {
		f.err = fmt.Errorf("compare %s with its merge bases: %w", c.rng.Head, err)
		return
	}
	f.err = fmt.Errorf("compare commit %s: %w", c.rng.Commits[number].ID, err)
}
