package gate

import (
	"testing"

	"github.com/fleetgate/fleetgate/internal/boundary"
	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/discover"
)

// A defect at head is the range's work where the range changed its file, or
// another one that it follows from.
func TestWhatARangeBrought(t *testing.T) {
	const contract, recipe, registry = ".clio-coder/fleets/a.md", ".clio-coder/agents/a.md", ".clio-coder/fleets/commands.yaml"
	for _, test := range []struct {
		name     string
		changed  string
		code     diag.Code
		file     string
		standing bool
		want     bool
	}{
		{name: "the file itself", changed: contract, code: "fleet-schema-type", file: contract, want: true},
		{name: "the file itself, which was broken before", changed: contract, code: "fleet-schema-type", file: contract, standing: true, want: true},
		{name: "another file", changed: recipe, code: "fleet-schema-type", file: contract},
		{name: "a file of the folder", changed: contract, code: "policy-too-many-files", file: ".clio-coder/fleets", want: true},
		{name: "a file of another folder", changed: recipe, code: "policy-too-many-files", file: ".clio-coder/fleets"},
		{name: "a command that a contract runs", changed: registry, code: "bind-unknown-command", file: contract, want: true},
		{name: "the slots of a command that a contract runs", changed: registry, code: "args-count", file: contract, want: true},
		{name: "a command that a contract ran in vain before", changed: registry, code: "args-count", file: contract, standing: true},
		{name: "no command", changed: recipe, code: "bind-unknown-command", file: contract},
		{name: "one of too many bytes", changed: recipe, code: "policy-too-large", file: contract, want: true},
		{name: "a name that isn't UTF-8", changed: ".clio-coder/fleets/\xff.md", code: "policy-unreadable", file: ".clio-coder/fleets/\ufffd.md", want: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			set := &discover.Set{RegistryPath: registry}
			r := &run{base: set, head: set, history: boundary.History{Net: []boundary.Change{{Path: test.changed}}}}
			if got := r.brought(diag.New(test.code, diag.Pos{File: test.file}, "", ""), test.standing); got != test.want {
				t.Errorf("brought is %v, want %v", got, test.want)
			}
		})
	}
}
