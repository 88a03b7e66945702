package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/fleet"
	"github.com/fleetgate/fleetgate/internal/policy"
)

const upstreamDir = "../shared/upstream"

// upstreamCounts are how many files of the reference there are, by where their verdicts come from.
type upstreamCounts struct {
	Recorded    int // a case of the file's own schema has its text
	FrontMatter int // only its front matter is recorded; the rest of the verdict is ours
	Ours        int // nothing of it is recorded
	NoPolicy    int // it isn't a policy file
	Cases       int // verdicts compared
}

var wantUpstream = upstreamCounts{Recorded: 44, FrontMatter: 11, Ours: 13, NoPolicy: 3, Cases: 95}

// Every file of the reference's data gets the verdict that is recorded of its
// text, in every case of it. Each is printed once, with its verdict and whether
// that is recorded or ours.
func TestUpstreamFilesGetTheirRecordedVerdicts(t *testing.T) {
	dir, standard := conformanceDir(t)
	if !standard {
		t.Skip("the reference's data files belong to the default conformance directory")
	}
	if _, err := os.Stat(upstreamDir); err != nil {
		t.Skipf("the reference's data files are absent: %v", err)
	}
	recorded := map[string]map[string][]conformanceCase{}
	for _, kind := range []string{"recipe", "fleet", "commands", "frontmatter"} {
		recorded[kind] = casesByText(t, filepath.Join(dir, kind+".jsonl"))
	}
	var got upstreamCounts
	err := filepath.WalkDir(upstreamDir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		path = filepath.ToSlash(path)
		t.Logf("%s: %s", strings.TrimPrefix(path, upstreamDir+"/"), got.count(t, recorded, path, text))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", got)
	if got != wantUpstream {
		t.Errorf("the counts are %+v, want %+v", got, wantUpstream)
	}
}

// count compares a file's verdict with all that are recorded of it, and says
// where it comes from.
func (n *upstreamCounts) count(t *testing.T, recorded map[string]map[string][]conformanceCase, path string, text []byte) string {
	kind := upstreamKind(path)
	if kind == "" {
		n.NoPolicy++
		return "no policy file"
	}
	own, front := recorded[kind][string(text)], recorded["frontmatter"][string(text)]
	for _, c := range append(slices.Clone(own), front...) {
		n.Cases++
		if difference := checkSafely(checkOf(t, c.Kind), c); difference != "" {
			t.Errorf("%s (%s): %s", path, c.ID, difference)
		}
	}
	from := "ours"
	switch {
	case len(own) > 0:
		n.Recorded++
		from = "recorded"
	case len(front) > 0:
		n.FrontMatter++
		from = "ours, the front matter recorded"
	default:
		n.Ours++
	}
	return fmt.Sprintf("%s, %s: %s", kind, from, ourVerdict(kind, path, text))
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
