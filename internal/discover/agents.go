package discover

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/policy"
	"github.com/fleetgate/fleetgate/internal/value"
)

// Agent is one discovered recipe, valid or not.
type Agent struct {
	ID          string
	Source      policy.Source
	Path        string
	Recipe      *policy.Recipe // nil when quarantined
	Fingerprint string         // empty when quarantined
	Found       []diag.Diagnostic
	ShadowedBy  string // path of the recipe that overrides it, or why it was ignored
	Ignored     Reason // why the merge ignored it; empty where it didn't
}

// Effective says whether the recipe is the one that its id stands for.
func (a Agent) Effective() bool { return a.Recipe != nil && a.ShadowedBy == "" }

// Quarantined says whether the file is defective and therefore stands aside.
func (a Agent) Quarantined() bool { return a.Recipe == nil }

// BuiltinError says that a builtin recipe is defective. Discovery ends there:
// any other source's defect quarantines its one file (spec section 3.5).
type BuiltinError struct {
	Path  string
	Found []diag.Diagnostic // at least one
}

// Error names the file and its first defect.
func (e *BuiltinError) Error() string {
	return fmt.Sprintf("builtin recipe %s: %s", e.Path, e.Found[0].Message)
}

// isMarkdown admits the names that count as policy documents (spec section 3.5).
func isMarkdown(name string) bool { return strings.HasSuffix(name, ".md") }

// readAgents reads the recipes of one root, by file name.
func readAgents(r *reader, source policy.Source) ([]Agent, error) {
	entries, err := r.list(agentsDir)
	if err != nil {
		return nil, err
	}
	files, err := r.files(agentsDir, entries, isMarkdown)
	if err != nil {
		return nil, err
	}
	root := r.show(agentsDir)
	agents, err := parseEach(r, files, func(f file) Agent { return parseAgent(f, root, source) },
		func(a *Agent) *[]diag.Diagnostic { return &a.Found })
	if err != nil || source != policy.Builtin {
		return agents, err
	}
	if i := slices.IndexFunc(agents, Agent.Quarantined); i >= 0 {
		return nil, &BuiltinError{Path: agents[i].Path, Found: agents[i].Found}
	}
	return agents, nil
}

// parseAgent reads one recipe: its id by its place, its schema, its policy.
// A defect of any of the three quarantines it.
func parseAgent(f file, root string, source policy.Source) Agent {
	a := Agent{Source: source, Path: f.path, ID: strings.TrimSuffix(f.name, ".md")}
	id, refusal := policy.IDFromPath(root, f.path)
	if refusal != "" {
		a.Found = []diag.Diagnostic{refuseID(refusal, f)}
		return a
	}
	recipe, found := policy.Parse(f.path, id, source, f.text)
	if recipe != nil {
		found = append(found, policy.PolicyErrors(recipe)...)
	}
	a.ID, a.Found = id, found
	if recipe == nil || diag.HasError(found) {
		return a
	}
	a.Recipe, a.Fingerprint = recipe, policy.Fingerprint(recipe)
	return a
}

func refuseID(refusal diag.Code, f file) diag.Diagnostic {
	return diag.New(refusal, diag.Pos{File: f.path}, "", fmt.Sprintf("the file name %q gives no agent id", f.name)).
		WithHint("name the file ID.md, where ID doesn't begin with two dots")
}

// agentFindings lists the findings of recipes in file order.
func agentFindings(agents []Agent) []diag.Diagnostic {
	var found []diag.Diagnostic
	for _, a := range agents {
		found = append(found, a.Found...)
	}
	return found
}

// mergeAgents gives every recipe its standing, and orders them: the effective
// ones by id, then the others by id and precedence.
func mergeAgents(agents []Agent) ([]Agent, []Event) {
	var candidates []Candidate
	var at []int
	for i, a := range agents {
		if a.Quarantined() {
			continue
		}
		candidates = append(candidates, Candidate{ID: a.ID, Source: a.Source, Audience: a.Recipe.Audience})
		at = append(at, i)
	}
	fates, log := Merge(candidates)
	for i, fate := range fates {
		a := &agents[at[i]]
		switch {
		case fate.Ignored != "":
			a.Ignored, a.ShadowedBy = fate.Ignored, string(fate.Ignored)
		case fate.By != i:
			a.ShadowedBy = agents[at[fate.By]].Path
		}
	}
	slices.SortStableFunc(agents, compareAgents)
	return agents, log
}

func compareAgents(a, b Agent) int {
	if a.Effective() != b.Effective() {
		if a.Effective() {
			return -1
		}
		return 1
	}
	return value.CompareIDs(a.ID, b.ID)
}

// reservedFindings warns about recipes that the merge ignored: whoever wrote
// one believes that it is used.
func reservedFindings(agents []Agent) []diag.Diagnostic {
	var found []diag.Diagnostic
	for _, a := range agents {
		if a.Ignored == "" {
			continue
		}
		message := fmt.Sprintf("recipe %q is ignored: %s", a.ID, a.Ignored.sentence(a.Source))
		found = append(found, diag.New("recipe-reserved", diag.Pos{File: a.Path}, "", message).
			WithHint("rename the file; a recipe's id is its file name"))
	}
	return found
}
