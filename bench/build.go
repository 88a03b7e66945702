package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// build makes the gate just as a release is made, with the release's own
// script, unless a binary was named. What is measured is what people run.
func (b *bench) build() error {
	var err error
	if b.temp, err = os.MkdirTemp("", "bench"); err != nil {
		return err
	}
	if b.gate != "" {
		b.gate, err = filepath.Abs(b.gate)
		return err
	}
	const version = "v0.0.0-bench"
	target := runtime.GOOS + "/" + runtime.GOARCH
	command := exec.Command("bash", filepath.Join("release", "build.sh"), version, b.temp)
	command.Env = append(command.Environ(), "TARGETS="+target)
	command.Stderr = os.Stderr
	if err := command.Run(); err != nil {
		return fmt.Errorf("build the gate with release/build.sh, from the repository's root (-gate names one that is built): %w", err)
	}
	b.gate = filepath.Join(b.temp, fmt.Sprintf("fleetgate-%s-%s-%s", version, runtime.GOOS, runtime.GOARCH))
	if runtime.GOOS == "windows" {
		b.gate += ".exe"
	}
	return nil
}

func (b *bench) close() {
	if b.temp != "" {
		_ = os.RemoveAll(b.temp)
	}
}
