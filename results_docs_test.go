package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/result"
	"github.com/fleetgate/fleetgate/internal/value"
)

var (
	kindSection   = regexp.MustCompile(`(?m)^### ([a-z-]+)$`)
	resultExample = regexp.MustCompile("(?m)^(Conforms|Refused|Not reached)(?: under `([^`]+)`)?(?:, quality `([a-z]+)`)?(?:, `(result/[a-z-]+)`)?(?: at `([^`]+)`)?:\n\n```(?:json|text)\n(?s:(.*?))```$")
	listedCode    = regexp.MustCompile("(?m)^\\| `(result-[a-z-]+)` \\|")
)

// TestResultsPage runs every example of docs/results.md: each kind has a
// section with one report that conforms and one that is refused.
func TestResultsPage(t *testing.T) {
	page := readDoc(t, "results.md")
	sections := kindSection.FindAllStringSubmatchIndex(page, -1)
	var kinds []string
	for i, at := range sections {
		end := len(page)
		if i+1 < len(sections) {
			end = sections[i+1][0]
		}
		kind := page[at[2]:at[3]]
		kinds = append(kinds, kind)
		t.Run(kind, func(t *testing.T) { runResultExamples(t, result.Kind(kind), page[at[1]:end]) })
	}
	for _, kind := range result.Kinds() {
		if strings.Count(strings.Join(kinds, " ")+" ", string(kind)+" ") != 1 {
			t.Errorf("%s has not one section", kind)
		}
	}
	if len(kinds) != len(result.Kinds()) {
		t.Errorf("there are sections of %q", kinds)
	}
}

func runResultExamples(t *testing.T, kind result.Kind, section string) {
	examples := resultExample.FindAllStringSubmatch(section, -1)
	if len(examples) != 2 || examples[0][1] != "Conforms" || examples[1][1] == "Conforms" {
		t.Fatalf("want one example that conforms, then one that doesn't; got %q", examples)
	}
	for _, e := range examples {
		word, under, quality, code, at, text := e[1], e[2], e[3], e[4], e[5], e[6]
		out := validateExample(t, kind, under, text)
		if word == "Not reached" {
			out = result.Unreached(result.Contract{Kind: kind})
		}
		want := map[string]result.Conformance{"Conforms": result.Pass, "Refused": result.Fail, "Not reached": result.NotReached}[word]
		if out.Conformance != want || quality != "" && string(out.Quality) != quality || string(out.Code) != code || out.At != at {
			t.Errorf("%s %q: the outcome is %s, quality %s, %s at %s (%s)", word, text, out.Conformance, out.Quality, out.Code, out.At, out.Reason)
		}
	}
}

// validateExample validates in the workspace that the page describes.
func validateExample(t *testing.T, kind result.Kind, under, text string) result.Outcome {
	t.Helper()
	contract := result.Contract{Kind: kind}
	if under != "" {
		v, err := value.ParseJSON("contract", []byte(under))
		if err != nil {
			t.Fatal(err)
		}
		var found []diag.Diagnostic
		if contract, found = result.ParseContract(v, "resultContract", true); len(found) > 0 {
			t.Fatal(found)
		}
	}
	files := fstest.MapFS{
		"src/retry.go": {Data: []byte(strings.Repeat("line\n", 49) + "line")},
		"docs/PLAN.md": {Data: []byte("1. the parser\n")},
	}
	return result.Validate(result.Run{
		Contract: contract, Output: text, Dir: ".", Files: result.NewTree(".", files),
		Reads:   result.Reads{"src/retry.go": {{First: 40, Last: 45}}},
		Effects: &result.Effects{Written: []string{"src/retry.go"}, Validations: []string{"go test ./..."}},
	})
}

// TestResultsPageListsEveryCode keeps the page's table and the registry the same.
func TestResultsPageListsEveryCode(t *testing.T) {
	var listed []string
	for _, match := range listedCode.FindAllStringSubmatch(readDoc(t, "results.md"), -1) {
		listed = append(listed, match[1])
	}
	for _, rule := range diag.Rules() {
		if strings.HasPrefix(string(rule.Code), "result-") != strings.Contains(strings.Join(listed, " ")+" ", string(rule.Code)+" ") {
			t.Errorf("%s: the page lists %q", rule.Code, listed)
		}
	}
}

func readDoc(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("docs", name))
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(text), "\r\n", "\n")
}
