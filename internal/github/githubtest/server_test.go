package githubtest

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// notes collects what would fail a test.
type notes struct {
	*testing.T
	failures []string
}

func (n *notes) Errorf(format string, args ...any) {
	n.failures = append(n.failures, fmt.Sprintf(format, args...))
}

const sha = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

func state() State {
	return State{Token: "secret-token", Login: "github-actions[bot]", Repositories: []*Repository{{
		Name: "octo/app", DefaultBranch: "main",
		Issues:    []*Issue{{Number: 7, Title: "t", User: "octocat", Head: sha, Comments: []*Comment{{ID: 1, User: "octocat", Body: "hi"}}}},
		CheckRuns: []*CheckRun{{ID: 2, App: "other", Name: "n", HeadSHA: sha, Status: "completed", Conclusion: "success"}},
	}}}
}

// request is one that a client sends; what is empty is as it should be.
type request struct {
	method, path, body               string
	token, agent, accept, kind, side string
}

func (r request) send(t *testing.T, url string) (status int, body string, header http.Header) {
	t.Helper()
	sent, err := http.NewRequestWithContext(t.Context(), r.method, url+r.path, strings.NewReader(r.body))
	if err != nil {
		t.Fatal(err)
	}
	for key, value := range map[string][2]string{
		"Authorization":        {"Bearer secret-token", r.token},
		"User-Agent":           {"test", r.agent},
		"Accept":               {"application/vnd.github.v3+json", r.accept},
		"Content-Type":         {"application/json", r.kind},
		"X-Github-Api-Version": {"2022-11-28", r.side},
	} {
		sent.Header.Set(key, value[0])
		if value[1] != "" {
			sent.Header.Set(key, strings.TrimSpace(value[1]))
		}
	}
	response, err := http.DefaultClient.Do(sent)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(text), response.Header
}

const (
	pull       = "/repos/octo/app/pulls/7"
	onPull     = "/repos/octo/app/issues/7/comments"
	issues     = "/repos/octo/app/issues"
	checkRuns  = "/repos/octo/app/check-runs"
	ofCommit   = "/repos/octo/app/commits/" + sha + "/check-runs"
	annotation = `{"path": "a", "start_line": 1, "end_line": 1, "annotation_level": "failure", "message": "m"}`
)

func run(output string) string {
	return `{"name": "n", "head_sha": "` + sha + `", "output": {"title": "t", "summary": "s", "annotations": [` + output + `]}}`
}

