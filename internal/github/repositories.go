package github

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/go-github/v60/github"
)

// Query says which repositories of an organisation are meant.
type Query struct {
	Org   string
	Topic string // only repositories with this topic; empty: all
}

// Repository is one repository of an organisation.
type Repository struct {
	Name          string // OWNER/REPO
	DefaultBranch string
	CloneURL      string
	Private       bool
}

// Listing is an organisation's repositories, and how many were left out.
type Listing struct {
	Repositories []Repository // by name
	Archived     int          // left out: archived, or disabled by GitHub
	Forks        int          // left out: forks
	Others       int          // left out: without the topic
}

// Repositories lists an organisation's repositories: all that the token sees,
// or an error, never a part of them. Archived ones and forks are left out.
func (c *Client) Repositories(ctx context.Context, q Query) (Listing, error) {
	if !isName(q.Org) {
		return Listing{}, fmt.Errorf("%q is no organisation's name", clean(q.Org, ""))
	}
	ctx, cancel := context.WithTimeout(ctx, MaxOperation)
	defer cancel()
	var listing Listing
	seen := map[string]bool{}
	err := pages(func(o github.ListOptions) (*github.Response, bool, error) {
		list, response, err := c.api.Repositories.ListByOrg(ctx, q.Org,
			&github.RepositoryListByOrgOptions{Type: "all", Sort: "full_name", Direction: "asc", ListOptions: o})
		if err = cmp.Or(err, whole(list)); err != nil {
			return nil, false, err
		}
		for _, repository := range list {
			// One that is added meanwhile moves others to the next page.
			if !seen[repository.GetFullName()] {
				listing.add(repository, q.Topic)
			}
			seen[repository.GetFullName()] = true
		}
		return response, false, nil
	})
	if err != nil {
		a := aim{what: "the list of " + q.Org + "'s repositories", way: "it is no organisation, or the token may not list its repositories: a job's own token knows its own repository only"}
		return Listing{}, c.fail(ctx, a, err)
	}
	slices.SortFunc(listing.Repositories, func(a, b Repository) int { return cmp.Compare(a.Name, b.Name) })
	return listing, nil
}

func (l *Listing) add(r *github.Repository, topic string) {
	hasTopic := func(t string) bool { return strings.EqualFold(t, topic) }
	switch {
	case r.GetArchived() || r.GetDisabled():
		l.Archived++
	case r.GetFork():
		l.Forks++
	case topic != "" && !slices.ContainsFunc(r.Topics, hasTopic):
		l.Others++
	default:
		l.Repositories = append(l.Repositories, Repository{
			Name: r.GetFullName(), DefaultBranch: r.GetDefaultBranch(), CloneURL: r.GetCloneURL(), Private: r.GetPrivate(),
		})
	}
}
