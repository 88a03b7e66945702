package github

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/google/go-github/v60/github"

	"github.com/fleetgate/fleetgate/internal/diag"
)

// Conclusion is what a check run says of the verdict.
type Conclusion string

// The conclusions. Where the check is required, GitHub merges on Success and
// Neutral, and on no other.
const (
	Success        Conclusion = "success"         // passed
	Failure        Conclusion = "failure"         // failed
	Neutral        Conclusion = "neutral"         // failed, but only observed: reported, not enforced
	ActionRequired Conclusion = "action_required" // undecided: it never looks like a pass, and isn't the commits' failure
)

// Bounds of a check run.
const (
	MaxAnnotations  = 1000 // annotations of one check run, MaxBatch a request
	MaxBatch        = 50   // annotations of one request: GitHub takes no more
	maxTitle        = 255  // code points of a title
	noFile          = ".github"
	externalVersion = "fleetgate/1" // of the external id's form
)

// CheckRun is the one check run that a gate keeps on a commit.
type CheckRun struct {
	Repository  string // OWNER/REPO, of base
	Head        string // the full id of the commit that was judged
	Name        string // what the list of checks shows
	Key         string // of the gate, by Key
	DetailsURL  string // the job's page; may be empty
	Conclusion  Conclusion
	Title       string
	Text        string // Markdown, at most MaxText bytes
	Annotations []Annotation
}

// Annotation is a message at a place of a file. Where no file is named it
// goes where GitHub puts a job's own annotations that have none.
type Annotation struct {
	Severity diag.Severity
	Pos, End diag.Pos
	Title    string
	Message  string
}

