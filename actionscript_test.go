package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// scriptRun is action/run.sh on a machine of its own: a folder with the
// action, a tool cache, and a PATH with nothing but the tools named.
type scriptRun struct {
	t                       *testing.T
	action, cache, temp, at string
	env                     []string
}

// theGate is a binary that says that it was run.
const theGate = "#!/bin/sh\necho \"gate: $1, version input: ${INPUT_VERSION-none}\"\n"

func newScriptRun(t *testing.T, pinned ...string) *scriptRun {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the tests' binary is a shell script")
	}
	s := &scriptRun{t: t, action: t.TempDir(), cache: t.TempDir(), temp: t.TempDir(), at: t.TempDir()}
	for _, dir := range []string{"action", "release"} {
		if err := os.Mkdir(filepath.Join(s.action, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	writeAll(t, filepath.Join(s.action, "action", "run.sh"), readOptional(t, filepath.Join("action", "run.sh")))
	sums := "# none of these lines is a sum:\nabc  fleetgate-v9.9.9-linux-amd64\n"
	for _, version := range pinned {
		sums += fmt.Sprintf("%x  fleetgate-%s-linux-amd64\n", sha256.Sum256([]byte(theGate)), version)
	}
	writeAll(t, filepath.Join(s.action, "release", "sums.txt"), sums)
	s.env = []string{
		"PATH=" + s.tools("bash", "sh", "git", "awk", "tail", "cut", "sha256sum", "shasum", "uname", "dirname", "env", "grep", "mkdir", "mktemp", "mv", "rm", "chmod", "curl"),
		"RUNNER_OS=Linux", "RUNNER_ARCH=X64", "RUNNER_TEMP=" + s.temp, "RUNNER_TOOL_CACHE=" + s.cache,
		"GITHUB_OUTPUT=" + filepath.Join(s.at, "output"), "GITHUB_SERVER_URL=http://127.0.0.1:1", "HOME=" + s.at, "INPUT_TOKEN=" + canary,
	}
	return s
}

// tools gives a folder with links to some of this machine's tools.
func (s *scriptRun) tools(names ...string) string {
	s.t.Helper()
	bin := s.t.TempDir()
	for _, name := range names {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		if err := os.Symlink(path, filepath.Join(bin, name)); err != nil {
			s.t.Fatal(err)
		}
	}
	return bin
}

func (s *scriptRun) cached(version, content string) {
	s.t.Helper()
	dir := filepath.Join(s.cache, "fleetgate", strings.TrimPrefix(version, "v"), "amd64")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "fleetgate"), []byte(content), 0o755); err != nil {
		s.t.Fatal(err)
	}
}

// run runs the script; pairs of more environment come last, and count.
func (s *scriptRun) run(env ...string) (code int, out, problem string) {
	s.t.Helper()
	command := exec.Command("bash", filepath.Join(s.action, "action", "run.sh"))
	command.Dir, command.Env = s.at, append(slices.Clone(s.env), env...)
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	err := command.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		s.t.Skipf("no bash: %v", err)
	}
	return command.ProcessState.ExitCode(), stdout.String(), stderr.String()
}

const gateRan = "gate: action, version input: none\n"

func TestTheScriptRunsThePinnedReleaseOfTheToolCache(t *testing.T) {
	s := newScriptRun(t, "v1.0.0", "v1.1.0")
	s.cached("v1.1.0", theGate)
	s.cached("v1.0.0", theGate)
	for input, version := range map[string]string{"": "v1.1.0", "v1.1.0": "v1.1.0", "v1.0.0": "v1.0.0"} {
		code, out, problem := s.run("INPUT_VERSION=" + input)
		if want := "fleetgate: " + version + ", from the tool cache\n" + gateRan; code != 0 || out != want || problem != "" {
			t.Errorf("version %q: exit code %d, %q, %q; want %q", input, code, out, problem, want)
		}
	}
}

func TestTheScriptDownloadsWhatTheToolCacheLacks(t *testing.T) {
	for _, cached := range []string{"", "echo evil\n"} {
		s := newScriptRun(t, "v1.0.0")
		if cached != "" {
			s.cached("v1.0.0", cached)
		}
		var asked []string
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked = append(asked, r.URL.Path+" "+r.Header.Get("Authorization"))
			_, _ = w.Write([]byte(theGate))
		}))
		defer server.Close()
		code, out, problem := s.run("GITHUB_SERVER_URL="+server.URL, "FLEETGATE_ACTION_REPOSITORY=octo/fork")
		if code != 0 || !strings.HasSuffix(out, gateRan) || problem != "" {
			t.Fatalf("exit code %d\n%s%s", code, out, problem)
		}
		// An Enterprise server wants the token.
		if want := "/octo/fork/releases/download/v1.0.0/fleetgate-v1.0.0-linux-amd64 Bearer " + canary; len(asked) != 1 || asked[0] != want {
			t.Errorf("the server was asked for %q, want %q", asked, want)
		}
		if code, out, _ := s.run(); code != 0 || !strings.Contains(out, "from the tool cache") {
			t.Errorf("the second time: exit code %d\n%s", code, out)
		}
		if left, _ := filepath.Glob(filepath.Join(s.cache, "fleetgate", "*", "*", "download*")); len(left) > 0 {
			t.Errorf("left behind: %q", left)
		}
	}
}

