package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/action"
	"github.com/fleetgate/fleetgate/internal/strictyaml"
	"github.com/fleetgate/fleetgate/internal/value"
)

// actionFile is action.yml, read.
func actionFile(t *testing.T) *value.Value {
	t.Helper()
	text, err := os.ReadFile("action.yml")
	if err != nil {
		t.Fatal(err)
	}
	root, found := strictyaml.Parse("action.yml", text, "config-invalid-yaml")
	if len(found) > 0 {
		t.Fatalf("action.yml: %v", found)
	}
	return root
}

// text is the text of a member; a member that isn't there fails the test.
func text(t *testing.T, v *value.Value, path ...string) string {
	t.Helper()
	for _, key := range path {
		if v = v.Get(key); v == nil {
			t.Fatalf("action.yml has no %s", strings.Join(path, "."))
		}
	}
	if v.Kind != value.String {
		t.Fatalf("action.yml: %s is no text", strings.Join(path, "."))
	}
	return v.Text
}

func keys(v *value.Value) []string {
	var names []string
	for _, m := range v.Members {
		names = append(names, m.Key)
	}
	return names
}

// onlyStep is the composite action's step.
func onlyStep(t *testing.T) *value.Value {
	t.Helper()
	runs := actionFile(t).Get("runs")
	if text(t, runs, "using") != "composite" || len(runs.Get("steps").Items) != 1 {
		t.Fatal("action.yml is no composite action of one step")
	}
	return runs.Get("steps").Items[0]
}

func TestInputsOfTheActionAreThoseOfTheCode(t *testing.T) {
	inputs := actionFile(t).Get("inputs")
	var got, want []action.InputSpec
	for _, m := range inputs.Members {
		if text(t, m.Value, "description") == "" || m.Value.Get("required").Bool {
			t.Errorf("input %s has no description, or is required", m.Key)
		}
		got = append(got, action.InputSpec{Name: m.Key, Default: text(t, m.Value, "default")})
	}
	for _, spec := range action.InputSpecs {
		want = append(want, action.InputSpec{Name: spec.Name, Default: spec.Default})
		for _, allowed := range spec.Values {
			if !strings.Contains(text(t, inputs, spec.Name, "description"), allowed) {
				t.Errorf("the description of input %s doesn't name %s", spec.Name, allowed)
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("inputs (-code +action.yml):\n%s", diff)
	}
}

func TestOutputsOfTheActionAreThoseOfTheCode(t *testing.T) {
	outputs := actionFile(t).Get("outputs")
	if diff := cmp.Diff(action.OutputNames, keys(outputs)); diff != "" {
		t.Errorf("outputs (-code +action.yml):\n%s", diff)
	}
	for _, m := range outputs.Members {
		if want := "${{ steps." + text(t, onlyStep(t), "id") + ".outputs." + m.Key + " }}"; text(t, m.Value, "value") != want || text(t, m.Value, "description") == "" {
			t.Errorf("output %s has the value %s, want %s, or has no description", m.Key, text(t, m.Value, "value"), want)
		}
	}
}

// On GitHub a composite action's script sees no INPUT_ variable that isn't
// mapped. The local runner sets them all, and so hides one that is forgotten.
func TestEveryInputIsHandedOnByTheEnvironment(t *testing.T) {
	want := map[string]string{"FLEETGATE_ACTION_REPOSITORY": "${{ github.action_repository }}"}
	for _, spec := range action.InputSpecs {
		want["INPUT_"+strings.ToUpper(spec.Name)] = "${{ inputs." + spec.Name + " }}"
	}
	got := map[string]string{}
	for _, m := range onlyStep(t).Get("env").Members {
		got[m.Key] = m.Value.Text
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("env of the step (-want +got):\n%s", diff)
	}
}

// What is interpolated into a script becomes a part of the script.
func TestNoScriptIsPutTogetherFromExpressions(t *testing.T) {
	step := onlyStep(t)
	if script := text(t, step, "run"); strings.Contains(script, "${{") {
		t.Errorf("the script is %q", script)
	}
	if shell := text(t, step, "shell"); shell != "bash" {
		t.Errorf("the shell is %s", shell)
	}
	if unwanted := slices.Index(keys(step), "uses"); unwanted >= 0 {
		t.Error("the action uses another one")
	}
}

func TestTheActionHasABranding(t *testing.T) {
	root := actionFile(t)
	for _, path := range [][]string{{"name"}, {"description"}, {"author"}, {"branding", "icon"}, {"branding", "color"}} {
		if text(t, root, path...) == "" {
			t.Errorf("%s is empty", strings.Join(path, "."))
		}
	}
}

// TestActionPage keeps the tables of docs/action.md what action.yml says; -update writes them anew.
func TestActionPage(t *testing.T) {
	path := filepath.Join("docs", "action.md")
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	root := actionFile(t)
	inputs, outputs := "| input | default | what it does |\n|---|---|---|\n", "| output | what it is |\n|---|---|\n"
	for _, m := range root.Get("inputs").Members {
		fallback := text(t, m.Value, "default")
		if fallback != "" {
			fallback = "`" + fallback + "`"
		}
		inputs += fmt.Sprintf("| `%s` | %s | %s |\n", m.Key, fallback, text(t, m.Value, "description"))
	}
	for _, m := range root.Get("outputs").Members {
		outputs += fmt.Sprintf("| `%s` | %s |\n", m.Key, text(t, m.Value, "description"))
	}
	want := replaceSection(t, replaceSection(t, string(page), "inputs", inputs), "outputs", outputs)
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, string(page)); diff != "" {
		t.Errorf("%s is not what action.yml says (-want +got; -update writes it anew):\n%s", path, diff)
	}
}

// replaceSection puts text between the comments that mark a section of a page.
func replaceSection(t *testing.T, page, name, text string) string {
	t.Helper()
	section := regexp.MustCompile(`(?s)(<!-- ` + name + ` -->\n).*?(<!-- /` + name + ` -->)`)
	if !section.MatchString(page) {
		t.Fatalf("the page has no section %s", name)
	}
	return section.ReplaceAllStringFunc(page, func(old string) string {
		marks := section.FindStringSubmatch(old)
		return marks[1] + text + marks[2]
	})
}
