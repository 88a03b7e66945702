package fleet

import "github.com/fleetgate/fleetgate/internal/diag"

// The codes of this room's findings. The refusals of the writes grammar are
// boundary's, those of the front matter strictyaml's.
const (
	codeVersion         diag.Code = "fleet-version"
	codeTooManySteps    diag.Code = "fleet-too-many-steps"
	codeWritesBefore    diag.Code = "fleet-writes-before-v4"
	codeWritersBefore   diag.Code = "fleet-writers-before-v5"
	codeKindBefore      diag.Code = "fleet-kind-before-v5"
	codeRouteBefore     diag.Code = "fleet-route-before-v5"
	codeGateWrites      diag.Code = "fleet-gate-writes"
	codeBudget          diag.Code = "fleet-budget-not-positive"
	codeEmptyBody       diag.Code = "fleet-empty-body"
	codeDuplicateID     diag.Code = "fleet-duplicate-step-id"
	codeCollision       diag.Code = "fleet-generated-id-collision"
	codeUnknownGate     diag.Code = "fleet-unknown-gate"
	codeSelfDependency  diag.Code = "fleet-self-dependency"
	codeUnknownDep      diag.Code = "fleet-unknown-dependency"
	codeCycle           diag.Code = "fleet-cycle"
	codeUnknownSource   diag.Code = "fleet-commit-unknown-source"
	codeCodeSource      diag.Code = "fleet-commit-code-source"
	codeNotAncestor     diag.Code = "fleet-commit-not-ancestor"
	codeNeedsWrites     diag.Code = "fleet-workspace-needs-writes"
	codeReadOnlyWrites  diag.Code = "fleet-readonly-with-writes"
	codeRouteBoth       diag.Code = "fleet-route-both"
	codeRosterDuplicate diag.Code = "fleet-roster-duplicate"
	codeGatePath        diag.Code = "fleet-gate-path-invalid"
	codeGatePathForm    diag.Code = "fleet-gate-path-not-normalized"

	codeInvalidYAML     diag.Code = "commands-invalid-yaml"
	codeCommandID       diag.Code = "commands-id"
	codeEmptyExecutable diag.Code = "commands-empty-executable"
	codeEnvName         diag.Code = "commands-env-name"
	codeCwdAbsolute     diag.Code = "commands-cwd-absolute"
	codeCwdEscape       diag.Code = "commands-cwd-escape"

	codeSlotsDeclaration diag.Code = "args-slots-declaration"
	codeUnknownCommand   diag.Code = "bind-unknown-command"
	codeMissingVariables diag.Code = "prompt-missing-variables"
)

// A schema's findings are named by its family: fleet-schema-type, commands-schema-type.
const (
	faultUnknownKey = "-schema-unknown-key"
	faultMissingKey = "-schema-missing-key"
	faultType       = "-schema-type"
	faultValue      = "-schema-value"
	faultRange      = "-schema-range"
)
