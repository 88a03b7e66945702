package cli

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"strings"
)

// runGit runs the real git in a folder and gives its standard output, trimmed. env
// replaces the process's environment; nil keeps it. The error is git's own
// message. Only hook and demo run it: no verdict comes from it.
func runGit(ctx context.Context, dir string, env []string, args ...string) (string, error) {
	command := exec.CommandContext(ctx, "git", args...)
	command.Dir, command.Env = dir, env
	var out, problem bytes.Buffer
	command.Stdout, command.Stderr = &out, &problem
	err := command.Run()
	if err == nil {
		return strings.TrimRight(out.String(), "\n"), nil
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) && problem.Len() > 0 {
		return "", errors.New(plain(strings.TrimSpace(problem.String())))
	}
	return "", err
}
