// Command fleetgate checks, at the pull request, that the policy of an agent
// fleet is sound and that what the fleet committed stayed inside it.
package main

import (
	"os"

	"github.com/fleetgate/fleetgate/internal/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
