package github

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/github/githubtest"
)

func organisation(repositories ...*githubtest.Repository) githubtest.State {
	return githubtest.State{Token: token, Login: "octo-audit[bot]", Repositories: repositories}
}

func TestArchivedRepositoriesAndForksAreLeftOut(t *testing.T) {
	s := newSession(t, organisation(
		&githubtest.Repository{Name: "octo/site", DefaultBranch: "trunk", Private: true, Topics: []string{"docs", "fleets"}},
		&githubtest.Repository{Name: "octo/app", DefaultBranch: "main", Topics: []string{"fleets"}},
		&githubtest.Repository{Name: "octo/plain", DefaultBranch: "main"},
		&githubtest.Repository{Name: "octo/old", Archived: true, Topics: []string{"fleets"}},
		&githubtest.Repository{Name: "octo/blocked", Disabled: true, Topics: []string{"fleets"}},
		&githubtest.Repository{Name: "octo/fork", Fork: true, Topics: []string{"fleets"}},
		&githubtest.Repository{Name: "other/app", DefaultBranch: "main", Topics: []string{"fleets"}},
	))
	appRow := Repository{Name: "octo/app", DefaultBranch: "main", CloneURL: "https://github.com/octo/app.git"}
	plain := Repository{Name: "octo/plain", DefaultBranch: "main", CloneURL: "https://github.com/octo/plain.git"}
	site := Repository{Name: "octo/site", DefaultBranch: "trunk", CloneURL: "https://github.com/octo/site.git", Private: true}
	for _, c := range []struct {
		query Query
		want  Listing
	}{
		{Query{Org: "octo"}, Listing{Repositories: []Repository{appRow, plain, site}, Archived: 2, Forks: 1}},
		{Query{Org: "octo", Topic: "fleets"}, Listing{Repositories: []Repository{appRow, site}, Archived: 2, Forks: 1, Others: 1}},
		{Query{Org: "octo", Topic: "none"}, Listing{Archived: 2, Forks: 1, Others: 3}},
	} {
		got, err := s.Repositories(t.Context(), c.query)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", c.query, diff)
		}
	}
}

func many(n int) githubtest.State {
	var all []*githubtest.Repository
	for i := range n {
		all = append(all, &githubtest.Repository{Name: fmt.Sprintf("octo/r%04d", i), DefaultBranch: "main"})
	}
	return organisation(all...)
}

func TestAllPagesOfAnOrganisationAreRead(t *testing.T) {
	for _, n := range []int{1, 100, 101, 345} {
		s := newSession(t, many(n))
		got, err := s.Repositories(t.Context(), Query{Org: "octo"})
		if err != nil || len(got.Repositories) != n || len(s.server.Requests()) != (n+99)/100 {
			t.Errorf("%d of %d repositories in %d requests: %v", len(got.Repositories), n, len(s.server.Requests()), err)
		}
	}
}

// A part of the list would look like a clean audit of all.
func TestAListThatBreaksOffIsAnError(t *testing.T) {
	state := many(250)
	state.Faults = []*githubtest.Fault{{Kind: githubtest.Status, Path: "orgs/*/repos", Skip: 2, Status: 500, Times: -1}}
	s := newSession(t, state)
	got, err := s.Repositories(t.Context(), Query{Org: "octo"})
	wantUnavailable(t, err, "500")
	if len(got.Repositories) != 0 {
		t.Errorf("%d repositories beside the error", len(got.Repositories))
	}
}

func TestAListOfRepositoriesThatHoldsNullIsAnError(t *testing.T) {
	for _, body := range []string{`[null]`, `[{"full_name":"octo/app","topics":["fleets"]},null]`} {
		state := many(1)
		state.Faults = []*githubtest.Fault{{Kind: githubtest.Status, Path: "orgs/*/repos", Status: 200, Body: body}}
		s := newSession(t, state)
		got, err := s.Repositories(t.Context(), Query{Org: "octo", Topic: "fleets"})
		wantUnavailable(t, err, "the answer is not what the API gives: its list holds null")
		if len(got.Repositories) != 0 {
			t.Errorf("%s: %d repositories beside the error", body, len(got.Repositories))
		}
	}
}

// One that is added between two pages moves the last of the first to the second.
func TestARepositoryThatIsListedTwiceIsOne(t *testing.T) {
	state := many(150)
	state.Faults = []*githubtest.Fault{{Kind: githubtest.Secondary, Path: "orgs/*/repos", Skip: 1, RetryAfter: "1"}}
	s := newSession(t, state)
	s.carrier.sleep = func(context.Context, time.Duration) error { // before the second page
		s.server.Edit(func(state *githubtest.State) {
			state.Repositories = append(state.Repositories, &githubtest.Repository{Name: "octo/a-new-one"})
		})
		return nil
	}
	got, err := s.Repositories(t.Context(), Query{Org: "octo"})
	if err != nil || len(got.Repositories) != 150 {
		t.Errorf("%d repositories: %v", len(got.Repositories), err)
	}
}

func TestAnOrganisationThatIsNoneIsARefusal(t *testing.T) {
	s := newSession(t, many(1))
	_, err := s.Repositories(t.Context(), Query{Org: "nobody"})
	wantRefused(t, err, 404)
	for _, org := range []string{"", "octo/app", "..", "octo?x", "a b"} {
		if _, err := s.Repositories(t.Context(), Query{Org: org}); err == nil {
			t.Errorf("%q is taken for an organisation", org)
		}
	}
	if n := len(s.server.Requests()); n != 1 {
		t.Errorf("%d requests", n)
	}
}