// A machine without a tool to sum with runs nothing that it can't verify.
func TestWithoutAWayToSumNothingUnverifiedRuns(t *testing.T) {
	s := newScriptRun(t, "v1.0.0")
	s.cached("v1.0.0", theGate)
	code, out, problem := s.run("PATH=" + s.tools("bash", "sh", "awk", "tail", "cut", "dirname", "grep", "mkdir", "mktemp", "mv", "rm", "chmod"))
	if code != 3 || strings.Contains(out, "gate: action") {
		t.Errorf("exit code %d\n%s%s", code, out, problem)
	}
}

func TestTheScriptRefusesADownloadWithAnotherSum(t *testing.T) {
	s := newScriptRun(t, "v1.0.0")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("#!/bin/sh\necho evil\n"))
	}))
	defer server.Close()
	code, out, problem := s.run("GITHUB_SERVER_URL=" + server.URL)
	if code != 3 || strings.Contains(out, "evil") || !strings.Contains(problem, "it is not run") {
		t.Errorf("exit code %d\n%s%s", code, out, problem)
	}
	if outputs := readOutputs(t, filepath.Join(s.at, "output")); outputs["verdict"] != "undecided" || outputs["reason"] != "error" {
		t.Errorf("outputs %v", outputs)
	}
	err := filepath.Walk(s.cache, func(path string, info os.FileInfo, err error) error {
		if err == nil && info.Mode().IsRegular() {
			t.Errorf("left behind: %s", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestTheScriptBuildsWhereThereIsNoRelease(t *testing.T) {
	fakeGo := "#!/bin/sh\n[ \"$1\" = env ] && echo go9.9 && exit\nwhile [ \"$1\" != -o ]; do shift; done\ncp '" + "GATE" + "' \"$2\"\necho \"in $(pwd), token: ${INPUT_TOKEN-none}, $GOFLAGS $GOWORK $CGO_ENABLED\" >&2\n"
	tests := []struct {
		name   string
		pinned []string
		env    []string
		want   string // in the log, before the gate's own line
	}{
		{"none is pinned", nil, nil, ""},
		{"the input says so", []string{"v1.0.0"}, []string{"INPUT_VERSION=source"}, ""},
		{"none is pinned for this machine", []string{"v1.0.0"}, []string{"RUNNER_ARCH=ARM64"}, ""},
		{"the server has none", []string{"v1.0.0"}, nil, "fleetgate: there is no release at http://127.0.0.1:1/fleetgate/fleetgate/releases/download/v1.0.0/fleetgate-v1.0.0-linux-amd64\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newScriptRun(t, tt.pinned...)
			gate := filepath.Join(s.at, "gate")
			if err := os.WriteFile(gate, []byte(theGate), 0o755); err != nil {
				t.Fatal(err)
			}
			bin := s.tools("cp")
			if err := os.WriteFile(filepath.Join(bin, "go"), []byte(strings.Replace(fakeGo, "GATE", gate, 1)), 0o755); err != nil {
				t.Fatal(err)
			}
			path := strings.TrimPrefix(s.env[0], "PATH=")
			code, out, problem := s.run(append(tt.env, "PATH="+path+":"+bin)...)
			if want := tt.want + "fleetgate: building from source, with go9.9\n" + gateRan; code != 0 || out != want {
				t.Errorf("exit code %d, %q; want %q\n%s", code, out, want, problem)
			}
			if !strings.Contains(problem, "token: none, -mod=readonly off 0") || !strings.Contains(problem, "in "+s.action) {
				t.Errorf("the build: %s", problem)
			}
		})
	}
}

func TestWhatTheScriptCannotDoIsNoPass(t *testing.T) {
	tests := []struct {
		name string
		env  []string
		code int
		want string
	}{
		{"a version that isn't pinned", []string{"INPUT_VERSION=v2.0.0"}, 2, "the input version is 'v2.0.0', which this action does not pin; it pins: v1.0.0"},
		{"a version that is a pattern", []string{"INPUT_VERSION=.*"}, 2, "does not pin"},
		{"a version that is code", []string{"INPUT_VERSION=$(touch forged)"}, 2, "does not pin"},
		{"a version with a line end", []string{"INPUT_VERSION=v1\n::error::forged"}, 2, "the input version is 'v1 ::error::forged'"},
		{"another system", []string{"RUNNER_OS=Plan9"}, 2, "there is no fleetgate for Plan9"},
		{"another architecture", []string{"RUNNER_ARCH=X86"}, 2, "there is no fleetgate for X86"},
		{"no Go to build with", []string{"INPUT_VERSION=source"}, 3, "there is no Go to build one"},
		{"no network and no Go", nil, 3, "there is no Go to build one"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newScriptRun(t, "v1.0.0")
			code, out, problem := s.run(tt.env...)
			if code != tt.code || strings.Contains(out, "gate: action") || !strings.Contains(problem, "::error title=fleetgate::") || !strings.Contains(problem, tt.want) {
				t.Errorf("exit code %d\n%s%s", code, out, problem)
			}
			for line := range strings.Lines(problem) {
				if strings.HasPrefix(line, "::error::forged") {
					t.Errorf("forged: %s", problem)
				}
			}
			if outputs := readOutputs(t, filepath.Join(s.at, "output")); outputs["verdict"] != "undecided" {
				t.Errorf("outputs %v", outputs)
			}
			if _, err := os.Stat(filepath.Join(s.at, "forged")); err == nil {
				t.Error("the input was run")
			}
		})
	}
}

// The names of releases, and the token, which only an Enterprise server gets.
func TestTheScriptAsksForTheReleaseOfItsMachine(t *testing.T) {
	tests := []struct{ os, arch, name string }{
		{"Linux", "X64", "linux-amd64"},
		{"Linux", "ARM64", "linux-arm64"},
		{"macOS", "ARM64", "darwin-arm64"},
		{"macOS", "X64", "darwin-amd64"},
		{"Windows", "X64", "windows-amd64.exe"},
		{"Windows", "ARM64", "windows-arm64.exe"},
	}
	for _, tt := range tests {
		s := newScriptRun(t)
		sum := fmt.Sprintf("%x  fleetgate-v1.0.0-%s\n", sha256.Sum256([]byte(theGate)), tt.name)
		writeAll(t, filepath.Join(s.action, "release", "sums.txt"), sum)
		bin := s.tools()
		curl := "#!/bin/sh\nfor last; do :; done\necho \"curl $last\"\ncase \"$*\" in *config*) cat ;; esac\nexit 22\n"
		if err := os.WriteFile(filepath.Join(bin, "curl"), []byte(curl), 0o755); err != nil {
			t.Fatal(err)
		}
		path := bin + ":" + strings.TrimPrefix(s.env[0], "PATH=")
		code, out, _ := s.run("PATH="+path, "RUNNER_OS="+tt.os, "RUNNER_ARCH="+tt.arch, "GITHUB_SERVER_URL=https://github.com")
		want := "curl https://github.com/fleetgate/fleetgate/releases/download/v1.0.0/fleetgate-v1.0.0-" + tt.name + "\n"
		if code != 3 || !strings.HasPrefix(out, want) || strings.Contains(out, canary) {
			t.Errorf("%s %s: exit code %d, %q, want %q", tt.os, tt.arch, code, out, want)
		}
	}
}

func TestATokenForADownloadIsInNoArgument(t *testing.T) {
	s := newScriptRun(t, "v1.0.0")
	bin := s.tools("cat")
	curl := "#!/bin/sh\necho \"arguments: $*\"\necho \"input: $(cat)\"\nexit 22\n"
	if err := os.WriteFile(filepath.Join(bin, "curl"), []byte(curl), 0o755); err != nil {
		t.Fatal(err)
	}
	_, out, _ := s.run("PATH="+bin+":"+strings.TrimPrefix(s.env[0], "PATH="), "GITHUB_SERVER_URL=https://ghe.example.com")
	arguments, input, _ := strings.Cut(out, "input: ")
	if strings.Contains(arguments, canary) || !strings.Contains(input, "Authorization: Bearer "+canary) {
		t.Errorf("curl got %q", out)
	}
}

// The script is what shellcheck calls clean, where there is one.
func TestTheScriptIsClean(t *testing.T) {
	path, err := exec.LookPath("shellcheck")
	if err != nil {
		t.Skip("no shellcheck in PATH")
	}
	if out, err := exec.Command(path, filepath.Join("action", "run.sh")).CombinedOutput(); err != nil {
		t.Errorf("%s", out)
	}
}