// PutCheckRun makes the check run on the judged commit, or completes the one
// that is there. It is found again by its name and external id, which holds
// the gate's key and a digest of all that is shown: a re-run with the same
// result writes nothing, and one after an interrupted run adds what is missing.
//
// GitHub only ever adds annotations to a check run. So one that says something
// else is edited only if it has none; if it has, a new one of the same name is
// made, which takes its place.
func (c *Client) PutCheckRun(ctx context.Context, run CheckRun) (Outcome, error) {
	p, err := c.newCheckRun(run)
	if err != nil {
		return Outcome{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, MaxOperation)
	defer cancel()
	return c.untilSure(ctx, p.put)
}

// checking is one call of PutCheckRun.
type checking struct {
	*Client
	aim
	CheckRun
	owner, repo string
	externalID  string
	annotations []*github.CheckRunAnnotation
}

func (c *Client) newCheckRun(run CheckRun) (*checking, error) {
	owner, repo, err := splitRepository(run.Repository)
	if err != nil {
		return nil, err
	}
	switch {
	case !isCommit(run.Head):
		return nil, fmt.Errorf("%q is no full commit id", clean(run.Head, ""))
	case run.Name == "" || run.Title == "" || run.Text == "" || run.Conclusion == "":
		return nil, errors.New("a check run has a name, a title, a text and a conclusion")
	case len(run.Annotations) > MaxAnnotations:
		return nil, fmt.Errorf("there are %d annotations; a check run has at most %d", len(run.Annotations), MaxAnnotations)
	}
	if err := checkKey(run.Key); err != nil {
		return nil, err
	}
	if err := checkText(run.Text); err != nil {
		return nil, err
	}
	p := &checking{
		Client: c, CheckRun: run, owner: owner, repo: repo,
		aim: aim{what: fmt.Sprintf("the check run on %s@%s", run.Repository, run.Head[:12]), permission: "checks: write"},
	}
	p.Title = clip(run.Title, maxTitle)
	for _, a := range run.Annotations {
		p.annotations = append(p.annotations, a.wire())
	}
	p.externalID = p.idStart() + digest(p.shown()...)
	return p, nil
}

// idStart is what the external ids of a gate's check runs have in common.
func (p *checking) idStart() string { return externalVersion + " " + p.Key + " " }

// shown is everything that a reader sees, for its digest.
func (p *checking) shown() []string {
	all := []string{string(p.Conclusion), p.Title, p.Text}
	for _, a := range p.Annotations {
		all = append(all, fmt.Sprintf("%d %q %v %v", a.Severity, a.Title, a.Pos, a.End), a.Message)
	}
	return all
}

func (p *checking) put(ctx context.Context) (Outcome, error) {
	old, err := p.find(ctx)
	if err != nil {
		return Outcome{}, err
	}
	have := old.GetOutput().GetAnnotationsCount()
	switch {
	case old == nil || old.GetExternalID() != p.externalID && have > 0:
		return p.create(ctx)
	case old.GetExternalID() == p.externalID && old.GetStatus() == "completed" && have >= len(p.annotations):
		return Outcome{Did: Unchanged, URL: old.GetHTMLURL()}, nil
	}
	return p.complete(ctx, old, have, Updated)
}

// find gives the newest of the gate's own check runs on the commit, or nil.
func (p *checking) find(ctx context.Context) (*github.CheckRun, error) {
	var newest *github.CheckRun
	all := "all"
	err := pages(func(o github.ListOptions) (*github.Response, bool, error) {
		list, response, err := p.api.Checks.ListCheckRunsForRef(ctx, p.owner, p.repo, p.Head,
			&github.ListCheckRunsOptions{CheckName: &p.Name, Filter: &all, ListOptions: o})
		if err == nil {
			err = whole(list.CheckRuns)
		}
		if err != nil {
			return nil, false, err
		}
		for _, run := range list.CheckRuns {
			own, err := p.own(ctx, run)
			if err != nil {
				return nil, false, err
			}
			if own && run.GetID() > newest.GetID() {
				newest = run
			}
		}
		return response, false, nil
	})
	return newest, p.fail(ctx, p.aim, err)
}

// own says whether a check run is the gate's, made with a token of the same app.
func (p *checking) own(ctx context.Context, run *github.CheckRun) (bool, error) {
	if run.GetName() != p.Name || !strings.HasPrefix(run.GetExternalID(), p.idStart()) {
		return false, nil
	}
	login, err := p.whoami(ctx, p.aim)
	return err == nil && strings.EqualFold(run.GetApp().GetSlug(), appSlug(login)), err
}

// create makes a check run that is complete but for the annotations that one
// request can't hold: the verdict is there from the start.
func (p *checking) create(ctx context.Context) (Outcome, error) {
	batch, status, conclusion := p.batch(0), "completed", string(p.Conclusion)
	options := github.CreateCheckRunOptions{
		Name: p.Name, HeadSHA: p.Head, DetailsURL: p.details(), ExternalID: &p.externalID,
		Status: &status, Conclusion: &conclusion, Output: p.output(batch),
	}
	made, _, err := p.api.Checks.CreateCheckRun(ctx, p.owner, p.repo, options)
	if err != nil {
		return Outcome{}, p.fail(ctx, p.aim, err)
	}
	if len(batch) == len(p.annotations) {
		return Outcome{Did: Created, URL: made.GetHTMLURL()}, nil
	}
	return p.complete(ctx, made, len(batch), Created)
}

// complete writes the verdict to a check run, and the annotations that it
// doesn't have yet, a batch a request.
func (p *checking) complete(ctx context.Context, run *github.CheckRun, have int, did Did) (Outcome, error) {
	status, conclusion := "completed", string(p.Conclusion)
	for {
		batch := p.batch(have)
		options := github.UpdateCheckRunOptions{
			Name: p.Name, DetailsURL: p.details(), ExternalID: &p.externalID,
			Status: &status, Conclusion: &conclusion, Output: p.output(batch),
		}
		if len(batch) == 0 { // nothing that a second request would add again
			ctx = repeatable(ctx)
		}
		if _, _, err := p.api.Checks.UpdateCheckRun(ctx, p.owner, p.repo, run.GetID(), options); err != nil {
			return Outcome{}, p.fail(ctx, p.aim, err)
		}
		if have += len(batch); have >= len(p.annotations) {
			return Outcome{Did: did, URL: run.GetHTMLURL()}, nil
		}
	}
}

// batch gives the annotations of one request, from the first that is missing.
func (p *checking) batch(from int) []*github.CheckRunAnnotation {
	from = min(from, len(p.annotations))
	return p.annotations[from:min(from+MaxBatch, len(p.annotations))]
}

func (p *checking) output(batch []*github.CheckRunAnnotation) *github.CheckRunOutput {
	return &github.CheckRunOutput{Title: &p.Title, Summary: &p.Text, Annotations: batch}
}

func (p *checking) details() *string {
	if p.DetailsURL == "" {
		return nil
	}
	return &p.DetailsURL
}

var levels = map[diag.Severity]string{diag.Error: "failure", diag.Warning: "warning", diag.Note: "notice"}

// wire is the annotation as the API takes it: always with a file and lines,
// with columns only if they are on one line.
func (a Annotation) wire() *github.CheckRunAnnotation {
	out := &github.CheckRunAnnotation{
		Path: github.String(a.Pos.File), StartLine: github.Int(max(a.Pos.Line, 1)), EndLine: github.Int(max(a.End.Line, a.Pos.Line, 1)),
		AnnotationLevel: github.String(levels[a.Severity]), Message: github.String(cmp.Or(a.Message, a.Title, "no message")),
	}
	if a.Pos.File == "" {
		out.Path = github.String(noFile)
	}
	if a.Title != "" {
		out.Title = github.String(clip(a.Title, maxTitle))
	}
	if a.Pos.Line > 0 && a.Pos.Column > 0 && *out.StartLine == *out.EndLine {
		out.StartColumn = github.Int(a.Pos.Column)
		out.EndColumn = github.Int(max(a.Pos.Column, a.End.Column))
	}
	return out
}

// clip cuts a text to n code points.
func clip(text string, n int) string {
	runes := []rune(text)
	if len(runes) <= n {
		return text
	}
	return string(runes[:n-1]) + "…"
}
