package policy

import (
	"regexp"
	"slices"
	"sync"
)

// Action is what a tool does to the world outside the agent (spec 3.2).
type Action string

// The classes of action.
const (
	Read     Action = "read"
	Write    Action = "write"
	Execute  Action = "execute"
	Dispatch Action = "dispatch"
	Unknown  Action = "unknown" // every tool that is not known to do one of the others
)

// The tools that the rules of capability name.
const (
	toolRead     = "read"
	toolWrite    = "write"
	toolEdit     = "edit"
	toolArtifact = "artifact"
	toolVerify   = "verify"
	toolBash     = "bash"
	toolDispatch = "dispatch"
	toolContext  = "context"
	toolAskUser  = "ask_user"
)

// actions is the table of spec 3.2, newer runtimes' tools included.
var actions = map[string]Action{
	toolRead: Read, "grep": Read, "find": Read, "ls": Read, "web_fetch": Read, "git": Read, "code_nav": Read,
	toolContext: Read, "monitor": Read, toolAskUser: Read, "credential_present": Read, "tasks": Read, "ledger": Read,
	"evidence": Read, "limitation": Read, "web_read": Read, "data": Read, "gateway": Read, "clio_docs": Read,
	"clio_library": Read, "panes": Read, "decide": Read,

	toolWrite: Write, toolEdit: Write, toolArtifact: Write,

	toolBash: Execute, toolVerify: Execute, "run_script": Execute,

	toolDispatch: Dispatch, "steer": Dispatch,
}

// maxExtensionBytes is the longest name of a plugin's tool (spec 3.2).
const maxExtensionBytes = 64

// extensionTool is the name of a plugin's tool: extension_<plugin>__<tool>, in lower case.
var extensionTool = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^extension_[a-z0-9_-]+__[a-z0-9_-]+$`) })

// ActionClass says what a tool does, Unknown where nobody knows (spec 3.2).
func ActionClass(tool string) Action {
	if class, known := actions[tool]; known {
		return class
	}
	if len(tool) <= maxExtensionBytes && extensionTool().MatchString(tool) {
		return Execute
	}
	return Unknown
}

// ClassRank orders the capability classes by what they may do: read-only,
// verification, artifact-write, workspace-edit, orchestration, internal. An
// unknown class ranks above them all.
func ClassRank(class string) int {
	if rank := slices.Index(capabilityClasses, class); rank >= 0 {
		return rank
	}
	return len(capabilityClasses)
}

// CanWrite says whether the agent can change the workspace: its class admits
// it, and some tool of it may do more than read.
func CanWrite(r *Recipe) bool {
	if readsOnly(r.CapabilityClass) {
		return false
	}
	return slices.ContainsFunc(r.Tools, func(tool string) bool { return ActionClass(tool) != Read })
}

// readsOnly says whether a class promises not to change the workspace.
func readsOnly(class string) bool { return class == ReadOnly || class == Verification }
