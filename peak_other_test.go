//go:build !linux

package main

import "os"

// peakMemory isn't known here; the exit codes and the time are asserted all the same.
func peakMemory(*os.ProcessState) int64 { return 0 }
