package githubtest

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"
)

func (s *Server) getPull(r *http.Request) answer {
	s.parameters(r)
	repository, number, ok := s.target(r)
	if !ok {
		return notFound
	}
	pull := repository.Issue(number)
	if pull == nil || pull.Head == "" {
		return notFound
	}
	return success(http.StatusOK, map[string]any{
		"number": pull.Number, "state": pull.State, "title": pull.Title, "user": user(pull.User),
		"head": map[string]any{"sha": pull.Head, "ref": "topic"},
		"base": map[string]any{"ref": repository.DefaultBranch, "repo": map[string]any{"full_name": repository.Name}},
	})
}

// listComments gives them oldest first, as GitHub does.
func (s *Server) listComments(r *http.Request) answer {
	query := s.parameters(r, "since")
	repository, number, ok := s.target(r)
	if !ok || repository.Issue(number) == nil {
		return notFound
	}
	comments, links := page(s, r, query, repository.Issue(number).Comments)
	shown := []any{}
	for _, c := range comments {
		shown = append(shown, c.shown(repository, number))
	}
	return answer{status: http.StatusOK, header: links, body: shown}
}

func (c *Comment) shown(repository *Repository, number int) map[string]any {
	return map[string]any{
		"id": c.ID, "body": c.Body, "user": user(c.User),
		"html_url": fmt.Sprintf("https://github.com/%s/pull/%d#issuecomment-%d", repository.Name, number, c.ID),
	}
}

// commentBody reads the one field that a comment has.
func (s *Server) commentBody(r *http.Request) (body string, refusal answer, ok bool) {
	var given struct {
		Body *string `json:"body"`
	}
	if a, ok := s.read(r, &given); !ok {
		return "", a, false
	}
	if given.Body == nil || strings.TrimSpace(*given.Body) == "" {
		return "", s.refuseBody(r, "body", "is missing"), false
	}
	if n := utf8.RuneCountInString(*given.Body); n > maxBody {
		return "", s.refuseBody(r, "body", "is too long (maximum is %d characters, it has %d)", maxBody, n), false
	}
	return *given.Body, answer{}, true
}

func (s *Server) createComment(r *http.Request) answer {
	repository, number, ok := s.target(r)
	if !ok || repository.Issue(number) == nil {
		return notFound
	}
	if s.state.ReadOnly {
		return forbidden
	}
	body, refusal, ok := s.commentBody(r)
	if !ok {
		return refusal
	}
	c := &Comment{ID: s.state.nextID(), User: s.state.Login, Body: body}
	issue := repository.Issue(number)
	issue.Comments = append(issue.Comments, c)
	return success(http.StatusCreated, c.shown(repository, number))
}

// editComment lets nobody edit what somebody else wrote. GitHub would let
// whoever may write to the repository; the gate must never try.
func (s *Server) editComment(r *http.Request) answer {
	repository, id, ok := s.target(r)
	if !ok {
		return notFound
	}
	c, number := repository.comment(int64(id))
	if c == nil {
		return notFound
	}
	if s.state.ReadOnly {
		return forbidden
	}
	if c.User != s.state.Login {
		s.problem(r, "it edits a comment of %q", c.User)
		return forbidden
	}
	body, refusal, ok := s.commentBody(r)
	if !ok {
		return refusal
	}
	c.Body = body
	c.Edits++
	return success(http.StatusOK, c.shown(repository, number))
}

// comment finds a comment, and the number of what it is on.
func (r *Repository) comment(id int64) (c *Comment, number int) {
	for _, i := range r.Issues {
		for _, c := range i.Comments {
			if c.ID == id {
				return c, i.Number
			}
		}
	}
	return nil, 0
}

// listIssues gives pull requests, too, as GitHub does; newest first by default.
func (s *Server) listIssues(r *http.Request) answer {
	query := s.parameters(r, "state", "creator", "labels", "sort", "direction")
	state := s.choice(r, query, "state", "open", "closed", "all")
	s.choice(r, query, "sort", "created")
	direction := s.choice(r, query, "direction", "desc", "asc")
	repository, _, ok := s.target(r)
	switch {
	case !ok:
		return notFound
	case repository.NoIssues:
		return disabled
	}
	all := []any{}
	for _, i := range repository.Issues {
		if (state == "all" || i.State == state) && i.by(query.Get("creator")) && i.labelled(query.Get("labels")) {
			all = append(all, i.shown(repository))
		}
	}
	if direction == "desc" {
		slices.Reverse(all)
	}
	shown, links := page(s, r, query, all)
	return answer{status: http.StatusOK, header: links, body: shown}
}

