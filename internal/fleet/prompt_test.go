package fleet

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRenderPrompt(t *testing.T) {
	vars := map[string]string{"a": "1", "b-_9": "{{a}}", "empty": "", "1": "no", "c.d": "no"}
	for _, c := range []struct{ body, text string }{
		{"", ""},
		{"no braces", "no braces"},
		{"{{a}}{{ a }}{{\t\r\n\u2028a\uFEFF}}", "111"},
		{"{{b-_9}} is not rendered again", "{{a}} is not rendered again"},
		{"{{empty}}.", "."},
		{"{{1}} {{c.d}} {{a b}} {{}} {{ }} {{a|b}} {{#if a}}", "{{1}} {{c.d}} {{a b}} {{}} {{ }} {{a|b}} {{#if a}}"},
		{"{a} {{a} {a}} {{a", "{a} {{a} {a}} {{a"},
		{"{{{a}}} {{{{a}}}}", "{1} {{1}}"},
		{"{{a{{a}}", "{{a1"},
		{"{{\u0085a}} {{\u200Ba}}", "{{\u0085a}} {{\u200Ba}}"},
		{"$1 {{a}} $&\\{{a}}", "$1 1 $&\\1"},
	} {
		text, missing := RenderPrompt(c.body, vars)
		if text != c.text || missing != nil {
			t.Errorf("%q gives %q, missing %v; want %q", c.body, text, missing, c.text)
		}
	}
}

func TestEveryMissingVariableIsListedOnceInOrder(t *testing.T) {
	text, missing := RenderPrompt("{{z}}{{a}}{{y}}{{z}}{{ A }}", map[string]string{"a": "1"})
	if diff := cmp.Diff(lines("z", "y", "A"), missing); diff != "" || text != "" {
		t.Errorf("text %q\n%s", text, diff)
	}
}

func TestAPromptOfNothingButBracesIsReadInOnePass(t *testing.T) {
	body := strings.Repeat("{", 1<<20)
	if text, missing := RenderPrompt(body, nil); text != body || missing != nil {
		t.Error("braces alone are literal text")
	}
}

func TestRenderTellsWhereVariablesAreMissing(t *testing.T) {
	c := mustParse(t, "---\nversion: 2\nname: n\nmaxWorkers: 1\nonFailure: stop\nsteps: ["+fmt.Sprintf(withArg, "{{file}}")+"]\n---\n\n  é {{ a }}, then\n{{b}}{{a}}\n{{c}}\n")
	text, found := c.Render(mustParseCommands(t, slotted), map[string]string{"b": "x"})
	var got []string
	for _, d := range found {
		got = append(got, fmt.Sprint(d.Pos, " ", d.Code, " ", d.Message))
		for _, r := range d.Related {
			got = append(got, fmt.Sprint(r.Pos, " ", r.Message))
		}
	}
	want := lines(
		"demo.md:9:5 prompt-missing-variables the prompt needs a value for a, c",
		"demo.md:11:1 {{c}}",
		`demo.md:6:51 args-missing-variable step "t": argument "{{file}}": variable file has no value`,
	)
	if diff := cmp.Diff(want, got); diff != "" || text != nil {
		t.Errorf("text %v\n%s", text, diff)
	}
	text, found = c.Render(nil, map[string]string{"a": "1", "b": "2", "c": "3"})
	if text == nil || *text != "é 1, then\n21\n3" || found != nil {
		t.Errorf("text %v, found %v", text, brief(found))
	}
}
