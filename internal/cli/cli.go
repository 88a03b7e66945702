// Package cli is the command line: subcommands, flags, exit codes. It is the
// only home of the flag library and of the process's environment.
package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"sync"
	"syscall"

	"github.com/spf13/cobra"
)

// The exit codes.
const (
	ExitPassed    = 0 // passed, or the command did what it was asked
	ExitFailed    = 1 // an error was found
	ExitUsage     = 2 // the command line, the configuration or the event can't be used
	ExitUndecided = 3 // nothing was decided: something could not be read, or the gate itself broke
)

// app is one run of the command line: what the process has, and the global flags.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	getenv         func(string) string

	repo   string // --repo
	format string // --format; empty: the command's own default

	cloneLeft sync.Once // says that a clone could not be taken away
}

// Main runs one command line and gives the process's exit code. It never
// panics. An interrupt ends the run as undecided; a second one kills it.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	a := &app{stdin: stdin, stdout: stdout, stderr: stderr, getenv: os.Getenv}
	return a.run(ctx, a.rootFor(args), args)
}

func (a *app) run(ctx context.Context, root *cobra.Command, args []string) (code int) {
	defer func() {
		if crash := recover(); crash != nil {
			code = a.crashed(crash, debug.Stack())
		}
	}()
	root.SetArgs(args)
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	command, err := root.ExecuteContextC(ctx)
	return a.exit(ctx, command, err)
}

// crashed reports a defect of the gate itself. Nothing was decided by it.
func (a *app) crashed(crash any, stack []byte) int {
	fmt.Fprintf(a.stderr, "fleetgate: internal error: %s; this is a defect of fleetgate %s: please report this line, with the command, at %s/issues\n",
		plain(fmt.Sprint(crash)), toolVersion(), homepage)
	if a.getenv("FLEETGATE_DEBUG") != "" {
		_, _ = a.stderr.Write(stack)
	}
	return ExitUndecided
}
