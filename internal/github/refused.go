package github

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode"

	"github.com/google/go-github/v60/github"
)

// Refused is the API's no. It is a notice: the verdict stands.
type Refused struct {
	What   string // the comment on octo/app#7
	Status int    // of HTTP: 401, 403, 404, 410, 422, …
	Reason string // in the API's own words, on one line
	Hint   string // the way out; may be empty
}

// Error says what was refused, why, and the way out, in one line.
func (e *Refused) Error() string {
	text := fmt.Sprintf("%s was refused (%d): %s", e.What, e.Status, e.Reason)
	if e.Hint != "" {
		text += "; " + e.Hint
	}
	return text
}

// Unavailable is the lack of an answer: no connection, an error of the
// server's, a limit that lasts longer than the gate waits. It is a notice, too.
type Unavailable struct {
	What   string
	Reason string

	doubtful bool // the request may have been carried out all the same
}

// Error says what could not be written, and why, in one line.
func (e *Unavailable) Error() string {
	if e.What == "" {
		return e.Reason
	}
	return e.What + " could not be written or read: " + e.Reason
}

// aim is what an operation is about, for its errors.
type aim struct {
	what       string // the comment on octo/app#7
	permission string // of the job that it needs: pull-requests: write
	way        string // the way out where that isn't a job's permission
}

// fail gives an error of the library's as one of this package's, without the
// token. The context's own error stays to be found in it.
func (c *Client) fail(ctx context.Context, a aim, err error) error {
	var known *Refused
	var silent *Unavailable
	var answer *github.ErrorResponse
	var factor *github.TwoFactorAuthError
	switch {
	case err == nil || errors.As(err, &known):
		return err
	case ctx.Err() != nil && errors.Is(ctx.Err(), context.Canceled):
		return fmt.Errorf("%s was given up: %w", a.what, ctx.Err())
	case ctx.Err() != nil:
		return &Unavailable{What: a.what, Reason: "it took too long"}
	case errors.As(err, &silent):
		return &Unavailable{What: a.what, Reason: clean(silent.Reason, c.token), doubtful: silent.doubtful}
	case errors.As(err, &answer):
		return c.refused(a, answer)
	case errors.As(err, &factor):
		return c.refused(a, (*github.ErrorResponse)(factor))
	}
	return &Unavailable{What: a.what, Reason: clean("the answer is not what the API gives: "+err.Error(), c.token)}
}

func (c *Client) refused(a aim, answer *github.ErrorResponse) error {
	status := answer.Response.StatusCode
	reason := answer.Message
	for _, detail := range answer.Errors {
		reason += " " + strings.TrimSpace(detail.Field+" "+detail.Message)
	}
	if strings.TrimSpace(reason) == "" {
		reason = http.StatusText(status)
	}
	return &Refused{What: a.what, Status: status, Reason: clean(reason, c.token), Hint: a.hint(status)}
}

// hint is the way out of a refusal.
func (a aim) hint(status int) string {
	switch status {
	case http.StatusUnauthorized:
		return "the token has expired or is none of this server's"
	case http.StatusGone:
		return "issues are switched off in that repository"
	case http.StatusForbidden, http.StatusNotFound:
		if a.way != "" {
			return a.way
		}
	}
	switch status {
	case http.StatusForbidden:
		return fmt.Sprintf("give the job `permissions: %s`; on a pull request from a fork its token can only read", a.permission)
	case http.StatusNotFound:
		return fmt.Sprintf("it is gone, or the token can't see it: give the job `permissions: %s`", a.permission)
	}
	return ""
}

// isRefusal says whether the API refused with one of the statuses.
func isRefusal(err error, statuses ...int) bool {
	var refused *Refused
	return errors.As(err, &refused) && slices.Contains(statuses, refused.Status)
}

// doubtful says whether a request that failed may have been carried out.
func doubtful(err error) bool {
	var silent *Unavailable
	return errors.As(err, &silent) && silent.doubtful
}

// maxReason is how many bytes of a server's own words are repeated.
const maxReason = 300

// clean makes one short line of a server's words, and takes the token out.
func clean(text, token string) string {
	if token != "" {
		text = strings.ReplaceAll(text, token, "***")
	}
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }), " ")
	if len(text) <= maxReason {
		return text
	}
	return strings.ToValidUTF8(text[:maxReason], "") + "…"
}
