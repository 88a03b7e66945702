package gate

import (
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/discover"
)

const (
	ignoreFile = ".gitignore"
	// MaxIgnoreBytes is how much of the root's .gitignore is looked at.
	MaxIgnoreBytes = 1 << 20
)

// letIn are the lines that ignore what a runtime leaves behind and let the policy in.
const letIn = "`.clio-coder/*`, `!.clio-coder/agents/`, `!.clio-coder/fleets/`, `!.clio-coder/playbooks/`, `!.clio-coder/fleetgate.yaml` and `!.clio-coder/fleetgate.lock`"

// ignoredAt gives the line of the root's .gitignore that leaves out the
// policy's folder as a whole, or 0. Only patterns that name the folder itself
// are known; the last one that matches decides, as in git.
func ignoredAt(tree fs.FS) (line int) {
	file, err := tree.Open(ignoreFile)
	if err != nil {
		return 0 // none, or a link
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, MaxIgnoreBytes))
	if err != nil {
		return 0
	}
	number := 0
	for pattern := range strings.Lines(string(text)) {
		number++
		name, negated := strings.CutPrefix(strings.TrimRight(pattern, " \t\r\n"), "!")
		if !slices.Contains([]string{discover.Dir, "/" + discover.Dir, "**/" + discover.Dir}, strings.TrimSuffix(name, "/")) {
			continue
		}
		line = number
		if negated {
			line = 0
		}
	}
	return line
}

// ignoredHint says how to let the policy in, or "".
func ignoredHint(tree fs.FS) string {
	line := ignoredAt(tree)
	if line == 0 {
		return ""
	}
	return fmt.Sprintf("line %d of %s leaves out %s/ as a whole, so no policy can be committed; in its place write %s", line, ignoreFile, discover.Dir, letIn)
}

// ignoredPolicy is ignoredHint as a finding of lint.
func ignoredPolicy(tree fs.FS) []diag.Diagnostic {
	line := ignoredAt(tree)
	if line == 0 {
		return nil
	}
	message := fmt.Sprintf("git ignores %s/ as a whole, so the policy in it is never committed and nothing is judged by it", discover.Dir)
	return []diag.Diagnostic{
		diag.New("policy-ignored", diag.Pos{File: ignoreFile, Line: line, Column: 1}, "", message).
			WithHint("in place of this line write " + letIn),
	}
}
