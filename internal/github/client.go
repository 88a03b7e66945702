// Package github writes to GitHub what a run found: one sticky comment, a
// check run, one tracking issue; and it lists an organisation's repositories.
// It is the only home of the API's client library.
//
// Nothing here decides a verdict. Whatever goes wrong is an error for a
// notice: a *Refused where the API said no, an *Unavailable where it gave no
// answer. No error holds the token.
package github

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/go-github/v60/github"
)

// DefaultURL is the API's root where GITHUB_API_URL names none.
const DefaultURL = "https://api.github.com"

// Bounds of what is asked of the API.
const (
	MaxPages      = 100             // pages of one list, of 100 items each; a longer list is an error, never cut
	MaxOperation  = 5 * time.Minute // one comment, check run, issue or list, all its requests and waits together
	perPage       = 100             // items of a page: the most that the API gives
	maxTokenBytes = 4096
)

// Options say which API is asked, and by whom.
type Options struct {
	URL       string // GITHUB_API_URL: https://api.github.com (or empty), or https://HOST/api/v3
	Token     string // sent to that server and to no other
	Login     string // whose token it is, such as github-actions[bot]; empty: the API is asked
	UserAgent string // empty: fleetgate

	// Sleep waits, or gives ctx's error if that ends first. Nil: a timer.
	Sleep func(ctx context.Context, d time.Duration) error
	// Transport carries the requests. Nil: HTTP with the environment's proxy.
	Transport http.RoundTripper
}

// Client asks one API with one token. It may be used from several goroutines.
type Client struct {
	api     *github.Client
	graphql string // the URL of the GraphQL API
	token   string
	carrier *carrier

	mu    sync.Mutex
	login string // whose token it is; empty: not asked yet
}

// New makes a client. It asks nothing yet. The error says what is wrong with
// the options and repeats neither the token nor a URL that may hold one.
func New(o Options) (*Client, error) {
	root, err := parseRoot(cmp.Or(o.URL, DefaultURL))
	if err != nil {
		return nil, err
	}
	token := strings.TrimSpace(o.Token)
	if err := checkToken(token); err != nil {
		return nil, err
	}
	carrier := newCarrier(root, token, o)
	api := github.NewClient(&http.Client{Transport: carrier, CheckRedirect: carrier.checkRedirect})
	api.BaseURL = root
	api.UserAgent = cmp.Or(o.UserAgent, "fleetgate")
	return &Client{api: api, graphql: graphqlURL(root), token: token, carrier: carrier, login: o.Login}, nil
}

// parseRoot reads GITHUB_API_URL; what it gives ends in a slash.
func parseRoot(text string) (*url.URL, error) {
	root, err := url.Parse(text)
	switch {
	case err != nil || root.Host == "" || root.Scheme != "https" && root.Scheme != "http":
		return nil, errors.New("the API's URL is no http or https URL: GITHUB_API_URL is like https://api.github.com or https://HOST/api/v3")
	case root.User != nil || root.RawQuery != "" || root.Fragment != "":
		return nil, errors.New("the API's URL holds more than a host and a path; what is secret belongs into the token")
	}
	root.Path = strings.TrimRight(root.Path, "/") + "/"
	root.RawPath = ""
	return root, nil
}

// graphqlURL is where GitHub has GraphQL: beside REST's root on an Enterprise
// server (/api/v3, /api/graphql), below it elsewhere.
func graphqlURL(root *url.URL) string {
	other := *root
	if above, enterprise := strings.CutSuffix(root.Path, "/v3/"); enterprise {
		other.Path = above + "/graphql"
	} else {
		other.Path = root.Path + "graphql"
	}
	return other.String()
}

func checkToken(token string) error {
	if token == "" {
		return errors.New("there is no token to write to GitHub with: give the input token, or `permissions` to the job's own")
	}
	odd := func(r rune) bool { return r <= ' ' || r > '~' }
	if len(token) > maxTokenBytes || strings.ContainsFunc(token, odd) {
		return errors.New("the token is none: it holds white space or other characters that no token has, or is too long")
	}
	return nil
}

// Key makes one short name of what tells two gates on one pull request apart,
// such as the workflow's file and the job's id.
func Key(parts ...string) string { return digest(parts...)[:keyLength] }

// splitRepository reads OWNER/REPO.
func splitRepository(name string) (owner, repo string, err error) {
	owner, repo, ok := strings.Cut(name, "/")
	if !ok || !isName(owner) || !isName(repo) {
		return "", "", fmt.Errorf("%q is not OWNER/REPO", clean(name, ""))
	}
	return owner, repo, nil
}

// isName holds owners and repositories to what GitHub allows, so that none
// can change a request's path.
func isName(s string) bool {
	odd := func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_.", r))
	}
	return s != "" && s != "." && s != ".." && len(s) <= 200 && !strings.ContainsFunc(s, odd)
}

// isCommit says whether s is a full commit id.
func isCommit(s string) bool {
	odd := func(r rune) bool { return !(r >= '0' && r <= '9' || r >= 'a' && r <= 'f') }
	return (len(s) == 40 || len(s) == 64) && !strings.ContainsFunc(s, odd)
}

// whole says whether a list's entries are all there: an answer with a null
// among them is not what the API gives.
func whole[T any](list []*T) error {
	if slices.Contains(list, nil) {
		return errors.New("its list holds null")
	}
	return nil
}

// pages calls get for each page of a list until it says that it is done, or
// there is none left. A list that isn't read to its end is an error.
func pages(get func(github.ListOptions) (*github.Response, bool, error)) error {
	options := github.ListOptions{PerPage: perPage}
	for range MaxPages {
		response, done, err := get(options)
		switch {
		case err != nil || done || response.NextPage == 0:
			return err
		case response.NextPage <= options.Page:
			return &Unavailable{Reason: "the API's list of pages goes in a circle"}
		}
		options.Page = response.NextPage
	}
	return &Unavailable{Reason: fmt.Sprintf("the list has more than %d pages", MaxPages)}
}
