package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// source is a copy of this repository's files, as a commit of all that git
// doesn't ignore would have them.
type source struct {
	t   *testing.T
	dir string
	env []string
}

func newSource(t *testing.T, dir string) *source {
	t.Helper()
	out, err := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate").Output()
	if err != nil {
		t.Skipf("no clone to copy: %v", withStderr(err))
	}
	for name := range strings.SplitSeq(strings.TrimRight(string(out), "\x00"), "\x00") {
		copyFile(t, filepath.FromSlash(name), filepath.Join(dir, filepath.FromSlash(name)))
	}
	s := &source{t: t, dir: dir, env: append(os.Environ(), "GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.com",
		"GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.com", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)}
	s.git("init", "--quiet", "--initial-branch=main")
	s.commit("All of it")
	return s
}

// copyFile copies a file with its mode; one that was removed meanwhile is left out.
func copyFile(t *testing.T, from, to string) {
	t.Helper()
	info, err := os.Lstat(from)
	if err != nil || !info.Mode().IsRegular() {
		return
	}
	content, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, content, info.Mode()); err != nil {
		t.Fatal(err)
	}
}

func (s *source) git(args ...string) string {
	s.t.Helper()
	code, out := s.run("git", args...)
	if code != 0 {
		s.t.Fatalf("git %q: %s", args, out)
	}
	return strings.TrimSpace(out)
}

// commit commits everything and gives the commit's id.
func (s *source) commit(message string) string {
	s.t.Helper()
	s.git("add", "--all")
	s.git("commit", "--quiet", "-m", message)
	return s.git("rev-parse", "HEAD")
}

// run runs a program in the copy and gives its exit code, and all that it printed.
func (s *source) run(name string, args ...string) (code int, out string) {
	s.t.Helper()
	command := exec.Command(name, args...)
	command.Dir, command.Env = s.dir, s.env
	var all bytes.Buffer
	command.Stdout, command.Stderr = &all, &all
	if err := command.Run(); err != nil && command.ProcessState == nil {
		s.t.Fatal(err)
	}
	return command.ProcessState.ExitCode(), all.String()
}

// script runs one of release's scripts.
func (s *source) script(name string, args ...string) (code int, out string) {
	s.t.Helper()
	return s.run("bash", append([]string{"release/" + name}, args...)...)
}

func (s *source) sums() string {
	s.t.Helper()
	return readOptional(s.t, filepath.Join(s.dir, "release", "sums.txt"))
}

// needsToolchain skips a test where the compiler that releases are built with
// is neither here nor to be had.
func needsToolchain(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("releases are built on a Unix system")
	}
	if testing.Short() {
		t.Skip("it builds releases, without a cache")
	}
	pin := regexp.MustCompile(`(?m)^toolchain=(go1\.\S+)$`).FindStringSubmatch(readOptional(t, filepath.Join("release", "build.sh")))
	if pin == nil {
		t.Fatal("release/build.sh pins no toolchain")
	}
	command := exec.Command("go", "version")
	command.Env = append(os.Environ(), "GOTOOLCHAIN="+pin[1])
	if out, err := command.CombinedOutput(); err != nil {
		t.Skipf("%s is not to be had: %s", pin[1], out)
	}
}

const testRelease = "v0.0.7"

