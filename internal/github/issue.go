package github

import (
	"cmp"
	"context"
	"errors"

	"github.com/google/go-github/v60/github"
)

// Issue is the one issue in which an audit keeps what it found.
type Issue struct {
	Repository string   // OWNER/REPO, where the issue is
	Key        string   // of the audit, by Key
	Title      string   // given when the issue is made; people may change it
	Text       string   // Markdown, at most MaxText bytes
	Labels     []string // given when the issue is made
	Clean      bool     // nothing was found: the issue is closed, or never made
}

// TrackIssue keeps the issue: made when something was found, edited in place,
// closed when nothing is found any more, reopened when something is again. If
// nothing changed, nothing is written, and nobody is notified. The issue is
// found by a hidden marker and by its author, the token's owner.
func (c *Client) TrackIssue(ctx context.Context, issue Issue) (Outcome, error) {
	t, err := c.newIssue(issue)
	if err != nil {
		return Outcome{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, MaxOperation)
	defer cancel()
	return c.untilSure(ctx, t.put)
}

// tracking is one call of TrackIssue.
type tracking struct {
	*Client
	aim
	Issue
	owner, repo string
	body        string
}

func (c *Client) newIssue(issue Issue) (*tracking, error) {
	owner, repo, err := splitRepository(issue.Repository)
	if err != nil {
		return nil, err
	}
	if issue.Title == "" {
		return nil, errors.New("an issue has a title")
	}
	if err := checkKey(issue.Key); err != nil {
		return nil, err
	}
	if err := checkText(issue.Text); err != nil {
		return nil, err
	}
	issue.Title = clip(issue.Title, maxTitle)
	return &tracking{
		Client: c, Issue: issue, owner: owner, repo: repo,
		aim:  aim{what: "the audit's issue in " + issue.Repository, permission: "issues: write"},
		body: marker("issue", issue.Key, "") + issue.Text,
	}, nil
}

func (t *tracking) put(ctx context.Context) (Outcome, error) {
	old, err := t.find(ctx)
	if err != nil {
		return Outcome{}, err
	}
	open := old.GetState() == "open"
	switch {
	case t.Clean && (old == nil || !open):
		return Outcome{Did: Nothing, URL: old.GetHTMLURL()}, nil
	case old == nil:
		return t.create(ctx)
	case t.Clean:
		return t.edit(ctx, old, &github.IssueRequest{Body: &t.body, State: github.String("closed"), StateReason: github.String("completed")}, Closed)
	case !open:
		return t.edit(ctx, old, &github.IssueRequest{Body: &t.body, State: github.String("open")}, Reopened)
	case sameText(old.GetBody(), t.body):
		return Outcome{Did: Unchanged, URL: old.GetHTMLURL()}, nil
	}
	return t.edit(ctx, old, &github.IssueRequest{Body: &t.body}, Updated)
}

func (t *tracking) create(ctx context.Context) (Outcome, error) {
	request := &github.IssueRequest{Title: &t.Title, Body: &t.body}
	if len(t.Labels) > 0 {
		request.Labels = &t.Labels
	}
	made, _, err := t.api.Issues.Create(ctx, t.owner, t.repo, request)
	if err != nil {
		return Outcome{}, t.fail(ctx, t.aim, err)
	}
	return Outcome{Did: Created, URL: made.GetHTMLURL()}, nil
}

func (t *tracking) edit(ctx context.Context, old *github.Issue, request *github.IssueRequest, did Did) (Outcome, error) {
	if _, _, err := t.api.Issues.Edit(repeatable(ctx), t.owner, t.repo, old.GetNumber(), request); err != nil {
		return Outcome{}, t.fail(ctx, t.aim, err)
	}
	return Outcome{Did: did, URL: old.GetHTMLURL()}, nil
}

// find gives the audit's own issue, the oldest if there are several, open or
// not; nil if there is none.
func (t *tracking) find(ctx context.Context) (*github.Issue, error) {
	login, err := t.whoami(ctx, t.aim)
	if err != nil {
		return nil, err
	}
	var found *github.Issue
	err = pages(func(o github.ListOptions) (*github.Response, bool, error) {
		list, response, err := t.api.Issues.ListByRepo(ctx, t.owner, t.repo,
			&github.IssueListByRepoOptions{State: "all", Creator: login, Sort: "created", Direction: "asc", ListOptions: o})
		if err = cmp.Or(err, whole(list)); err != nil {
			return nil, false, err
		}
		for _, issue := range list {
			if marked(issue.GetBody(), "issue", t.Key) && wrote(issue.GetUser(), login) && !issue.IsPullRequest() {
				found = issue
				return response, true, nil
			}
		}
		return response, false, nil
	})
	return found, t.fail(ctx, t.aim, err)
}
