package githubtest

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"
)

var (
	commitID    = regexp.MustCompile(`^([0-9a-f]{40}|[0-9a-f]{64})$`)
	statuses    = []string{"queued", "in_progress", "completed"}
	conclusions = []string{"success", "failure", "neutral", "cancelled", "skipped", "timed_out", "action_required"}
	levels      = []string{"notice", "warning", "failure"}
)

// checkBody is what a request says of a check run.
type checkBody struct {
	Name        *string `json:"name"`
	HeadSHA     *string `json:"head_sha"`
	ExternalID  *string `json:"external_id"`
	DetailsURL  *string `json:"details_url"`
	Status      *string `json:"status"`
	Conclusion  *string `json:"conclusion"`
	StartedAt   *string `json:"started_at"`
	CompletedAt *string `json:"completed_at"`
	Output      *struct {
		Title       *string      `json:"title"`
		Summary     *string      `json:"summary"`
		Text        *string      `json:"text"`
		Annotations []Annotation `json:"annotations"`
	} `json:"output"`
}

// listCheckRuns gives, by default, only the newest of each name and app. GitHub
// promises no order; the oldest comes first, so that nobody takes it for the newest.
func (s *Server) listCheckRuns(r *http.Request) answer {
	query := s.parameters(r, "check_name", "status", "filter", "app_id")
	filter := s.choice(r, query, "filter", "latest", "all")
	repository, _, ok := s.target(r)
	if !ok {
		return notFound
	}
	seen := map[string]bool{}
	all := []any{}
	for _, run := range slices.Backward(repository.CheckRuns) {
		if run.HeadSHA != r.PathValue("ref") || query.Get("check_name") != "" && run.Name != query.Get("check_name") {
			continue
		}
		key := run.App + "\x00" + run.Name
		if filter == "all" || !seen[key] {
			all = append(all, run.shown(repository))
		}
		seen[key] = true
	}
	slices.Reverse(all)
	shown, links := page(s, r, query, all)
	return answer{status: http.StatusOK, header: links, body: map[string]any{"total_count": len(all), "check_runs": shown}}
}

func (c *CheckRun) shown(repository *Repository) map[string]any {
	var conclusion any
	if c.Conclusion != "" {
		conclusion = c.Conclusion
	}
	return map[string]any{
		"id": c.ID, "name": c.Name, "head_sha": c.HeadSHA, "external_id": c.ExternalID, "details_url": c.DetailsURL,
		"status": c.Status, "conclusion": conclusion, "app": map[string]any{"slug": c.App},
		"html_url": fmt.Sprintf("https://github.com/%s/runs/%d", repository.Name, c.ID),
		"output":   map[string]any{"title": c.Title, "summary": c.Summary, "annotations_count": len(c.Annotations)},
	}
}

func (s *Server) createCheckRun(r *http.Request) answer {
	repository, _, ok := s.target(r)
	switch {
	case !ok:
		return notFound
	case s.state.ReadOnly:
		return forbidden
	case s.state.app() == "":
		return failure(http.StatusForbidden, "You must authenticate via a GitHub App.")
	}
	given, refusal, ok := s.readCheckRun(r)
	switch {
	case !ok:
		return refusal
	case given.Name == nil || *given.Name == "":
		return s.refuseBody(r, "name", "is missing")
	case given.HeadSHA == nil || !commitID.MatchString(*given.HeadSHA):
		return s.refuseBody(r, "head_sha", "is missing, or no commit id")
	}
	run := &CheckRun{ID: s.state.nextID(), App: s.state.app(), HeadSHA: *given.HeadSHA, Status: "queued"}
	run.edit(given)
	repository.CheckRuns = append(repository.CheckRuns, run)
	return success(http.StatusCreated, run.shown(repository))
}

