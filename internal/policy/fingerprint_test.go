package policy

import (
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// displayOnly are the fields of a spec that don't change what it means (spec 3.4).
var displayOnly = map[string]func(*Spec){
	"Source":      func(s *Spec) { s.Source += "x" },
	"Name":        func(s *Spec) { s.Name += "x" },
	"Description": func(s *Spec) { s.Description += "x" },
	"Category":    func(s *Spec) { s.Category += "x" },
	"Product":     func(s *Spec) { s.Product += "x" },
	"Tags":        func(s *Spec) { s.Tags = append(slices.Clone(s.Tags), "x") },
}

// reordered are edits of order and place alone, which change nothing either.
var reordered = map[string]func(*Spec){
	"Tools":    func(s *Spec) { s.Tools = backwards(s.Tools) },
	"Optional": func(s *Spec) { s.Optional = backwards(s.Optional) },
	"Skills":   func(s *Spec) { s.Skills = backwards(s.Skills) },
	"Required": func(s *Spec) { s.Required = backwards(s.Required) },
	"AnyOf": func(s *Spec) {
		s.Required = slices.Clone(s.Required)
		for i, r := range s.Required {
			if r.AnyOf != nil {
				s.Required[i].AnyOf = backwards(r.AnyOf)
			}
		}
	},
	"a requirement's place": func(s *Spec) {
		s.Required = slices.Clone(s.Required)
		for i := range s.Required {
			s.Required[i].Pos.Line++
		}
	},
	"the contract's place": func(s *Spec) { s.ResultContract.Pos.Line++ },
}

// meaningful are edits of each field that does change what an agent is.
var meaningful = map[string][]func(*Spec){
	"ID":                 {func(s *Spec) { s.ID += "2" }},
	"Tools":              {func(s *Spec) { s.Tools = append(slices.Clone(s.Tools), "x") }},
	"Optional":           {func(s *Spec) { s.Optional = append(slices.Clone(s.Optional), "x") }},
	"Skills":             {func(s *Spec) { s.Skills = append(slices.Clone(s.Skills), "x") }},
	"Audience":           {func(s *Spec) { s.Audience += "x" }},
	"CapabilityClass":    {func(s *Spec) { s.CapabilityClass += "x" }},
	"LatencyClass":       {func(s *Spec) { s.LatencyClass += "x" }},
	"ProjectContextTier": {func(s *Spec) { s.ProjectContextTier += "x" }},
	"Required": {
		func(s *Spec) { s.Required = append(slices.Clone(s.Required), Requirement{Tool: "x"}) },
		func(s *Spec) { s.Required = append(slices.Clone(s.Required), Requirement{AnyOf: []string{"x"}}) },
		func(s *Spec) { s.Required = append(slices.Clone(s.Required), Requirement{AnyOf: []string{"x", "y"}}) },
	},
	"Budget": {
		func(s *Spec) { s.Budget.ToolCalls++ },
		func(s *Spec) { s.Budget.ReadReserve++ },
		func(s *Spec) { s.Budget.Synthesis = !s.Budget.Synthesis },
		func(s *Spec) { s.Budget.Maximum = changedMaximum(s.Budget.Maximum, 1, 0) },
		func(s *Spec) { s.Budget.Maximum = changedMaximum(s.Budget.Maximum, 0, 1) },
	},
	"ResultContract": {
		func(s *Spec) { s.ResultContract.Kind += "x" },
		func(s *Spec) { s.ResultContract.MaxSummaryBytes++ },
	},
	"Body": {
		func(s *Spec) { s.Body += "\n" },
		func(s *Spec) { s.Body = " " + s.Body },
	},
}

func backwards[T any](list []T) []T {
	list = slices.Clone(list)
	slices.Reverse(list)
	return list
}

func changedMaximum(maximum *Figures, calls, reserve float64) *Figures {
	if maximum == nil {
		return &Figures{ToolCalls: 1_000 + calls, ReadReserve: 100 + reserve}
	}
	return &Figures{ToolCalls: maximum.ToolCalls + calls, ReadReserve: maximum.ReadReserve + reserve}
}

// The property holds for the recipes of this test and for every builtin.
func TestADisplayOnlyEditKeepsAFingerprintAndAnyOtherChangesIt(t *testing.T) {
	for name, spec := range soundSpecs(t) {
		want := spec.Fingerprint()
		for field, edit := range displayOnly {
			if edited(spec, edit) != want {
				t.Errorf("%s: an edit of %s changes the fingerprint", name, field)
			}
		}
		for field, edit := range reordered {
			if edited(spec, edit) != want {
				t.Errorf("%s: another order or place of %s changes the fingerprint", name, field)
			}
		}
		seen := map[string]string{want: "no edit"}
		for field, edits := range meaningful {
			for _, edit := range edits {
				got := edited(spec, edit)
				if before, twice := seen[got]; twice {
					t.Errorf("%s: an edit of %s gives the fingerprint of %s", name, field, before)
				}
				seen[got] = field
			}
		}
	}
}

func edited(spec Spec, edit func(*Spec)) string {
	edit(&spec)
	return spec.Fingerprint()
}

// soundSpecs are the recipes of these tests, and the builtins.
func soundSpecs(t *testing.T) map[string]Spec {
	t.Helper()
	specs := map[string]Spec{"editor": mustParse(t, editorText).Spec, "planner": mustParse(t, plannerText).Spec}
	files, err := filepath.Glob("../../builtins/agents/*.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("no builtins: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		id := strings.TrimSuffix(filepath.Base(file), ".md")
		r, found := Parse(file, id, Builtin, text)
		if len(found) > 0 {
			t.Fatalf("builtin %s: %v", id, found)
		}
		specs[id] = r.Spec
	}
	return specs
}

func TestEveryFieldOfASpecIsKnownToChangeItsMeaningOrNot(t *testing.T) {
	known := slices.Concat(slices.Collect(maps.Keys(displayOnly)), slices.Collect(maps.Keys(meaningful)))
	spec := reflect.TypeFor[Spec]()
	for i := range spec.NumField() {
		if field := spec.Field(i).Name; !slices.Contains(known, field) {
			t.Errorf("nothing says whether %s changes a fingerprint", field)
		}
	}
}

func TestAPathOrAPlanIsPartOfTheMeaning(t *testing.T) {
	base := mustParse(t, plannerText)
	other := mustParse(t, edit(t, plannerText, "docs/PLAN.md", "docs/plan.md"))
	if Fingerprint(base) == Fingerprint(other) {
		t.Error("the plan's path doesn't count")
	}
}

func TestASpellingOfTheSameRecipeHasTheSameFingerprint(t *testing.T) {
	want := Fingerprint(mustParse(t, editorText))
	for name, text := range map[string]string{
		"a comment":          edit(t, editorText, "version: 1\n", "version: 1.0 # the first\n"),
		"quotes":             edit(t, editorText, "latencyClass: balanced", `latencyClass: "balanced"`),
		"a number's form":    edit(t, editorText, "toolCalls: 20", "toolCalls: 2e1"),
		"keys in some order": edit(t, edit(t, editorText, "tags: [edit, local]\n", ""), "version: 1\n", "tags: []\nversion: 1\n"),
		"line ends":          strings.ReplaceAll(strings.TrimSuffix(editorText, "You edit files, and say which.\n"), "\n", "\r\n") + "You edit files, and say which.\n",
	} {
		if got := Fingerprint(mustParse(t, text)); got != want {
			t.Errorf("%s changes the fingerprint", name)
		}
	}
}
