package main

import (
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// call is a command with where it runs and what it is told beside its arguments.
type call struct {
	args []string
	dir  string
	env  []string // added to the environment
}

func (c call) command() *exec.Cmd {
	command := exec.Command(c.args[0], c.args[1:]...)
	command.Dir = c.dir
	command.Env = append(command.Environ(), c.env...)
	return command
}

// figures are the medians of some runs of a command.
type figures struct {
	wall, cpu time.Duration
	peak      int64 // bytes; zero where the system doesn't say
}

// peakRuns is how often a command runs to see how much memory it takes.
const peakRuns = 3

// pair runs two commands in turn, first for the time, then for the memory.
func (b *bench) pair(r row) error {
	var ours, theirs []figures
	for i := range b.runs + 1 {
		one, err := timed(r.ours.call)
		if err != nil {
			return err
		}
		other, err := timed(r.theirs.call)
		if err != nil {
			return err
		}
		if i > 0 {
			ours, theirs = append(ours, one), append(theirs, other)
		}
	}
	r.ours.figures, r.theirs.figures = medians(ours), medians(theirs)
	for _, side := range []*side{&r.ours, &r.theirs} {
		var err error
		if side.peak, err = peak(side.call); err != nil {
			return err
		}
	}
	b.rows = append(b.rows, r)
	return nil
}

// timed runs a command as a process of its own, which prints to nowhere.
func timed(c call) (figures, error) {
	command := c.command()
	begin := time.Now()
	err := command.Run()
	wall := time.Since(begin)
	if err := answered(c, err); err != nil {
		return figures{}, err
	}
	state := command.ProcessState
	return figures{wall: wall, cpu: state.UserTime() + state.SystemTime()}, nil
}

// answered gives what went wrong with a command. The gate exits with 1 where it
// found something, which is an answer like another.
func answered(c call, err error) error {
	var exit *exec.ExitError
	if err == nil || errors.As(err, &exit) && exit.ExitCode() == 1 {
		return nil
	}
	return fmt.Errorf("%s: %w", strings.Join(c.args, " "), err)
}

func peak(c call) (int64, error) {
	var all []int64
	for range peakRuns {
		bytes, err := peakOf(c)
		if err != nil {
			return 0, err
		}
		all = append(all, bytes)
	}
	return middle(all), nil
}

func medians(all []figures) figures {
	var wall, cpu []time.Duration
	for _, f := range all {
		wall, cpu = append(wall, f.wall), append(cpu, f.cpu)
	}
	return figures{wall: middle(wall), cpu: middle(cpu)}
}

// middle is the median, the upper one of an even number.
func middle[T int64 | time.Duration](values []T) T {
	slices.Sort(values)
	return values[len(values)/2]
}
