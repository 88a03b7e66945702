package builtins_test

import (
	"io/fs"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/fleetgate/fleetgate/builtins"
	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/policy"
)

// edit is one change of a recipe's text; ok is false where it does not apply.
type edit struct {
	name string
	do   func(text string) (edited string, ok bool)
}

// line replaces what a pattern matches in the front matter.
func line(name, pattern, by string) edit {
	expr := regexp.MustCompile("(?m)" + pattern)
	return edit{name, func(text string) (string, bool) {
		edited := expr.ReplaceAllString(text, by)
		return edited, edited != text
	}}
}

// another replaces a value by one of two, so that it always changes.
func another(name, key, one, two string) edit {
	expr := regexp.MustCompile(`(?m)^` + key + `: (.*)$`)
	return edit{name, func(text string) (string, bool) {
		by := one
		if m := expr.FindStringSubmatch(text); m == nil || m[1] == one {
			by = two
		}
		return expr.ReplaceAllLiteralString(text, key+": "+by), true
	}}
}

var displayOnly = []edit{
	line("the name", `^name: .*$`, `name: Somebody Else`),
	line("the description", `^description: .*$`, `description: Another purpose.`),
	another("the category", "category", "science", "evolution"),
	line("the tags", `^tags: \[`, `tags: [zebra, `),
	line("a product", `^(resultContract: .*)\ntags:`, "$1\nproduct: orientation\ntags:"),
	line("no product", `^product: orientation\n`, ""),
	line("the order of optional tools", `^  optional: \[(\w+), (\w+)`, `  optional: [$2, $1`),
	line("the order of a group", `\{anyOf: \[(\w+), (\w+)\]\}`, `{anyOf: [$2, $1]}`),
	line("the order of requirements", `^  required: \[read, (.*)\]$`, `  required: [$1, read]`),
	line("the order of keys", `^(audience: .*)\n(category: .*)$`, "$2\n$1"),
	line("the style of a list", `^skills: \[\]$`, "skills:\n  []"),
	line("quotes", `^latencyClass: (\w+)$`, `latencyClass: "$1"`),
	line("a number's spelling", `toolCalls: (\d+),`, `toolCalls: $1.0,`),
	line("a comment", `^version: 1$`, `version: 1 # the first`),
}

var meaningful = []edit{
	line("one more optional tool", `^  optional: \[`, `  optional: [zebra, `),
	line("one more required tool", `^  required: \[\]$`, `  required: [zebra]`),
	line("one more required tool beside others", `^  required: \[(\w|\{)`, `  required: [zebra, $1`),
	line("an optional tool that is required now", `^  required: \[(.+)\]\n  optional: \[(\w+), `, "  required: [$1, $2]\n  optional: ["),
	line("a group that is a plain tool", `\{anyOf: \[(\w+), (\w+)\]\}`, `$1, $2`),
	line("a skill", `^skills: \[\]$`, `skills: [ship]`),
	another("the audience", "audience", "base", "shadow"),
	another("the class", "capabilityClass", "internal", "orchestration"),
	another("the latency", "latencyClass", "fast", "deep"),
	another("the context", "projectContextTier", "none", "bounded"),
	line("more calls", `toolCalls: (\d+)`, `toolCalls: 1$1`),
	line("another reserve", `readReserve: \d+`, `readReserve: 1`),
	line("no synthesis", `synthesis: true`, `synthesis: false`),
	line("a maximum", `synthesis: true\}$`, `synthesis: true, maximum: {toolCalls: 999, readReserve: 99}}`),
	line("no maximum", `, maximum: \{[^}]*\}`, ``),
	line("another report", `^resultContract: .*$`, `resultContract: {kind: council-report}`),
	line("a report's bound", `\{kind: mutation-report\}`, `{kind: mutation-report, maxSummaryBytes: 100}`),
	line("a plan's path", `path: docs/plan.md`, `path: docs/other.md`),
	{"a word of the persona", func(text string) (string, bool) { return text + "And one more thing.\n", true }},
	{"white space at the end of the persona", func(text string) (string, bool) { return text + "\n", true }},
}

func TestADisplayOnlyEditKeepsAFingerprintAndAnyOtherChangesIt(t *testing.T) {
	used := map[string]bool{}
	for file, text := range recipes(t) {
		before := fingerprint(t, "builtins/agents/"+file, text)
		check := func(e edit, same bool) {
			edited, ok := e.do(text)
			if !ok {
				return
			}
			used[e.name] = true
			t.Run(file+"/"+e.name, func(t *testing.T) {
				if after := fingerprint(t, "builtins/agents/"+file, edited); (after == before) != same {
					t.Errorf("the fingerprint stays the same: %t, want %t", after == before, same)
				}
			})
		}
		for _, e := range displayOnly {
			check(e, true)
		}
		for _, e := range meaningful {
			check(e, false)
		}
		t.Run(file+"/the place", func(t *testing.T) {
			if fingerprint(t, "elsewhere/"+file, text) != before {
				t.Error("where a recipe lies must not change its fingerprint")
			}
		})
		t.Run(file+"/the id", func(t *testing.T) {
			if fingerprint(t, "builtins/agents/other.md", text) == before {
				t.Error("another id must change the fingerprint")
			}
		})
	}
	for _, e := range append(displayOnly, meaningful...) {
		if !used[e.name] {
			t.Errorf("the edit %q applied to no recipe", e.name)
		}
	}
}

func recipes(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	names, err := fs.Glob(builtins.FS, "agents/*.md")
	if err != nil || len(names) != 14 {
		t.Fatalf("%d recipes, error %v", len(names), err)
	}
	for _, name := range names {
		text, err := fs.ReadFile(builtins.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		texts[path.Base(name)] = string(text)
	}
	return texts
}

// fingerprint parses a text, whose capability need not be sound, and gives its fingerprint.
func fingerprint(t *testing.T, file, text string) string {
	t.Helper()
	id := strings.TrimSuffix(path.Base(file), ".md")
	r, found := policy.Parse(file, id, policy.Builtin, []byte(text))
	if r == nil || diag.HasError(found) {
		t.Fatalf("an edit must leave a recipe that parses: %v", found)
	}
	return policy.Fingerprint(r)
}
