package main

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/fleet"
	"github.com/fleetgate/fleetgate/internal/policy"
)

const upstreamDir = "../shared/upstream"

// Every policy file that the reference ships or tests with gets the verdict
// that is recorded of its text; a file without a recorded case is listed with ours.
func TestUpstreamFilesGetTheirRecordedVerdicts(t *testing.T) {
	dir, standard := conformanceDir(t)
	if !standard {
		t.Skip("the reference's data files belong to the default conformance directory")
	}
	if _, err := os.Stat(upstreamDir); err != nil {
		t.Skipf("the reference's data files are absent: %v", err)
	}
	recorded := map[string]map[string][]conformanceCase{}
	for _, kind := range []string{"recipe", "fleet", "commands"} {
		recorded[kind] = casesByText(t, filepath.Join(dir, kind+".jsonl"))
	}
	counts := map[string]int{}
	err := filepath.WalkDir(upstreamDir, func(path string, entry fs.DirEntry, err error) error {
		kind := upstreamKind(filepath.ToSlash(path))
		if err != nil || entry.IsDir() || kind == "" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		cases := recorded[kind][string(text)]
		if len(cases) == 0 {
			counts["without a case"]++
			t.Logf("no case of %s (%s); ours: %s", path, kind, ourVerdict(kind, path, text))
		}
		for _, c := range cases {
			counts["with a case"]++
			if difference := checkSafely(checkOf(t, kind), c); difference != "" {
				t.Errorf("%s (%s): %s", path, c.ID, difference)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("verdicts compared: %d; files without a recorded case: %d", counts["with a case"], counts["without a case"])
}

// upstreamKind says which schema a file of the reference is read by, "" for none.
func upstreamKind(path string) string {
	switch {
	case strings.Contains(path, "/builtins") || strings.Contains(path, "/inline/recipes/"):
		return "recipe"
	case strings.Contains(path, "/inline/commands/") || strings.HasSuffix(path, "/commands.yaml"):
		return "commands"
	case strings.Contains(path, "/fleets/"):
		return "fleet"
	}
	return ""
}

// casesByText gives the recorded cases of each text.
func casesByText(t *testing.T, path string) map[string][]conformanceCase {
	t.Helper()
	byText := map[string][]conformanceCase{}
	for _, c := range readCases(t, path) {
		var input struct{ Raw string }
		if err := json.Unmarshal(c.Input, &input); err != nil {
			t.Fatal(err)
		}
		byText[input.Raw] = append(byText[input.Raw], c)
	}
	return byText
}

// checkOf finds the check of a conformance kind.
func checkOf(t *testing.T, kind string) func(conformanceCase) string {
	t.Helper()
	for _, k := range conformanceKinds {
		if k.kind == kind {
			return k.check
		}
	}
	t.Fatalf("kind %s is not checked", kind)
	return nil
}

// ourVerdict says what we make of a file; an inline recipe is a project's.
func ourVerdict(kind, path string, text []byte) string {
	var found []diag.Diagnostic
	switch kind {
	case "recipe":
		source := policy.Project
		if strings.Contains(path, "builtins") {
			source = policy.Builtin
		}
		var r *policy.Recipe
		if r, found = policy.Parse(path, "upstream", source, text); r != nil {
			found = policy.PolicyErrors(r)
		}
	case "fleet":
		_, found = fleet.Parse(path, text)
	case "commands":
		_, found = fleet.ParseCommands(path, text)
	}
	if len(found) > 0 {
		return string(found[0].Code) + ": " + found[0].Message
	}
	return "accepted"
}