func (s *Server) editCheckRun(r *http.Request) answer {
	repository, id, ok := s.target(r)
	if !ok {
		return notFound
	}
	at := slices.IndexFunc(repository.CheckRuns, func(c *CheckRun) bool { return c.ID == int64(id) })
	if at < 0 {
		return notFound
	}
	run := repository.CheckRuns[at]
	switch {
	case s.state.ReadOnly:
		return forbidden
	case run.App != s.state.app():
		s.problem(r, "it edits a check run of the app %q", run.App)
		return forbidden
	}
	given, refusal, ok := s.readCheckRun(r)
	switch {
	case !ok:
		return refusal
	case given.HeadSHA != nil:
		return s.refuseBody(r, "head_sha", "can't be changed")
	}
	run.edit(given)
	return success(http.StatusOK, run.shown(repository))
}

// edit takes over what was given; annotations are added to those there are.
func (c *CheckRun) edit(given checkBody) {
	for _, field := range []struct {
		to   *string
		from *string
	}{
		{&c.Name, given.Name},
		{&c.ExternalID, given.ExternalID},
		{&c.DetailsURL, given.DetailsURL},
		{&c.Status, given.Status},
		{&c.Conclusion, given.Conclusion},
	} {
		if field.from != nil {
			*field.to = *field.from
		}
	}
	if given.Conclusion != nil {
		c.Status = "completed"
	}
	if given.Output != nil {
		c.Title, c.Summary = *given.Output.Title, *given.Output.Summary
		c.Annotations = append(c.Annotations, given.Output.Annotations...)
	}
}

// readCheckRun reads what both writes take, strictly.
func (s *Server) readCheckRun(r *http.Request) (given checkBody, refusal answer, ok bool) {
	if a, ok := s.read(r, &given); !ok {
		return given, a, false
	}
	field, wrong := given.wrong()
	if wrong == "" {
		return given, answer{}, true
	}
	return given, s.refuseBody(r, field, "%s", wrong), false
}

// wrong names the first field that breaks the schema, and how.
func (c *checkBody) wrong() (field, wrong string) {
	switch {
	case c.Status != nil && !slices.Contains(statuses, *c.Status):
		return "status", *c.Status + " is none"
	case c.Conclusion != nil && !slices.Contains(conclusions, *c.Conclusion):
		return "conclusion", *c.Conclusion + " is none"
	case c.Conclusion != nil && c.Status != nil && *c.Status != "completed":
		return "status", "isn't completed, but there is a conclusion"
	case c.Conclusion == nil && c.Status != nil && *c.Status == "completed":
		return "conclusion", "is missing"
	case !isTime(c.StartedAt) || !isTime(c.CompletedAt):
		return "completed_at", "is no time"
	case c.Output == nil:
		return "", ""
	case c.Output.Title == nil || *c.Output.Title == "":
		return "output.title", "is missing"
	case c.Output.Summary == nil || *c.Output.Summary == "" || utf8.RuneCountInString(*c.Output.Summary) >= maxBody:
		return "output.summary", "is missing or too long"
	case len(c.Output.Annotations) > maxAnnotation:
		return "output.annotations", "are " + strconv.Itoa(len(c.Output.Annotations)) + ", over 50"
	}
	for i := range c.Output.Annotations {
		if wrong := c.Output.Annotations[i].wrong(); wrong != "" {
			return fmt.Sprintf("output.annotations[%d]", i), wrong
		}
	}
	return "", ""
}

func isTime(text *string) bool {
	if text == nil {
		return true
	}
	_, err := time.Parse(time.RFC3339, *text)
	return err == nil
}

func (a *Annotation) wrong() string {
	switch {
	case a.Path == "" || a.Path[0] == '/':
		return "has no path in the repository"
	case a.StartLine < 1 || a.EndLine < a.StartLine:
		return "has no lines"
	case (a.StartColumn != 0 || a.EndColumn != 0) && (a.StartLine != a.EndLine || a.StartColumn < 1 || a.EndColumn < a.StartColumn):
		return "has columns that are none, or on two lines"
	case !slices.Contains(levels, a.AnnotationLevel):
		return "has no level"
	case a.Message == "" || len(a.Message) > 64<<10 || len(a.RawDetails) > 64<<10:
		return "has no message, or one over 64 KB"
	case utf8.RuneCountInString(a.Title) > 255:
		return "has a title over 255 characters"
	}
	return ""
}
