package github

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// Bounds of one request.
const (
	MaxResponse  = 16 << 20         // bytes of one response
	MaxAttempts  = 5                // how often one request is sent
	MaxWait      = 2 * time.Minute  // how long a client waits in all, over all its requests
	MaxRedirects = 3                // hops of one request, on the API's own server only
	maxAttempt   = 30 * time.Second // one attempt, its answer read whole
	maxHeader    = 1 << 20          // bytes of a response's header
)

// carrier sends requests: it adds the token where the request goes to the
// API's own server and nowhere else, reads answers whole and within a bound,
// waits and repeats what may be repeated. Above it nobody sees a limit that
// has passed.
type carrier struct {
	scheme, host string
	token        string
	sleep        func(context.Context, time.Duration) error
	inner        http.RoundTripper

	mu     sync.Mutex
	waited time.Duration
}

func newCarrier(root *url.URL, token string, o Options) *carrier {
	c := &carrier{scheme: root.Scheme, host: root.Host, token: token, sleep: o.Sleep, inner: o.Transport}
	if c.sleep == nil {
		c.sleep = sleep
	}
	if c.inner == nil {
		transport := http.DefaultTransport.(*http.Transport).Clone()
		transport.MaxResponseHeaderBytes = maxHeader
		c.inner = transport
	}
	return c
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// own says whether a URL is on the API's own server.
func (c *carrier) own(u *url.URL) bool { return u.Scheme == c.scheme && u.Host == c.host }

// checkRedirect follows a redirect only to where the token may go, and never
// one that turns a write into a read, which would look like a success.
func (c *carrier) checkRedirect(next *http.Request, via []*http.Request) error {
	switch {
	case !c.own(next.URL):
		return &Unavailable{Reason: "the API redirects to another server, which the token is not for"}
	case next.Method != via[0].Method:
		return &Unavailable{Reason: "the API redirects a write; the repository may have been renamed"}
	case len(via) > MaxRedirects:
		return &Unavailable{Reason: fmt.Sprintf("the API redirects more than %d times", MaxRedirects)}
	}
	return nil
}

// RoundTrip sends a request, and again where that is safe and there is time.
// Its errors are *Unavailable, or the context's.
func (c *carrier) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		defer r.Body.Close()
	}
	for attempt := 1; ; attempt++ {
		response, err := c.once(r)
		if err == nil && !limited(response) && response.StatusCode < http.StatusInternalServerError {
			return plain(response), nil
		}
		if r.Context().Err() != nil {
			return nil, r.Context().Err()
		}
		wait, again := retry(r, response, err, attempt)
		if !again || attempt == MaxAttempts || !c.spend(wait) {
			return nil, gaveUp(r, response, err, attempt, wait)
		}
		if err := c.sleep(r.Context(), wait); err != nil {
			return nil, err
		}
	}
}

// spend takes a wait from what is left; false if it is too long.
func (c *carrier) spend(wait time.Duration) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if wait > MaxWait-c.waited {
		return false
	}
	c.waited += wait
	return true
}

// once sends a request one time and reads the answer whole.
func (c *carrier) once(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(r.Context(), maxAttempt)
	defer cancel()
	sent := r.Clone(ctx)
	if r.GetBody != nil {
		body, err := r.GetBody()
		if err != nil {
			return nil, err
		}
		sent.Body = body
	}
	sent.Header.Del("Authorization")
	if c.own(sent.URL) {
		sent.Header.Set("Authorization", "Bearer "+c.token)
	}
	response, err := c.inner.RoundTrip(sent)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, MaxResponse+1))
	if err != nil {
		return nil, err
	}
	if len(body) > MaxResponse {
		return nil, errTooLarge
	}
	response.Body, response.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return response, nil
}

var errTooLarge = fmt.Errorf("the answer has more than %d bytes", MaxResponse)

// plain hides the limits from the library above, which would refuse further
// requests by them, and by its own clock; they were heeded here.
func plain(response *http.Response) *http.Response {
	for _, key := range []string{"X-Ratelimit-Limit", "X-Ratelimit-Remaining", "X-Ratelimit-Reset", "Retry-After"} {
		response.Header.Del(key)
	}
	return response
}

// gaveUp is the error of a request that isn't sent again: it was sent often
// enough, would have to wait too long, or must not be.
func gaveUp(r *http.Request, response *http.Response, err error, attempts int, wait time.Duration) error {
	times := "once"
	if attempts > 1 {
		times = fmt.Sprintf("%d times", attempts)
	}
	switch {
	case err != nil:
		return &Unavailable{Reason: fmt.Sprintf("%s (tried %s)", wording(err), times), doubtful: !safe(r)}
	case limited(response):
		return &Unavailable{Reason: fmt.Sprintf("GitHub limits the token's requests for another %s (tried %s; the gate waits %s in all)",
			wait.Round(time.Second), times, MaxWait)}
	}
	return &Unavailable{
		Reason:   fmt.Sprintf("the API answered %d %s (tried %s)", response.StatusCode, http.StatusText(response.StatusCode), times),
		doubtful: !safe(r),
	}
}

// wording is a failed connection in a few words; URLs are left out.
func wording(err error) string {
	var located *url.Error
	if errors.As(err, &located) {
		err = located.Err
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Sprintf("no answer within %s", maxAttempt)
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return "the connection ended before the answer did"
	}
	return "the API can't be reached: " + strings.TrimPrefix(err.Error(), "dial ")
}
