package github

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// How long it waits where the server doesn't say.
const (
	firstBackOff   = 1 * time.Second // after an error of the server's; doubled each time
	secondaryLimit = 1 * time.Minute // after a secondary limit, as GitHub asks; doubled each time
	maxBackOff     = 1 * time.Hour   // longer than any patience here
)

type repeatableKey struct{}

// repeatable marks the writes of a context as safe to send twice: what they
// leave is the same.
func repeatable(ctx context.Context) context.Context {
	return context.WithValue(ctx, repeatableKey{}, true)
}

// safe says whether a request may be sent twice.
func safe(r *http.Request) bool {
	return r.Method == http.MethodGet || r.Context().Value(repeatableKey{}) != nil
}

// retry says whether a request that failed is to be sent again, and after how
// long. A limit refuses a request before anything is done, so that any may be
// repeated. After an error of the server's, or no answer at all, a write may
// have been done: only safe ones are repeated.
func retry(r *http.Request, response *http.Response, err error, attempt int) (wait time.Duration, again bool) {
	switch {
	case errors.Is(err, errTooLarge):
		return 0, false
	case err != nil:
		return backOff(firstBackOff, attempt), safe(r)
	case limited(response):
		return limitWait(response, attempt), true
	}
	return serverWait(response, attempt), safe(r)
}

func backOff(first time.Duration, attempt int) time.Duration { return first << (attempt - 1) }

// limited says whether a response is a rate limit's, primary or secondary.
func limited(response *http.Response) bool {
	switch response.StatusCode {
	case http.StatusTooManyRequests:
		return true
	case http.StatusForbidden:
		return response.Header.Get("Retry-After") != "" || exhausted(response) || namesSecondaryLimit(response)
	}
	return false
}

func exhausted(response *http.Response) bool {
	return response.Header.Get("X-Ratelimit-Remaining") == "0"
}

// namesSecondaryLimit reads the body, which is all that tells a secondary
// limit from a missing permission where the headers say nothing.
func namesSecondaryLimit(response *http.Response) bool {
	body, err := io.ReadAll(response.Body)
	response.Body = io.NopCloser(bytes.NewReader(body))
	text := strings.ToLower(string(body))
	return err == nil && (strings.Contains(text, "secondary rate limit") || strings.Contains(text, "secondary-rate-limits") || strings.Contains(text, "abuse detection"))
}

// limitWait is how long a limit lasts: what Retry-After says, else until the
// primary limit's reset, else as GitHub asks for secondary ones.
func limitWait(response *http.Response, attempt int) time.Duration {
	if wait, ok := retryAfter(response); ok {
		return wait
	}
	if exhausted(response) {
		if seconds, err := strconv.ParseInt(response.Header.Get("X-Ratelimit-Reset"), 10, 64); err == nil {
			// One second more: the reset is a whole second's.
			return until(response, time.Unix(seconds, 0)) + time.Second
		}
	}
	return backOff(secondaryLimit, attempt)
}

func serverWait(response *http.Response, attempt int) time.Duration {
	if wait, ok := retryAfter(response); ok {
		return wait
	}
	return backOff(firstBackOff, attempt)
}

// retryAfter reads Retry-After, in seconds or as a date.
func retryAfter(response *http.Response) (time.Duration, bool) {
	text := response.Header.Get("Retry-After")
	if seconds, err := strconv.ParseUint(text, 10, 64); err == nil || errors.Is(err, strconv.ErrRange) {
		return time.Duration(min(max(seconds, 1), uint64(maxBackOff/time.Second))) * time.Second, true
	}
	if date, err := http.ParseTime(text); err == nil {
		return until(response, date), true
	}
	return 0, false
}

// until is the time that is left by the server's own clock, which a runner's
// may differ from.
func until(response *http.Response, end time.Time) time.Duration {
	now, err := http.ParseTime(response.Header.Get("Date"))
	if err != nil {
		now = time.Now()
	}
	return min(max(end.Sub(now), firstBackOff), maxBackOff)
}
