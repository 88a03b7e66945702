// Command fleetgate checks, at the pull request, that the policy of an agent
// fleet is sound and that what the fleet committed stayed inside it.
package main

import (
	"os"
	"runtime/debug"

	"github.com/fleetgate/fleetgate/internal/cli"
)

// A run is short and drops most of what it allocates at once, so the garbage
// collector is let run half as often, unless GOGC says otherwise.
const (
	gcPercent = 200
	gcDefault = 100 // what Go sets by itself
)

func main() {
	if set := debug.SetGCPercent(gcPercent); set != gcDefault {
		debug.SetGCPercent(set)
	}
	os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
