package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

// prSetChildSubreaper makes a process the parent of its descendants' orphans.
const prSetChildSubreaper = 36

var becomeReaper = sync.OnceValue(func() error {
	if _, _, errno := syscall.RawSyscall(syscall.SYS_PRCTL, prSetChildSubreaper, 1, 0); errno != 0 {
		return fmt.Errorf("ask to become a subreaper: %w", errno)
	}
	return nil
})

// peakOf is the most memory that a command's process held, in bytes. Linux
// counts what a process held before it became another program, so that a child
// of this one would seem to need what this one needs. A shell, which is small,
// begins the command and leaves it to us.
func peakOf(c call) (int64, error) {
	if err := becomeReaper(); err != nil {
		return 0, err
	}
	pid, err := orphan(c)
	if err != nil {
		return 0, err
	}
	var status syscall.WaitStatus
	var usage syscall.Rusage
	if err := waitFor(pid, &status, &usage); err != nil {
		return 0, err
	}
	if code := status.ExitStatus(); code != 0 && code != 1 {
		return 0, fmt.Errorf("%s: exit status %d", strings.Join(c.args, " "), code)
	}
	const kibibyte = 1024
	return int64(usage.Maxrss) * kibibyte, nil
}

// orphan starts a command as a process that is ours to wait for. It goes ahead
// only when the shell has ended, which could otherwise wait for it first.
func orphan(c call) (int, error) {
	begin, end, err := os.Pipe()
	if err != nil {
		return 0, err
	}
	defer begin.Close()
	defer end.Close()
	shell := c
	shell.args = append([]string{"sh", "-c", `{ read -r _; exec "$@"; } <&3 >/dev/null 2>&1 & echo $!`, "sh"}, c.args...)
	command := shell.command()
	command.ExtraFiles = []*os.File{begin}
	out, err := command.Output()
	if err != nil {
		return 0, fmt.Errorf("start %s: %w", c.args[0], err)
	}
	return strconv.Atoi(strings.TrimSpace(string(out)))
}

func waitFor(pid int, status *syscall.WaitStatus, usage *syscall.Rusage) error {
	for {
		if _, err := syscall.Wait4(pid, status, 0, usage); err != syscall.EINTR {
			return err
		}
	}
}
