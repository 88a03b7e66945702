package main

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// usesAction is a line of a workflow that runs an action, and the version that its comment says.
var usesAction = regexp.MustCompile(`(?m)^\s*(?:- )?uses: (\S+)(?: # (v\d+\.\d+\.\d+))?$`)

// A workflow of this repository runs no action that its owner can change
// afterwards, and may write nothing unless one of its jobs says what for.
func TestWorkflowsArePinnedAndMayReadAlone(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(".github", "workflows", "*.yml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no workflows: %v", err)
	}
	versions := map[string]string{}
	for _, file := range files {
		content := readOptional(t, file)
		if !strings.Contains(content, "\npermissions:\n  contents: read\n\n") && !strings.Contains(content, "\npermissions: {}\n\n") {
			t.Errorf("%s begins with more than the permission to read", file)
		}
		found := usesAction.FindAllStringSubmatch(content, -1)
		if len(found) != strings.Count(content, "uses: ") {
			t.Errorf("%s: %d of %d uses are read", file, len(found), strings.Count(content, "uses: "))
		}
		for _, use := range found {
			action, pin, _ := strings.Cut(use[1], "@")
			if use[1] == "./" {
				continue
			}
			if !regexp.MustCompile(`^[0-9a-f]{40}$`).MatchString(pin) || use[2] == "" {
				t.Errorf("%s: %s is not pinned, or doesn't say its version", file, use[0])
			}
			if before := versions[action]; before != "" && before != pin+use[2] {
				t.Errorf("%s: %s is pinned to two versions", file, action)
			}
			versions[action] = pin + use[2]
		}
		if strings.Contains(content, "actions/checkout@") && strings.Count(content, "persist-credentials: false") != strings.Count(content, "actions/checkout@") {
			t.Errorf("%s: a checkout leaves the token in the clone", file)
		}
	}
}
