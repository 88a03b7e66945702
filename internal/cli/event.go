package cli

import (
	"errors"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/fleetgate/fleetgate/internal/action"
	"github.com/fleetgate/fleetgate/internal/gate"
)

// eventFlags say which event is judged, as a runner would have it.
type eventFlags struct{ event, payload, repository string }

func (f *eventFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.event, "event", "", "judge the GitHub event `NAME`: pull_request, merge_group, push, …")
	c.Flags().StringVar(&f.payload, "payload", "", "the `FILE` with the event's JSON payload, or - for standard input")
	c.Flags().StringVar(&f.repository, "repository", "", "the `OWNER/REPO` that the event is about")
}

// readEvent gives the event that the flags name, or nil for a local run.
// explicit says that base and head were both given: then an event needs no
// row in the table, and no payload.
func (a *app) readEvent(f *eventFlags, explicit bool) (*gate.Event, error) {
	if f.repository != "" && !action.IsRepository(f.repository) {
		return nil, usagef("--repository %q is not OWNER/REPO", f.repository)
	}
	if f.event == "" {
		if f.payload != "" {
			return nil, usagef("--payload needs --event, the event's name")
		}
		return nil, nil
	}
	if f.payload == "" && explicit {
		return &gate.Event{Name: f.event}, nil
	}
	payload, err := a.readPayload(f)
	if err != nil {
		return nil, err
	}
	event, err := action.ParseEvent(f.event, payload, f.repository)
	var none *action.NoRowError
	switch {
	case errors.As(err, &none) && explicit:
		return &gate.Event{Name: f.event}, nil
	case errors.As(err, &none):
		return nil, usagef("%v with --base and --head, or run on pull_request, merge_group or push", err)
	case err != nil:
		return nil, usagef("%v", err)
	}
	e := gate.Event(event)
	return &e, nil
}

// readPayload reads the payload whole, up to one byte over its limit. Events
// whose payload says nothing that decides need none.
func (a *app) readPayload(f *eventFlags) ([]byte, error) {
	switch f.payload {
	case "":
		if f.event == "schedule" || f.event == "workflow_dispatch" {
			return []byte("{}"), nil
		}
		return nil, usagef("--event %s needs --payload FILE, or both --base and --head", f.event)
	case "-":
		return readLimited(a.stdin, "-")
	}
	file, err := os.Open(f.payload)
	if err != nil {
		return nil, usagef("--payload %s can't be read: %v", f.payload, reasonOf(err))
	}
	defer file.Close()
	return readLimited(file, f.payload)
}

func readLimited(r io.Reader, name string) ([]byte, error) {
	payload, err := io.ReadAll(io.LimitReader(r, action.MaxPayload+1))
	if err != nil {
		return nil, usagef("--payload %s can't be read: %v", name, reasonOf(err))
	}
	return payload, nil
}