// What a maintainer does, and what the tag's workflow and a runner do then: the
// sums that were committed before the tag are those of a build of the tag,
// which is made of another copy in another folder, with nothing kept, and with
// settings of its own. The second target is for another system; its second
// build may take from the cache what doesn't depend on the folder.
func TestAReleaseIsBuiltTheSameAgain(t *testing.T) {
	needsToolchain(t)
	t.Parallel()
	native := runtime.GOOS + "/" + runtime.GOARCH
	s := newSource(t, filepath.Join(t.TempDir(), "work"))
	s.env = append(s.env, "TARGETS="+native+" windows/arm64")

	writeAll(t, filepath.Join(s.dir, "main_extra.go"), "package main\n")
	if code, out := s.script("pin.sh", testRelease); code != 1 || !strings.Contains(out, "commit these first") || !strings.Contains(out, "?? main_extra.go") {
		t.Fatalf("an uncommitted file: exit code %d\n%s", code, out)
	}
	s.git("clean", "--quiet", "--force")
	candidate := strings.Repeat("a", 64) + "  fleetgate-v0.0.7-rc.1-" + strings.ReplaceAll(native, "/", "-") + "\n"
	old := strings.Repeat("b", 64) + "  fleetgate-v0.0.7-windows-arm64.exe\n"
	writeAll(t, filepath.Join(s.dir, "release", "sums.txt"), s.sums()+candidate+old)
	if code, out := s.script("pin.sh", testRelease); code != 0 || !strings.HasSuffix(out, " && git tag v0.0.7\n") {
		t.Fatalf("pinning: exit code %d\n%s", code, out)
	}
	pinned := s.sums()
	for _, name := range []string{"fleetgate-v0.0.7-" + strings.ReplaceAll(native, "/", "-"), "fleetgate-v0.0.7-windows-arm64.exe"} {
		if !regexp.MustCompile(`(?m)^[0-9a-f]{64}  ` + regexp.QuoteMeta(name) + `$`).MatchString(pinned) {
			t.Fatalf("release/sums.txt doesn't pin %s:\n%s", name, pinned)
		}
	}
	if !strings.Contains(pinned, candidate) || strings.Contains(pinned, old) {
		t.Errorf("the candidate's line is gone, or the release's own old one isn't:\n%s", pinned)
	}
	if strings.Contains(pinned, "None is pinned") {
		t.Errorf("release/sums.txt still says that none is pinned:\n%s", pinned)
	}
	s.commit("Pin " + testRelease)
	s.git("tag", testRelease)

	tag := s.cloned(filepath.Join(t.TempDir(), "another folder", "of the tag"))
	tag.env = append(tag.env, "GOFLAGS=-tags=other", "GOAMD64=v3", "GOEXPERIMENT=nogreenteagc", "GOFIPS140=latest", "TARGETS="+native)
	if !required("act") { // or else the workflow's second build, under act, is the one with nothing kept
		tag.env = append(tag.env, "GOCACHE="+t.TempDir())
	}
	once, out := t.TempDir(), ""
	var code int
	if code, out = tag.script("build.sh", testRelease, once); code != 0 {
		t.Fatalf("building the tag: exit code %d\n%s", code, out)
	}
	tag.env = append(tag.env, "GOCACHE=", "TARGETS=windows/arm64")
	if code, out = tag.script("build.sh", testRelease, once); code != 0 {
		t.Fatalf("building the tag for another system: exit code %d\n%s", code, out)
	}
	if code, out = tag.script("verify.sh", testRelease, once); code != 0 || out != "v0.0.7 is what release/sums.txt pins: 2 files\n" {
		t.Fatalf("the tag's build is not what was pinned before: exit code %d\n%s", code, out)
	}
	tag.refusesOthers(once)
	tag.runsOnARunner(once, native)
}

// cloned is a clone of the copy.
func (s *source) cloned(to string) *source {
	s.t.Helper()
	s.git("clone", "--quiet", "--branch", testRelease, s.dir, to)
	return &source{t: s.t, dir: to, env: slices.Clone(s.env)}
}

// refusesOthers says that verify.sh accepts no other files than the pinned ones.
func (s *source) refusesOthers(built string) {
	s.t.Helper()
	if code, out := s.script("verify.sh", "v0.0.8", built); code != 1 || !strings.HasPrefix(out, "release/sums.txt pins no v0.0.8: ") {
		s.t.Errorf("a version that isn't pinned: exit code %d\n%s", code, out)
	}
	exe := filepath.Join(built, "fleetgate-v0.0.7-windows-arm64.exe")
	content, err := os.ReadFile(exe)
	if err != nil {
		s.t.Fatal(err)
	}
	for what, change := range map[string]func() error{
		"a byte more":       func() error { return os.WriteFile(exe, append(content, 0), 0o644) },
		"a file less":       func() error { return os.Remove(exe) },
		"one of other name": func() error { return os.WriteFile(filepath.Join(built, "fleetgate-v0.0.7-plan9-amd64"), nil, 0o644) },
	} {
		if err := change(); err != nil {
			s.t.Fatal(err)
		}
		code, out := s.script("verify.sh", testRelease, built)
		if code != 1 || !strings.HasPrefix(out, "what was built is not what release/sums.txt pins for v0.0.7 ") || !regexp.MustCompile(`(?m)^[-+][0-9a-f]{64}  fleetgate-v0\.0\.7-`).MatchString(out) {
			s.t.Errorf("%s: exit code %d\n%s", what, code, out)
		}
		_ = os.Remove(filepath.Join(built, "fleetgate-v0.0.7-plan9-amd64"))
		if err := os.WriteFile(exe, content, 0o644); err != nil {
			s.t.Fatal(err)
		}
	}
}

