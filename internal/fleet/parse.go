package fleet

import (
	"fmt"

	"github.com/fleetgate/fleetgate/internal/boundary"
	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/strictyaml"
	"github.com/fleetgate/fleetgate/internal/value"
)

// Parse reads one contract (spec section 4). The first finding is the one that
// the runtime would report; the others stand in the runtime's order of checks.
// The contract is nil exactly when there is a finding.
func Parse(path string, text []byte) (*Contract, []diag.Diagnostic) {
	front, found := strictyaml.ParseFrontMatter(path, text)
	if front.Root == nil {
		return nil, found
	}
	p := &parser{path: path, front: front, root: front.Root, findings: findings{Findings: diag.Findings{List: found}}}
	p.closing = closingLine(text, front)
	if !p.readVersion() || !p.countSteps() {
		return nil, p.List
	}
	p.refuseNewerKeys()
	p.checkSchema()
	if p.Overflowed() {
		return nil, p.List // later steps haven't been looked at
	}
	p.read()
	p.checkBudget()
	p.checkBody()
	p.checkGrammar()
	p.checkGraph()
	p.checkBoundaries()
	p.checkRoutes()
	if len(p.List) > 0 {
		return nil, p.List
	}
	return p.contract, nil
}

// parser reads one contract and collects what is wrong with it.
type parser struct {
	findings
	path     string
	front    strictyaml.FrontMatter
	closing  int // the line of the closing delimiter
	root     *value.Value
	steps    []*value.Value
	version  int
	contract *Contract
	fields   map[string]bool // fields that have a finding by name already
	faults   []stepFault     // one a step
	named    bool            // every step has a readable id
	guesses  int             // how often a nearest id was looked for
}

// closingLine is the line of the delimiter that ends the front matter.
func closingLine(text []byte, front strictyaml.FrontMatter) int {
	if above := text[:len(text)-len(front.Body)]; above[len(above)-1] == '\n' {
		return front.Line - 1
	}
	return front.Line
}

// stepFault says how far a step can still be judged after the schema.
type stepFault struct {
	any   bool // something about it is wrong, so that its boundary isn't judged
	graph bool // what is wrong touches its place in the graph
}

// addByName reports a key or value that the schema would refuse too, with the
// reason that the runtime gives for it; the schema then leaves the field alone.
func (p *parser) addByName(code diag.Code, pos diag.Pos, at path, message, hint string) {
	field := at.String()
	if p.fields[field] {
		return
	}
	if p.fields == nil {
		p.fields = map[string]bool{}
	}
	p.fields[field] = true
	p.addAt(code, pos, at, message, hint)
}

// readVersion reads the version, without which nothing else can be judged.
func (p *parser) readVersion() bool {
	const legal = "version must be the number 1, 2, 3, 4 or 5"
	at := path{{key: "version", index: -1}}
	v := p.root.Get("version")
	switch {
	case v == nil:
		p.addAt(codeVersion, p.root.Pos, at, "the contract has no version; "+legal, "add version: 4, in which every step has a write boundary")
	case v.Kind != value.Number || !value.IsInteger(v.Number) || v.Number < MinVersion || v.Number > MaxVersion:
		p.addAt(codeVersion, v.Pos, at, legal+", not "+show(v), versionHint(v))
	default:
		p.version = int(v.Number)
	}
	return p.version != 0
}

func versionHint(v *value.Value) string {
	if v.Kind == value.String && len(v.Text) == 1 && v.Text >= "1" && v.Text <= "5" {
		return "write the number without quotes"
	}
	return "write version: 4 for write boundaries, or version: 5 for gates and plans as well"
}

// countSteps refuses a contract that is larger than the gate judges.
func (p *parser) countSteps() bool {
	steps, _ := p.root.Member("steps")
	if steps.Value == nil || steps.Value.Kind != value.List {
		return true
	}
	p.steps = steps.Value.Items
	if len(p.steps) <= MaxSteps {
		return true
	}
	p.addAt(codeTooManySteps, steps.KeyPos, path{{key: "steps", index: -1}},
		fmt.Sprintf("the contract has %d steps; at most %d are judged", len(p.steps), MaxSteps), "split the contract")
	return false
}

// checkSchema holds the whole front matter against the version's schema.
func (p *parser) checkSchema() {
	p.faults = make([]stepFault, len(p.steps))
	c := checker{
		family:  "fleet",
		version: p.version,
		at:      make(path, 0, 8),
		report:  p.schemaFault,
		subject: p.subject,
	}
	c.check(p.root, contractSchema)
}

// schemaFault takes a finding of the schema and notes which step it spoils. A
// key that was refused by name spoils nothing: what it means is known.
func (p *parser) schemaFault(at path, d diag.Diagnostic) (more bool) {
	byName, unknown := p.fields[d.Field], d.Code == "fleet"+faultUnknownKey
	if len(at) > 1 && at[0].key == "steps" && !(byName && unknown) {
		fault := &p.faults[at[1].index]
		fault.any = true
		fault.graph = fault.graph || len(at) == 2 || !unknown && graphKeys[at[2].key]
	}
	return byName || p.add(d)
}

// graphKeys are the keys of a step that decide its place in the graph.
var graphKeys = map[string]bool{
	"kind": true, "id": true, "dependencies": true, "commitFrom": true, "maxAttempts": true, "check": true, "repair": true,
}

// subject names the step that a path leads into, or the contract.
func (p *parser) subject(at path) (thing string, rest path) {
	if len(at) == 0 {
		return "the contract", nil
	}
	if len(at) < 2 || at[0].key != "steps" {
		return "the contract", at
	}
	if id := p.steps[at[1].index].Get("id"); id != nil && id.Kind == value.String && id.Text != "" {
		return stepName(id.Text), at[2:]
	}
	return at[:2].String(), at[2:]
}

func stepName(id string) string { return "step " + quote(id) }

// quote shows a text of the contract in quotes, cut short.
func quote(text string) string { return boundary.Quote(diag.Clip(text)) }
