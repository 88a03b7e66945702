package fleet

import (
	"fmt"
	"strings"

	"github.com/fleetgate/fleetgate/internal/value"
)

// ArgReason says which rule on arguments is broken (spec section 5, Args). It
// is the second half of a code, args-REASON, where a command line can raise it.
type ArgReason string

// The reasons, in the order in which they are looked for. TooMany can't be met
// by a parsed contract, whose schema has the same bound.
const (
	TooManyArgs        ArgReason = "too-many"
	PlaceholderPartial ArgReason = "placeholder-partial"
	MissingVariable    ArgReason = "missing-variable"
	InvalidValue       ArgReason = "invalid-value"
	ArgCount           ArgReason = "count"
	SlotValue          ArgReason = "slot-value"
)

// ArgProblem is one broken rule.
type ArgProblem struct {
	Reason  ArgReason
	Index   int // of the argument, or -1 for the list
	Message string
	Hint    string
}

// Field names the argument as findings do: args[1], or args for the list.
func (p ArgProblem) Field() string {
	if p.Index < 0 {
		return "args"
	}
	return fmt.Sprintf("args[%d]", p.Index)
}

// ResolveArgs binds variables: an argument that is one placeholder, {{name}},
// becomes the variable's value, as it is; any other stays. resolved is nil
// where there is a problem; the first is the runtime's.
func ResolveArgs(args []string, vars map[string]string) (resolved []string, problems []ArgProblem) {
	if len(args) > MaxArgs {
		message := fmt.Sprintf("%d arguments; at most %d are allowed", len(args), MaxArgs)
		return nil, []ArgProblem{{TooManyArgs, -1, message, ""}}
	}
	resolved = make([]string, len(args))
	for i, arg := range args {
		text, problem := resolveArg(arg, vars)
		if problem != nil {
			problem.Index = i
			problems = append(problems, *problem)
		}
		resolved[i] = text
	}
	if problems != nil {
		return nil, problems
	}
	return resolved, nil
}

func resolveArg(arg string, vars map[string]string) (string, *ArgProblem) {
	text := arg
	if name, whole := wholePlaceholder(arg); whole {
		bound, ok := vars[name]
		if !ok {
			return "", &ArgProblem{Reason: MissingVariable, Message: fmt.Sprintf("argument %s: variable %s has no value", quote(arg), name), Hint: "pass --var " + name + "=VALUE"}
		}
		text = bound
	} else if strings.Contains(arg, "{{") {
		return "", &ArgProblem{
			Reason:  PlaceholderPartial,
			Message: fmt.Sprintf("argument %s: a placeholder must be the whole argument, {{name}}", quote(arg)),
			Hint:    "make it an argument of its own, or take the {{ out",
		}
	}
	if units := value.UTF16Len(text); units > MaxArgUnits {
		return "", &ArgProblem{Reason: InvalidValue, Message: fmt.Sprintf("argument %s has %d UTF-16 units; at most %d are allowed", quote(arg), units, MaxArgUnits), Hint: "pass a shorter value"}
	}
	if strings.IndexByte(text, 0) >= 0 {
		return "", &ArgProblem{Reason: InvalidValue, Message: fmt.Sprintf("argument %s holds a NUL", quote(arg)), Hint: "pass a value without NUL"}
	}
	return text, nil
}

// CheckArgs holds arguments against the command's slots: as many as there are,
// each non-empty data that its slot admits. Before variables are bound
// (templates), a whole placeholder is admitted in place of data.
func (c *Command) CheckArgs(args []string, templates bool) []ArgProblem {
	if len(args) != len(c.Slots) {
		return []ArgProblem{c.countProblem(len(args))}
	}
	var problems []ArgProblem
	for i, arg := range args {
		if _, whole := wholePlaceholder(arg); whole && templates {
			continue
		}
		if fault := slotFault(arg, c.Slots[i].MaxLength); fault != "" {
			message := fmt.Sprintf("argument %s for slot %s of command %s %s", quote(arg), c.Slots[i].Name, quote(c.ID.Value), fault)
			problems = append(problems, ArgProblem{SlotValue, i, message, "a slot takes data only; what the program needs besides stands in the command's argv"})
		}
	}
	return problems
}

func (c *Command) countProblem(got int) ArgProblem {
	message := fmt.Sprintf("command %s declares %s; the step gives %s", quote(c.ID.Value), counted(len(c.Slots), "argument slot"), counted(got, "argument"))
	hint := "give one argument for each slot"
	if len(c.Slots) == 0 {
		hint = "take args out, or declare argumentSlots for the command in commands.yaml"
	}
	return ArgProblem{ArgCount, -1, message, hint}
}

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// slotFault says why a slot doesn't admit an argument, or "".
func slotFault(arg string, maxLength int) string {
	switch units := value.UTF16Len(arg); {
	case arg == "":
		return "is empty"
	case units > maxLength:
		return fmt.Sprintf("has %d UTF-16 units; at most %d are allowed", units, maxLength)
	case strings.IndexByte(arg, 0) >= 0:
		return "holds a NUL"
	case arg[0] == '-':
		return "starts with -, as an option would"
	}
	return ""
}
