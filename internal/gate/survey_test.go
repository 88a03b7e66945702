package gate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/verdict"
)

// committed makes a repository with some empty commits.
func committed(t *testing.T, commits int) string {
	t.Helper()
	dir := t.TempDir()
	git := func(args ...string) {
		command := exec.Command("git", args...)
		command.Dir = dir
		command.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull,
			"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.com", "GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.com")
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	git("init", "--quiet")
	for range commits {
		git("commit", "--quiet", "--allow-empty", "--message", "x")
	}
	return dir
}

func TestASurveyTakesAwayWhatItOpened(t *testing.T) {
	var steps []string
	opens := func(name, dir string, err error) Source {
		return Source{Name: name, Open: func(context.Context) (Opened, error) {
			steps = append(steps, "open "+name)
			return Opened{Dir: dir, Close: func() { steps = append(steps, "close "+name) }}, err
		}}
	}
	o := Options{Progress: func(p Progress) { steps = append(steps, fmt.Sprintf("%d of %d %s", p.Done, p.Total, p.Of)) }}
	gone := filepath.Join(t.TempDir(), "gone")
	s, err := Survey(t.Context(), o, AuditOptions{}, []Source{
		opens("octo/a", committed(t, 1), nil), opens("octo/b", "", errors.New("no such repository")), opens("octo/c", gone, nil),
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"0 of 3 repositories", "open octo/a", "close octo/a", "1 of 3 repositories", "open octo/b",
		"2 of 3 repositories", "open octo/c", "close octo/c", "3 of 3 repositories",
	}
	if diff := cmp.Diff(want, steps); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := s.Repositories[0]; got.Word != verdict.Passed {
		t.Errorf("octo/a is %+v", got)
	}
	if got := s.Repositories[1]; got.Reason != "unreadable" || got.Summary != "no such repository" {
		t.Errorf("octo/b is %+v", got)
	}
	if got := s.Repositories[2]; got.Reason != "unreadable" || strings.Contains(got.Summary, gone) || !strings.Contains(got.Summary, "octo/c") {
		t.Errorf("octo/c is %+v", got)
	}
}

func TestAnAuditTellsHowManyCommitsItHasLookedAt(t *testing.T) {
	var got []Progress
	o := Options{Dir: committed(t, 4), Progress: func(p Progress) { got = append(got, p) }}
	if _, err := Audit(t.Context(), o, AuditOptions{Since: "HEAD~2"}); err != nil {
		t.Fatal(err)
	}
	want := []Progress{{0, 2, "commits"}, {1, 2, "commits"}, {2, 2, "commits"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
