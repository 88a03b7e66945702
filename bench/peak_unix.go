//go:build unix && !linux

package main

import (
	"runtime"
	"syscall"
)

// peakOf is the most memory that a command's process held, in bytes.
func peakOf(c call) (int64, error) {
	command := c.command()
	if err := answered(c, command.Run()); err != nil {
		return 0, err
	}
	usage, ok := command.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0, nil
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return int64(usage.Maxrss), nil
	}
	const kibibyte = 1024
	return int64(usage.Maxrss) * kibibyte, nil
}
