package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// violatingRepository has a branch agent/docs that main's policy finds much
// wrong with, of every kind that a report sorts and counts.
func violatingRepository(t *testing.T) *testRepository {
	r := newTestRepository(t)
	r.git("config", "remote.origin.url", "https://github.com/octo/app")
	r.write(
		".clio-coder/fleets/docs.md", contract("docs", "docs/"),
		".clio-coder/fleets/code.md", contract("code", "src/"),
		".clio-coder/fleets/broken.md", "no front matter\n",
		".clio-coder/fleetgate.yaml", `version: 1
severity: {tree-alias: note}
ignore:
  - {code: commit-unattributed, path: src/, reason: people work with assistants here, until: 2020-01-01}
`,
		"docs/index.md", "index\n", "docs/other.md", "other\n",
		"src/a.go", "package a\n", "src/b.go", "package a\n", "lib/c.go", "package c\n",
	)
	r.commit("Start")
	r.git("checkout", "--quiet", "-b", "agent/side")
	for i := range 12 {
		r.write(fmt.Sprintf("lib/%d.go", i), "package c\n", fmt.Sprintf("src/%d.go", i), "package a\n")
		r.commit(fmt.Sprintf("Add %d", i), "Fleet-Step: code/write")
	}
	r.git("checkout", "--quiet", "-b", "agent/docs", "main")
	r.write("docs/a.md", "a\n", "src/a.go", "package a // docs\n", "lib/c.go", "-")
	r.commit("Describe a", "Fleet-Step: docs/write\nFleet-Step: code/nobody")
	r.write("docs/a.md", "a, again\n", "src/b.go", "package a // docs\n", "docs/CODEOWNERS", "* @octo\n")
	r.commit("Describe b", "Fleet-Step: docs/write")
	r.write("src/b.go", "package a\n", ".clio-coder/fleets/docs.md", contract("docs", "docs/, lib/"))
	r.commit("Put it back", "Fleet-Step: docs/write\nFleet-Step: code/write")
	r.git("update-index", "--add", "--cacheinfo", "160000,1234567890123456789012345678901234567890,docs/sub")
	link := r.git("hash-object", "-w", filepath.Join(r.dir, "docs", "index.md"))
	r.git("update-index", "--add", "--cacheinfo", "120000,"+link+",docs/link")
	r.git("update-index", "--add", "--cacheinfo", "100644,"+link+",docs/Index.md")
	r.git("commit", "--quiet", "-m", "Add odd things", "-m", "Fleet-Step: docs/write", "-m", "Reviewed by nobody.")
	r.git("reset", "--quiet", "--hard")
	r.merge("agent/side", []string{"Merge the side", "Co-authored-by: Claude <noreply@anthropic.com>"},
		"lib/merged.go", "package c\n", "src/0.go", "-")
	r.write("src/z.go", "package a\n")
	r.commit("Add z", "Co-authored-by: Claude <noreply@anthropic.com>")
	r.git("checkout", "--quiet", "main")
	r.write("docs/other.md", "other, too\n")
	r.commit("Go on")
	r.git("update-ref", "refs/remotes/origin/main", "main")
	r.git("checkout", "--quiet", "agent/docs")
	return r
}

func (r *testRepository) payload() string {
	path := filepath.Join(r.t.TempDir(), "event.json")
	text := fmt.Sprintf(`{"pull_request": {
  "user": {"login": "octocat", "type": "User"},
  "base": {"ref": "main", "repo": {"full_name": "octo/app"}},
  "head": {"ref": "agent/docs", "sha": "%s", "repo": {"full_name": "octo/app"}}},
  "repository": {"full_name": "octo/app", "default_branch": "main"}}`, r.git("rev-parse", "agent/docs"))
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		r.t.Fatal(err)
	}
	return path
}

