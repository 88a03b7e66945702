package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/fleetgate/fleetgate/internal/cli"
	"github.com/fleetgate/fleetgate/internal/diag"
)

var update = flag.Bool("update", false, "rewrite the golden files, and the files that scripts compare with")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"fleetgate": func() { os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
		"measured":  measured,
	})
}

// TestScripts runs the whole command line: the real main, the real git.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		Setup:               setUpScript,
		Cmds:                scriptCommands,
		Condition:           scriptCondition,
		UpdateScripts:       *update,
		RequireUniqueNames:  true,
		RequireExplicitExec: false,
	})
}

// TestCodes runs, for every registered code, the script that raises it and
// the one that nearly does. A code that lacks one of them fails, and so does a
// script that never looked.
func TestCodes(t *testing.T) {
	for _, rule := range diag.Rules() {
		t.Run(string(rule.Code), func(t *testing.T) { runExamples(t, rule.Code) })
	}
}

func runExamples(t *testing.T, code diag.Code) {
	t.Parallel()
	dir := t.TempDir()
	bad, good := writeExample(t, dir, code, true), writeExample(t, dir, code, false)
	t.Logf("%s: %s, %s", code, filepath.Base(bad), filepath.Base(good))
	looked := &lookedFor{}
	t.Cleanup(func() { // the scripts run in parallel, after this function
		if !t.Failed() && looked.raised.Load() == 0 {
			t.Errorf("%s has no `raises` that ran", filepath.Base(bad))
		}
		if !t.Failed() && looked.spared.Load() == 0 {
			t.Errorf("%s has no `spares` that ran", filepath.Base(good))
		}
	})
	testscript.Run(t, testscript.Params{
		Files: []string{bad, good},
		Setup: func(env *testscript.Env) error {
			env.Values[lookedKey{}] = looked
			return setUpScript(env)
		},
		Cmds:               scriptCommands,
		Condition:          scriptCondition,
		RequireUniqueNames: true,
	})
}

