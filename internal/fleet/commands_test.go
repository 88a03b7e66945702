package fleet

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/value"
)

func registry(command string) string {
	return "version: 1\ncommands:\n  t: " + command + "\n"
}

func TestParseCommandsReadsEveryKey(t *testing.T) {
	r := mustParseCommands(t, `version: 1.0
commands:
  z: {argv: [go, '" "']}
  t:
    argv: [go, test]
    argumentSlots: [{name: file, maxLength: 0x10}]
    cwd: ./a/../b/
    timeoutMs: 1e3
    env: [CI, CI]
    description: ""
  7: {argv: [x]}
`)
	want := `{"version":1,"commands":[` +
		`{"id":"7","argv":["x"],"cwd":"","timeoutMs":600000,"env":[],"description":""},` +
		`{"id":"z","argv":["go","\" \""],"cwd":"","timeoutMs":600000,"env":[],"description":""},` +
		`{"id":"t","argv":["go","test"],"argumentSlots":[{"name":"file","maxLength":16}],"cwd":"b/","timeoutMs":1000,"env":["CI","CI"],"description":""}]}`
	if diff := cmp.Diff(want, value.Stringify(r.Normalized())); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(lines("7", "t", "z"), r.IDs()); diff != "" {
		t.Error(diff)
	}
	if c, ok := r.Command("t"); !ok || c.ID.Pos.Line != 4 {
		t.Errorf("command t: %v %v", c, ok)
	}
	if _, ok := r.Command("T"); ok {
		t.Error("command T is found")
	}
}

func TestParseCommandsRefuses(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"nothing", "# empty\n", lines("commands-schema-type")},
		{"a tab", "version: 1\n\tcommands: {}\n", lines("commands-invalid-yaml")},
		{"the version", "version: 2\ncommands: {t: {argv: [x]}}\n", lines("commands-schema-value version")},
		{"no command", "version: 1\ncommands: {}\n", lines("commands-schema-range commands")},
		{"a list of commands", "version: 1\ncommands: [t]\n", lines("commands-schema-type commands")},
		{"a key of its own", "version: 1\ncommands: {t: {argv: [x]}}\ninclude: x\n", lines("commands-schema-unknown-key include")},
		{"an empty argv", registry("{argv: []}"), lines("commands-schema-range commands.t.argv")},
		{"an empty entry", registry("{argv: [x, '']}"), lines("commands-schema-range commands.t.argv[1]")},
		{"a null", registry(""), lines("commands-schema-type commands.t")},
		{
			"the whole schema before any command's rules",
			"version: 1\ncommands:\n  A: {argv: [' ']}\n  b: {argv: x}\n",
			lines("commands-schema-type commands.b.argv", "commands-id commands.A", "commands-empty-executable commands.A.argv[0]"),
		},
		{
			"command by command: id, executable, env, slots, cwd",
			"version: 1\ncommands:\n  b: {argv: [x], cwd: /x}\n  A: {cwd: '..', argumentSlots: [{name: a, maxLength: 1}, {name: a, maxLength: 1}], env: [A, b], argv: [\"\\uFEFF\"]}\n",
			lines(
				"commands-cwd-absolute commands.b.cwd",
				"commands-id commands.A",
				"commands-empty-executable commands.A.argv[0]",
				"commands-env-name commands.A.env[1]",
				"args-slots-declaration commands.A.argumentSlots",
				"commands-cwd-escape commands.A.cwd",
			),
		},
		{
			"whole-number ids come first", "version: 1\ncommands:\n  B: {argv: [x]}\n  7: {argv: [x], cwd: '..'}\n",
			lines("commands-cwd-escape commands.7.cwd", "commands-id commands.B"),
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, found := ParseCommands("commands.yaml", []byte(c.text))
			if r != nil {
				t.Error("a registry in spite of findings")
			}
			var got []string
			for _, d := range found {
				got = append(got, strings.TrimSpace(fmt.Sprint(d.Code, " ", d.Field)))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestARegistryIsBounded(t *testing.T) {
	slots := func(n int) string {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf("{name: s%d, maxLength: 1}", i))
		}
		return "{argv: [x], argumentSlots: [" + strings.Join(list, ", ") + "]}"
	}
	for _, c := range []struct {
		name, command, field string // no field: admitted
	}{
		{"64 slots", slots(MaxSlots), ""},
		{"65 slots", slots(MaxSlots + 1), "commands.t.argumentSlots"},
		{"no slot", slots(0), "commands.t.argumentSlots"},
		{"8,192 units", fmt.Sprintf("{argv: [x], argumentSlots: [{name: a, maxLength: %d}]}", MaxArgUnits), ""},
		{"8,193 units", fmt.Sprintf("{argv: [x], argumentSlots: [{name: a, maxLength: %d}]}", MaxArgUnits+1), "commands.t.argumentSlots[0].maxLength"},
		{"a name of 64", "{argv: [x], argumentSlots: [{name: " + strings.Repeat("a", MaxIDBytes) + ", maxLength: 1}]}", ""},
		{"a name of 65", "{argv: [x], argumentSlots: [{name: " + strings.Repeat("a", MaxIDBytes+1) + ", maxLength: 1}]}", "commands.t.argumentSlots[0].name"},
		{"a second", fmt.Sprintf("{argv: [x], timeoutMs: %d}", MinTimeoutMs), ""},
		{"less", fmt.Sprintf("{argv: [x], timeoutMs: %d}", MinTimeoutMs-1), "commands.t.timeoutMs"},
		{"an hour", fmt.Sprintf("{argv: [x], timeoutMs: %d}", MaxTimeoutMs), ""},
		{"more", fmt.Sprintf("{argv: [x], timeoutMs: %d}", MaxTimeoutMs+1), "commands.t.timeoutMs"},
		{"half a millisecond", "{argv: [x], timeoutMs: 1000.5}", "commands.t.timeoutMs"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, found := ParseCommands("commands.yaml", []byte(registry(c.command)))
			got := ""
			if len(found) > 0 {
				got = found[0].Field
			}
			if got != c.field {
				t.Errorf("fault at %q, want %q", got, c.field)
			}
		})
	}
}