// runsOnARunner has the tag's own action/run.sh download, verify, keep and run
// the release that was built.
func (s *source) runsOnARunner(built, native string) {
	s.t.Helper()
	asked := 0
	files := http.StripPrefix("/fleetgate/fleetgate/releases/download/"+testRelease, http.FileServer(http.Dir(built)))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { asked++; files.ServeHTTP(w, r) }))
	defer server.Close()
	systems := map[string]string{"linux": "Linux", "darwin": "macOS"}
	s.env = append(s.env, "GITHUB_SERVER_URL="+server.URL, "RUNNER_TEMP="+s.t.TempDir(), "RUNNER_TOOL_CACHE="+s.t.TempDir(),
		"RUNNER_OS="+systems[runtime.GOOS], "RUNNER_ARCH="+map[string]string{"amd64": "X64", "arm64": "ARM64"}[runtime.GOARCH],
		"INPUT_VERSION=", "FLEETGATE_ACTION_REPOSITORY=", "GITHUB_OUTPUT=", "GITHUB_STEP_SUMMARY=", "GITHUB_EVENT_NAME=")
	for _, from := range []string{server.URL + "/", "the tool cache\n"} {
		code, out := s.run("bash", "action/run.sh")
		if code != 2 || !strings.HasPrefix(out, "fleetgate: v0.0.7, from "+from) || !strings.Contains(out, "GITHUB_EVENT_NAME is not set") {
			s.t.Errorf("exit code %d\n%s", code, out)
		}
	}
	if asked != 1 {
		s.t.Errorf("the server was asked %d times", asked)
	}
	code, out := s.run(filepath.Join(built, "fleetgate-v0.0.7-"+strings.ReplaceAll(native, "/", "-")), "version")
	if want := fmt.Sprintf(`^fleetgate v0\.0\.7 \(go1\.[0-9.]+ %s\)\n$`, native); code != 0 || !regexp.MustCompile(want).MatchString(out) {
		s.t.Errorf("exit code %d, %q; want %s", code, out, want)
	}
}

func TestAReleaseHasAVersion(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("releases are built on a Unix system")
	}
	for _, args := range [][]string{{}, {"v1.0.0"}, {"1.0.0", "out"}, {"v1.0", "out"}, {"v01.0.0", "out"}, {"v1.0.0-", "out"}, {"v1.0.0 -X=y", "out"}, {"v1.0.0\nv", "out"}, {"v1.0.0", "out", "more"}} {
		out, err := exec.Command("bash", append([]string{"release/build.sh"}, args...)...).CombinedOutput()
		if err == nil || !strings.HasPrefix(string(out), "usage: release/build.sh VERSION OUTDIR") {
			t.Errorf("%q: %v\n%s", args, err, out)
		}
	}
	if _, err := os.Stat("out"); err == nil {
		t.Error("a folder was made for a release without a version")
	}
}

// The scripts beside the action's are what shellcheck calls clean, where there is one.
func TestTheReleaseScriptsAreClean(t *testing.T) {
	path, err := exec.LookPath("shellcheck")
	if err != nil {
		t.Skip("no shellcheck in PATH")
	}
	scripts, err := filepath.Glob(filepath.Join("release", "*.sh"))
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	scripts = append(scripts, filepath.Join("tools", "axe.sh"), filepath.Join(".ci", "run"))
	if out, err := exec.Command(path, scripts...).CombinedOutput(); err != nil {
		t.Errorf("%s", out)
	}
}
