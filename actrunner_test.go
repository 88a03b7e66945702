package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

// These tests run workflows as a consumer writes them on a real runner: act,
// on this machine itself. FLEETGATE_REQUIRE=act has it built from tools/go.mod;
// otherwise it is $FLEETGATE_ACT or the act in PATH, and where there is none,
// the tests are skipped.

// actPath finds act.
func actPath(t *testing.T) string {
	t.Helper()
	if path := os.Getenv("FLEETGATE_ACT"); path != "" {
		return path
	}
	if path, err := exec.LookPath("act"); err == nil {
		return path
	}
	if !required("act") {
		t.Skip("no act: set FLEETGATE_ACT to it, or FLEETGATE_REQUIRE=act to build it")
	}
	path, err := builtAct()
	if err != nil {
		t.Fatalf("FLEETGATE_REQUIRE=act, but it can't be built: %v", err)
	}
	return path
}

// builtAct builds act once, into Go's own cache.
var builtAct = sync.OnceValues(func() (string, error) {
	out, err := exec.Command("go", "tool", "-modfile="+filepath.Join("tools", "go.mod"), "-n", "act").Output()
	return strings.TrimSpace(string(out)), withStderr(err)
})

// releasedVersion is the version that the tests' own release has: what is
// released is the command line as all these tests run it.
const releasedVersion = "v0.0.1"

func withStderr(err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return fmt.Errorf("%w: %s", err, exit.Stderr)
	}
	return err
}

// actRunner is a machine that jobs run on.
type actRunner struct {
	*world
	act    string
	action string // the folder that fleetgate/fleetgate@v0 is
	cache  string
	left   string // where a job's last step puts what it keeps
	env    []string
}

// newActRunner gives a runner whose tool cache holds the release that the
// action pins.
func newActRunner(t *testing.T, w *world) *actRunner {
	t.Helper()
	r := &actRunner{world: w.in(t), act: actPath(t), action: t.TempDir(), cache: t.TempDir(), left: t.TempDir()}
	for _, name := range []string{"action.yml", "action/run.sh", "release/sums.txt"} {
		r.copy(name, filepath.Join(r.action, filepath.FromSlash(name)))
	}
	r.release()
	r.setenv("SOURCE", "file://"+w.path("octo/app"), "FORK", "file://"+w.path("mallory/app"), "LEFT", r.left,
		"GITHUB_REPOSITORY", "octo/app", "GITHUB_SERVER_URL", w.server.URL)
	return r
}

func (r *actRunner) setenv(pairs ...string) {
	for i := 0; i+1 < len(pairs); i += 2 {
		r.env = append(r.env, "--env", pairs[i]+"="+pairs[i+1])
	}
}

// release pins the tests' own release, and puts it into the tool cache.
func (r *actRunner) release() {
	r.t.Helper()
	binary, err := exec.LookPath("fleetgate") // testscript has put it there
	if err != nil {
		r.t.Fatal(err)
	}
	content, err := os.ReadFile(binary)
	if err != nil {
		r.t.Fatal(err)
	}
	sums := filepath.Join(r.action, "release", "sums.txt")
	writeAll(r.t, sums, readOptional(r.t, sums)+fmt.Sprintf("%x  fleetgate-%s-%s-%s\n", sha256.Sum256(content), releasedVersion, runtime.GOOS, runtime.GOARCH))
	r.copy(binary, r.cached())
}

// cached is where the tool cache has the release.
func (r *actRunner) cached() string {
	return filepath.Join(r.cache, "tool_cache", "fleetgate", strings.TrimPrefix(releasedVersion, "v"), runtime.GOARCH, "fleetgate")
}

