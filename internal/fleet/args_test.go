package fleet

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func briefArgs(problems []ArgProblem) []string {
	var out []string
	for _, p := range problems {
		out = append(out, fmt.Sprint(p.Reason, " ", p.Field()))
	}
	return out
}

func TestResolveArgs(t *testing.T) {
	many := make([]string, MaxArgs+1)
	long := strings.Repeat("x", MaxArgUnits)
	for _, c := range []struct {
		name     string
		args     []string
		vars     map[string]string
		want     []string
		problems []string
	}{
		{"data stays as it is", lines("a", "}}", "{ {x}}", ""), nil, lines("a", "}}", "{ {x}}", ""), nil},
		{"a whole placeholder is replaced, white space inside allowed", lines("{{x}}", "{{\u2003x\uFEFF}}"), map[string]string{"x": "1"}, lines("1", "1"), nil},
		{"a value is not rendered again", lines("{{x}}"), map[string]string{"x": "{{y}}"}, lines("{{y}}"), nil},
		{"an empty value does", lines("{{x}}"), map[string]string{"x": ""}, lines(""), nil},
		{"every problem is told", lines("{{x}}b", "{{y}}", "ok", "a\x00", "{{z}}"), map[string]string{"z": long + "x"}, nil, lines("placeholder-partial args[0]", "missing-variable args[1]", "invalid-value args[3]", "invalid-value args[4]")},
		{"no name", lines("{{ }}", "{{1}}", "{{x}}{{x}}", "{{{x}}}", "{{\u0085x}}"), map[string]string{"x": "1"}, nil, lines("placeholder-partial args[0]", "placeholder-partial args[1]", "placeholder-partial args[2]", "placeholder-partial args[3]", "placeholder-partial args[4]")},
		{"as long as allowed", lines("{{x}}"), map[string]string{"x": long}, lines(long), nil},
		{"more than 64", many, nil, nil, lines("too-many args")},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, problems := ResolveArgs(c.args, c.vars)
			if diff := cmp.Diff(c.want, got) + cmp.Diff(c.problems, briefArgs(problems)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestCheckArgs(t *testing.T) {
	c, _ := mustParseCommands(t, registry("{argv: [x], argumentSlots: [{name: a, maxLength: 5}, {name: b, maxLength: 9}]}")).Command("t")
	for _, v := range []struct {
		name      string
		args      []string
		templates bool
		want      []string
	}{
		{"data", lines("ab-", "a b"), false, nil},
		{"units, not characters or bytes", lines("ééééé", "😀😀😀😀"), false, nil},
		{"too long", lines("😀😀😀", "aaaaaaaaaa"), false, lines("slot-value args[0]", "slot-value args[1]")},
		{"empty, NUL, an option", lines("", "a\x00"), false, lines("slot-value args[0]", "slot-value args[1]")},
		{"an option", lines("-", "--x"), false, lines("slot-value args[0]", "slot-value args[1]")},
		{"a placeholder before variables are bound, however long", lines("{{ file }}", "{{x}}"), true, nil},
		{"afterwards it is data", lines("{{ file }}", "{{x}}"), false, lines("slot-value args[0]")},
		{"a partial placeholder is data", lines("{{x}} ", "{{x}}b"), true, lines("slot-value args[0]")},
		{"too few", lines("a"), true, lines("count args")},
		{"too many", lines("a", "b", ""), false, lines("count args")},
	} {
		t.Run(v.name, func(t *testing.T) {
			if diff := cmp.Diff(v.want, briefArgs(c.CheckArgs(v.args, v.templates))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

const slotted = `version: 1
commands:
  test: {argv: [go, test], argumentSlots: [{name: file, maxLength: 5}]}
  lint: {argv: [go, vet]}
`

func TestBind(t *testing.T) {
	for _, c := range []struct {
		name  string
		vars  map[string]string
		steps []string
		want  []string
	}{
		{
			"a placeholder is admitted until variables are bound", nil,
			lines(fmt.Sprintf(withArg, "{{long-name}}")), nil,
		},
		{
			"every place is bound: steps, a loop's check, a gate's run", nil,
			lines(codeT, loopL, gateG, "{kind: code, id: u, command: Lint, scope: readonly, dependencies: []}"),
			lines(
				`4:34 args-count args step "t": command "test" declares 1 argument slot; the step gives 0 arguments`,
				`5:88 args-count args step "l.check.1": command "test" declares 1 argument slot; the step gives 0 arguments`,
				`6:67 args-count args step "g": command "test" declares 1 argument slot; the step gives 0 arguments`,
				`7:34 bind-unknown-command  step "u" runs command "Lint", which commands.yaml does not register`,
			),
		},
		{
			"an argument for a command without slots", nil,
			lines("{kind: code, id: t, command: lint, args: [x], scope: readonly, dependencies: []}"),
			lines(`4:34 args-count args step "t": command "lint" declares 0 argument slots; the step gives 1 argument`),
		},
		{
			"variables are bound first, for all places",
			map[string]string{"x": "-rf"},
			lines(
				"{kind: code, id: u, command: nothing, scope: readonly, dependencies: []}",
				fmt.Sprintf(withArg, "{{x}}"),
				"{kind: code, id: v, command: test, args: ['{{y}}'], scope: readonly, dependencies: []}",
				"{kind: code, id: w, command: test, args: ['{{y}}', x], scope: readonly, dependencies: []}",
			),
			lines(
				`6:47 args-missing-variable args[0] step "v": argument "{{y}}": variable y has no value`,
				`7:47 args-missing-variable args[0] step "w": argument "{{y}}": variable y has no value`,
				`4:34 bind-unknown-command  step "u" runs command "nothing", which commands.yaml does not register`,
				`5:47 args-slot-value args[0] step "t": argument "-rf" for slot file of command "test" starts with -, as an option would`,
				`7:34 args-count args step "w": command "test" declares 1 argument slot; the step gives 2 arguments`,
			),
		},
		{
			"no variables at all is not the same as none bound",
			map[string]string{},
			lines(fmt.Sprintf(withArg, "{{x}}")),
			lines(`4:47 args-missing-variable args[0] step "t": argument "{{x}}": variable x has no value`),
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, d := range Bind(mustParse(t, doc(5, c.steps...)), mustParseCommands(t, slotted), c.vars) {
				got = append(got, fmt.Sprintf("%d:%d %s %s %s", d.Pos.Line, d.Pos.Column, d.Code, d.Field, d.Message))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAnUnknownCommandNamesTheNearestAndTheRegistered(t *testing.T) {
	c := mustParse(t, doc(2, "{kind: code, id: t, command: tset, scope: readonly, dependencies: []}"))
	found := Bind(c, mustParseCommands(t, slotted), nil)
	want := lines(`step "t" runs command "tset", which commands.yaml does not register | did you mean test? the registered commands are lint, test`)
	if diff := cmp.Diff(want, worded(found)); diff != "" {
		t.Error(diff)
	}
}

func TestCommandIDsAreDistinctAndSortedByUTF16(t *testing.T) {
	c := mustParse(t, doc(5, codeT, gateG, loopL,
		"{kind: code, id: u, command: ～, scope: readonly, dependencies: []}",
		"{kind: code, id: v, command: 😀, scope: readonly, dependencies: []}"))
	if diff := cmp.Diff(lines("test", "😀", "～"), c.CommandIDs()); diff != "" {
		t.Error(diff)
	}
	if ids := mustParse(t, doc(5, readB)).CommandIDs(); ids != nil {
		t.Errorf("a contract without commands needs %v", ids)
	}
}