func writeExample(t *testing.T, dir string, code diag.Code, bad bool) string {
	t.Helper()
	text, err := diag.Example(code, bad)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, fmt.Sprintf("%s.%s.txtar", code, map[bool]string{true: "bad", false: "good"}[bad]))
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestEveryExampleBelongsToACode fails on a script whose code is gone or misspelt.
func TestEveryExampleBelongsToACode(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("internal", "diag", "examples", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	for _, file := range files {
		code, kind, _ := strings.Cut(strings.TrimSuffix(filepath.Base(file), ".txtar"), ".")
		if _, ok := diag.Lookup(diag.Code(code)); !ok || (kind != "bad" && kind != "good") {
			t.Errorf("%s is the example of no registered code", file)
		}
	}
}

// lookedFor counts, over the two scripts of a code, the commands that looked for it.
type lookedFor struct{ raised, spared atomic.Int32 }

type (
	lookedKey struct{} // finds the *lookedFor in a script's values
	clockKey  struct{} // finds the *time.Time of the last commit
)

// firstCommit is the date of everything that a script does before its first
// `commit`; each `commit` comes one minute after the last.
var firstCommit = time.Date(2026, time.January, 1, 9, 0, 0, 0, time.UTC)

// setUpScript gives a script a git that depends on nothing but the script.
func setUpScript(env *testscript.Env) error {
	beside := filepath.Join(filepath.Dir(env.WorkDir), "git-of-"+filepath.Base(env.WorkDir))
	if err := os.MkdirAll(beside, 0o755); err != nil {
		return err
	}
	config, ignore := filepath.Join(beside, "config"), filepath.Join(beside, "ignore")
	text := fmt.Sprintf("[init]\n\tdefaultBranch = main\n[core]\n\texcludesFile = %s\n", filepath.ToSlash(ignore))
	if err := os.WriteFile(config, []byte(text), 0o644); err != nil {
		return err
	}
	if err := os.WriteFile(ignore, []byte("/.tmp/\n"), 0o644); err != nil {
		return err
	}
	clock := firstCommit
	env.Values[clockKey{}] = &clock
	env.Vars = append(env.Vars,
		"HOME="+env.WorkDir, "USERPROFILE="+env.WorkDir, "TZ=UTC", "LANG=C", "LC_ALL=C",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+config, "GIT_CEILING_DIRECTORIES="+filepath.Dir(env.WorkDir),
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.com",
		"GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.com",
		"GIT_AUTHOR_DATE="+gitDate(clock), "GIT_COMMITTER_DATE="+gitDate(clock),
	)
	return nil
}

func gitDate(when time.Time) string { return strconv.FormatInt(when.Unix(), 10) + " +0000" }

func scriptCondition(condition string) (bool, error) {
	switch condition {
	case "root":
		return os.Geteuid() == 0, nil
	case "race":
		return raceDetector(), nil
	}
	return false, fmt.Errorf("unknown condition %q", condition)
}

// scriptCommands are the words that scripts have beside testscript's own.
var scriptCommands = map[string]func(ts *testscript.TestScript, neg bool, args []string){
	"changes":  changesCommand,
	"commit":   commitCommand,
	"commits":  commitsCommand,
	"exits":    exitsCommand,
	"findings": findingsCommand,
	"json":     jsonCommand,
	"let":      letCommand,
	"payload":  payloadCommand,
	"rawtree":  rawtreeCommand,
	"verdict":  verdictCommand,
	"raises":   raisesCommand,
	"spares":   sparesCommand,
}

// commitCommand (commit -m MESSAGE …) stages everything and commits it, one
// minute after the last commit. Further arguments are git commit's.
func commitCommand(ts *testscript.TestScript, neg bool, args []string) {
	refuse(ts, neg || len(args) == 0, "commit -m MESSAGE ...")
	clock := ts.Value(clockKey{}).(*time.Time)
	*clock = clock.Add(time.Minute)
	ts.Setenv("GIT_AUTHOR_DATE", gitDate(*clock))
	ts.Setenv("GIT_COMMITTER_DATE", gitDate(*clock))
	ts.Check(ts.Exec("git", "add", "--all"))
	ts.Check(ts.Exec("git", append([]string{"commit", "--quiet"}, args...)...))
}

// exitsCommand (exits N ARGS…) runs fleetgate and compares its exit code.
func exitsCommand(ts *testscript.TestScript, neg bool, args []string) {
	refuse(ts, neg || len(args) == 0, "exits N ARGS...")
	if got := runFleetgate(ts, args[1:]); strconv.Itoa(got) != args[0] {
		ts.Fatalf("fleetgate %s: exit code %d, want %s", strings.Join(args[1:], " "), got, args[0])
	}
}

func runFleetgate(ts *testscript.TestScript, args []string) (code int) {
	var exit *exec.ExitError
	binary, err := exec.LookPath("fleetgate") // by the test's own PATH: a script may have none
	ts.Check(err)
	switch err := ts.Exec(binary, args...); {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.ExitCode()
	default:
		ts.Fatalf("fleetgate did not run: %v", err)
		return -1
	}
}

// jsonCommand (json PATH [VALUE]) looks into the JSON on the last standard
// output. PATH is dotted; a number is an index into a list, len its length.
// A string compares by its text, anything else by its JSON.
func jsonCommand(ts *testscript.TestScript, neg bool, args []string) {
	refuse(ts, len(args) < 1 || len(args) > 2, "[!] json PATH [VALUE]")
	got, found := lookUp(lastJSON(ts), args[0])
	matches := found && (len(args) == 1 || got == args[1])
	if matches == neg {
		ts.Fatalf("json %s: got %q (found: %t), args %q, negated: %t", args[0], got, found, args[1:], neg)
	}
}

func verdictCommand(ts *testscript.TestScript, neg bool, args []string) {
	refuse(ts, len(args) != 1, "[!] verdict WORD")
	jsonCommand(ts, neg, []string{"verdict", args[0]})
}

func lastJSON(ts *testscript.TestScript) any {
	var document any
	if err := json.Unmarshal([]byte(ts.ReadFile("stdout")), &document); err != nil {
		ts.Fatalf("standard output is not JSON: %v", err)
	}
	return document
}

func lookUp(value any, path string) (text string, found bool) {
	for name := range strings.SplitSeq(path, ".") {
		switch v := value.(type) {
		case map[string]any:
			if value, found = v[name]; !found {
				return "", false
			}
		case []any:
			if name == "len" {
				value = len(v)
				continue
			}
			i, err := strconv.Atoi(name)
			if err != nil || i < 0 || i >= len(v) {
				return "", false
			}
			value = v[i]
		default:
			return "", false
		}
	}
	if text, ok := value.(string); ok {
		return text, true
	}
	raw, err := json.Marshal(value)
	return string(raw), err == nil
}

// raisesCommand (raises ARGS…) runs fleetgate ARGS --format json and wants the
// script's code among the diagnostics, whatever the exit code.
func raisesCommand(ts *testscript.TestScript, neg bool, args []string) {
	refuse(ts, neg || len(args) == 0, "raises ARGS...")
	code := codeUnderTest(ts)
	if found := codesRaised(ts, args); !slices.Contains(found, code) {
		ts.Fatalf("fleetgate %s did not raise %s, but %q", strings.Join(args, " "), code, found)
	}
	if looked, ok := ts.Value(lookedKey{}).(*lookedFor); ok {
		looked.raised.Add(1)
	}
}

// sparesCommand (spares ARGS…) runs fleetgate ARGS --format json, which must
// give a report, and wants the script's code nowhere in it.
func sparesCommand(ts *testscript.TestScript, neg bool, args []string) {
	refuse(ts, neg || len(args) == 0, "spares ARGS...")
	code := codeUnderTest(ts)
	found := codesRaised(ts, args)
	if _, failed := lookUp(lastJSON(ts), "error"); failed {
		ts.Fatalf("fleetgate %s gave no report", strings.Join(args, " "))
	}
	if slices.Contains(found, code) {
		ts.Fatalf("fleetgate %s raised %s", strings.Join(args, " "), code)
	}
	if looked, ok := ts.Value(lookedKey{}).(*lookedFor); ok {
		looked.spared.Add(1)
	}
}

// codeUnderTest is in the script's name: CODE.bad or CODE.good.
func codeUnderTest(ts *testscript.TestScript) string {
	code, _, _ := strings.Cut(ts.Name(), ".")
	if _, ok := diag.Lookup(diag.Code(code)); !ok {
		ts.Fatalf("the script %s is named after no registered code", ts.Name())
	}
	return code
}

func codesRaised(ts *testscript.TestScript, args []string) []string {
	runFleetgate(ts, append(slices.Clone(args), "--format", "json"))
	var report struct {
		Diagnostics []struct {
			Code string `json:"code"`
		} `json:"diagnostics"`
	}
	text := ts.ReadFile("stdout")
	if err := json.Unmarshal([]byte(text), &report); err != nil {
		ts.Fatalf("standard output is not a JSON report: %v", err)
	}
	if report.Diagnostics == nil {
		ts.Fatalf("the report has no diagnostics member")
	}
	codes := []string{}
	for _, d := range report.Diagnostics {
		codes = append(codes, d.Code)
	}
	return codes
}

func refuse(ts *testscript.TestScript, wrong bool, usage string) {
	if wrong {
		ts.Fatalf("usage: %s", usage)
	}
}