func (r *actRunner) copy(from, to string) {
	r.t.Helper()
	content, err := os.ReadFile(from)
	if err != nil {
		r.t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(to, content, 0o755); err != nil {
		r.t.Fatal(err)
	}
}

// patientBash is the bash of all steps. When a step fails, act closes the
// terminal that it ran on without reading to its end: on a busy machine the last
// lines, and the commands in them, are lost. So the bash of a step that fails
// stays a while. What it can't mend is a step that ends itself in another way.
const patientBash = `#!/bin/sh
[ -z "$PATIENT" ] || exec %[1]q "$@" # a script of the step
PATIENT=1 %[1]q "$@"
code=$?
[ "$code" = 0 ] || sleep 0.2
exit "$code"
`

// shells gives a folder with the bash of the steps.
func shells(t *testing.T) string {
	t.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "bash"), fmt.Appendf(nil, patientBash, bash), 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// actJob is what act says of a job.
type actJob struct {
	passed      bool
	exit        string   // the code of the last step that failed, else 0
	annotations []string // as they were written
	commands    []string // all that the runner obeyed
	outputs     map[string]string
	summary     string
	log         string // the plain lines of the steps
	all         string // everything that act printed
}

// run has the runner run a workflow for an event. more is for act's command line.
func (r *actRunner) run(workflow string, e event, more ...string) actJob {
	r.t.Helper()
	consumer, home := r.t.TempDir(), r.t.TempDir()
	payload := filepath.Join(home, "event.json")
	writeAll(r.t, payload, e.payload)
	if err := os.WriteFile(filepath.Join(home, ".actrc"), nil, 0o644); err != nil {
		r.t.Fatal(err)
	}
	r.git(consumer, "init", "--quiet")
	args := slices.Concat([]string{
		e.name, "--json", "--workflows", workflow, "--eventpath", payload, "--directory", consumer,
		"--platform", "ubuntu-latest=-self-hosted", "--local-repository", "fleetgate/fleetgate@v0=" + r.action,
		"--action-cache-path", r.cache, "--no-cache-server", "--insecure-secrets", "--secret", "GITHUB_TOKEN=" + canary,
		"--env-file", os.DevNull, "--secret-file", os.DevNull, "--var-file", os.DevNull, "--input-file", os.DevNull,
	}, r.env, more)
	command := exec.Command(r.act, args...)
	command.Dir = consumer
	path := shells(r.t) + string(filepath.ListSeparator) + os.Getenv("PATH")
	command.Env = []string{"PATH=" + path, "HOME=" + home, "GIT_CONFIG_NOSYSTEM=1", "XDG_CONFIG_HOME=" + home}
	var out bytes.Buffer
	command.Stdout, command.Stderr = &out, &out
	err := command.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		r.t.Fatal(err)
	}
	return readJob(r.t, out.String())
}

// stepExit is how act says with which code a step ended, unless it is 0.
var stepExit = regexp.MustCompile(`^exit status ([0-9]+)$`)

// readJob reads act's log, one JSON object a line.
func readJob(t *testing.T, log string) actJob {
	t.Helper()
	job := actJob{exit: "0", outputs: map[string]string{}, all: log}
	for line := range strings.Lines(log) {
		var entry struct {
			Command, Arg, Raw, Name, Content, Msg, JobResult string
			RawOutput                                        bool `json:"raw_output"`
			StepID                                           []string
		}
		if json.Unmarshal([]byte(line), &entry) != nil {
			continue // act's own last words aren't JSON
		}
		if entry.Command != "" {
			job.commands = append(job.commands, entry.Command)
		}
		if code := stepExit.FindStringSubmatch(entry.Msg); code != nil && !entry.RawOutput {
			job.exit = code[1]
		}
		switch {
		case entry.JobResult != "":
			job.passed = entry.JobResult == "success"
		case entry.RawOutput:
			job.log += entry.Msg
		case entry.Command == "set-output" && len(entry.StepID) == 1:
			job.outputs[entry.Name] = entry.Arg
		case entry.Command == "summary" && len(entry.StepID) == 1:
			job.summary += entry.Content
		case entry.Command == "error" || entry.Command == "warning" || entry.Command == "notice":
			job.annotations = append(job.annotations, entry.Raw)
		}
	}
	return job
}

// kept reads a file that the job's last step kept.
func (r *actRunner) kept(name string) []byte {
	r.t.Helper()
	content, err := os.ReadFile(filepath.Join(r.left, name))
	if err != nil {
		r.t.Fatal(err)
	}
	return content
}

func (r *actRunner) keptReport(name string) map[string]any {
	r.t.Helper()
	var report map[string]any
	if err := json.Unmarshal(r.kept(name), &report); err != nil {
		r.t.Fatal(err)
	}
	return report
}

func workflow(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("testdata", "workflows", name))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// publish empties the tool cache and puts the release, or another content, on the server.
func (r *actRunner) publish(content string) {
	r.t.Helper()
	if content == "" {
		content = readOptional(r.t, r.cached())
	}
	if err := os.RemoveAll(filepath.Join(r.cache, "tool_cache")); err != nil {
		r.t.Fatal(err)
	}
	name := fmt.Sprintf("fleetgate-%s-%s-%s", releasedVersion, runtime.GOOS, runtime.GOARCH)
	r.server.Publish("/fleetgate/fleetgate/releases/download/"+releasedVersion+"/"+name, content)
}

func (r *actRunner) put(path, content string) {
	r.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o755); err != nil {
		r.t.Fatal(err)
	}
}
