package github

import (
	"cmp"
	"context"
	"fmt"

	"github.com/google/go-github/v60/github"
)

// Comment is the one comment that a gate keeps on a pull request.
type Comment struct {
	Repository string // OWNER/REPO, of base
	Pull       int    // the pull request's number
	Key        string // of the gate, by Key: two gates don't share a comment
	Head       string // the full id of the commit that was judged
	Text       string // Markdown, at most MaxText bytes
}

// PutComment makes the comment, or edits the one that is there; one that says
// the same already isn't touched. It is found over all pages, by a hidden
// marker and by its author, the token's owner. If the pull request's head is
// no longer the commit that was judged, nothing is written: a newer run's
// comment must not be overwritten by an older verdict.
func (c *Client) PutComment(ctx context.Context, comment Comment) (Outcome, error) {
	p, err := c.newComment(comment)
	if err != nil {
		return Outcome{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, MaxOperation)
	defer cancel()
	return c.untilSure(ctx, p.put)
}

// untilSure repeats an operation that finds what is there before it writes,
// as long as the answer to a write got lost: what was made is found then.
func (c *Client) untilSure(ctx context.Context, operation func(context.Context) (Outcome, error)) (Outcome, error) {
	for attempt := 1; ; attempt++ {
		outcome, err := operation(ctx)
		wait := backOff(firstBackOff, attempt)
		if !doubtful(err) || attempt == MaxAttempts || !c.carrier.spend(wait) {
			return outcome, err
		}
		if err := c.carrier.sleep(ctx, wait); err != nil {
			return Outcome{}, err
		}
	}
}

// putting is one call of PutComment.
type putting struct {
	*Client
	aim
	Comment
	owner, repo string
	body        string
}

func (c *Client) newComment(comment Comment) (*putting, error) {
	owner, repo, err := splitRepository(comment.Repository)
	if err != nil {
		return nil, err
	}
	switch {
	case comment.Pull < 1:
		return nil, fmt.Errorf("%d is no pull request's number", comment.Pull)
	case !isCommit(comment.Head):
		return nil, fmt.Errorf("%q is no full commit id", clean(comment.Head, ""))
	}
	if err := checkKey(comment.Key); err != nil {
		return nil, err
	}
	if err := checkText(comment.Text); err != nil {
		return nil, err
	}
	return &putting{
		Client: c, Comment: comment, owner: owner, repo: repo,
		aim:  aim{what: fmt.Sprintf("the comment on %s#%d", comment.Repository, comment.Pull), permission: "pull-requests: write"},
		body: marker("comment", comment.Key, comment.Head) + comment.Text,
	}, nil
}

func (p *putting) put(ctx context.Context) (Outcome, error) {
	old, err := p.find(ctx)
	if err != nil {
		return Outcome{}, err
	}
	if old != nil && sameText(old.GetBody(), p.body) {
		return Outcome{Did: Unchanged, URL: old.GetHTMLURL()}, nil
	}
	// The last thing before the write, so that as little as possible can come between.
	now, err := p.headNow(ctx)
	switch {
	case err != nil:
		return Outcome{}, err
	case now != p.Head:
		return Outcome{Did: Skipped, Why: p.moved(now)}, nil
	case old == nil:
		return p.create(ctx)
	}
	return p.edit(ctx, old.GetID())
}

func (p *putting) create(ctx context.Context) (Outcome, error) {
	made, _, err := p.api.Issues.CreateComment(ctx, p.owner, p.repo, p.Pull, &github.IssueComment{Body: &p.body})
	if err != nil {
		return Outcome{}, p.fail(ctx, p.aim, err)
	}
	return Outcome{Did: Created, URL: made.GetHTMLURL()}, nil
}

func (p *putting) edit(ctx context.Context, id int64) (Outcome, error) {
	edited, _, err := p.api.Issues.EditComment(repeatable(ctx), p.owner, p.repo, id, &github.IssueComment{Body: &p.body})
	if err != nil {
		return Outcome{}, p.fail(ctx, p.aim, err)
	}
	return Outcome{Did: Updated, URL: edited.GetHTMLURL()}, nil
}

// find gives the gate's own comment, the first if there are several; nil if
// there is none. Who owns the token is asked only if a marker is seen.
func (p *putting) find(ctx context.Context) (*github.IssueComment, error) {
	var found *github.IssueComment
	err := pages(func(o github.ListOptions) (*github.Response, bool, error) {
		list, response, err := p.api.Issues.ListComments(ctx, p.owner, p.repo, p.Pull, &github.IssueListCommentsOptions{ListOptions: o})
		if err = cmp.Or(err, whole(list)); err != nil {
			return nil, false, err
		}
		for _, comment := range list {
			if !marked(comment.GetBody(), "comment", p.Key) {
				continue
			}
			login, err := p.whoami(ctx, p.aim)
			if err != nil {
				return nil, false, err
			}
			if wrote(comment.GetUser(), login) {
				found = comment
				return response, true, nil
			}
		}
		return response, false, nil
	})
	return found, p.fail(ctx, p.aim, err)
}

// headNow is the commit that the pull request's branch is at now.
func (p *putting) headNow(ctx context.Context) (string, error) {
	pull, _, err := p.api.PullRequests.Get(ctx, p.owner, p.repo, p.Pull)
	if err != nil {
		return "", p.fail(ctx, p.aim, err)
	}
	now := pull.GetHead().GetSHA()
	if !isCommit(now) {
		return "", &Unavailable{What: p.what, Reason: "the API doesn't say where the pull request's head is"}
	}
	return now, nil
}

func (p *putting) moved(now string) string {
	return fmt.Sprintf("%s was left alone: the verdict is %s's, and the pull request is at %s by now", p.what, p.Head[:12], now[:12])
}
