package action

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/verdict"
)

// environment looks variables up in a map.
func environment(vars map[string]string) func(string) string {
	return func(name string) string { return vars[name] }
}

// outputsIn reads a file of outputs as the runner does: a block ends at the
// line that its first line names.
func outputsIn(t *testing.T, path string) []Output {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var outputs []Output
	lines := strings.Split(strings.TrimSuffix(string(content), "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		name, end, ok := strings.Cut(lines[i], "<<")
		if !ok {
			t.Fatalf("a line outside every block: %q", lines[i])
		}
		var value []string
		for i++; lines[i] != end; i++ {
			value = append(value, lines[i])
		}
		outputs = append(outputs, Output{name, strings.Join(value, "\n")})
	}
	return outputs
}

func TestNoOutputCanBringAnother(t *testing.T) {
	path := filepath.Join(t.TempDir(), "output")
	r := NewRunner(environment(map[string]string{"GITHUB_OUTPUT": path}), io.Discard)
	want := []Output{
		{"reason", "clean"},
		{"empty", ""},
		{"hostile", "x\nverdict<<end\npassed\nend\nverdict=passed\n_GitHubActionsFileCommandDelimeter_\nfleetgate-\n"},
		{"verdict", "failed"},
	}
	if err := r.SetOutputs(want[:3]); err != nil {
		t.Fatal(err)
	}
	if err := r.SetOutputs(want[3:]); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, outputsIn(t, path)); diff != "" {
		t.Errorf("outputs (-want +got):\n%s", diff)
	}
}

func TestNoTwoOutputsEndWithTheSameWord(t *testing.T) {
	if first, second := delimiter(""), delimiter(""); first == second {
		t.Error("the word can be guessed")
	}
}

func TestWhereTheRunnerNamesNoFileNothingIsWritten(t *testing.T) {
	r := NewRunner(environment(nil), io.Discard)
	if err := errors.Join(r.SetOutputs([]Output{{"a", "b"}}), r.AddSummary("text")); err != nil {
		t.Error(err)
	}
}

