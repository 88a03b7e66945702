package policy

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// rewrite gives, for one key of a recipe's front matter, lines to stand in its
// place: those that keep what the recipe means, and those that change it. No
// line at all leaves the key out.
type rewrite func(r *Recipe) (keep, change []string)

// rewrites say for every key how its text may be edited (spec 3.4).
var rewrites = map[string]rewrite{
	"version":     shows("version: 1.0", "version: 0x1 # the first"),
	"name":        shows("name: Another", "name: '1'"),
	"description": shows("description: Something else.", "description: >-\n  Something else\n  on two lines."),
	"category":    shows("category: evolution", "category: operations"),
	"product":     shows("", "product: orientation"),
	"tags":        shows("tags: []", "tags: [another, one]"),

	"audience":           means("audience", AudienceBase, AudienceShadow, AudienceInternal),
	"capabilityClass":    means("capabilityClass", capabilityClasses...),
	"latencyClass":       means("latencyClass", latencyClasses...),
	"projectContextTier": means("projectContextTier", contextTiers...),
	"skills": func(*Recipe) (keep, change []string) {
		return []string{"skills: [ ]"}, []string{"skills: [a]", "skills: [a, b]"}
	},
	"tools":          rewriteTools,
	"budget":         rewriteBudget,
	"resultContract": rewriteContract,
}

func shows(lines ...string) rewrite {
	return func(*Recipe) (keep, change []string) { return lines, nil }
}

// means writes every word of a closed set but the one that the recipe has.
func means(key string, words ...string) rewrite {
	return func(r *Recipe) (keep, change []string) {
		now := map[string]string{
			"audience": r.Audience, "capabilityClass": r.CapabilityClass, "latencyClass": r.LatencyClass, "projectContextTier": r.ProjectContextTier,
		}[key]
		for _, word := range words {
			line := fmt.Sprintf("%s: %q", key, word)
			if word == now {
				keep = append(keep, line)
			} else {
				change = append(change, line)
			}
		}
		return keep, change
	}
}

func rewriteTools(r *Recipe) (keep, change []string) {
	write := func(required, optional []string) string {
		return fmt.Sprintf("tools: {required: [%s], optional: [%s]}", strings.Join(required, ", "), strings.Join(optional, ", "))
	}
	var required, swapped []string
	for _, entry := range r.Required {
		required = append(required, flow(entry.Tool, entry.AnyOf))
		swapped = append(swapped, flow(entry.Tool, backwards(entry.AnyOf)))
	}
	keep = []string{write(backwards(required), r.Optional), write(required, backwards(r.Optional)), write(swapped, r.Optional)}
	change = []string{
		write(required, append(slices.Clone(r.Optional), "another")),
		write(append(slices.Clone(required), "another"), r.Optional),
		write(append(slices.Clone(required), "{anyOf: [another]}"), r.Optional),
		write(append(slices.Clone(required), "{anyOf: [another, third]}"), r.Optional),
	}
	if last := len(r.Optional) - 1; last >= 0 {
		change = append(change, write(required, r.Optional[:last]), write(append(slices.Clone(required), r.Optional[last]), r.Optional[:last]))
	}
	if last := len(required) - 1; last >= 0 {
		change = append(change, write(required[:last], r.Optional))
	}
	return keep, change
}

func flow(tool string, anyOf []string) string {
	if len(anyOf) == 0 {
		return tool
	}
	return "{anyOf: [" + strings.Join(anyOf, ", ") + "]}"
}

func rewriteBudget(r *Recipe) (keep, change []string) {
	write := func(calls, reserve float64, synthesis bool, maximum *Figures) string {
		more := ""
		if maximum != nil {
			more = fmt.Sprintf(", maximum: {toolCalls: %v, readReserve: %v}", maximum.ToolCalls, maximum.ReadReserve)
		}
		return fmt.Sprintf("budget: {toolCalls: %v, readReserve: %v, synthesis: %v%s}", calls, reserve, synthesis, more)
	}
	b := r.Budget
	other := &Figures{ToolCalls: b.ToolCalls + 1000, ReadReserve: b.ReadReserve + 10}
	keep = []string{
		write(b.ToolCalls, b.ReadReserve, b.Synthesis, b.Maximum),
		strings.Replace(write(b.ToolCalls, b.ReadReserve, b.Synthesis, b.Maximum), ", readReserve", ".0, readReserve", 1),
	}
	change = []string{
		write(b.ToolCalls+1, b.ReadReserve, b.Synthesis, b.Maximum),
		write(b.ToolCalls, b.ReadReserve+1, b.Synthesis, b.Maximum),
		write(b.ToolCalls, b.ReadReserve, !b.Synthesis, b.Maximum),
		write(b.ToolCalls, b.ReadReserve, b.Synthesis, other),
	}
	if b.Maximum != nil {
		change = append(change, write(b.ToolCalls, b.ReadReserve, b.Synthesis, nil))
	}
	return keep, change
}