// Each misuse gets an answer that GitHub would give, and fails the test.
func TestMisuseFailsTheTest(t *testing.T) {
	tests := []struct {
		name    string
		request request
		status  int
		problem string
	}{
		{"no token", request{method: "GET", path: pull, token: " "}, 401, "its token is missing or wrong"},
		{"a wrong token", request{method: "GET", path: pull, token: "Bearer secret"}, 401, "its token is missing or wrong"},
		{"another scheme", request{method: "GET", path: pull, token: "Basic secret-token"}, 401, "its token is missing or wrong"},
		{"no agent", request{method: "GET", path: pull, agent: " "}, 200, "it has no User-Agent"},
		{"another media type", request{method: "GET", path: pull, accept: "text/html"}, 200, "not GitHub's media type"},
		{"no version", request{method: "GET", path: pull, side: " "}, 200, "names no version of the API"},
		{"a form", request{method: "POST", path: onPull, body: `{"body": "x"}`, kind: "text/plain"}, 201, "not JSON"},
		{"an unknown route", request{method: "GET", path: "/user"}, 404, "no such route"},
		{"an unclean path", request{method: "GET", path: "/repos/octo/app/../app/pulls/7"}, 404, "no such route"},
		{"an extended path", request{method: "GET", path: pull + "/files"}, 404, "no such route"},
		{"a wrong method", request{method: "DELETE", path: pull}, 405, "that path takes no DELETE"},
		{"a read as a write", request{method: "POST", path: pull, body: "{}"}, 405, "that path takes no POST"},
		{"a number that is none", request{method: "GET", path: "/repos/octo/app/pulls/main"}, 404, "is no number"},
		{"an unknown parameter", request{method: "GET", path: onPull + "?direction=desc"}, 200, `unknown parameter "direction"`},
		{"too large a page", request{method: "GET", path: onPull + "?per_page=101"}, 200, "per_page"},
		{"page 0", request{method: "GET", path: onPull + "?page=0"}, 200, "page"},
		{"a state that is none", request{method: "GET", path: issues + "?state=any"}, 200, "state"},
		{"another question", request{method: "POST", path: "/graphql", body: `{"query": "query{viewer{login email}}"}`}, 200, "more than the viewer's login"},

		{"no body", request{method: "POST", path: onPull}, 400, "breaks the schema"},
		{"a list", request{method: "POST", path: onPull, body: `[]`}, 400, "breaks the schema"},
		{"two objects", request{method: "POST", path: onPull, body: `{"body": "a"}{"body": "b"}`}, 400, "more after the JSON object"},
		{"an unknown member", request{method: "POST", path: onPull, body: `{"body": "a", "text": "b"}`}, 400, `unknown field "text"`},
		{"a number for text", request{method: "POST", path: onPull, body: `{"body": 1}`}, 400, "breaks the schema"},
		{"no text", request{method: "POST", path: onPull, body: `{}`}, 422, "body is missing"},
		{"a blank text", request{method: "POST", path: onPull, body: `{"body": " \n"}`}, 422, "body is missing"},
		{"a text too long", request{method: "POST", path: onPull, body: `{"body": "` + strings.Repeat("é", 65_537) + `"}`}, 422, "too long"},
		{"somebody else's comment", request{method: "PATCH", path: "/repos/octo/app/issues/comments/1", body: `{"body": "a"}`}, 403, `a comment of "octocat"`},

		{"an issue without a title", request{method: "POST", path: issues, body: `{"body": "a"}`}, 422, "title"},
		{"an issue that is born closed", request{method: "POST", path: issues, body: `{"title": "a", "state": "closed"}`}, 422, "state"},
		{"a state of its own", request{method: "PATCH", path: issues + "/7", body: `{"state": "done"}`}, 403, "a pull request"},

		{"a check run without a name", request{method: "POST", path: checkRuns, body: `{"head_sha": "` + sha + `"}`}, 422, "name is missing"},
		{"a check run on a branch", request{method: "POST", path: checkRuns, body: `{"name": "n", "head_sha": "main"}`}, 422, "head_sha"},
		{"a status that is none", request{method: "POST", path: checkRuns, body: `{"name": "n", "head_sha": "` + sha + `", "status": "done"}`}, 422, "status"},
		{"a conclusion that is none", request{method: "POST", path: checkRuns, body: `{"name": "n", "head_sha": "` + sha + `", "conclusion": "passed"}`}, 422, "conclusion"},
		{"completed without conclusion", request{method: "POST", path: checkRuns, body: `{"name": "n", "head_sha": "` + sha + `", "status": "completed"}`}, 422, "conclusion is missing"},
		{"concluded and in progress", request{method: "POST", path: checkRuns, body: `{"name": "n", "head_sha": "` + sha + `", "status": "in_progress", "conclusion": "success"}`}, 422, "isn't completed"},
		{"a time that is none", request{method: "POST", path: checkRuns, body: `{"name": "n", "head_sha": "` + sha + `", "completed_at": "now"}`}, 422, "is no time"},
		{"output without summary", request{method: "POST", path: checkRuns, body: `{"name": "n", "head_sha": "` + sha + `", "output": {"title": "t"}}`}, 422, "output.summary"},
		{"51 annotations", request{method: "POST", path: checkRuns, body: run(strings.Repeat(annotation+",", 50) + annotation)}, 422, "are 51, over 50"},
		{"an absolute path", request{method: "POST", path: checkRuns, body: run(strings.Replace(annotation, `"a"`, `"/a"`, 1))}, 422, "no path in the repository"},
		{"line 0", request{method: "POST", path: checkRuns, body: run(strings.Replace(annotation, `"start_line": 1`, `"start_line": 0`, 1))}, 422, "has no lines"},
		{"columns on two lines", request{method: "POST", path: checkRuns, body: run(strings.Replace(annotation, `"end_line": 1`, `"end_line": 2, "start_column": 1, "end_column": 2`, 1))}, 422, "columns"},
		{"an unknown level", request{method: "POST", path: checkRuns, body: run(strings.Replace(annotation, "failure", "error", 1))}, 422, "no level"},
		{"no message", request{method: "POST", path: checkRuns, body: run(strings.Replace(annotation, `"m"`, `""`, 1))}, 422, "no message"},
		{"an unknown member of an annotation", request{method: "POST", path: checkRuns, body: run(strings.Replace(annotation, `"path"`, `"file"`, 1))}, 400, `unknown field "file"`},
		{"another app's check run", request{method: "PATCH", path: checkRuns + "/2", body: `{"name": "n"}`}, 403, `the app "other"`},
		{"another filter", request{method: "GET", path: ofCommit + "?filter=newest"}, 200, "filter"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n := &notes{T: t}
			server := New(n, state())
			status, body, _ := tt.request.send(t, server.URL)
			if status != tt.status {
				t.Errorf("the answer is %d, want %d: %s", status, tt.status, body)
			}
			if len(n.failures) != 1 || !strings.Contains(n.failures[0], tt.problem) || !strings.HasPrefix(n.failures[0], "the GitHub API was misused: "+tt.request.method) {
				t.Errorf("the test failed with %q, want %q", n.failures, tt.problem)
			}
			if diff := cmp.Diff(n.failures, prefixed("the GitHub API was misused: ", server.Problems())); diff != "" {
				t.Error(diff)
			}
			if strings.Contains(fmt.Sprint(n.failures), "secret") {
				t.Errorf("a failure repeats the token: %q", n.failures)
			}
		})
	}
}

func prefixed(prefix string, list []string) []string {
	var out []string
	for _, s := range list {
		out = append(out, prefix+s)
	}
	return out
}

