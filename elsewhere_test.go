package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/fleetgate/fleetgate/internal/strictyaml"
)

// section is the first block of code of a language that follows a line of a page.
func section(t *testing.T, page, line, language string) string {
	t.Helper()
	_, rest, found := strings.Cut(readOptional(t, filepath.FromSlash(page)), line)
	_, rest, block := strings.Cut(rest, "\n```"+language+"\n")
	text, _, ended := strings.Cut(rest, "```\n")
	if !found || !block || !ended {
		t.Fatalf("%s has no %s after %q", page, language, line)
	}
	return text
}

func TestReadmeHasTheQuickStartOfTheActionsPage(t *testing.T) {
	readme, page := section(t, "README.md", "## As a GitHub Action", "yaml"), section(t, "docs/action.md", "## Quick start", "yaml")
	if readme != page {
		t.Errorf("README.md has\n%s\ndocs/action.md has\n%s", readme, page)
	}
}

// theDemo is a server's repository with two pull requests, and a clone of one
// of them, as a job without an action of its own has it: one branch alone.
func theDemo(t *testing.T, branch string) *source {
	t.Helper()
	s := &source{t: t, dir: t.TempDir(), env: append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)}
	if code, out := s.run("fleetgate", "demo", "--keep", "server"); code != 0 {
		t.Fatal(out)
	}
	s.git("clone", "--quiet", "--single-branch", "--branch", branch, "file://"+filepath.ToSlash(s.dir)+"/server", "clone")
	s.dir = filepath.Join(s.dir, "clone")
	return s
}

// The lines of docs/action.md for other systems, run as they stand.
func TestDocsSayHowToJudgeElsewhere(t *testing.T) {
	gitlab := regexp.MustCompile(`(?m)^  script: (.*)$`).FindStringSubmatch(section(t, "docs/action.md", "GitLab, in", "yaml"))
	jenkins := regexp.MustCompile(`(?m)^  sh '(.*)'$`).FindStringSubmatch(section(t, "docs/action.md", "Jenkins, in", "groovy"))
	shell, _, echoes := strings.Cut(section(t, "docs/action.md", "A shell:", "sh"), "echo ")
	if gitlab == nil || jenkins == nil || !echoes {
		t.Fatalf("GitLab %q, Jenkins %q, a shell %q", gitlab, jenkins, shell)
	}
	shell = "git remote set-branches origin '*'\n" + shell // a person's clone has them all
	for name, script := range map[string]string{"GitLab": gitlab[1], "Jenkins": jenkins[1], "a shell": shell} {
		for branch, want := range map[string]int{"agent/clean": 0, "agent/violating": 1} {
			s := theDemo(t, branch)
			s.env = append(s.env, "CHANGE_TARGET=main", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main")
			if code, out := s.run("sh", "-c", script); code != want {
				t.Errorf("%s, %s: exit code %d, want %d\n%s", name, branch, code, want, out)
			}
			if _, err := os.Stat(filepath.Join(s.dir, "fleetgate.xml")); name == "GitLab" && err != nil {
				t.Error(err)
			}
		}
	}
}

func TestTheHookOfPreCommitIsACommandLine(t *testing.T) {
	hooks, found := strictyaml.Parse(".pre-commit-hooks.yaml", []byte(readOptional(t, ".pre-commit-hooks.yaml")), "config-invalid-yaml")
	if len(found) > 0 || len(hooks.Items) != 1 {
		t.Fatalf(".pre-commit-hooks.yaml: %v", found)
	}
	hook := hooks.Items[0]
	if !strings.Contains(section(t, "docs/action.md", "Before a commit", "yaml"), "{id: "+text(t, hook, "id")+"}") {
		t.Error("docs/action.md names another hook")
	}
	files := regexp.MustCompile(text(t, hook, "files"))
	if !files.MatchString(".clio-coder/fleets/docs.md") || files.MatchString("docs/.clio-coder/x") || hook.Get("pass_filenames").Bool {
		t.Errorf("it looks at %s", files)
	}
	s := theDemo(t, "agent/clean")
	entry := strings.Fields(text(t, hook, "entry"))
	if code, out := s.run(entry[0], entry[1:]...); code != 0 || !strings.HasPrefix(out, "passed: ") {
		t.Errorf("exit code %d\n%s", code, out)
	}
}

// The real pre-commit, where there is one, builds the hook from a clone of this
// repository, and looks at what is staged alone.
func TestPreCommitRunsTheHook(t *testing.T) {
	program, err := exec.LookPath("pre-commit")
	required := slices.Contains(strings.Split(os.Getenv("FLEETGATE_REQUIRE"), ","), "pre-commit")
	if err != nil && required {
		t.Fatal("FLEETGATE_REQUIRE=pre-commit, but it is not in PATH")
	}
	if !required {
		t.Skip("it builds the binary with empty caches: FLEETGATE_REQUIRE=pre-commit runs it")
	}
	t.Parallel()
	own := newSource(t, filepath.Join(t.TempDir(), "fleetgate"))
	s := theDemo(t, "main")
	modules, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	s.env = append(s.env, "GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.com", "GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.com",
		"PRE_COMMIT_HOME="+t.TempDir(), "GOFLAGS=-modcacherw", "GOPROXY=file://"+filepath.ToSlash(strings.TrimSpace(string(modules)))+"/cache/download", "GOSUMDB=off")
	writeAll(t, filepath.Join(s.dir, ".pre-commit-config.yaml"),
		"repos:\n  - repo: "+own.dir+"\n    rev: "+own.git("rev-parse", "HEAD")+"\n    hooks: [{id: fleetgate-lint}]\n")
	if code, out := s.run(program, "install"); code != 0 {
		t.Fatal(out)
	}
	contract := filepath.Join(s.dir, ".clio-coder", "fleets", "docs.md")
	good := readOptional(t, contract)
	bad := strings.Replace(good, "steps:", "stepz: []\nsteps:", 1)
	steps := []struct {
		name, staged, beside string
		code                 int
		want                 string
	}{
		{"a sound policy", good + "\n", good + "\n", 0, "Passed"},
		{"a broken one", bad, bad, 1, "fleet-schema-unknown-key"},
		{"a broken one, mended in the work tree alone", bad, good, 1, "fleet-schema-unknown-key"},
		{"a sound one, broken in the work tree alone", good, bad, 0, "Passed"},
	}
	for _, step := range steps {
		writeAll(t, contract, step.staged)
		s.git("add", "--all")
		writeAll(t, contract, step.beside)
		code, out := s.run("git", "commit", "-m", step.name)
		if code != step.code || !strings.Contains(out, step.want) {
			t.Errorf("%s: exit code %d\n%s", step.name, code, out)
		}
		s.git("reset", "--quiet", "--hard")
	}
}
