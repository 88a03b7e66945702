package discover

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/strictyaml"
	"github.com/fleetgate/fleetgate/internal/value"
)

// ExternalAgent is one entry of the runtime's settings, an agent that is
// delegated to an external process (spec section 3.5).
type ExternalAgent struct {
	ID      string
	Command string
	Args    []string
	Pos     diag.Pos
}

var externalKeys = []string{"id", "command", "args"}

// ParseExternalAgents reads integrations.externalAgents.entries of a settings
// file, YAML or JSON. The rest of the settings is the runtime's own and is not
// looked at; an entry is read strictly. Entries with findings are left out.
func ParseExternalAgents(file string, text []byte) ([]ExternalAgent, []diag.Diagnostic) {
	root, found := strictyaml.Parse(file, text, "external-agent-invalid")
	if diag.HasError(found) {
		return nil, found
	}
	p := externalParser{found: found}
	var agents []ExternalAgent
	for i, item := range p.entries(root) {
		before := len(p.found)
		agent := p.agent(item, fmt.Sprintf("integrations.externalAgents.entries[%d]", i))
		if len(p.found) == before {
			agents = append(agents, agent)
		}
	}
	return distinct(agents, p.found)
}

type externalParser struct {
	found []diag.Diagnostic
}

func (p *externalParser) refuse(pos diag.Pos, field, message, hint string) {
	p.found = addFinding(p.found, diag.New("external-agent-invalid", pos, field, message).WithHint(hint))
}

// entries walks down to the list; settings without one have no external agents.
func (p *externalParser) entries(root *value.Value) []*value.Value {
	at := ""
	v := root
	for _, key := range []string{"integrations", "externalAgents", "entries"} {
		if v == nil || v.Kind == value.Null {
			return nil
		}
		if v.Kind != value.Map {
			p.refuse(v.Pos, at, fmt.Sprintf("%s must be a mapping, not %s", orSettings(at), describe(v)), "write "+key+": below it")
			return nil
		}
		at = join(at, key)
		v = v.Get(key)
	}
	if v == nil || v.Kind == value.Null {
		return nil
	}
	if v.Kind != value.List {
		p.refuse(v.Pos, at, fmt.Sprintf("%s must be a list, not %s", at, describe(v)), "write one - id: … for each agent")
		return nil
	}
	if len(v.Items) > MaxExternalAgents {
		p.refuse(v.Pos, at, fmt.Sprintf("%s has %d entries; at most %d are read", at, len(v.Items), MaxExternalAgents), "take out what isn't used")
		return nil
	}
	return v.Items
}

func orSettings(at string) string {
	if at == "" {
		return "the settings"
	}
	return at
}

func (p *externalParser) agent(item *value.Value, field string) ExternalAgent {
	if item.Kind != value.Map {
		p.refuse(item.Pos, field, fmt.Sprintf("%s must be a mapping, not %s", field, describe(item)), "give it id, command and args")
		return ExternalAgent{}
	}
	for _, m := range item.Members {
		if !slices.Contains(externalKeys, m.Key) {
			p.refuse(m.KeyPos, join(field, m.Key), fmt.Sprintf("an external agent has no key %s", quote(m.Key)),
				diag.DidYouMean(m.Key, externalKeys)+"its keys are "+strings.Join(externalKeys, ", "))
		}
	}
	return ExternalAgent{
		ID:      p.text(item, field, "id"),
		Command: p.text(item, field, "command"),
		Args:    p.args(item.Get("args"), field+".args"),
		Pos:     item.Pos,
	}
}

func (p *externalParser) text(item *value.Value, field, key string) string {
	v := item.Get(key)
	if v == nil {
		p.refuse(item.Pos, join(field, key), fmt.Sprintf("%s has no %s", field, key), "add "+key+": …")
		return ""
	}
	if v.Kind != value.String || value.IsBlank(v.Text) {
		p.refuse(v.Pos, join(field, key), fmt.Sprintf("%s.%s must be a non-blank string, not %s", field, key, describe(v)), "put a name in quotes")
		return ""
	}
	return v.Text
}

// args reads the optional list of arguments; an empty argument is fine.
func (p *externalParser) args(v *value.Value, field string) []string {
	if v == nil {
		return nil
	}
	if v.Kind != value.List {
		p.refuse(v.Pos, field, fmt.Sprintf("%s must be a list, not %s", field, describe(v)), "write args: [one, two]")
		return nil
	}
	var args []string
	for i, item := range v.Items {
		if item.Kind != value.String {
			p.refuse(item.Pos, fmt.Sprintf("%s[%d]", field, i), fmt.Sprintf("%s[%d] must be a string, not %s", field, i, describe(item)), "put it in quotes")
			continue
		}
		args = append(args, item.Text)
	}
	return args
}

// distinct refuses a second entry of one id.
func distinct(agents []ExternalAgent, found []diag.Diagnostic) ([]ExternalAgent, []diag.Diagnostic) {
	first := map[string]diag.Pos{}
	var kept []ExternalAgent
	for _, a := range agents {
		if before, twice := first[a.ID]; twice {
			found = append(found, diag.New("external-agent-duplicate", a.Pos, "", fmt.Sprintf("a second external agent has the id %s", quote(a.ID))).
				WithHint("give one of them another id").WithRelated(before, "the first"))
			continue
		}
		first[a.ID] = a.Pos
		kept = append(kept, a)
	}
	return kept, found
}

// joinExternal adds the external agents to a set; an id that equals an
// effective recipe's is an error, and the recipe keeps it (spec section 3.5).
func joinExternal(external []ExternalAgent, agents []Agent, found []diag.Diagnostic) ([]ExternalAgent, []diag.Diagnostic) {
	recipes := map[string]string{}
	for _, a := range agents {
		if a.Effective() {
			recipes[a.ID] = a.Path
		}
	}
	var kept []ExternalAgent
	for _, e := range external {
		path, taken := recipes[e.ID]
		if !taken {
			kept = append(kept, e)
			continue
		}
		found = append(found, diag.New("external-agent-duplicate", e.Pos, "", fmt.Sprintf("the external agent %s has the id of a recipe", quote(e.ID))).
			WithHint("give the external agent another id").WithRelated(diag.Pos{File: path}, "the recipe"))
	}
	return kept, found
}
