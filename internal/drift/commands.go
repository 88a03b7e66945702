package drift

import (
	"fmt"
	"slices"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/discover"
	"github.com/fleetgate/fleetgate/internal/fleet"
	"github.com/fleetgate/fleetgate/internal/value"
)

// commands compares the command registries by id, in id order.
func (c *comparison) commands(base, head *discover.Set) {
	if c.registries(base, head) {
		return
	}
	pairs(registered(base), registered(head), commandID, value.CompareUTF16, c.commandOrNone)
}

// commandOrNone compares one command; either may be nil, where there is none.
func (c *comparison) commandOrNone(was, is *fleet.Command) {
	switch {
	case is == nil:
		id := commandID(was)
		c.note("drift-command", diag.Base, was.ID.Pos, "commands."+id, fmt.Sprintf("command %s is gone at head", quote(id)), "")
	case was == nil:
		id := commandID(is)
		c.note("drift-command", diag.Head, is.ID.Pos, "commands."+id, fmt.Sprintf("command %s is new: %s", quote(id), argv(is)), "")
	default:
		c.command(was, is)
	}
}

// registries notes a registry that became broken or valid; what it registers can't be compared then.
func (c *comparison) registries(base, head *discover.Set) bool {
	switch {
	case base.RegistryBroken && head.RegistryBroken:
		return true
	case head.RegistryBroken:
		c.note("drift-command", diag.Head, diag.Pos{File: head.RegistryPath}, "", "the command registry is not valid any more", "no fleet that needs a command can run")
		return true
	case base.RegistryBroken && head.Registry != nil:
		c.note("drift-command", diag.Head, diag.Pos{File: head.RegistryPath}, "", "the command registry is valid now", "")
		return true
	}
	return false
}

func commandID(c *fleet.Command) string { return c.ID.Value }

func registered(s *discover.Set) []*fleet.Command {
	if s.Registry == nil {
		return nil
	}
	return pointers(s.Registry.Commands)
}

// command says what of a command changed that changes what it runs.
func (c *comparison) command(was, is *fleet.Command) {
	var parts []string
	for _, p := range []struct {
		name string
		same bool
	}{
		{"argv", slices.Equal(was.Argv, is.Argv)},
		{"argumentSlots", slices.Equal(was.Slots, is.Slots)},
		{"cwd", was.Cwd == is.Cwd},
		{"env", slices.Equal(was.Env, is.Env)},
		{"timeoutMs", was.TimeoutMs == is.TimeoutMs},
	} {
		if !p.same {
			parts = append(parts, p.name)
		}
	}
	if len(parts) == 0 {
		return
	}
	c.note("drift-command", diag.Head, is.ID.Pos, "commands."+is.ID.Value, fmt.Sprintf("command %s changed: %s; it runs %s", quote(is.ID.Value), list(parts), argv(is)),
		"every fleet that runs it by this name runs the new one")
	c.related(was.ID.Pos, "the command at base")
}

// argv shows a command line in a message.
func argv(c *fleet.Command) string {
	words := make([]string, len(c.Argv))
	for i, word := range c.Argv {
		words[i] = quote(word)
	}
	return list(words)
}
