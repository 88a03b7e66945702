package cli

import (
	"context"
	"slices"
	"testing"
)

// What reads a work tree's policy ends at an interrupt as check does, whatever
// the size of the folder.
func TestAnInterruptEndsWhatReadsThePolicy(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	empty := []string{"--repo", t.TempDir()}
	for _, args := range [][]string{{"lint"}, {"list"}, {"list", "--catalog"}, {"show", "agent/coder"}, {"lock"}, {"result", "--agent", "coder", "cli.go"}} {
		for _, args := range [][]string{args, slices.Concat(args, empty)} {
			a, stdout, stderr := testApp(nil)
			code := a.run(ctx, a.rootFor(args), args)
			if code != ExitUndecided || stdout.Len() > 0 || stderr.String() != "fleetgate: interrupted: nothing was decided\n" {
				t.Errorf("%q: exit %d, printed %q, said %q", args, code, stdout, stderr)
			}
		}
	}
}
