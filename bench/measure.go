package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// bench is one run of measurements.
type bench struct {
	runs int
	gate string
	temp string
	rows []row
}

// row is one line of the table.
type row struct {
	repository, work string
	ours, theirs     figures
	commands         [2][]string
	digest           string // of what both answered, where they answer the same question
}

// figures are the medians of some runs of a command.
type figures struct {
	wall, cpu time.Duration
	peak      int64 // bytes; zero where the system doesn't say
}

// ranges are the lengths of the ranges that are measured, in commits.
var ranges = []int{1, 20, 200, 1000, 5000}

func (b *bench) build() error {
	if b.gate != "" {
		return nil
	}
	var err error
	if b.temp, err = os.MkdirTemp("", "bench"); err != nil {
		return err
	}
	b.gate = filepath.Join(b.temp, "fleetgate")
	command := exec.Command("go", "build", "-trimpath", "-o", b.gate, ".")
	command.Stderr = os.Stderr
	return command.Run()
}

func (b *bench) close() {
	if b.temp != "" {
		_ = os.RemoveAll(b.temp)
	}
}

// repository measures every range that a repository is long enough for, and
// the one of the branch topic, if it has one, whose base is far ahead.
func (b *bench) repository(name, dir string) error {
	length, err := count(dir, "HEAD")
	if err != nil {
		return err
	}
	for _, n := range ranges {
		base, ok := first(dir, fmt.Sprintf("HEAD~%d", n))
		if !ok {
			break
		}
		if err := b.log(name, dir, base); err != nil {
			return err
		}
	}
	head, ok := first(dir, "refs/heads/topic")
	if !ok {
		return nil
	}
	tip, _ := first(dir, "HEAD")
	gate := []string{b.gate, "check", "--repo", dir, "--base", tip, "--head", head, "--format", "json"}
	list := []string{"git", "-C", dir, "rev-list", "--count", head, "^" + tip}
	return b.pair(row{repository: name, work: fmt.Sprintf("base %d commits ahead", length), commands: [2][]string{gate, list}})
}

// log measures one range against git's log of it.
func (b *bench) log(name, dir, base string) error {
	gate := []string{b.gate, "check", "--repo", dir, "--base", base, "--head", "HEAD", "--format", "json"}
	log := []string{"git", "-C", dir, "log", "--raw", "-z", "--no-renames", base + "..HEAD"}
	n, err := count(dir, base+"..HEAD")
	if err != nil {
		return err
	}
	digest, err := b.compare(dir, base, n)
	if err != nil {
		return err
	}
	return b.pair(row{repository: name, work: counted(n), commands: [2][]string{gate, log}, digest: digest})
}

func (b *bench) startUp() error {
	return b.pair(row{repository: "none", work: "start-up", commands: [2][]string{{b.gate, "version"}, {"git", "--version"}}})
}

// pair runs two commands in turn.
func (b *bench) pair(r row) error {
	var ours, theirs []figures
	for i := range b.runs + 1 {
		one, err := timed(r.commands[0])
		if err != nil {
			return err
		}
		other, err := timed(r.commands[1])
		if err != nil {
			return err
		}
		if i > 0 {
			ours, theirs = append(ours, one), append(theirs, other)
		}
	}
	r.ours, r.theirs = medians(ours), medians(theirs)
	b.rows = append(b.rows, r)
	return nil
}

// timed runs a command as a process of its own. The gate exits with 1 where it
// found something, which is an answer like another.
func timed(args []string) (figures, error) {
	command := exec.Command(args[0], args[1:]...)
	command.Stdout = io.Discard
	begin := time.Now()
	err := command.Run()
	wall := time.Since(begin)
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		return figures{}, fmt.Errorf("%s: %w", strings.Join(args, " "), err)
	}
	state := command.ProcessState
	return figures{wall: wall, cpu: state.UserTime() + state.SystemTime(), peak: peakOf(state)}, nil
}

func medians(all []figures) figures {
	return figures{
		wall: median(all, func(f figures) time.Duration { return f.wall }),
		cpu:  median(all, func(f figures) time.Duration { return f.cpu }),
		peak: median(all, func(f figures) int64 { return f.peak }),
	}
}

func median[T int64 | time.Duration](all []figures, of func(figures) T) T {
	values := make([]T, len(all))
	for i, f := range all {
		values[i] = of(f)
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// gitOutput gives what git prints.
func gitOutput(dir string, args ...string) ([]byte, error) {
	out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).Output()
	if err != nil {
		return nil, fmt.Errorf("git %s: %w", strings.Join(args, " "), err)
	}
	return out, nil
}

func count(dir, revisions string) (int, error) {
	out, err := gitOutput(dir, "rev-list", "--count", revisions)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(string(out)))
}

// first gives the commit that a revision names, if it names one.
func first(dir, revision string) (string, bool) {
	out, err := gitOutput(dir, "rev-parse", "--quiet", "--verify", revision+"^{commit}")
	return strings.TrimSpace(string(out)), err == nil
}

func counted(n int) string {
	if n == 1 {
		return "1 commit"
	}
	return fmt.Sprintf("%d commits", n)
}