// What is used well fails nothing, and is answered as GitHub does.
func TestUseFailsNothing(t *testing.T) {
	for _, r := range []struct {
		request
		status int
	}{
		{request{method: "GET", path: pull}, 200},
		{request{method: "GET", path: "/repos/octo/app/pulls/8"}, 404},
		{request{method: "GET", path: "/repos/octo/gone/pulls/7"}, 404},
		{request{method: "GET", path: onPull + "?per_page=100&page=3"}, 200},
		{request{method: "POST", path: onPull, body: `{"body": "a"}`, token: "token secret-token"}, 201},
		{request{method: "GET", path: issues + "?state=all&creator=octocat&labels=a,b&sort=created&direction=asc"}, 200},
		{request{method: "POST", path: issues, body: `{"title": "a", "labels": ["x"]}`}, 201},
		{request{method: "GET", path: ofCommit + "?check_name=n&filter=all"}, 200},
		{request{method: "POST", path: checkRuns, body: run(annotation)}, 201},
		{request{method: "GET", path: "/orgs/octo/repos?type=all&sort=full_name"}, 200},
		{request{method: "GET", path: "/orgs/none/repos"}, 404},
		{request{method: "POST", path: "/graphql", body: `{"query": "query { viewer { login } }"}`}, 200},
	} {
		if status, body, _ := r.send(t, New(t, state()).URL); status != r.status {
			t.Errorf("%s %s: %d, want %d: %s", r.method, r.path, status, r.status, body)
		}
	}
}

func TestPagesLinkEachOther(t *testing.T) {
	s := state()
	for range 249 {
		s.Repositories[0].Issues[0].Comments = append(s.Repositories[0].Issues[0].Comments, &Comment{User: "octocat", Body: "x"})
	}
	server := New(t, s)
	for page, rels := range map[int]string{1: "next last", 2: "prev first next last", 3: "prev first", 4: "prev first"} {
		_, body, header := request{method: "GET", path: fmt.Sprintf("%s?per_page=100&page=%d", onPull, page)}.send(t, server.URL)
		var got []string
		for link := range strings.SplitSeq(header.Get("Link"), ", ") {
			at, rel, _ := strings.Cut(link, "; ")
			if !strings.HasPrefix(at, "<"+server.URL+onPull+"?page=") {
				t.Errorf("page %d links %s", page, at)
			}
			got = append(got, strings.Trim(strings.TrimPrefix(rel, "rel="), `"`))
		}
		if n := strings.Count(body, `"id"`); strings.Join(got, " ") != rels || n != map[int]int{1: 100, 2: 100, 3: 50, 4: 0}[page] {
			t.Errorf("page %d has %d comments and links %q", page, n, got)
		}
	}
}

// GitHub shows the newest check run of a name, and all of them if asked.
func TestOfCheckRunsOfOneNameTheNewestIsShown(t *testing.T) {
	server := New(t, state())
	for range 2 {
		request{method: "POST", path: checkRuns, body: run("")}.send(t, server.URL)
	}
	for query, want := range map[string]int{"": 2, "?filter=latest": 2, "?filter=all": 3, "?check_name=x": 0} {
		_, body, _ := request{method: "GET", path: ofCommit + query}.send(t, server.URL)
		if !strings.Contains(body, fmt.Sprintf(`"total_count":%d`, want)) {
			t.Errorf("%q: %s, want %d", query, body, want)
		}
	}
}

func TestAFaultCountsTheRequestsThatItFits(t *testing.T) {
	s := state()
	s.Faults = []*Fault{{Kind: Status, Method: "GET", Path: "repos/*/*/pulls/*", Skip: 1, Times: 2, Status: 500}}
	server := New(t, s)
	var got []int
	for range 5 {
		status, _, _ := request{method: "GET", path: pull}.send(t, server.URL)
		got = append(got, status)
	}
	request{method: "POST", path: onPull, body: `{"body": "x"}`}.send(t, server.URL)
	if fmt.Sprint(got) != "[200 500 500 200 200]" || len(server.State().Repositories[0].Issues[0].Comments) != 2 {
		t.Errorf("%v", got)
	}
}

func TestAnUnknownFaultFailsTheTest(t *testing.T) {
	n := &notes{T: t}
	s := state()
	s.Faults = []*Fault{{Kind: "misspelt"}}
	request{method: "GET", path: pull}.send(t, New(n, s).URL)
	if len(n.failures) != 1 || !strings.Contains(n.failures[0], `unknown fault "misspelt"`) {
		t.Errorf("%q", n.failures)
	}
}

func TestARequestThatAFaultAnswersNeedsTheTokenToo(t *testing.T) {
	for _, kind := range []string{Status, Secondary, Primary, Lost, Move} {
		n := &notes{T: t}
		s := state()
		s.Faults = []*Fault{{Kind: kind, Status: 500}}
		request{method: "GET", path: pull, token: "Bearer wrong"}.send(t, New(n, s).URL)
		if len(n.failures) != 1 {
			t.Errorf("%s: %q", kind, n.failures)
		}
	}
}
