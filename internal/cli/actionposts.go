package cli

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/fleetgate/fleetgate/internal/action"
	"github.com/fleetgate/fleetgate/internal/github"
	"github.com/fleetgate/fleetgate/internal/report"
	"github.com/fleetgate/fleetgate/internal/verdict"
)

// post writes the issue, the comment and the check run that the inputs ask
// for. Whatever goes wrong with them is a notice: the verdict stands.
func (s *actionStep) post(ctx context.Context, v *verdict.Verdict) {
	if s.inputs.Issue {
		outcome, err := s.trackIssue(ctx, v, issueTarget{s.job.Repository, s.inputs.Token, s.gateKey(s.inputs.WorkingDirectory)})
		s.posted("issue", outcome, err)
	}
	if !s.inputs.Comment && !s.inputs.CheckRun {
		return
	}
	client, err := s.client(s.inputs.Token)
	if err != nil {
		s.notice(err.Error())
		return
	}
	pull := s.pull()
	head := cmp.Or(v.Head, pull.Head)
	if s.inputs.Comment {
		s.postComment(ctx, client, v, pull.Number, head)
	}
	if s.inputs.CheckRun {
		s.postCheckRun(ctx, client, v, head)
	}
}

func (s *actionStep) pull() action.Pull {
	payload, err := s.job.ReadPayload()
	if err != nil {
		return action.Pull{}
	}
	return action.ReadPull(s.job.Event, payload)
}

func (s *actionStep) postComment(ctx context.Context, client *github.Client, v *verdict.Verdict, pull int, head string) {
	if pull == 0 {
		s.notice("there is no comment: the event " + s.job.Event + " is about no pull request")
		return
	}
	text, err := postedPage(v, head)
	if err != nil {
		s.notice(err.Error())
		return
	}
	outcome, err := client.PutComment(ctx, github.Comment{
		Repository: s.job.Repository, Pull: pull, Key: s.gateKey(s.inputs.WorkingDirectory), Head: head, Text: text,
	})
	s.posted("comment", outcome, err)
}

func (s *actionStep) postCheckRun(ctx context.Context, client *github.Client, v *verdict.Verdict, head string) {
	if head == "" {
		s.notice("there is no check run: the run knows no commit to put it on")
		return
	}
	text, err := postedPage(v, head)
	if err != nil {
		s.notice(err.Error())
		return
	}
	outcome, err := client.PutCheckRun(ctx, github.CheckRun{
		Repository: s.job.Repository, Head: head, Name: s.checkName(), Key: s.gateKey(s.inputs.WorkingDirectory), DetailsURL: s.jobPage(),
		Conclusion: conclusion(v), Title: report.Line(report.Title(*v)), Text: text, Annotations: checkAnnotations(v),
	})
	s.posted("check run", outcome, err)
}

// posted says in the log what came of a write.
func (s *actionStep) posted(what string, outcome github.Outcome, err error) {
	switch {
	case err != nil:
		s.notice(err.Error())
	case outcome.Did == github.Skipped:
		s.notice(outcome.Why)
	default:
		_ = s.say("fleetgate: %s", plain(postedLine(what, outcome)))
	}
}

// notice is an annotation that weighs nothing.
func (s *actionStep) notice(message string) {
	if err := s.runner.Annotate(action.LevelNotice, plain(message)); err != nil {
		s.warn("%s", message)
	}
}

// postedPage is the page for a pull request. It names the commit that was
// judged: the head may be another by the time that somebody reads it.
func postedPage(v *verdict.Verdict, head string) (string, error) {
	foot := fmt.Sprintf("\nJudged at `%.12s`.\n", head)
	var page strings.Builder
	if err := report.MarkdownWithin(github.MaxText-len(foot))(&page, *v); err != nil {
		return "", err
	}
	return page.String() + foot, nil
}

// conclusion is what a check run says of a verdict. Only a passed one, and in
// observe mode a failed one, lets a required check through.
func conclusion(v *verdict.Verdict) github.Conclusion {
	switch {
	case v.Word == verdict.Passed:
		return github.Success
	case v.Word == verdict.Failed && v.Observe:
		return github.Neutral
	case v.Word == verdict.Failed:
		return github.Failure
	}
	return github.ActionRequired
}

// checkAnnotations are a verdict's annotations, as many errors as warnings at most.
func checkAnnotations(v *verdict.Verdict) []github.Annotation {
	var all []github.Annotation
	for _, a := range report.Annotations(*v, github.MaxAnnotations/2) {
		all = append(all, github.Annotation{Severity: a.Severity, Pos: a.Pos, End: a.End, Title: a.Title, Message: a.Message})
	}
	return all
}

// checkName is what the list of checks shows. GitHub shows one check run of a
// name, so that gates of several jobs and folders need several names.
func (s *actionStep) checkName() string {
	name := "fleetgate"
	if job := s.getenv("GITHUB_JOB"); job != "" {
		name += " / " + job
	}
	if folder := s.inputs.WorkingDirectory; folder != "." {
		name += " (" + folder + ")"
	}
	return plain(name)
}

// jobPage is the address of the run's page; empty outside a job.
func (s *actionStep) jobPage() string {
	run := s.getenv("GITHUB_RUN_ID")
	if run == "" || s.job.Server == "" {
		return ""
	}
	return s.job.Server + "/" + s.job.Repository + "/actions/runs/" + run
}
