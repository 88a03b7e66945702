package policy

import (
	"fmt"
	"slices"

	"github.com/fleetgate/fleetgate/internal/diag"
)

// PolicyErrors lists every rule of the capability policy that the recipe
// breaks, in the runtime's order (spec 3.3).
func PolicyErrors(r *Recipe) []diag.Diagnostic {
	c := capability{recipe: r}
	c.needs()
	switch r.CapabilityClass {
	case ReadOnly:
		c.readOnly()
	case ArtifactWrite:
		c.eachTool(c.artifactWrite)
	case Verification:
		c.eachTool(c.verification)
	}
	c.forbidden()
	return c.found.List
}

// capability collects what one recipe's tools break.
type capability struct {
	recipe *Recipe
	found  diag.Findings
}

// needs are the rules of what an agent must require (rules 1 to 5).
func (c *capability) needs() {
	r := c.recipe
	if r.CapabilityClass == WorkspaceEdit && !(c.requires(toolRead) && c.requires(toolWrite, toolEdit)) {
		c.refuse("capability-workspace-edit-requires", "tools", "tools.required", "must require read, and write or edit",
			"write required: [read, {anyOf: [write, edit]}], or choose another class")
	}
	if r.CapabilityClass == Verification && !c.requires(toolVerify) {
		c.refuse("capability-verification-requires-verify", "tools", "tools.required", "must require verify", "add verify to tools.required, as a plain name")
	}
	if r.CapabilityClass == ArtifactWrite && !c.requires(toolArtifact) {
		c.refuse("capability-artifact-requires-artifact", "tools", "tools.required", "must require artifact", "add artifact to tools.required, as a plain name")
	}
	if len(r.Skills) > 0 && !c.requires(toolContext) {
		c.refuse("capability-skills-require-context", "skills", "tools.required", "has skills and must require context", "add context to tools.required, as a plain name")
	}
	if r.CapabilityClass == Orchestration && slices.Contains(r.Tools, toolDispatch) && !c.requires(toolDispatch) {
		c.refuseTool("capability-orchestration-dispatch-optional", toolDispatch, "lists dispatch and must require it", "move dispatch to tools.required, as a plain name")
	}
}

// requires says whether some required entry can be satisfied by nothing but the given tools.
func (c *capability) requires(tools ...string) bool {
	return slices.ContainsFunc(c.recipe.Required, func(entry Requirement) bool {
		return !slices.ContainsFunc(entry.Names(), func(name string) bool { return !slices.Contains(tools, name) })
	})
}

// readOnly refuses each class of action but read once, at the first tool that has it (rule 6).
func (c *capability) readOnly() {
	reported := map[Action]bool{Read: true}
	c.eachTool(func(tool string, action Action) {
		if reported[action] {
			return
		}
		reported[action] = true
		c.refuseTool("capability-read-only-action", tool,
			fmt.Sprintf("may not list %q: %s", diag.Clip(tool), actionText(action)), "remove the tool, or choose the class that the agent really has")
	})
}

// artifactWrite is rule 7, for one tool.
func (c *capability) artifactWrite(tool string, action Action) {
	switch {
	case action == Execute || action == Dispatch:
		c.refuseTool("capability-artifact-action", tool,
			fmt.Sprintf("may not list %q: %s", diag.Clip(tool), actionText(action)), "remove the tool, or choose the class that the agent really has")
	case action == Write && tool != toolArtifact:
		c.refuseTool("capability-artifact-write-tool", tool,
			fmt.Sprintf("may not list %q: artifact is the only tool that it may write with", tool), "remove the tool, or make the class workspace-edit")
	}
}

// verification is rule 8, for one tool.
func (c *capability) verification(tool string, action Action) {
	switch {
	case action == Write || action == Dispatch:
		c.refuseTool("capability-verification-action", tool,
			fmt.Sprintf("may not list %q: %s", tool, actionText(action)), "remove the tool, or choose the class that the agent really has")
	case tool == toolBash:
		c.refuseTool("capability-verification-bash", tool, "may not list bash: a shell can write anywhere", "remove bash; verify runs the registered checks")
	}
}

// forbidden are the rules about tools that no class, or one class alone, may list (rules 9 to 11).
func (c *capability) forbidden() {
	r := c.recipe
	if r.CapabilityClass != Orchestration && slices.Contains(r.Tools, toolDispatch) {
		c.refuseTool("capability-dispatch-without-orchestration", toolDispatch, "may not list dispatch: only an orchestration agent may",
			"remove dispatch, or make the class orchestration")
	}
	if slices.Contains(r.Tools, toolAskUser) {
		c.refuseTool("capability-ask-user", toolAskUser, "may not list ask_user: only the session itself may ask the user", "remove ask_user")
	}
	if len(r.Skills) > 0 && !slices.Contains(r.Tools, toolContext) {
		c.refuse("capability-skills-without-context", "skills", "tools", "has skills and does not list context", "add context to tools.required, as a plain name")
	}
}

func (c *capability) eachTool(look func(tool string, action Action)) {
	for _, tool := range c.recipe.Tools {
		look(tool, ActionClass(tool))
	}
}

// refuseTool adds a finding at the place where a tool is named.
func (c *capability) refuseTool(code diag.Code, tool, says, hint string) {
	i := slices.Index(c.recipe.Tools, tool)
	pos := c.recipe.Positions["tools"]
	if i >= 0 && i < len(c.recipe.ToolPos) {
		pos = c.recipe.ToolPos[i]
	}
	c.add(code, pos, "tools", says, hint)
}

// refuse adds a finding at a top-level key.
func (c *capability) refuse(code diag.Code, key, field, says, hint string) {
	c.add(code, c.recipe.Positions[key], field, says, hint)
}

func (c *capability) add(code diag.Code, pos diag.Pos, field, says, hint string) {
	message := fmt.Sprintf("agent %q of class %s %s", diag.Clip(c.recipe.ID), c.recipe.CapabilityClass, says)
	c.found.Add(diag.New(code, pos, field, message).WithHint(hint))
}

// actionText says in a message what a tool of an action class does.
func actionText(action Action) string {
	switch action {
	case Write:
		return "it writes"
	case Execute:
		return "it executes commands"
	case Dispatch:
		return "it dispatches other agents"
	}
	return "nobody knows that it only reads"
}
