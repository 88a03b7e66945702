package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
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

// What verify.sh takes for a release's lines, and for its files.
func TestAReleaseIsToldFromItsCandidates(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("releases are built on a Unix system")
	}
	const release, candidate, other = "fleetgate-v1.0.0-linux-amd64", "fleetgate-v1.0.0-rc.1-linux-amd64", "fleetgate-v1.0.0-rc-linux-amd64"
	s := &source{t: t, dir: t.TempDir(), env: os.Environ()}
	copyFile(t, filepath.Join("release", "verify.sh"), filepath.Join(s.dir, "release", "verify.sh"))
	pins := ""
	for _, name := range []string{release, candidate, other} {
		pins += fmt.Sprintf("%x  %s\n", sha256.Sum256([]byte(name)), name)
	}
	writeAll(t, filepath.Join(s.dir, "release", "sums.txt"), pins)
	for _, tt := range []struct {
		version, file, beside string
		code                  int
		want                  string
	}{
		{"v1.0.0", release, "sums.txt", 0, "v1.0.0 is what release/sums.txt pins: 1 files\n"},
		{"v1.0.0-rc.1", candidate, "sums.txt", 0, "v1.0.0-rc.1 is what release/sums.txt pins: 1 files\n"},
		{"v1.0.0-rc", other, "sums.txt", 0, "v1.0.0-rc is what release/sums.txt pins: 1 files\n"},
		{"v1.0.0", release, candidate, 1, "what was built is not what release/sums.txt pins for v1.0.0 "},
		{"v1.0.0", release, "install.sh", 1, "this is no part of a release, take it away:\n"},
		{"v1.0.0", release, ".fleetgate", 1, "this is no part of a release, take it away:\n"},
		{"v1.0.0", release, "fleetgate-more/file", 1, "this is no part of a release, take it away:\n"},
		{"v1.0.0-rc.2", release, "sums.txt", 1, "release/sums.txt pins no v1.0.0-rc.2: "},
	} {
		out := t.TempDir()
		writeAll(t, filepath.Join(out, tt.file), tt.file)
		beside := filepath.Join(out, filepath.FromSlash(tt.beside))
		if err := os.MkdirAll(filepath.Dir(beside), 0o755); err != nil {
			t.Fatal(err)
		}
		writeAll(t, beside, "")
		if code, said := s.script("verify.sh", tt.version, out); code != tt.code || !strings.HasPrefix(said, tt.want) {
			t.Errorf("%s with %s and %s: exit code %d, %q; want %d, %q", tt.version, tt.file, tt.beside, code, said, tt.code, tt.want)
		}
	}
}
