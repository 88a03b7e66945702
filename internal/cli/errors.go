package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/gate"
)

// usageError is a command line that cannot be run as written. Exit 2.
type usageError struct{ message string }

// Error gives the message and the way out on one line.
func (e *usageError) Error() string { return e.message }

func usagef(format string, args ...any) error {
	return &usageError{message: fmt.Sprintf(format, args...)}
}

// exitCode ends a command with a code and without a message: its report says why.
type exitCode int

// Error is for logs only; the command line prints nothing for an exitCode.
func (c exitCode) Error() string { return fmt.Sprintf("exit code %d", int(c)) }

// exit turns the end of a command into its exit code, and an error into its line.
func (a *app) exit(ctx context.Context, command *cobra.Command, err error) int {
	var silent exitCode
	switch {
	case err == nil:
		return ExitPassed
	case errors.As(err, &silent):
		return int(silent)
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		err = errors.New("interrupted: nothing was decided")
	}
	fmt.Fprintf(a.stderr, "fleetgate: %s\n", plain(err.Error()))
	code, found := classify(err)
	if a.format == "json" {
		// The line above is the report; that this one fails too changes nothing.
		_ = writeError(a.stdout, command.Name(), plain(err.Error()), found)
	}
	return code
}

// classify tells what the caller can mend (2) from what left the run without an answer (3).
func classify(err error) (code int, found []diag.Diagnostic) {
	var usage *usageError
	if errors.As(err, &usage) {
		return ExitUsage, nil
	}
	var configuration *gate.UsageError
	if errors.As(err, &configuration) {
		return ExitUsage, configuration.Found
	}
	return ExitUndecided, nil
}

// plain makes text fit for one line of a log: names out of a repository must
// neither move a terminal's cursor nor speak to a runner, which obeys `##[`
// anywhere in a line.
func plain(text string) string {
	var b strings.Builder
	for i, r := range text {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			b.WriteByte(' ')
		case !unicode.IsPrint(r):
			fmt.Fprintf(&b, "\\u{%x}", r)
		case r == '[' && strings.HasSuffix(text[:i], "##"):
			b.WriteString(" [")
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
