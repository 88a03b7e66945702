package action

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

// Bounds of one fetch.
const (
	// MaxFetchTime is how long one run of git may take.
	MaxFetchTime = 10 * time.Minute
	// MaxGitOutput is how many bytes of what git prints are read.
	MaxGitOutput = 1 << 20
)

// Fetcher brings objects of the repository under judgement into a clone, with
// the real git. It writes objects and the list of where a shallow clone ends,
// and nothing else: no reference, no configuration, no work tree.
type Fetcher struct {
	Git        string            // the program
	Environ    []string          // the process's environment, from which git gets what it needs
	Server     string            // the server's address; empty: https://github.com
	Repository string            // OWNER/REPO
	Token      string            // for reading it; may be empty
	Say        func(line string) // is told, in one line, what is fetched
	Limit      time.Duration     // of one run of git; zero: MaxFetchTime
}

// Request is what a check lacks, in a clone of a certain kind. Its meaning is
// that of the gate's Need.
type Request struct {
	Branches []string
	Commits  []boundary.OID
	Objects  []boundary.OID
	Deepen   int

	GitDir  string
	Origin  string
	Shallow bool
	Partial bool
}

// FetchError says what could not be fetched, and git's reason.
type FetchError struct {
	What string // "3 commits of octo/app"
	Why  string // git's last word; without the token, on one line
}

// Error names what and why.
func (e *FetchError) Error() string { return fmt.Sprintf("%s can't be fetched: %s", e.What, e.Why) }

// Fetch asks for the tips of branches first, then brings commits or other
// objects. A branch that the repository doesn't have has a zero tip.
func (f *Fetcher) Fetch(ctx context.Context, r Request) (map[string]boundary.OID, error) {
	source, err := f.source(r)
	if err != nil {
		return nil, err
	}
	tips, err := f.tips(ctx, source, r.Branches)
	if err != nil {
		return nil, err
	}
	if len(r.Commits) > 0 {
		err = f.commits(ctx, source, r)
	}
	if err == nil && len(r.Objects) > 0 {
		err = f.objects(ctx, source, r)
	}
	return tips, err
}

// source is where a fetch goes: the address of the repository under
// judgement, by which git is given what it needs to know of it.
type source struct {
	url     string
	gitDir  string
	header  string // of each request; holds the token
	partial bool
}

// source is the server's repository with the token; without a token it is
// origin, if that is the same one, with whatever credentials the clone has.
func (f *Fetcher) source(r Request) (source, error) {
	s := source{gitDir: r.GitDir, partial: r.Partial}
	if f.Token == "" && r.Origin != "" {
		s.url = r.Origin
		return s, nil
	}
	server := f.Server
	if server == "" {
		server = "https://github.com"
	}
	at, err := url.Parse(server)
	if err != nil || at.Host == "" || at.User != nil || at.RawQuery != "" || at.Scheme != "https" && at.Scheme != "http" {
		return source{}, &FetchError{What: f.Repository, Why: "the server's address is no http address"}
	}
	if !IsRepository(f.Repository) {
		return source{}, &FetchError{What: quote(f.Repository), Why: "it is not OWNER/REPO"}
	}
	s.url = strings.TrimSuffix(server, "/") + "/" + f.Repository
	if f.Token != "" {
		s.header = basicAuthorization(f.Token)
	}
	return s, nil
}

// tips asks for the tips of branches.
func (f *Fetcher) tips(ctx context.Context, s source, branches []string) (map[string]boundary.OID, error) {
	tips := map[string]boundary.OID{}
	args := []string{"ls-remote", "--refs", remoteName}
	for _, branch := range branches {
		tips[branch] = boundary.OID{}
		if refProblem(branch) == "" {
			args = append(args, "refs/heads/"+branch)
		}
	}
	if len(args) == 3 {
		return tips, nil
	}
	what := "the tip of " + strings.Join(branches, ", ")
	out, err := f.run(ctx, s, what, gitCall{args: args})
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(out) {
		// A pattern matches the ends of names, so that others may be listed, too.
		sha, ref, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		branch, isBranch := strings.CutPrefix(ref, "refs/heads/")
		if id, ok := boundary.ParseOID(sha); ok && isBranch && slices.Contains(branches, branch) {
			tips[branch] = id
		}
	}
	return tips, nil
}

// commits brings commits by id. A whole clone gets what is behind them, too; a
// shallow one only so much as is asked for.
func (f *Fetcher) commits(ctx context.Context, s source, r Request) error {
	what := counted(len(r.Commits), "commit")
	args := fetchArgs()
	switch {
	case r.Deepen > 0:
		what = fmt.Sprintf("%d more commits of history", r.Deepen)
		args = append(args, "--deepen="+strconv.Itoa(r.Deepen))
	case r.Shallow:
		args = append(args, "--depth=1")
	}
	_, err := f.run(ctx, s, what, gitCall{args: append(args, remoteName), stdin: lines(r.Commits)})
	return err
}

// objects brings trees and blobs by id. What the clone has is not negotiated:
// it says nothing about what a partial clone lacks.
func (f *Fetcher) objects(ctx context.Context, s source, r Request) error {
	what := counted(len(r.Objects), "object")
	call := gitCall{args: append(fetchArgs(), remoteName), stdin: lines(r.Objects), noop: true}
	_, err := f.run(ctx, s, what, call)
	return err
}

// fetchArgs are those of every fetch (design.md, Base, head, range). The ids
// come on standard input: there may be many.
func fetchArgs() []string {
	return []string{
		"fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-auto-maintenance",
		"--no-write-fetch-head", "--no-progress", "--stdin",
	}
}

func lines(ids []boundary.OID) string {
	var text strings.Builder
	for _, id := range ids {
		text.WriteString(id.String() + "\n")
	}
	return text.String()
}

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