// TestSameInputsGiveTheSameBytes runs check ten times over one repository. The
// directory, the time zone, the home, the number of processors, the way in
// which objects are stored, and whether there is a PATH, must not show.
func TestSameInputsGiveTheSameBytes(t *testing.T) {
	r := violatingRepository(t)
	elsewhere, payload := t.TempDir(), r.payload()
	path := "PATH=" + os.Getenv("PATH")
	runs := []struct {
		name   string
		before func()
		dir    string
		env    []string
	}{
		{"in the root", nil, r.dir, []string{path, "HOME=" + r.dir, "TZ=UTC", "GOMAXPROCS=1"}},
		{"on two processors", nil, r.dir, []string{path, "HOME=" + elsewhere, "TZ=Pacific/Kiritimati", "GOMAXPROCS=2"}},
		{"in a folder", nil, filepath.Join(r.dir, "docs"), []string{path, "HOME=/nonexistent", "TZ=America/St_Johns", "GOMAXPROCS=2", "LANG=tr_TR.UTF-8"}},
		{"in .git", nil, filepath.Join(r.dir, ".git"), []string{path, "HOME=" + elsewhere, "TZ=Asia/Kathmandu", "GOMAXPROCS=1"}},
		{"from elsewhere", nil, elsewhere, []string{path, "HOME=" + elsewhere, "XDG_CONFIG_HOME=" + elsewhere, "GOMAXPROCS=2", "GOGC=5"}},
		{"repacked", func() { r.git("repack", "-a", "-d", "--quiet") }, r.dir, []string{path, "HOME=" + r.dir, "TZ=UTC", "GOMAXPROCS=1"}},
		{"with packed refs", func() { r.git("pack-refs", "--all") }, filepath.Join(r.dir, "src"), []string{path, "HOME=/", "TZ=Europe/Berlin", "GOMAXPROCS=2"}},
		{"with another work tree checked out", func() { r.git("checkout", "--quiet", "--force", "main") }, r.dir, []string{path, "HOME=" + r.dir, "GOMAXPROCS=2"}},
		{"without a PATH", nil, r.dir, []string{"PATH=", "HOME=" + r.dir, "GOMAXPROCS=1"}},
		{"without any environment", nil, r.dir, nil},
	}
	reports := map[string][]string{
		"local": {"check", "--base", "main", "--head", "agent/docs"},
		"event": {"check", "--event", "pull_request", "--payload", payload, "--repository", "octo/app"},
	}
	first := map[string]string{}
	for _, run := range runs {
		t.Run(run.name, func(t *testing.T) {
			if run.before != nil {
				run.before()
			}
			for name, args := range reports {
				for _, format := range []string{"json", "text", "github", "markdown"} {
					args := slices.Concat(args, []string{"--repo", r.dir, "--format", format})
					if run.dir != elsewhere && name == "local" {
						args = slices.Concat(reports[name], []string{"--format", format})
					}
					code, stdout, stderr := fleetgateRun{run.dir, run.env, args}.output(t)
					if code != 1 || stderr != "" {
						t.Fatalf("%s as %s: exit code %d, want 1; it said %q", name, format, code, stderr)
					}
					key := name + " " + format
					if _, known := first[key]; !known {
						first[key] = stdout
					}
					if diff := cmp.Diff(first[key], stdout); diff != "" {
						t.Errorf("%s as %s differs from the first run (-first +now):\n%s", name, format, diff)
					}
				}
			}
		})
	}
	checkManyKinds(t, first["local json"])
	if digest(t, first["local json"]) == digest(t, first["event json"]) {
		t.Error("a local run and an event have one digest, although the event is in the verdict")
	}
	for key, report := range first {
		if strings.Contains(report, r.dir) || strings.Contains(report, elsewhere) {
			t.Errorf("the report %q names a path of the machine", key)
		}
	}
}

// checkManyKinds sees to it that what was compared holds something to compare.
func checkManyKinds(t *testing.T, report string) {
	t.Helper()
	var v struct {
		Diagnostics []struct{ Code string }
		Counts      struct{ Commits, Errors, Warnings, Notes int }
	}
	if err := json.Unmarshal([]byte(report), &v); err != nil {
		t.Fatal(err)
	}
	var codes []string
	for _, d := range v.Diagnostics {
		codes = append(codes, d.Code)
	}
	slices.Sort(codes)
	want := []string{
		"boundary-outside", "boundary-policy-edit", "boundary-restored", "claim-near-miss", "claim-unknown", "commit-unattributed",
		"frontmatter-missing-open", "ignore-expired", "policy-widened", "tree-gitlink-undeclared",
	}
	for _, code := range want {
		if !slices.Contains(codes, code) {
			t.Errorf("no %s among the findings: %s", code, strings.Join(slices.Compact(codes), ", "))
		}
	}
	if c := v.Counts; c.Commits < 18 || c.Errors < 15 || c.Warnings < 5 || c.Notes < 2 {
		t.Errorf("too little to compare: %+v", c)
	}
}

func digest(t *testing.T, report string) string {
	t.Helper()
	var v struct{ Digest string }
	if err := json.Unmarshal([]byte(report), &v); err != nil {
		t.Fatal(err)
	}
	if v.Digest == "" {
		t.Fatal("the report has no digest")
	}
	return v.Digest
}
