package discover

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/policy"
)

const settings = `theme: dark
integrations:
  other: 1
  externalAgents:
    entries:
      - {id: reviewer, command: review-bot, args: [--fast, ""]}
      - {id: plain, command: plain-bot}
`

func TestExternalAgentsAreReadFromSettings(t *testing.T) {
	agents, found := ParseExternalAgents("settings.yaml", []byte(settings))
	want := []ExternalAgent{
		{ID: "reviewer", Command: "review-bot", Args: []string{"--fast", ""}, Pos: diag.Pos{File: "settings.yaml", Line: 6, Column: 9}},
		{ID: "plain", Command: "plain-bot", Pos: diag.Pos{File: "settings.yaml", Line: 7, Column: 9}},
	}
	if diff := cmp.Diff(want, agents) + cmp.Diff([]string(nil), brief(found)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestSettingsWithoutExternalAgentsAreFine(t *testing.T) {
	for _, text := range []string{"", "theme: dark\n", "integrations:\n", "integrations: {externalAgents: {}}\n", "integrations: {externalAgents: {entries: }}\n", "{}"} {
		if agents, found := ParseExternalAgents("s", []byte(text)); len(agents) > 0 || len(found) > 0 {
			t.Errorf("%q: %v %v", text, agents, brief(found))
		}
	}
}

func TestExternalAgentsAreReadStrictly(t *testing.T) {
	entry := func(text string) string { return "integrations: {externalAgents: {entries: [" + text + "]}}\n" }
	const at = "external-agent-invalid s:1:43 integrations.externalAgents.entries[0]"
	for _, c := range []struct {
		name, text, want string
	}{
		{"no YAML", "a: [", "external-agent-invalid"},
		{"settings that are a list", "[]", "external-agent-invalid s:1:1"},
		{"integrations that are a text", "integrations: x\n", "external-agent-invalid s:1:15 integrations"},
		{"entries that are a mapping", "integrations: {externalAgents: {entries: {}}}\n", "external-agent-invalid s:1:42 integrations.externalAgents.entries"},
		{"an entry that is a text", entry("x"), at},
		{"no id", entry("{command: x}"), at + ".id"},
		{"a number for an id", entry("{id: 1, command: x}"), "external-agent-invalid s:1:48 integrations.externalAgents.entries[0].id"},
		{"a blank command", entry("{id: a, command: ' '}"), "external-agent-invalid s:1:60 integrations.externalAgents.entries[0].command"},
		{"args as a text", entry("{id: a, command: x, args: y}"), "external-agent-invalid s:1:69 integrations.externalAgents.entries[0].args"},
		{"a number among args", entry("{id: a, command: x, args: [1]}"), "external-agent-invalid s:1:70 integrations.externalAgents.entries[0].args[0]"},
		{"a misspelt key", entry("{id: a, comand: x}"), "external-agent-invalid s:1:51 integrations.externalAgents.entries[0].comand"},
		{"an id twice", entry("{id: a, command: x}, {id: a, command: y}"), "external-agent-duplicate s:1:64"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, found := ParseExternalAgents("s", []byte(c.text))
			if len(found) == 0 || !strings.HasPrefix(brief(found)[0]+" ", c.want+" ") {
				t.Errorf("got %v, want %s", brief(found), c.want)
			}
		})
	}
}

func TestEveryMisspeltKeyOfAnExternalAgentIsRefusedByName(t *testing.T) {
	for _, key := range externalKeys {
		misspelt := key + "x"
		_, found := ParseExternalAgents("s", []byte("integrations: {externalAgents: {entries: [{"+misspelt+": y}]}}\n"))
		if len(found) == 0 || !strings.Contains(found[0].Message, `"`+misspelt+`"`) || !strings.Contains(found[0].Hint, key) {
			t.Errorf("%s: %v", misspelt, found)
		}
	}
}

func TestTooManyExternalAgentsAreRefused(t *testing.T) {
	list := strings.Repeat("{id: a, command: x}, ", MaxExternalAgents+1)
	_, found := ParseExternalAgents("s", []byte("integrations: {externalAgents: {entries: ["+list+"]}}\n"))
	if diff := cmp.Diff([]string{"external-agent-invalid s:1:42 integrations.externalAgents.entries"}, brief(found)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestACatalogListsRecipesAndExternalAgents(t *testing.T) {
	external, _ := ParseExternalAgents("settings.yaml", []byte(settings))
	clash := ExternalAgent{ID: "B", Command: "b"}
	set, err := Load(t.Context(), files(map[string]string{
		".clio-coder/agents/B.md":     writer1,
		".clio-coder/agents/b.md":     reader1,
		".clio-coder/agents/quiet.md": "broken",
	}), Options{External: append(external, clash)})
	if err != nil {
		t.Fatal(err)
	}
	c := NewCatalog(set)
	if diff := cmp.Diff([]string{"b", "B"}, idsOf(c.List())); diff != "" {
		t.Errorf("recipes (-want +got):\n%s", diff)
	}
	var specs []string
	for _, s := range c.ListSpecs() {
		specs = append(specs, s.ID+" "+string(s.Source))
	}
	if diff := cmp.Diff([]string{"b project", "B project", "plain custom", "reviewer custom"}, specs); diff != "" {
		t.Errorf("specs (-want +got):\n%s", diff)
	}
	if _, ok := c.Get("reviewer"); ok {
		t.Error("an external agent has no recipe")
	}
	if _, ok := c.GetSpec("quiet"); ok {
		t.Error("a quarantined recipe has no spec")
	}
	spec, ok := c.GetSpec("reviewer")
	if !ok || spec.Description != "review-bot --fast " || spec.CapabilityClass != policy.Orchestration || spec.Budget.ToolCalls != 1 || spec.ResultContract.Kind != "external-delegation" {
		t.Errorf("got %+v", spec)
	}
	if got := brief(c.Diagnostics()); !strings.HasPrefix(got[len(got)-1], "external-agent-duplicate") {
		t.Errorf("an external agent with a recipe's id is an error: %v", got)
	}
}

func idsOf(recipes []*policy.Recipe) []string {
	var ids []string
	for _, r := range recipes {
		ids = append(ids, r.ID)
	}
	return ids
}

func TestACatalogsRevisionCountsChanges(t *testing.T) {
	set := load(t, files(map[string]string{".clio-coder/agents/a.md": reader1}))
	c := NewCatalog(set)
	one := []ExternalAgent{{ID: "x", Command: "x"}}
	steps := []struct {
		name string
		do   func() []diag.Diagnostic
		want int
		bad  int
	}{
		{"external agents appear", func() []diag.Diagnostic { return c.SetExternal(one) }, 2, 0},
		{"equal ones change nothing", func() []diag.Diagnostic {
			return c.SetExternal([]ExternalAgent{{ID: "x", Command: "x", Pos: diag.Pos{Line: 9}}})
		}, 2, 0},
		{"an argument changes", func() []diag.Diagnostic {
			return c.SetExternal([]ExternalAgent{{ID: "x", Command: "x", Args: []string{"-v"}}})
		}, 3, 0},
		{"an id of a recipe is refused", func() []diag.Diagnostic { return c.SetExternal([]ExternalAgent{{ID: "a", Command: "x"}}) }, 4, 1},
		{"a rediscovery counts", func() []diag.Diagnostic { c.Rediscover(set); return nil }, 5, 0},
	}
	if c.Revision() != 1 {
		t.Errorf("a new catalog is at revision %d", c.Revision())
	}
	for _, step := range steps {
		if found := step.do(); len(found) != step.bad {
			t.Errorf("%s: findings %v", step.name, brief(found))
		}
		if c.Revision() != step.want {
			t.Errorf("%s: revision %d, want %d", step.name, c.Revision(), step.want)
		}
	}
}
