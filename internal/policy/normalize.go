package policy

import (
	"fmt"
	"slices"

	"github.com/fleetgate/fleetgate/internal/value"
)

// Requirements say which of its declared tools an agent needs, and which it can do without.
type Requirements struct {
	Required []Requirement
	Optional []string
}

// NormalizeReason says why declared tools and requirements don't fit together.
type NormalizeReason string

// The reasons, in the order in which Normalize looks for them (spec section 3).
const (
	InvalidToolName      NormalizeReason = "invalid-tool-name"
	MissingRequirements  NormalizeReason = "missing-requirements"
	AnyOfEmpty           NormalizeReason = "anyof-empty"
	UndeclaredTool       NormalizeReason = "undeclared-tool"
	DuplicateRequirement NormalizeReason = "duplicate-requirement"
	UnreferencedTool     NormalizeReason = "unreferenced-tool"
)

// NormalizeError refuses declared tools and requirements that don't fit together.
type NormalizeError struct {
	ID     string
	Reason NormalizeReason
	Field  string // tools, toolRequirements, or the path of an empty group
	Tool   string // the tool concerned, where it is one
}

// Error names the agent, the field and the reason.
func (e *NormalizeError) Error() string {
	text := fmt.Sprintf("agent %q: %s: %s", e.ID, e.Field, e.Reason)
	if e.Tool != "" {
		text += fmt.Sprintf(" %q", e.Tool)
	}
	return text
}

// Normalize holds an agent's declared tools against its requirements, and
// gives the tools, each once, in declared order (spec section 3). requirements
// is nil where there are none. The error is a *NormalizeError.
func Normalize(id string, declared []string, requirements *Requirements) ([]string, error) {
	refuse := func(reason NormalizeReason, field, tool string) error {
		return &NormalizeError{ID: id, Reason: reason, Field: field, Tool: tool}
	}
	if slices.ContainsFunc(declared, value.IsBlank) {
		return nil, refuse(InvalidToolName, "tools", "")
	}
	tools := unique(declared)
	if requirements == nil {
		return nil, refuse(MissingRequirements, "toolRequirements", "")
	}
	var named []string
	for i, required := range requirements.Required {
		if required.AnyOf != nil && len(required.AnyOf) == 0 {
			return nil, refuse(AnyOfEmpty, requiredField(i)+".anyOf", "")
		}
		named = append(named, required.Names()...)
	}
	named = append(named, requirements.Optional...)
	for _, tool := range named {
		if !slices.Contains(tools, tool) {
			return nil, refuse(UndeclaredTool, "toolRequirements", tool)
		}
	}
	once := unique(named)
	if len(once) < len(named) {
		return nil, refuse(DuplicateRequirement, "toolRequirements", "")
	}
	if len(once) < len(tools) {
		return nil, refuse(UnreferencedTool, "tools", "")
	}
	return tools, nil
}

// unique keeps the first of equal texts.
func unique(list []string) []string {
	seen := make(map[string]bool, len(list))
	kept := make([]string, 0, len(list))
	for _, text := range list {
		if !seen[text] {
			seen[text] = true
			kept = append(kept, text)
		}
	}
	return kept
}
