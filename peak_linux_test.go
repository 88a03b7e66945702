package main

import (
	"os"
	"syscall"
)

// peakMemory gives the most memory, in bytes, that an ended process had resident.
func peakMemory(state *os.ProcessState) int64 {
	const unit = 1024 // what Linux counts ru_maxrss in
	return state.SysUsage().(*syscall.Rusage).Maxrss * unit
}
