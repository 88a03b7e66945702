package fleet

import "github.com/fleetgate/fleetgate/internal/value"

// The bounds of the command registry (spec section 5).
const (
	MaxSlots         = 64 // argument slots of one command
	MaxIDBytes       = 64 // of a command id or a slot name, which are ASCII
	MinTimeoutMs     = 1_000
	MaxTimeoutMs     = 3_600_000 // the longest timeout of a command, in milliseconds
	DefaultTimeoutMs = 600_000
)

var slotSchema = &schema{
	kind: value.Map, what: "an argument slot",
	keys: []key{
		{
			name: "name", schema: &schema{kind: value.String, form: isSlotName, shape: "a letter, then letters, digits, - or _ (at most 64)"},
			required: true, example: "the slot's name, such as name: file",
		},
		{
			name: "maxLength", schema: &schema{kind: value.Number, whole: true, min: 1, max: MaxArgUnits},
			required: true, example: "maxLength: how many UTF-16 units the argument may have",
		},
	},
}

var commandSchema = &schema{
	kind: value.Map, what: "a command",
	keys: []key{
		{name: "argv", schema: someTexts, required: true, example: "what to run, such as argv: [go, test, ./...]"},
		{name: "argumentSlots", schema: &schema{kind: value.List, min: 1, max: MaxSlots, item: slotSchema}, example: "argumentSlots: [{name: file, maxLength: 200}]"},
		{name: "cwd", schema: someText, example: "a folder of the repository, or leave cwd out for its root"},
		{name: "timeoutMs", schema: &schema{kind: value.Number, whole: true, min: MinTimeoutMs, max: MaxTimeoutMs}, example: "milliseconds, from 1000 to 3600000, or leave timeoutMs out for 600000"},
		{name: "env", schema: &schema{kind: value.List, item: anyText}, example: "the names of the variables that the command needs, such as env: [CI]"},
		{name: "description", schema: anyText, example: "one line of text, or leave description out"},
	},
}

var registrySchema = &schema{
	kind: value.Map, what: "the command registry",
	keys: []key{
		{name: "version", schema: &schema{kind: value.Number, only: true, min: 1}, required: true, example: "version: 1"},
		{
			name: "commands", schema: &schema{kind: value.Map, what: "the commands", min: 1, each: commandSchema},
			required: true, example: "commands: a mapping of ids to commands, such as commands: {test: {argv: [make, test]}}",
		},
	},
}

// isCommandID: ^[a-z0-9][a-z0-9._-]{0,63}$
func isCommandID(text string) bool {
	return len(text) <= MaxIDBytes && matches(text, lowerOrDigit, func(b byte) bool { return lowerOrDigit(b) || b == '.' || b == '_' || b == '-' })
}

// isSlotName: ^[A-Za-z][A-Za-z0-9_-]{0,63}$
func isSlotName(text string) bool {
	return len(text) <= MaxIDBytes && matches(text, letter, func(b byte) bool { return letter(b) || digit(b) || b == '_' || b == '-' })
}

// isEnvName: ^[A-Z_][A-Z0-9_]*$
func isEnvName(text string) bool {
	first := func(b byte) bool { return 'A' <= b && b <= 'Z' || b == '_' }
	return matches(text, first, func(b byte) bool { return first(b) || digit(b) })
}

// isVariableName: ^[A-Za-z_][A-Za-z0-9_-]*$
func isVariableName(text string) bool {
	first := func(b byte) bool { return letter(b) || b == '_' }
	return matches(text, first, func(b byte) bool { return first(b) || digit(b) || b == '-' })
}

// matches says whether text is one byte of first, then any number of rest.
func matches(text string, first, rest func(byte) bool) bool {
	if text == "" || !first(text[0]) {
		return false
	}
	for i := 1; i < len(text); i++ {
		if !rest(text[i]) {
			return false
		}
	}
	return true
}

func digit(b byte) bool        { return '0' <= b && b <= '9' }
func letter(b byte) bool       { return 'a' <= b|0x20 && b|0x20 <= 'z' }
func lowerOrDigit(b byte) bool { return 'a' <= b && b <= 'z' || digit(b) }