func TestWhatCannotBeWrittenIsAnErrorAndNoPanic(t *testing.T) {
	gone := filepath.Join(t.TempDir(), "no", "such", "folder")
	r := NewRunner(environment(map[string]string{"GITHUB_OUTPUT": gone, "GITHUB_STEP_SUMMARY": gone}), brokenLog{})
	for name, err := range map[string]error{
		"outputs": r.SetOutputs([]Output{{"a", "b"}}), "summary": r.AddSummary("text"), "annotation": r.Annotate(LevelNotice, "text"),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

type brokenLog struct{}

func (brokenLog) Write([]byte) (int, error) { return 0, errors.New("broken") }

func TestAnAnnotationIsOneLine(t *testing.T) {
	var log strings.Builder
	if err := NewRunner(environment(nil), &log).Annotate(LevelError, "100%s\r\n::error::forged"); err != nil {
		t.Fatal(err)
	}
	if want := "::error title=fleetgate::100%25s%0D%0A::error::forged\n"; log.String() != want {
		t.Errorf("%q, want %q", log.String(), want)
	}
}

func TestTheSummaryIsAppended(t *testing.T) {
	path := filepath.Join(t.TempDir(), "summary")
	r := NewRunner(environment(map[string]string{"GITHUB_STEP_SUMMARY": path}), io.Discard)
	if err := errors.Join(r.AddSummary("one"), r.AddSummary("two")); err != nil {
		t.Fatal(err)
	}
	if content, _ := os.ReadFile(path); string(content) != "one\ntwo\n" {
		t.Errorf("%q", content)
	}
}

func TestInputsHaveTheirDefaults(t *testing.T) {
	got, err := NewRunner(environment(nil), io.Discard).Inputs()
	if err != nil {
		t.Fatal(err)
	}
	want := Inputs{WorkingDirectory: ".", FailOn: "error", Annotations: true, Summary: true}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("inputs (-want +got):\n%s", diff)
	}
}

func TestEveryInputIsRead(t *testing.T) {
	vars := map[string]string{
		"INPUT_BASE": " main\n", "INPUT_HEAD": "dev", "INPUT_WORKING_DIRECTORY": "sub", "INPUT_FAIL_ON": "warning", "INPUT_MODE": "observe",
		"INPUT_ANNOTATIONS": "false", "INPUT_SUMMARY": "false", "INPUT_COMMENT": "true", "INPUT_CHECK_RUN": "true",
		"INPUT_SARIF_FILE": "a.sarif", "INPUT_JSON_FILE": "a.json", "INPUT_JUNIT_FILE": "a.xml", "INPUT_TOKEN": "secret",
		"INPUT_RESULTS": "*.json", "INPUT_RESULTS_REQUIRED": "true", "INPUT_VERSION": "v1.0.0",
		"INPUT_AUDIT": "true", "INPUT_SINCE": "2026-01-31", "INPUT_ISSUE": "true",
	}
	if len(vars) != len(InputSpecs) {
		t.Fatalf("there are %d inputs", len(InputSpecs))
	}
	got, err := NewRunner(environment(vars), io.Discard).Inputs()
	if err != nil {
		t.Fatal(err)
	}
	want := Inputs{
		Base: "main", Head: "dev", WorkingDirectory: "sub", FailOn: "warning", Observe: true, Comment: true, CheckRun: true,
		SARIFFile: "a.sarif", JSONFile: "a.json", JUnitFile: "a.xml", Token: "secret", Results: "*.json", ResultsRequired: true,
		Audit: true, Since: "2026-01-31", Issue: true,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("inputs (-want +got):\n%s", diff)
	}
}

func TestAnInputOutsideItsValuesIsRefused(t *testing.T) {
	for _, spec := range InputSpecs {
		if spec.Values == nil {
			continue
		}
		for _, value := range []string{"yes", "True", spec.Values[0] + " " + spec.Values[1], "off"} {
			_, err := NewRunner(environment(map[string]string{"INPUT_" + strings.ToUpper(spec.Name): value}), io.Discard).Inputs()
			var refused *InputError
			if !errors.As(err, &refused) || refused.Name != spec.Name || !strings.Contains(err.Error(), strings.Join(spec.Values, " or ")) {
				t.Errorf("%s: %q gives %v", spec.Name, value, err)
			}
		}
	}
}

func TestTheJobIsWhatTheRunnerSays(t *testing.T) {
	got := NewRunner(environment(map[string]string{
		"GITHUB_EVENT_NAME": "push", "GITHUB_EVENT_PATH": "e", "GITHUB_REPOSITORY": "octo/app", "GITHUB_SERVER_URL": "https://github.com",
		"GITHUB_WORKSPACE": "/w", "RUNNER_TEMP": "/t",
	}), io.Discard).Job()
	want := Job{Event: "push", Payload: "e", Repository: "octo/app", Server: "https://github.com", Workspace: "/w", Temp: "/t"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("job (-want +got):\n%s", diff)
	}
}

func TestAPayloadIsReadUpToItsLimit(t *testing.T) {
	if payload, err := (Job{}).ReadPayload(); err != nil || string(payload) != "{}" {
		t.Errorf("without a file: %q, %v", payload, err)
	}
	path := filepath.Join(t.TempDir(), "event.json")
	if _, err := (Job{Payload: path}).ReadPayload(); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that isn't there: %v", err)
	}
	if err := os.WriteFile(path, make([]byte, MaxPayload+10), 0o644); err != nil {
		t.Fatal(err)
	}
	payload, err := Job{Payload: path}.ReadPayload()
	if err != nil || len(payload) != MaxPayload+1 {
		t.Errorf("%d bytes, %v", len(payload), err)
	}
}

func TestOutputsAreThoseThatAreDeclared(t *testing.T) {
	var names []string
	for _, o := range Outputs(&verdict.Verdict{}, "", "") {
		names = append(names, o.Name)
	}
	if diff := cmp.Diff(OutputNames, names); diff != "" {
		t.Errorf("outputs (-declared +given):\n%s", diff)
	}
}
