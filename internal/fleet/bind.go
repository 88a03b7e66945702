package fleet

import (
	"fmt"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/value"
)

// CommandUse is one place where a contract runs a registered command: a code
// step, a loop's check by a command (its id is <loop>.check.1), or a gate's
// run, which has no arguments.
type CommandUse struct {
	Step    string
	Command value.Str
	Args    []value.Str
}

// CodeSteps lists the places of a contract that run a command, in step order
// (spec section 4, Commands).
func (c *Contract) CodeSteps() []CommandUse {
	var uses []CommandUse
	for i := range c.Steps {
		step := &c.Steps[i]
		switch {
		case step.Kind == CodeStep:
			uses = append(uses, CommandUse{step.ID.Value, step.Command, step.Args})
		case step.Kind == LoopStep && step.Check.Kind == CodeStep:
			uses = append(uses, CommandUse{attemptID(step.ID.Value, CheckPart, 1), step.Check.Command, step.Check.Args})
		case step.Kind == GateStep:
			uses = append(uses, CommandUse{step.ID.Value, step.Run, nil})
		}
	}
	return uses
}

// CommandIDs lists the ids that the contract binds to, distinct, sorted by UTF-16 units.
func (c *Contract) CommandIDs() []string {
	seen := map[string]bool{}
	var ids []string
	for _, use := range c.CodeSteps() {
		if !seen[use.Command.Value] {
			seen[use.Command.Value] = true
			ids = append(ids, use.Command.Value)
		}
	}
	value.SortUTF16(ids)
	return ids
}

// Bind holds every place that runs a command against the registry (spec
// section 5). A contract that needs commands where there is no registry is a
// state of its own: see CommandIDs. vars, if not nil, binds the arguments'
// placeholders first, for all places before any command is looked up.
func Bind(c *Contract, registry *Registry, vars map[string]string) []diag.Diagnostic {
	b := binder{registry: registry, ids: registry.IDs()}
	uses := c.CodeSteps()
	args := make([][]string, len(uses))
	for i, use := range uses {
		args[i] = plain(use.Args)
		if vars != nil {
			args[i] = b.resolve(use, vars)
		}
	}
	for i, use := range uses {
		b.bind(use, args[i], vars == nil)
	}
	return b.List
}

type binder struct {
	findings
	registry *Registry
	ids      []string // registered, sorted
	guesses  int
}

// resolve binds a place's variables; nil where that fails.
func (b *binder) resolve(use CommandUse, vars map[string]string) []string {
	resolved, problems := ResolveArgs(plain(use.Args), vars)
	b.report(use, problems)
	return resolved
}

// bind looks the command up and holds its arguments against its slots. Where
// the arguments could not be resolved, only their number is.
func (b *binder) bind(use CommandUse, args []string, templates bool) {
	command, registered := b.registry.Command(use.Command.Value)
	if !registered {
		b.unknown(use)
		return
	}
	if args == nil && len(use.Args) == len(command.Slots) {
		return
	}
	if args == nil {
		args = plain(use.Args)
	}
	b.report(use, command.CheckArgs(args, templates))
}

func (b *binder) unknown(use CommandUse) {
	hint := "the registered commands are " + listed(b.ids)
	if b.guesses++; b.guesses <= maxGuesses {
		hint = diag.DidYouMean(use.Command.Value, b.ids[:min(len(b.ids), maxCandidates)]) + hint
	}
	d := diag.New(codeUnknownCommand, use.Command.Pos, "",
		fmt.Sprintf("%s runs command %s, which %s does not register", stepName(use.Step), quote(use.Command.Value), b.registry.Path))
	b.add(d.WithHint(hint))
}

func (b *binder) report(use CommandUse, problems []ArgProblem) {
	for _, problem := range problems {
		pos := use.Command.Pos
		if problem.Index >= 0 {
			pos = use.Args[problem.Index].Pos
		}
		d := diag.New(diag.Code("args-"+problem.Reason), pos, problem.Field(), stepName(use.Step)+": "+problem.Message)
		b.add(d.WithHint(problem.Hint))
	}
}
