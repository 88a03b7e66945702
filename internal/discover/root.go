package discover

import (
	"context"
	"io/fs"
	"slices"
	"sync"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/policy"
)

// content is what one root besides the project's holds.
type content struct {
	agents []Agent
	fleets []Fleet
	found  []diag.Diagnostic
}

// Builtin gives the root of the recipes and fleets that come with the gate.
// They are the same in every Load, so they are read once for all, and from now
// on, beside whatever the caller does before it loads a policy. That no Load's
// context ends the reading is no loss: they are few.
func Builtin(fsys fs.FS, path string) Root {
	root := Root{Source: policy.Builtin, FS: fsys, Path: path}
	root.read = sync.OnceValues(func() (content, error) { return readRoot(context.Background(), root, &tally{}) })
	go func() {
		defer func() { _ = recover() }() // a Load gets the same panic
		_, _ = root.read()
	}()
	return root
}

// readRoot reads one root besides the project's. Several Loads may append to
// the findings that it gives.
func readRoot(ctx context.Context, root Root, listed *tally) (content, error) {
	r := &reader{ctx: ctx, tally: listed, fsys: root.FS, shown: root.Path, lenient: root.Source != policy.Builtin, left: MaxTotalBytes}
	agents, err := readAgents(r, root.Source)
	if err != nil {
		return content{}, err
	}
	fleets, err := readFleets(r, root.Source, nil)
	if err != nil {
		return content{}, err
	}
	for i := range agents {
		agents[i].Found = slices.Clip(agents[i].Found)
	}
	for i := range fleets {
		fleets[i].Found = slices.Clip(fleets[i].Found)
	}
	found := slices.Concat(r.found, agentFindings(agents), fleetFindings(fleets))
	return content{agents: agents, fleets: fleets, found: found}, nil
}
