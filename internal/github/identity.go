package github

import (
	"context"
	"net/http"
	"strings"

	"github.com/google/go-github/v60/github"
)

// actionsLogin is whose the token is that a workflow has by default.
const actionsLogin = "github-actions[bot]"

// whoami gives the login of the token's owner. Of all the API only GraphQL
// tells it to a person's token and to an app's alike. A server that doesn't
// say is taken to have given the default token.
func (c *Client) whoami(ctx context.Context, a aim) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.login != "" {
		return c.login, nil
	}
	login, err := c.viewer(ctx)
	if err = c.fail(ctx, a, err); err != nil && !isRefusal(err, http.StatusForbidden, http.StatusNotFound) {
		return "", err
	}
	if login == "" {
		login = actionsLogin
	}
	c.login = login
	return login, nil
}

func (c *Client) viewer(ctx context.Context) (string, error) {
	request, err := c.api.NewRequest(http.MethodPost, c.graphql, map[string]string{"query": "query{viewer{login}}"})
	if err != nil {
		return "", err
	}
	var answer struct {
		Data struct {
			Viewer struct{ Login string }
		}
	}
	_, err = c.api.Do(repeatable(ctx), request, &answer)
	return answer.Data.Viewer.Login, err
}

// wrote says whether a thing's author is login. A marker in what somebody
// else wrote is a forgery, or a quotation.
func wrote(author *github.User, login string) bool {
	return author.GetLogin() != "" && strings.EqualFold(author.GetLogin(), login)
}

// appSlug is the slug of the app behind a login: github-actions for
// github-actions[bot]. Only apps make check runs.
func appSlug(login string) string { return strings.TrimSuffix(login, "[bot]") }
