package fleet

import (
	"testing"

	"github.com/fleetgate/fleetgate/internal/value"
)

// FuzzParse: no text makes it panic; there is a contract exactly when there is
// no finding; and what a contract offers can be asked of it.
func FuzzParse(f *testing.F) {
	for _, steps := range [][]string{{agentA, readB}, {codeT, loopL}, {gateG, gatedL, planP}, {"null", "7"}} {
		for version := MinVersion; version <= MaxVersion; version++ {
			f.Add([]byte(doc(version, steps...)))
		}
	}
	f.Add(benchContract(1))
	f.Add([]byte(doc(3, step("a", "b"), step("b", "a"), commitStep("c", "a", "a, zz"))))
	f.Fuzz(func(t *testing.T, text []byte) {
		c, found := Parse("demo.md", text)
		if (c == nil) != (len(found) > 0) {
			t.Fatalf("contract %v with findings %v", c != nil, brief(found))
		}
		if c == nil {
			return
		}
		value.Stringify(c.Normalized())
		for _, p := range c.Positions() {
			c.Allow(p)
			if len(c.Resolve(p.ID).Positions) == 0 {
				t.Errorf("position %q can't be claimed", p.ID)
			}
		}
		c.Resolve(c.Name.Value)
		c.Agents()
		c.Ancestors(c.Steps[0].ID.Value)
		c.Render(&Registry{}, map[string]string{"task": "x"})
	})
}

// FuzzParseCommands: no text makes it panic; there is a registry exactly when there is no finding.
func FuzzParseCommands(f *testing.F) {
	f.Add([]byte(slotted))
	f.Add([]byte(registry("{argv: [x], cwd: ../x, env: [a], argumentSlots: [{name: a, maxLength: 1}, {name: a, maxLength: 1}], timeoutMs: 1}")))
	f.Add([]byte("version: 1\ncommands: {t: null, u: {argv: []}, 7: 7}\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, found := ParseCommands("commands.yaml", text)
		if (r == nil) != (len(found) > 0) {
			t.Fatalf("registry %v with findings %v", r != nil, brief(found))
		}
		if r == nil {
			return
		}
		value.Stringify(r.Normalized())
		for _, id := range r.IDs() {
			c, _ := r.Command(id)
			c.CheckArgs([]string{"{{x}}", ""}, true)
		}
	})
}
