package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/fleetgate/fleetgate/internal/github/githubtest"
)

func init() {
	scriptCommands["github"] = githubCommand
}

// gitHubs are the running servers, by their *testscript.TestScript.
var gitHubs sync.Map

// githubCommand is a GitHub for a script, on loopback. Where a commit is
// wanted, a revision stands; the pull request is octo/app's.
//
//	github start SEED           begins with the state of a file, and sets GITHUB_API_URL;
//	                            in it revisions may stand in angle brackets
//	github head NUMBER REV      moves a pull request's head
//	github comments NUMBER N    adds N comments by people
//	github body NUMBER FILE     writes the body of our comment to a file
//	github issue NUMBER STATE   opens or closes an issue, as a person would
//	github manyrepos N          adds N repositories to the organisation many
//	github record               prints what happened, for the json command
//
// It fails where the API was misused.
func githubCommand(ts *testscript.TestScript, neg bool, args []string) {
	refuse(ts, neg || len(args) == 0, "github start|head|comments|body|issue|record ...")
	if args[0] == "start" {
		refuse(ts, len(args) != 2, "github start SEED")
		startGitHub(ts, args[1])
		return
	}
	running, ok := gitHubs.Load(ts)
	refuse(ts, !ok, "github start SEED, before anything else")
	server := running.(*githubtest.Server)
	if problems := server.Problems(); len(problems) > 0 {
		ts.Fatalf("the GitHub API was misused: %s", strings.Join(problems, "; "))
	}
	if args[0] == "record" {
		printRecord(ts, server)
		return
	}
	if args[0] == "manyrepos" {
		refuse(ts, len(args) != 2, "github manyrepos N")
		addRepositories(ts, server, args[1])
		return
	}
	refuse(ts, len(args) != 3, "github head|comments|body|issue NUMBER ARG")
	number, err := strconv.Atoi(args[1])
	ts.Check(err)
	switch args[0] {
	case "head":
		id := revision(ts, args[2])
		server.Edit(func(s *githubtest.State) { s.Repository("octo/app").Issue(number).Head = id })
	case "issue":
		server.Edit(func(s *githubtest.State) { s.Repository("octo/app").Issue(number).State = args[2] })
	case "comments":
		addComments(ts, server, number, args[2])
	case "body":
		state := server.State()
		ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(ourBody(ts, state.Repository("octo/app").Issue(number))), 0o644))
	default:
		refuse(ts, true, "github start|head|comments|body|issue|record ...")
	}
}

func startGitHub(ts *testscript.TestScript, seed string) {
	text := placeholder.ReplaceAllStringFunc(ts.ReadFile(seed), func(rev string) string {
		return revision(ts, strings.Trim(rev, "<>"))
	})
	var state githubtest.State
	ts.Check(json.Unmarshal([]byte(text), &state))
	server := githubtest.New(scriptT{ts}, state)
	gitHubs.Store(ts, server)
	ts.Defer(func() { gitHubs.Delete(ts) })
	ts.Setenv("GITHUB_API_URL", server.URL)
}

// scriptT is a script as a test. Problems wait for the next github command: a
// server's goroutine can't end a script.
type scriptT struct{ *testscript.TestScript }

func (scriptT) Helper()               {}
func (scriptT) Errorf(string, ...any) {}
func (t scriptT) Cleanup(f func())    { t.Defer(f) }

func addComments(ts *testscript.TestScript, server *githubtest.Server, number int, count string) {
	n, err := strconv.Atoi(count)
	ts.Check(err)
	server.Edit(func(s *githubtest.State) {
		pull := s.Repository("octo/app").Issue(number)
		for i := range n {
			pull.Comments = append(pull.Comments, &githubtest.Comment{User: "octocat", Body: fmt.Sprint("comment ", i)})
		}
	})
}

func addRepositories(ts *testscript.TestScript, server *githubtest.Server, count string) {
	n, err := strconv.Atoi(count)
	ts.Check(err)
	server.Edit(func(s *githubtest.State) {
		for i := range n {
			s.Repositories = append(s.Repositories, &githubtest.Repository{Name: fmt.Sprintf("many/r%04d", i), DefaultBranch: "main"})
		}
	})
}

func ourBody(ts *testscript.TestScript, pull *githubtest.Issue) string {
	body := ""
	for _, c := range pull.Comments {
		if c.User == botLogin && body != "" {
			ts.Fatalf("there are two comments of ours")
		}
		if c.User == botLogin {
			body = c.Body
		}
	}
	return body
}

func printRecord(ts *testscript.TestScript, server *githubtest.Server) {
	text, err := json.Marshal(githubtest.Record{State: server.State(), Requests: server.Requests(), Problems: server.Problems()})
	ts.Check(err)
	fmt.Fprintln(ts.Stdout(), string(text))
}
