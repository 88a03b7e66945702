package gate

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

// shallowClone is a clone of depth 1 of a repository with four commits, whose
// origin says that it is octo/app; its event is about a commit that isn't there.
func shallowClone(t *testing.T) Options {
	t.Helper()
	dir := t.TempDir()
	git := func(at string, args ...string) string {
		t.Helper()
		command := exec.Command("git", args...)
		command.Dir = at
		command.Env = append(os.Environ(), "HOME="+dir, "GIT_CONFIG_NOSYSTEM=1",
			"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com")
		out, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	whole, clone := filepath.Join(dir, "whole"), filepath.Join(dir, "clone")
	git(dir, "init", "--quiet", "--initial-branch=main", whole)
	for range 4 {
		git(whole, "commit", "--quiet", "--allow-empty", "--message=c")
	}
	git(dir, "clone", "--quiet", "--depth=1", "file://"+whole, clone)
	git(clone, "config", "remote.origin.url", "https://github.com/octo/app")
	return Options{Dir: clone, Repository: "octo/app", Event: &Event{
		Name: "pull_request", BaseRef: "main", BaseRepo: "octo/app", DefaultBranch: "main", HeadSHA: git(whole, "rev-parse", "main~2"),
	}}
}

// asked runs a check with a fetch that brings nothing, and gives what it was asked for.
func asked(t *testing.T, o Options, answer error) (needs []Need, digest string) {
	t.Helper()
	o.Fetch = func(_ context.Context, need Need) (Tips, error) {
		needs = append(needs, need)
		return nil, answer
	}
	v, err := Check(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return needs, v.Digest
}

// What a fetch can't bring leaves the verdict as it is without one.
func TestAFetchThatBringsNothingEndsTheCheck(t *testing.T) {
	o := shallowClone(t)
	v, err := Check(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, answer := range []error{nil, errors.New("no network")} {
		needs, digest := asked(t, o, answer)
		if digest != v.Digest {
			t.Errorf("answer %v: another verdict", answer)
		}
		if len(needs) != 2 || needs[0].Deepen != deepening[0] || len(needs[0].Commits) != 1 || needs[1].Deepen != 0 || needs[1].Commits[0].String() != o.Event.HeadSHA {
			t.Errorf("answer %v: asked for %v, want the history behind HEAD, then the commit itself", answer, needs)
		}
		for _, need := range needs {
			if !need.Shallow || need.Partial || need.Origin != "https://github.com/octo/app" || filepath.Base(need.GitDir) != ".git" {
				t.Errorf("the clone is described as %+v", need)
			}
		}
	}
}

func TestAnInterruptedFetchIsNotTriedAgain(t *testing.T) {
	o := shallowClone(t)
	ctx, cancel := context.WithCancel(t.Context())
	calls := 0
	o.Fetch = func(context.Context, Need) (Tips, error) {
		calls++
		cancel()
		return nil, ctx.Err()
	}
	_, _ = Check(ctx, o)
	if calls != 1 {
		t.Errorf("%d fetches", calls)
	}
}

func TestAHistoryIsDeepenedStepByStep(t *testing.T) {
	o := shallowClone(t)
	o.Base, o.Head = "HEAD", "HEAD~1" // which the clone left out, and no fetch brings
	var got []int
	o.Fetch = func(_ context.Context, need Need) (Tips, error) {
		got = append(got, need.Deepen)
		return nil, nil
	}
	if _, err := Check(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(deepening, got); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
}

func TestFetchesAreBounded(t *testing.T) {
	f := &fetches{count: MaxFetches, tips: Tips{}, fetch: func(context.Context, Need) (Tips, error) {
		t.Error("one more fetch")
		return nil, nil
	}}
	if f.mends(t.Context(), &run{}, &lackError{need: Need{Branches: []string{"main"}}, err: errors.New("lacking")}) {
		t.Error("the check would begin anew")
	}
}

func TestLookUpsThatLackSomethingAreJoined(t *testing.T) {
	var l lacks
	id := boundary.OID{1}
	if l.err() != nil || l.took(errors.New("another failure")) {
		t.Fatal("nothing lacks yet")
	}
	for _, need := range []Need{{Branches: []string{"a"}}, {Commits: []boundary.OID{id}}, {Branches: []string{"b"}}} {
		if !l.took(&lackError{need: need, err: errors.New("lacking")}) {
			t.Fatal("a lack isn't noted")
		}
	}
	var lack *lackError
	if !errors.As(l.err(), &lack) || !slices.Equal(lack.need.Branches, []string{"a", "b"}) || !slices.Equal(lack.need.Commits, []boundary.OID{id}) {
		t.Errorf("joined: %+v", l.need)
	}
}