func TestNames(t *testing.T) {
	for _, c := range []struct {
		name string
		is   func(string) bool
		good []string
		bad  []string
	}{
		{"command ids", isCommandID, lines("a", "7", "a..b", "a-", strings.Repeat("a", 64)), lines("", "A", "-a", ".a", "_a", "a b", "a\n", "é", strings.Repeat("a", 65))},
		{"slot names", isSlotName, lines("a", "A", "a_-9", strings.Repeat("a", 64)), lines("", "9", "_a", "-a", "a.b", "a\n", "é", strings.Repeat("a", 65))},
		{"environment variables", isEnvName, lines("A", "_", "A_9"), lines("", "a", "9A", "A=", "A.B", "A\n", "É", " A")},
		{"variables", isVariableName, lines("a", "_", "A-9_", "a--"), lines("", "9", "-a", "a b", "a.b", "é")},
	} {
		for _, text := range c.good {
			if !c.is(text) {
				t.Errorf("%s: %q is refused", c.name, text)
			}
		}
		for _, text := range c.bad {
			if c.is(text) {
				t.Errorf("%s: %q is admitted", c.name, text)
			}
		}
	}
}

func TestCwdIsNormalisedAsTheRuntimeDoes(t *testing.T) {
	for dir, want := range map[string]string{
		"a": "a", "a/": "a/", "a//b": "a/b", "././a": "a", "a/b/..": "a", "a/b/../": "a/",
		".": "", "a/..": "", "./": "./", "a/../": "./", "..": "..", "../": "../", "a/../../b": "../b",
		"/": "/", "//a": "/a", "/..": "/", `a\..\b`: `a\..\b`, "~": "~", " ": " ",
	} {
		if got := cleanDir(dir); got != want {
			t.Errorf("%q gives %q, want %q", dir, got, want)
		}
	}
}

func TestEveryMisspeltKeyOfTheRegistryIsRefusedByName(t *testing.T) {
	const whole = "version: 1\ncommands:\n  t:\n    argv: [go]\n    argumentSlots:\n      - name: file\n        maxLength: 3\n    cwd: a\n    timeoutMs: 1000\n    env: [CI]\n    description: d\n"
	for _, key := range lines("version", "commands", "argv", "argumentSlots", "name", "maxLength", "cwd", "timeoutMs", "env", "description") {
		if strings.Count(whole, key+":") != 1 {
			t.Fatalf("%s does not stand once in the sample", key)
		}
		_, found := ParseCommands("c.yaml", []byte(strings.Replace(whole, key+":", key+"x:", 1)))
		named := false
		for _, d := range found {
			named = named || d.Code == "commands-schema-unknown-key" && strings.HasSuffix(d.Field, key+"x") && strings.HasPrefix(d.Hint, "did you mean "+key+"? ")
		}
		if !named {
			t.Errorf("%sx: %v", key, found)
		}
	}
}