func rewriteContract(r *Recipe) (keep, change []string) {
	lines := []string{
		"resultContract: {kind: oracle-report}", "resultContract: {kind: debugger-report}",
		"resultContract: {kind: mutation-report, maxSummaryBytes: 77}", "resultContract: {kind: mutation-report, maxSummaryBytes: 78}",
		"resultContract: {kind: architect-plan, path: a.md}", "resultContract: {kind: architect-plan, path: b.md}",
	}
	own := fmt.Sprintf("resultContract: {kind: %s}", r.ResultContract.Kind)
	lines = slices.DeleteFunc(lines, func(line string) bool { return line == own })
	keep = []string{strings.Replace(own, "{kind", "{ 'kind'", 1)}
	if r.ResultContract.Path != "" {
		keep = []string{fmt.Sprintf("resultContract:\n  path: %s\n  kind: architect-plan", r.ResultContract.Path)}
	}
	return keep, lines
}

// block is the text of one key of a front matter's root, to the next one.
func block(key string) *regexp.Regexp {
	return regexp.MustCompile(`(?m)^` + key + `:.*\n(?:[ ].*\n)*`)
}

// replaceKey puts a line in a key's place, or behind version where the recipe
// doesn't have the key.
func replaceKey(t *testing.T, text, key, line string) string {
	t.Helper()
	if line != "" {
		line += "\n"
	}
	head, body, _ := strings.Cut(strings.TrimPrefix(text, "---\n"), "\n---\n")
	head += "\n"
	if at := block(key).FindStringIndex(head); at != nil {
		head = head[:at[0]] + line + head[at[1]:]
	} else if key == optionalKey {
		head += line
	} else {
		t.Fatalf("the recipe has no key %s", key)
	}
	return "---\n" + head + "---\n" + body
}

// The text decides, not what a parser made of it: every key of every builtin
// is rewritten in turn, and the whole file is read anew.
func TestAnEditOfABuiltinsTextKeepsOrChangesItsFingerprint(t *testing.T) {
	for _, key := range append(keysOf(requiredKeys), optionalKey) {
		if rewrites[key] == nil {
			t.Errorf("no edit of the key %s is known", key)
		}
	}
	files, err := filepath.Glob("../../builtins/agents/*.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("no builtins: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			rewriteAll(t, string(text))
		})
	}
}

func rewriteAll(t *testing.T, text string) {
	builtin := read(t, text)
	want := Fingerprint(builtin)
	seen := map[string]string{want: "no edit"}
	differs := func(what, text string) {
		got := Fingerprint(read(t, text))
		if before, twice := seen[got]; twice {
			t.Errorf("%s gives the fingerprint of %s", what, before)
		}
		seen[got] = what
	}
	for key, rewrite := range rewrites {
		keep, change := rewrite(builtin)
		for _, line := range keep {
			if got := Fingerprint(read(t, replaceKey(t, text, key, line))); got != want {
				t.Errorf("%q changes the fingerprint", line)
			}
		}
		for _, line := range change {
			differs(line, replaceKey(t, text, key, line))
		}
	}
	differs("a line more of the persona", text+"One more thing.\n")
	differs("a line less of the persona", text[:strings.LastIndexByte(strings.TrimSuffix(text, "\n"), '\n')+1])
	differs("a blank line before the persona", strings.Replace(text, "\n---\n", "\n---\n\n", 1))
}

func read(t *testing.T, text string) *Recipe {
	t.Helper()
	r, found := Parse("builtins/agents/x.md", "x", Builtin, []byte(text))
	if len(found) > 0 {
		t.Fatalf("the edited recipe isn't sound: %v\n%s", found, text)
	}
	return r
}
