package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A clone that stays is no reason to fail, and of many one is named.
func TestACloneThatStaysIsOneWarning(t *testing.T) {
	a, _, stderr := testApp(nil)
	dir := t.TempDir()
	a.removeClone(dir)
	if _, err := os.Stat(dir); err == nil || stderr.Len() > 0 {
		t.Errorf("%s is there, or something is said: %q", dir, stderr)
	}
	for range 2 {
		a.removeClone(t.TempDir() + "/.") // which isn't removed, of whatever system and user
	}
	if got := stderr.String(); strings.Count(got, "\n") != 1 || !strings.HasPrefix(got, "fleetgate: warning: a clone could not be taken away and stays at ") {
		t.Errorf("it says %q", got)
	}
}

// An issue's key depends on no place that may be another one in the next run.
func TestAnIssuesFolderIsBelowTheWorkspace(t *testing.T) {
	workspace, elsewhere := t.TempDir(), t.TempDir()
	sub := filepath.Join(workspace, "apps", "one")
	if err := os.MkdirAll(sub, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ workspace, repo, want string }{
		{"", ".", "."},
		{"", elsewhere, "."},
		{workspace, workspace, "."},
		{workspace, sub, "apps/one"},
		{workspace, sub + "/../one/", "apps/one"},
		{workspace, elsewhere, "."},
		{sub, workspace, "."},
		{filepath.Join(workspace, "gone"), sub, "."},
		{workspace, filepath.Join(workspace, "gone"), "."},
	} {
		a, _, _ := testApp(map[string]string{"GITHUB_WORKSPACE": tt.workspace})
		a.repo = tt.repo
		if got := a.belowWorkspace(); got != tt.want {
			t.Errorf("workspace %q, --repo %q: %q, want %q", tt.workspace, tt.repo, got, tt.want)
		}
	}
}
