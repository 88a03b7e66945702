package policy

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// keyLine is a line that begins with a key, after indentation and a list mark.
var keyLine = regexp.MustCompile(`(?m)^( *(?:- )?)([A-Za-z]+):`)

// Every key of every schema is written wrong in every simple way; each must be refused by its name, at its place.
func TestEveryMisspeltKeyIsRefusedByName(t *testing.T) {
	tried := map[string]bool{}
	for _, text := range []string{editorText, plannerText, blockForm(plannerText)} {
		front, _, _ := strings.Cut(strings.TrimPrefix(text, "---\n"), "\n---\n")
		for _, at := range keyLine.FindAllStringSubmatchIndex("---\n"+front, -1) {
			key := text[at[4]:at[5]]
			tried[key] = true
			for _, wrong := range misspellings(key) {
				holdMisspelling(t, text[:at[4]]+wrong+text[at[5]:], text[:at[4]], key, wrong)
			}
		}
	}
	for _, key := range allKeys() {
		if !tried[key] {
			t.Errorf("no recipe of this test has the key %s", key)
		}
	}
}

// blockForm gives the planner's flow mappings a line for each key.
func blockForm(text string) string {
	text = strings.Replace(text, "tools: {required: [artifact, read, context], optional: []}",
		"tools:\n  required: [artifact, read, context]\n  optional: []", 1)
	return strings.Replace(text, "budget: {toolCalls: 8, readReserve: 0, synthesis: false}",
		"budget:\n  toolCalls: 8\n  readReserve: 0\n  synthesis: false", 1)
}

// allKeys lists every key of the recipe's schemas.
func allKeys() []string {
	return slices.Concat(keysOf(requiredKeys, optionalKey), keysOf(toolLists), groupKeys,
		keysOf(budgetKeys, "maximum"), keysOf(figureKeys), []string{"kind", "path", "maxSummaryBytes"})
}

// misspellings are the simple ways to get a key wrong.
func misspellings(key string) []string {
	last := len(key) - 1
	wrong := []string{
		key + "s", key[:last], key[1:], key[:1] + key, strings.ToUpper(key), strings.ToUpper(key[:1]) + key[1:] + "_",
		key[:last-1] + key[last:] + key[last-1:last], key + " ", key + "2",
	}
	return slices.DeleteFunc(wrong, func(w string) bool { return w == key })
}

func holdMisspelling(t *testing.T, text, before, key, wrong string) {
	t.Helper()
	if strings.HasSuffix(wrong, " ") {
		text = before + strconv.Quote(wrong) + text[len(before)+len(wrong):]
	}
	r, found := Parse(testPath, "editor", Project, []byte(text))
	if r != nil || len(found) == 0 {
		t.Errorf("%q for %s is accepted", wrong, key)
		return
	}
	named := false
	for _, d := range found {
		if !strings.Contains(d.Message, strconv.Quote(wrong)) {
			continue
		}
		named = true
		line := 1 + strings.Count(before, "\n")
		if d.Pos.Line != line {
			t.Errorf("%q for %s: %s is reported in line %d, and stands in %d", wrong, key, d.Code, d.Pos.Line, line)
		}
	}
	if !named {
		t.Errorf("%q for %s is not refused by name: %v", wrong, key, brief(found))
	}
}

func TestAMisspeltKeyIsOfferedTheNearestOne(t *testing.T) {
	for _, c := range []struct{ old, wrong, want string }{
		{"capabilityClass:", "capabiltyClass:", "did you mean capabilityClass? "},
		{"readReserve: 4", "readReserves: 4", "did you mean readReserve? "},
		{"  optional:", "  optionl:", "did you mean optional? "},
		{"- anyOf:", "- anyof:", "did you mean anyOf? "},
		{"maxSummaryBytes:", "maxSumaryBytes:", "did you mean maxSummaryBytes? "},
	} {
		_, found := Parse(testPath, "editor", Project, []byte(edit(t, editorText, c.old, c.wrong)))
		if len(found) == 0 || !strings.HasPrefix(found[0].Hint, c.want) {
			t.Errorf("%s: %v", c.wrong, found)
		}
	}
	_, found := Parse(testPath, "editor", Project, []byte(edit(t, editorText, "product: orientation", "model: small")))
	if diff := cmp.Diff("its keys are "+strings.Join(keysOf(requiredKeys, optionalKey), ", "), found[0].Hint); diff != "" {
		t.Errorf("where no key is near: %s", diff)
	}
}
