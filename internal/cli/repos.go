package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fleetgate/fleetgate/internal/action"
	"github.com/fleetgate/fleetgate/internal/github"
	"github.com/fleetgate/fleetgate/internal/verdict"
)

// defaultShards is into how many parts repos divides an organisation unless it
// is told otherwise: as many of a free account's jobs as run at once.
const defaultShards = 20

// reposFlags are those of repos.
type reposFlags struct {
	query  github.Query
	shards int
	list   string
}

func (a *app) reposCommand() *cobra.Command {
	var f reposFlags
	c := &cobra.Command{
		Use:   "repos",
		Short: "List an organisation's repositories, to be audited in shards",
		Long: `List the repositories of an organisation, by GitHub's API, with the token in
GITHUB_TOKEN: archived ones and forks are left out. As text: a name a line, which
is a list for fleetgate audit --repos-file --clone. As JSON: what a workflow's
strategy.matrix takes, with a shard for each job.`,
		Example: "  fleetgate repos --org octo --topic fleets\n" +
			"  fleetgate repos --org octo --shards 10 --repos-file repos.txt --format json",
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error { return a.repos(c.Context(), f) },
	}
	c.Flags().StringVar(&f.query.Org, "org", "", "the `ORGANISATION`")
	c.Flags().StringVar(&f.query.Topic, "topic", "", "only repositories with this `TOPIC`")
	c.Flags().IntVar(&f.shards, "shards", defaultShards, fmt.Sprintf("divide them into at most this `NUMBER` of shards, at most %d", verdict.MaxShards))
	c.Flags().StringVar(&f.list, "repos-file", "", "write the names to this `FILE`, a name a line")
	return c
}

func (a *app) repos(ctx context.Context, f reposFlags) error {
	format, err := a.choose("text", "json")
	switch {
	case err != nil:
		return err
	case f.query.Org == "":
		return usagef("fleetgate repos wants --org ORGANISATION")
	case !action.IsRepository(f.query.Org + "/any"):
		return usagef("--org %q is no organisation's name", f.query.Org)
	case f.shards < 1 || f.shards > verdict.MaxShards:
		return usagef("--shards %d: it is from 1 to %d, as many jobs as one matrix may have", f.shards, verdict.MaxShards)
	case a.getenv("GITHUB_TOKEN") == "":
		return usagef("fleetgate repos wants a token in GITHUB_TOKEN that may list the organisation's repositories")
	}
	listing, err := a.listRepositories(ctx, f.query)
	if err != nil {
		return err
	}
	names := nameLines(listing)
	if f.list != "" {
		if err := writeFile(f.list, []byte(names)); err != nil {
			return usagef("the names can't be written to --repos-file %s: %v", f.list, reasonOf(err))
		}
	}
	if format == "json" {
		return json.NewEncoder(a.stdout).Encode(newMatrix(len(listing.Repositories), f.shards))
	}
	_, err = a.stdout.Write([]byte(names))
	return err
}

func (a *app) listRepositories(ctx context.Context, q github.Query) (github.Listing, error) {
	client, err := a.client(a.getenv("GITHUB_TOKEN"))
	if err != nil {
		return github.Listing{}, usagef("%v", err)
	}
	listing, err := client.Repositories(ctx, q)
	if err != nil {
		return github.Listing{}, err
	}
	for _, r := range listing.Repositories {
		if !action.IsRepository(r.Name) { // it would be a line of a list, and a path
			return github.Listing{}, fmt.Errorf("the API lists the repository %q, which is not OWNER/REPO", r.Name)
		}
	}
	summary := fmt.Sprintf("%d of %s's repositories%s", len(listing.Repositories), q.Org, leftOut(listing, q.Topic))
	if len(listing.Repositories) == 0 { // an audit of nothing would look like a clean one
		return github.Listing{}, usagef("%s: there is nothing to audit", summary)
	}
	fmt.Fprintf(a.stderr, "fleetgate: %s\n", plain(summary))
	return listing, nil
}

// leftOut says how many repositories aren't in a listing, and why.
func leftOut(l github.Listing, topic string) string {
	var why []string
	for _, out := range []struct {
		n    int
		what string
	}{{l.Archived, "archived"}, {l.Forks, "forked"}, {l.Others, "without the topic " + topic}} {
		if out.n > 0 {
			why = append(why, fmt.Sprintf("%d %s", out.n, out.what))
		}
	}
	if len(why) == 0 {
		return ""
	}
	return " (left out: " + strings.Join(why, ", ") + ")"
}

func nameLines(l github.Listing) string {
	var text strings.Builder
	for _, r := range l.Repositories {
		text.WriteString(r.Name + "\n")
	}
	return text.String()
}

// matrix is a workflow's strategy.matrix: a job for each entry.
type matrix struct {
	Include []matrixShard `json:"include"`
}

// matrixShard is one job's part.
type matrixShard struct {
	Shard string `json:"shard"` // K/N, for --shard
	Name  string `json:"name"`  // K-of-N, for names that can't hold a slash
}

// newMatrix divides repositories into shards, none of which is empty.
func newMatrix(repositories, shards int) matrix {
	n := min(repositories, shards)
	m := matrix{Include: []matrixShard{}}
	for k := range n {
		m.Include = append(m.Include, matrixShard{fmt.Sprintf("%d/%d", k+1, n), fmt.Sprintf("%d-of-%d", k+1, n)})
	}
	return m
}
