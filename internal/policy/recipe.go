// Package policy reads agent recipes and says what each may do: schema,
// normalized spec, capability policy, fingerprint, tool compatibility, catalog
// section and capability mismatch (spec section 3).
package policy

import "github.com/fleetgate/fleetgate/internal/diag"

// Source is where a recipe or a fleet was discovered.
type Source string

// The sources of recipes, from the lowest precedence to the highest.
const (
	Builtin Source = "builtin"
	Plugin  Source = "plugin"
	User    Source = "user"
	Project Source = "project"
)

// Custom is the source of a spec that stands for an external process; no recipe has it (spec 3.5).
const Custom Source = "custom"

// Requirement is one required entry: a tool, or any one of a group.
type Requirement struct {
	Tool  string   // set for a plain name
	AnyOf []string // set for a group, empty or not; nil for a plain name
	Pos   diag.Pos
}

// Figures are the two numbers of a budget: how many tool calls, and how many of them are kept for reading.
type Figures struct{ ToolCalls, ReadReserve float64 }

// Budget is a recipe's budget; Maximum is nil when not declared.
type Budget struct {
	Figures
	Synthesis bool
	Maximum   *Figures
}

// Recipe is one parsed recipe: its spec, and where in the file it says so. A
// recipe that Parse accepted always satisfies Normalize: its tools are those of
// its requirements.
type Recipe struct {
	Spec
	Path      string
	ToolPos   []diag.Pos          // of each of Tools
	Positions map[string]diag.Pos // of each top-level key
}

// The audiences that a recipe can declare (spec section 3).
const (
	AudienceBase     = "base"
	AudienceShadow   = "shadow"
	AudienceCustom   = "custom"
	AudienceInternal = "internal"
)

// The capability classes, by what they may do, from the least to the most (spec section 3).
const (
	ReadOnly      = "read-only"
	Verification  = "verification"
	ArtifactWrite = "artifact-write"
	WorkspaceEdit = "workspace-edit"
	Orchestration = "orchestration"
	Internal      = "internal"
)

// The closed sets of the schema, in the order in which messages list them (spec section 3).
var (
	audiences         = []string{AudienceBase, AudienceShadow, AudienceCustom, AudienceInternal}
	categories        = []string{"explore", "plan", "research", "implement", "quality", "science", "evolution", "operations", "internal"}
	capabilityClasses = []string{ReadOnly, Verification, ArtifactWrite, WorkspaceEdit, Orchestration, Internal}
	latencyClasses    = []string{"fast", "balanced", "deep"}
	contextTiers      = []string{"none", "bounded"}
	products          = []string{"orientation"}
)

// requiredKeys are the keys of a recipe, in the order in which the runtime
// misses them, each with an example of how it is written.
var requiredKeys = []keyExample{
	{"version", "version: 1"},
	{"name", "name: Helper"},
	{"description", "description: What it is for, in a sentence."},
	{"tools", "tools: {required: [read], optional: []}"},
	{"skills", "skills: []"},
	{"audience", "audience: custom"},
	{"category", "category: implement"},
	{"capabilityClass", "capabilityClass: read-only"},
	{"latencyClass", "latencyClass: balanced"},
	{"projectContextTier", "projectContextTier: none"},
	{"budget", "budget: {toolCalls: 20, readReserve: 4, synthesis: true}"},
	{"resultContract", "resultContract: {kind: scout-report}"},
	{"tags", "tags: []"},
}

// optionalKey is the one key that a recipe may leave out.
const optionalKey = "product"

// keyExample is a required key and how it may be written.
type keyExample struct{ key, example string }

// keysOf lists the keys of a table, then further ones.
func keysOf(table []keyExample, more ...string) []string {
	keys := make([]string, 0, len(table)+len(more))
	for _, entry := range table {
		keys = append(keys, entry.key)
	}
	return append(keys, more...)
}
