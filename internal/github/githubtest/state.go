package githubtest

import (
	"encoding/json"
	"strings"
)

// State is all that the server knows. As JSON it is what Serve reads and records.
type State struct {
	Token        string        `json:"token"`               // the only one that is let in
	Login        string        `json:"login"`               // whose token it is; of an app, if it ends in [bot]
	ReadOnly     bool          `json:"read_only,omitempty"` // the token may not write, as on a pull request from a fork
	Path         string        `json:"path,omitempty"`      // of the API's root: empty, or /api/v3 as an Enterprise server has it
	Repositories []*Repository `json:"repositories"`
	Faults       []*Fault      `json:"faults,omitempty"` // the first that fits a request answers it
}

// Repository is one repository with what was written to it.
type Repository struct {
	Name          string      `json:"name"` // OWNER/REPO
	DefaultBranch string      `json:"default_branch,omitempty"`
	Private       bool        `json:"private,omitempty"`
	Archived      bool        `json:"archived,omitempty"`
	Disabled      bool        `json:"disabled,omitempty"`
	Fork          bool        `json:"fork,omitempty"`
	Topics        []string    `json:"topics,omitempty"`
	NoIssues      bool        `json:"no_issues,omitempty"` // its issues are switched off
	Issues        []*Issue    `json:"issues,omitempty"`    // pull requests are issues, too
	CheckRuns     []*CheckRun `json:"check_runs,omitempty"`
}

// Issue is an issue or, if Head is given, a pull request.
type Issue struct {
	Number   int        `json:"number"`
	Title    string     `json:"title"`
	Body     string     `json:"body,omitempty"`
	State    string     `json:"state,omitempty"` // open (or empty), or closed
	Reason   string     `json:"reason,omitempty"`
	Labels   []string   `json:"labels,omitempty"`
	User     string     `json:"user,omitempty"` // a login; empty where the account is gone
	Head     string     `json:"head,omitempty"` // the commit that a pull request's branch is at
	Comments []*Comment `json:"comments,omitempty"`
}

// Comment is one comment on an issue. The server gives an ID where there is none.
type Comment struct {
	ID    int64  `json:"id,omitempty"`
	User  string `json:"user,omitempty"`
	Body  string `json:"body"`
	Edits int    `json:"edits,omitempty"` // how often it was edited
}

// CheckRun is one check run, with every annotation that it was ever given.
type CheckRun struct {
	ID          int64        `json:"id,omitempty"`
	App         string       `json:"app"` // the slug of the app that made it
	Name        string       `json:"name"`
	HeadSHA     string       `json:"head_sha"`
	ExternalID  string       `json:"external_id,omitempty"`
	DetailsURL  string       `json:"details_url,omitempty"`
	Status      string       `json:"status"`
	Conclusion  string       `json:"conclusion,omitempty"`
	Title       string       `json:"title,omitempty"`
	Summary     string       `json:"summary,omitempty"`
	Annotations []Annotation `json:"annotations,omitempty"`
}

// Annotation is one annotation of a check run, as the API takes it.
type Annotation struct {
	Path            string `json:"path"`
	StartLine       int    `json:"start_line"`
	EndLine         int    `json:"end_line"`
	StartColumn     int    `json:"start_column,omitempty"`
	EndColumn       int    `json:"end_column,omitempty"`
	AnnotationLevel string `json:"annotation_level"`
	Message         string `json:"message"`
	Title           string `json:"title,omitempty"`
	RawDetails      string `json:"raw_details,omitempty"`
}

// Request is one request that came, and how it was answered.
type Request struct {
	Method string `json:"method"`
	Path   string `json:"path"` // below the API's root, with its query
	Status int    `json:"status"`
}

// Record is what happened: the state as it is now, each request in its order,
// and what was wrong with them.
type Record struct {
	State    State     `json:"state"`
	Requests []Request `json:"requests"`
	Problems []string  `json:"problems"`
}

// Repository finds a repository by OWNER/REPO; nil if there is none.
func (s *State) Repository(name string) *Repository {
	for _, r := range s.Repositories {
		if strings.EqualFold(r.Name, name) {
			return r
		}
	}
	return nil
}

// Issue finds an issue or pull request by number; nil if there is none.
func (r *Repository) Issue(number int) *Issue {
	for _, i := range r.Issues {
		if i.Number == number {
			return i
		}
	}
	return nil
}

// clone copies a state deeply, so that a test can read while the server writes.
func (s *State) clone() State {
	var out State
	text, err := json.Marshal(s)
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	if err != nil {
		panic("githubtest: a state is plain data: " + err.Error())
	}
	return out
}

// complete gives every comment and check run that has no id one.
func (s *State) complete() {
	next := s.nextID()
	give := func(id *int64) {
		if *id == 0 {
			*id = next
			next++
		}
	}
	for _, r := range s.Repositories {
		for _, i := range r.Issues {
			if i.State == "" {
				i.State = "open"
			}
			for _, c := range i.Comments {
				give(&c.ID)
			}
		}
		for _, run := range r.CheckRuns {
			give(&run.ID)
		}
	}
}

// nextID is higher than every id there is; of two things, the newer has the higher.
func (s *State) nextID() int64 {
	highest := int64(1000)
	for _, r := range s.Repositories {
		for _, i := range r.Issues {
			for _, c := range i.Comments {
				highest = max(highest, c.ID)
			}
		}
		for _, run := range r.CheckRuns {
			highest = max(highest, run.ID)
		}
	}
	return highest + 1
}

// nextNumber is the number of a repository's next issue.
func (r *Repository) nextNumber() int {
	highest := 0
	for _, i := range r.Issues {
		highest = max(highest, i.Number)
	}
	return highest + 1
}

// app is the slug of the app that a token belongs to; empty for a person's.
func (s *State) app() string {
	slug, bot := strings.CutSuffix(s.Login, "[bot]")
	if !bot {
		return ""
	}
	return slug
}
