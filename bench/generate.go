package main

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// shape is a synthetic repository.
type shape struct {
	files, commits, edits int
	path                  func(n int) string
	topic                 bool // a branch of one commit on the first one
	plain                 bool // without a policy, as most clones are
}

// shapes are the kinds of history that generate makes.
var shapes = map[string]shape{
	"files":   {files: 500_000, commits: 2_000, edits: 3, path: nested(100, 20)},
	"commits": {files: 500, commits: 50_000, edits: 1, path: nested(50, 10), topic: true},
	"deep":    {files: 5_000, commits: 2_000, edits: 3, path: deep},
	"wide":    {files: 20_000, commits: 2_000, edits: 3, path: func(n int) string { return fmt.Sprintf("d%d/file%05d.go", n%2, n) }},
	"medium":  {files: 50_000, commits: 5_000, edits: 3, path: nested(100, 20)},
}

// nested puts so many files into a directory, and so many of these into
// another, which lie in four.
func nested(files, dirs int) func(int) string {
	const tops = 4
	return func(n int) string {
		dir := n / files
		return fmt.Sprintf("d%d/pkg%03d/part%02d/file%06d.go", dir/dirs%tops, dir/dirs, dir%dirs, n)
	}
}

// deep puts each file twelve directories down.
func deep(n int) string {
	const levels = 12
	var path strings.Builder
	for level := range levels {
		fmt.Fprintf(&path, "l%d/", n>>level%2)
	}
	return fmt.Sprintf("d0/%sfile%05d.go", path.String(), n)
}

// policyPath is where the policy of measured repositories lies.
const policyPath = ".clio-coder/fleets/demo.md"

const generatedPolicy = `---
version: 4
name: demo
steps:
  - {id: w, agent: coder, scope: workspace, dependencies: [], writes: [d0/, d1/, d2/, d3/]}
maxWorkers: 1
onFailure: stop
---
Write.
`

// generate makes a repository of a kind in a directory that isn't there yet.
func generate(kind, dir string) error {
	if kind == "recipes" {
		return generateRecipes(dir, recipeCount)
	}
	s, ok := shapes[kind]
	if !ok {
		return fmt.Errorf("unknown kind %q", kind)
	}
	if err := git("", "init", "--quiet", "--bare", "--initial-branch=main", dir); err != nil {
		return err
	}
	command := exec.Command("git", "-C", dir, "-c", "core.fsync=none", "fast-import", "--quiet", "--done")
	command.Stderr = os.Stderr
	in, err := command.StdinPipe()
	if err != nil {
		return err
	}
	if err := command.Start(); err != nil {
		return err
	}
	stream := bufio.NewWriter(in)
	s.write(stream)
	if err := stream.Flush(); err != nil {
		return err
	}
	if err := in.Close(); err != nil {
		return err
	}
	if err := command.Wait(); err != nil {
		return err
	}
	return git(dir, "repack", "--quiet", "-a", "-d", "-f", "--depth=50", "--window=10")
}

// write writes the history as git fast-import reads it: the same one each time.
func (s shape) write(out *bufio.Writer) {
	const seed = 7
	rnd := rand.New(rand.NewPCG(seed, seed))
	s.commit(out, "main", 0, "begin\n")
	if !s.plain {
		file(out, policyPath, generatedPolicy)
	}
	for n := range s.files {
		file(out, s.path(n), fmt.Sprintf("package p%d\n", n))
	}
	fmt.Fprint(out, "\n")
	for i := range s.commits {
		s.commit(out, "main", i+1, fmt.Sprintf("change %d\n\nFleet-Step: demo/w\n", i))
		for range s.edits {
			n := rnd.IntN(s.files)
			file(out, s.path(n), fmt.Sprintf("package p%d\n\n// %d\n", n, i))
		}
		fmt.Fprint(out, "\n")
	}
	if s.topic {
		s.commit(out, "topic", 1, "topic\n\nFleet-Step: demo/w\n")
		fmt.Fprint(out, "from :1\n")
		file(out, s.path(0), "package topic\n")
	}
	fmt.Fprint(out, "done\n")
}

// commit begins a commit; its number is its time, too.
func (s shape) commit(out *bufio.Writer, branch string, number int, message string) {
	const began = 1_700_000_000
	fmt.Fprintf(out, "commit refs/heads/%s\n", branch)
	if number == 0 {
		fmt.Fprint(out, "mark :1\n")
	}
	fmt.Fprintf(out, "committer A <a@example.com> %d +0000\ndata %d\n%s\n", began+number, len(message), message)
}

func file(out *bufio.Writer, path, content string) {
	fmt.Fprintf(out, "M 644 inline %s\ndata %d\n%s\n", path, len(content), content)
}

func git(dir string, args ...string) error {
	if dir != "" {
		args = append([]string{"-C", filepath.Clean(dir)}, args...)
	}
	command := exec.Command("git", args...)
	command.Stderr = os.Stderr
	return command.Run()
}