func (i *Issue) by(login string) bool { return login == "" || strings.EqualFold(i.User, login) }

func (i *Issue) labelled(labels string) bool {
	for label := range strings.SplitSeq(labels, ",") {
		if label != "" && !slices.Contains(i.Labels, label) {
			return false
		}
	}
	return true
}

func (i *Issue) shown(repository *Repository) map[string]any {
	out := map[string]any{
		"number": i.Number, "title": i.Title, "body": i.Body, "state": i.State, "user": user(i.User),
		"html_url": fmt.Sprintf("https://github.com/%s/issues/%d", repository.Name, i.Number),
	}
	if i.Head != "" {
		out["pull_request"] = map[string]any{"url": fmt.Sprintf("https://api.github.com/repos/%s/pulls/%d", repository.Name, i.Number)}
	}
	return out
}

// issueBody is what a request says of an issue.
type issueBody struct {
	Title       *string  `json:"title"`
	Body        *string  `json:"body"`
	Labels      []string `json:"labels"`
	State       *string  `json:"state"`
	StateReason *string  `json:"state_reason"`
}

func (s *Server) readIssue(r *http.Request) (given issueBody, refusal answer, ok bool) {
	if a, ok := s.read(r, &given); !ok {
		return given, a, false
	}
	if given.Title != nil && (*given.Title == "" || utf8.RuneCountInString(*given.Title) > maxTitle) {
		return given, s.refuseBody(r, "title", "has 1 to %d characters", maxTitle), false
	}
	if given.Body != nil && utf8.RuneCountInString(*given.Body) > maxBody {
		return given, s.refuseBody(r, "body", "is too long (maximum is %d characters)", maxBody), false
	}
	if given.State != nil && *given.State != "open" && *given.State != "closed" {
		return given, s.refuseBody(r, "state", "is %q", *given.State), false
	}
	reasons := []string{"completed", "not_planned", "reopened"}
	if given.StateReason != nil && (given.State == nil || !slices.Contains(reasons, *given.StateReason)) {
		return given, s.refuseBody(r, "state_reason", "is %q, or has no state beside it", *given.StateReason), false
	}
	return given, answer{}, true
}

func (s *Server) createIssue(r *http.Request) answer {
	repository, _, ok := s.target(r)
	switch {
	case !ok:
		return notFound
	case repository.NoIssues:
		return disabled
	case s.state.ReadOnly:
		return forbidden
	}
	given, refusal, ok := s.readIssue(r)
	if !ok {
		return refusal
	}
	if given.Title == nil || given.State != nil {
		return s.refuseBody(r, "title", "is missing, or there is a state")
	}
	i := &Issue{Number: repository.nextNumber(), Title: *given.Title, State: "open", User: s.state.Login, Labels: given.Labels}
	if given.Body != nil {
		i.Body = *given.Body
	}
	repository.Issues = append(repository.Issues, i)
	return success(http.StatusCreated, i.shown(repository))
}

func (s *Server) editIssue(r *http.Request) answer {
	repository, number, ok := s.target(r)
	if !ok || repository.Issue(number) == nil {
		return notFound
	}
	i := repository.Issue(number)
	switch {
	case s.state.ReadOnly:
		return forbidden
	case i.User != s.state.Login || i.Head != "":
		s.problem(r, "it edits an issue of %q, or a pull request", i.User)
		return forbidden
	}
	given, refusal, ok := s.readIssue(r)
	if !ok {
		return refusal
	}
	i.edit(given)
	return success(http.StatusOK, i.shown(repository))
}

func (i *Issue) edit(given issueBody) {
	if given.Title != nil {
		i.Title = *given.Title
	}
	if given.Body != nil {
		i.Body = *given.Body
	}
	if given.State != nil {
		i.State, i.Reason = *given.State, ""
	}
	if given.StateReason != nil {
		i.Reason = *given.StateReason
	}
	if given.Labels != nil {
		i.Labels = given.Labels
	}
}
