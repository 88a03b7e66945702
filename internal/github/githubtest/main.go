//go:build ignore

// A server as a process of its own: see Serve.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/fleetgate/fleetgate/internal/github/githubtest"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(githubtest.Serve(ctx, os.Args[1:], os.Stdout, os.Stderr))
}
