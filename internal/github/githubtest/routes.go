package githubtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// The API's own bounds.
const (
	maxBody       = 65_536  // characters of a comment, an issue, a summary
	maxTitle      = 256     // characters of an issue's title
	maxRequest    = 4 << 20 // bytes of a request
	defaultPage   = 30
	maxPage       = 100
	maxAnnotation = 50 // annotations of one request
)

// table is every route that there is.
func (s *Server) table() *http.ServeMux {
	mux := http.NewServeMux()
	for pattern, h := range map[string]handler{
		"POST /graphql": s.graphql,
		"GET /repos/{owner}/{repo}/pulls/{number}":             s.getPull,
		"GET /repos/{owner}/{repo}/issues/{number}/comments":   s.listComments,
		"POST /repos/{owner}/{repo}/issues/{number}/comments":  s.createComment,
		"PATCH /repos/{owner}/{repo}/issues/comments/{number}": s.editComment,
		"GET /repos/{owner}/{repo}/issues":                     s.listIssues,
		"POST /repos/{owner}/{repo}/issues":                    s.createIssue,
		"PATCH /repos/{owner}/{repo}/issues/{number}":          s.editIssue,
		"GET /repos/{owner}/{repo}/commits/{ref}/check-runs":   s.listCheckRuns,
		"POST /repos/{owner}/{repo}/check-runs":                s.createCheckRun,
		"PATCH /repos/{owner}/{repo}/check-runs/{number}":      s.editCheckRun,
		"GET /orgs/{org}/repos":                                s.listRepositories,
	} {
		mux.Handle(pattern, h)
	}
	return mux
}

// graphql answers the one question that is asked there: who am I?
func (s *Server) graphql(r *http.Request) answer {
	var body struct {
		Query *string `json:"query"`
	}
	if a, ok := s.read(r, &body); !ok {
		return a
	}
	if body.Query == nil || strings.Join(strings.Fields(*body.Query), "") != "query{viewer{login}}" {
		s.problem(r, "it asks for more than the viewer's login")
		return success(http.StatusOK, map[string]any{"errors": []map[string]string{{"message": "Parse error"}}})
	}
	return success(http.StatusOK, map[string]any{"data": map[string]any{"viewer": map[string]string{"login": s.state.Login}}})
}

// target is the repository that a request is about, and the number in its path.
func (s *Server) target(r *http.Request) (repository *Repository, number int, ok bool) {
	repository = s.state.Repository(r.PathValue("owner") + "/" + r.PathValue("repo"))
	if text := r.PathValue("number"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			s.problem(r, "%q is no number", text)
			return nil, 0, false
		}
		number = n
	}
	return repository, number, repository != nil
}

// read reads a body strictly: one JSON object, and no member that isn't known.
func (s *Server) read(r *http.Request, into any) (refusal answer, ok bool) {
	in := json.NewDecoder(http.MaxBytesReader(nil, r.Body, maxRequest))
	in.DisallowUnknownFields()
	err := in.Decode(into)
	if err == nil {
		if _, more := in.Token(); !errors.Is(more, io.EOF) {
			err = errors.New("there is more after the JSON object")
		}
	}
	if err != nil {
		s.problem(r, "its body breaks the schema: %v", err)
		return failure(http.StatusBadRequest, "Problems parsing JSON"), false
	}
	return answer{}, true
}

// refuseBody notes a body whose field breaks the schema.
func (s *Server) refuseBody(r *http.Request, field, format string, args ...any) answer {
	message := fmt.Sprintf(format, args...)
	s.problem(r, "its body breaks the schema: %s %s", field, message)
	return invalid(field, message)
}

// parameters reads a query, in which every parameter must be one of known.
func (s *Server) parameters(r *http.Request, known ...string) url.Values {
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		s.problem(r, "its query can't be read: %v", err)
	}
	for key := range query {
		if !slices.Contains(known, key) && key != "page" && key != "per_page" {
			s.problem(r, "it has the unknown parameter %q", key)
		}
	}
	return query
}

// choice holds a parameter to its words; the first is the default.
func (s *Server) choice(r *http.Request, query url.Values, key string, words ...string) string {
	word := query.Get(key)
	if word == "" {
		return words[0]
	}
	if !slices.Contains(words, word) {
		s.problem(r, "its parameter %s is %q, which is none of %q", key, word, words)
	}
	return word
}

// page cuts out the page that a request asks for, and links the others.
func page[T any](s *Server, r *http.Request, query url.Values, all []T) ([]T, map[string]string) {
	size := s.count(r, query, "per_page", defaultPage, maxPage)
	number := s.count(r, query, "page", 1, 1<<30)
	pages := max((len(all)+size-1)/size, 1)
	from := min((number-1)*size, len(all))
	var links []string
	link := func(rel string, to int) {
		other := *r.URL
		query := other.Query()
		query.Set("page", strconv.Itoa(to))
		other.RawQuery = query.Encode()
		links = append(links, fmt.Sprintf(`<http://%s%s%s>; rel="%s"`, r.Host, s.state.Path, other.RequestURI(), rel))
	}
	if number > 1 {
		link("prev", number-1)
		link("first", 1)
	}
	if number < pages {
		link("next", number+1)
		link("last", pages)
	}
	header := map[string]string{}
	if len(links) > 0 {
		header["Link"] = strings.Join(links, ", ")
	}
	return all[from:min(from+size, len(all))], header
}

func (s *Server) count(r *http.Request, query url.Values, key string, fallback, most int) int {
	text := query.Get(key)
	if text == "" {
		return fallback
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > most {
		s.problem(r, "its parameter %s is %q; it is 1 to %d", key, text, most)
		return fallback
	}
	return n
}

// user is an account as GitHub shows it; null where it is gone.
func user(login string) any {
	if login == "" {
		return nil
	}
	kind := "User"
	if strings.HasSuffix(login, "[bot]") {
		kind = "Bot"
	}
	return map[string]any{"login": login, "type": kind}
}
