package cli

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/fleetgate/fleetgate/internal/action"
	"github.com/fleetgate/fleetgate/internal/gate"
	"github.com/fleetgate/fleetgate/internal/github"
	"github.com/fleetgate/fleetgate/internal/report"
	"github.com/fleetgate/fleetgate/internal/verdict"
)

// issueTitle is what the issue is called when it is made.
const issueTitle = "fleetgate audit: what needs a person"

// issueTarget is where an audit's issue is kept, by whose token, and what
// tells it from another audit's.
type issueTarget struct{ repository, token, key string }

// issueTarget reads what --issue needs of the environment.
func (a *app) issueTarget() (issueTarget, error) {
	t := issueTarget{repository: a.getenv("GITHUB_REPOSITORY"), token: a.getenv("GITHUB_TOKEN"), key: a.gateKey(a.belowWorkspace())}
	switch {
	case !action.IsRepository(t.repository):
		return issueTarget{}, usagef("--issue wants the OWNER/REPO of its issue in GITHUB_REPOSITORY, which is %q", t.repository)
	case t.token == "":
		return issueTarget{}, usagef("--issue wants a token in GITHUB_TOKEN that may write the repository's issues")
	}
	return t, nil
}

// belowWorkspace is the path of --repo below the workspace of a job, with
// slashes; "." anywhere else: where a clone lies may change from run to run.
func (a *app) belowWorkspace() string {
	workspace, err := filepath.EvalSymlinks(a.getenv("GITHUB_WORKSPACE"))
	if err != nil || a.getenv("GITHUB_WORKSPACE") == "" {
		return "."
	}
	repo, err := filepath.Abs(a.repo)
	if err == nil {
		repo, err = filepath.EvalSymlinks(repo)
	}
	if err != nil {
		return "."
	}
	below, err := filepath.Rel(workspace, repo)
	if err != nil || !filepath.IsLocal(below) {
		return "."
	}
	return filepath.ToSlash(below)
}

// tracked gives an audit that keeps its issue. Whatever goes wrong with the
// issue is one line on standard error: the verdict stands.
func (a *app) tracked(t issueTarget, audit func(context.Context, gate.Options) (verdict.Verdict, error)) func(context.Context, gate.Options) (verdict.Verdict, error) {
	return func(ctx context.Context, o gate.Options) (verdict.Verdict, error) {
		v, err := audit(ctx, o)
		if err != nil {
			return v, err
		}
		outcome, err := a.trackIssue(ctx, &v, t)
		line := postedLine("issue", outcome)
		if err != nil {
			line = "notice: " + err.Error()
		}
		fmt.Fprintf(a.stderr, "fleetgate: %s\n", plain(line))
		return v, nil
	}
}

// trackIssue makes the issue say what an audit found.
func (a *app) trackIssue(ctx context.Context, v *verdict.Verdict, t issueTarget) (github.Outcome, error) {
	client, err := a.client(t.token)
	if err != nil {
		return github.Outcome{}, err
	}
	var text strings.Builder
	if err := report.IssueWithin(github.MaxText)(&text, *v); err != nil {
		return github.Outcome{}, err
	}
	return client.TrackIssue(ctx, github.Issue{
		Repository: t.repository, Key: t.key, Title: issueTitle, Text: text.String(), Clean: report.IssueIsClean(*v),
	})
}

// client speaks to the API that the environment names.
func (a *app) client(token string) (*github.Client, error) {
	return github.New(github.Options{URL: a.getenv("GITHUB_API_URL"), Token: token, UserAgent: "fleetgate/" + toolVersion()})
}

// postedLine says what came of a write.
func postedLine(what string, outcome github.Outcome) string {
	if outcome.Did == github.Nothing {
		return what + ": there is nothing to write"
	}
	return strings.TrimSpace(fmt.Sprintf("%s %s %s", what, outcome.Did, outcome.URL))
}

// gateKey tells this gate from others of the same repository: by workflow
// file, job and folder, which stay the same from run to run.
func (a *app) gateKey(folder string) string {
	workflow, _, _ := strings.Cut(a.getenv("GITHUB_WORKFLOW_REF"), "@")
	return github.Key(cmp.Or(workflow, a.getenv("GITHUB_WORKFLOW")), a.getenv("GITHUB_JOB"), folder)
}
