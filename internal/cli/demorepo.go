package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// The demo's two pull requests. The violating one is what HEAD is on.
const (
	demoCleanBranch     = "agent/clean"
	demoViolatingBranch = "agent/violating"
)

// demoStart is the date of the first commit; each further one is a minute later.
var demoStart = time.Date(2026, time.January, 5, 9, 0, 0, 0, time.UTC)

// demoCommit is one commit of the demo: where it stands, who made it, what it writes.
type demoCommit struct {
	branch  string // created from main where it doesn't exist yet
	author  string
	message string
	files   []demoFile
}

type demoFile struct{ path, text string }

const demoFleet = `---
version: 4
name: docs
description: Keeps the manual in step with the code.
steps:
  - id: survey
    agent: scout
    scope: readonly
    dependencies: []
  - id: write
    agent: documenter
    scope: workspace
    dependencies: [survey]
    writes: [docs/, README.md]
maxWorkers: 1
onFailure: stop
---
Bring the manual up to date.
`

const demoConfig = `version: 1
permit:
  - branch: agent/*
    steps: [docs/*]
`

var demoCommits = []demoCommit{
	{"main", "Ada", "Start a server, and let a fleet keep its manual", []demoFile{
		{".clio-coder/fleets/docs.md", demoFleet},
		{".clio-coder/fleetgate.yaml", demoConfig},
		{"README.md", "# Server\n\nSee docs/.\n"},
		{"docs/usage.md", "Run `server`.\n"},
		{"src/server.go", "package main\n\nfunc main() { serve(8080) }\n"},
	}},
	{demoCleanBranch, "Docs agent", "Describe the port\n\nFleet-Step: docs/write", []demoFile{
		{"docs/port.md", "The server listens on port 8080.\n"},
	}},
	{demoCleanBranch, "Docs agent", "Point the README at the port\n\nFleet-Step: docs/write", []demoFile{
		{"README.md", "# Server\n\nSee docs/, and docs/port.md for the port.\n"},
	}},
	{demoViolatingBranch, "Docs agent", "Describe how to stop it\n\nFleet-Step: docs/write", []demoFile{
		{"docs/stop.md", "Send it SIGTERM.\n"},
	}},
	{demoViolatingBranch, "Docs agent", "Describe the port, and move it while at it\n\nFleet-Step: docs/write", []demoFile{
		{"docs/port.md", "The server listens on port 9090.\n"},
		{"src/server.go", "package main\n\nfunc main() { serve(9090) }\n"},
	}},
}

// makeDemo makes the repository with the real git, so that it is one like any
// other; identity, dates and configuration are fixed, so that its ids are too.
func (a *app) makeDemo(ctx context.Context, dir string) error {
	if _, err := exec.LookPath("git"); err != nil {
		return usagef("demo makes its repository with git, which isn't in PATH: install git")
	}
	git := func(c demoCommit, when time.Time, args ...string) error {
		_, err := runGit(ctx, dir, a.demoEnvironment(dir, c.author, when), args...)
		if err != nil {
			return fmt.Errorf("demo: git %s: %w", args[0], err)
		}
		return nil
	}
	if err := git(demoCommits[0], demoStart, "init", "--quiet", "--template="); err != nil {
		return err
	}
	if err := git(demoCommits[0], demoStart, "symbolic-ref", "HEAD", "refs/heads/main"); err != nil {
		return err
	}
	at := "main"
	for i, c := range demoCommits {
		when := demoStart.Add(time.Duration(i) * time.Minute)
		if c.branch != at {
			if err := git(c, when, "checkout", "--quiet", "-b", c.branch, "main"); err != nil {
				return err
			}
			at = c.branch
		}
		if err := writeDemoFiles(dir, c.files); err != nil {
			return err
		}
		if err := errors.Join(git(c, when, "add", "--all"), git(c, when, "commit", "--quiet", "--message", c.message)); err != nil {
			return err
		}
	}
	return nil
}

func writeDemoFiles(dir string, files []demoFile) error {
	for _, f := range files {
		path := filepath.Join(dir, filepath.FromSlash(f.path))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(f.text), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// demoEnvironment leaves nothing of the user's git in: no configuration,
// template, hook, signature or GIT_DIR of a surrounding hook.
func (a *app) demoEnvironment(dir, author string, when time.Time) []string {
	env := []string{
		"HOME=" + dir, "XDG_CONFIG_HOME=" + dir, "TZ=UTC", "LC_ALL=C",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_TERMINAL_PROMPT=0",
	}
	for _, role := range []string{"AUTHOR", "COMMITTER"} {
		env = append(env, "GIT_"+role+"_NAME="+author, "GIT_"+role+"_EMAIL=demo@example.com", fmt.Sprintf("GIT_%s_DATE=%d +0000", role, when.Unix()))
	}
	for _, name := range []string{"PATH", "TMPDIR", "TEMP", "TMP", "SystemRoot"} {
		if value := a.getenv(name); value != "" {
			env = append(env, name+"="+value)
		}
	}
	return env
}
