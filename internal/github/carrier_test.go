package github

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/github/githubtest"
)

const (
	listPath = "repos/*/*/issues/*/comments"
	minute   = time.Minute
	second   = time.Second
)

// Each fault hits the first request, a read; what is waited for is what the
// server asked for, and the comment is there in the end.
func TestWaitsAreTheServers(t *testing.T) {
	tests := []struct {
		name  string
		fault githubtest.Fault
		want  []time.Duration
	}{
		{"Retry-After of a secondary limit", githubtest.Fault{Kind: githubtest.Secondary, RetryAfter: "17"}, []time.Duration{17 * second}},
		{"secondary limit as 429", githubtest.Fault{Kind: githubtest.Secondary, Status: 429, RetryAfter: "3", Times: 2}, []time.Duration{3 * second, 3 * second}},
		{"secondary limit that says nothing", githubtest.Fault{Kind: githubtest.Secondary}, []time.Duration{minute}},
		{"server's error", githubtest.Fault{Kind: githubtest.Status, Status: 502, Times: 3}, []time.Duration{second, 2 * second, 4 * second}},
		{"server's error with Retry-After", githubtest.Fault{Kind: githubtest.Status, Status: 503, RetryAfter: "9"}, []time.Duration{9 * second}},
		{"Retry-After of 0", githubtest.Fault{Kind: githubtest.Status, Status: 503, RetryAfter: "0"}, []time.Duration{second}},
		{"Retry-After that is none", githubtest.Fault{Kind: githubtest.Status, Status: 503, RetryAfter: "soon"}, []time.Duration{second}},
		{"lost connection", githubtest.Fault{Kind: githubtest.Drop, Times: 2}, []time.Duration{second, 2 * second}},
		{"answer cut off", githubtest.Fault{Kind: githubtest.Cut}, []time.Duration{second}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			state := oneRepository()
			tt.fault.Path = listPath
			state.Faults = []*githubtest.Fault{&tt.fault}
			s := newSession(t, state, func(o *Options) { o.Transport = fresh() })
			wantDid(t, Created)(s.PutComment(t.Context(), comment("text")))
			if diff := cmp.Diff(tt.want, s.waits); diff != "" {
				t.Errorf("waits differ (-want +got):\n%s", diff)
			}
		})
	}
}

// fresh is a transport without kept connections: Go's own resends a request
// over a new one where a kept one turns out to be closed.
func fresh() *http.Transport { return &http.Transport{DisableKeepAlives: true} }

func TestADateInRetryAfterIsReadByTheServersClock(t *testing.T) {
	now := time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)
	response := &http.Response{Header: http.Header{
		"Date":        {now.Format(http.TimeFormat)},
		"Retry-After": {now.Add(42 * time.Second).Format(http.TimeFormat)},
	}}
	if wait, ok := retryAfter(response); !ok || wait != 42*time.Second {
		t.Errorf("%s, %t", wait, ok)
	}
	response.Header.Set("Retry-After", now.Add(-minute).Format(http.TimeFormat))
	if wait, ok := retryAfter(response); !ok || wait != firstBackOff {
		t.Errorf("a date that has passed: %s, %t", wait, ok)
	}
	response.Header.Set("Retry-After", strings.Repeat("9", 40))
	if wait, ok := retryAfter(response); !ok || wait != maxBackOff {
		t.Errorf("an absurd number: %s, %t", wait, ok)
	}
}

func TestThePrimaryLimitIsWaitedForUntilItsReset(t *testing.T) {
	state := oneRepository()
	state.Faults = []*githubtest.Fault{{Kind: githubtest.Primary, Path: listPath, Reset: 40}}
	s := newSession(t, state)
	wantDid(t, Created)(s.PutComment(t.Context(), comment("text")))
	if len(s.waits) != 1 || s.waits[0] < 39*second || s.waits[0] > 42*second {
		t.Errorf("it waited %v for a reset in 40 s", s.waits)
	}
}

// A write that a limit refused wasn't done, and is sent again.
func TestALimitOnAWriteIsWaitedFor(t *testing.T) {
	for _, kind := range []string{githubtest.Secondary, githubtest.Primary} {
		state := oneRepository()
		state.Faults = []*githubtest.Fault{{Kind: kind, Method: http.MethodPost, Path: listPath, RetryAfter: "5", Reset: 5}}
		s := newSession(t, state)
		wantDid(t, Created)(s.PutComment(t.Context(), comment("once")))
		if len(s.comments()) != 1 || len(s.waits) != 1 {
			t.Errorf("%s: %q after %v", kind, s.comments(), s.waits)
		}
	}
}

func TestALimitThatLastsTooLongIsNotWaitedFor(t *testing.T) {
	for name, fault := range map[string]githubtest.Fault{
		"an hour until the reset": {Kind: githubtest.Primary, Reset: 3600},
		"Retry-After of an hour":  {Kind: githubtest.Secondary, RetryAfter: "3600"},
		"a little over the bound": {Kind: githubtest.Secondary, RetryAfter: "121"},
	} {
		t.Run(name, func(t *testing.T) {
			state := oneRepository()
			fault.Times = -1
			state.Faults = []*githubtest.Fault{&fault}
			s := newSession(t, state)
			_, err := s.PutComment(t.Context(), comment("text"))
			wantUnavailable(t, err, "limits the token's requests")
			if len(s.waits) != 0 || len(s.server.Requests()) != 1 {
				t.Errorf("%d requests, waits %v", len(s.server.Requests()), s.waits)
			}
		})
	}
}

func TestTriesAndWaitsAreBounded(t *testing.T) {
	tests := []struct {
		name     string
		fault    githubtest.Fault
		requests int
		why      string
	}{
		{"by number", githubtest.Fault{Kind: githubtest.Status, Status: 500}, MaxAttempts, "500 Internal Server Error (tried 5 times)"},
		{"by number, of a limit", githubtest.Fault{Kind: githubtest.Secondary, RetryAfter: "1"}, MaxAttempts, "tried 5 times"},
		{"by time", githubtest.Fault{Kind: githubtest.Secondary, RetryAfter: "50"}, 3, "tried 3 times; the gate waits 2m0s in all"},
		{"no answers", githubtest.Fault{Kind: githubtest.Drop}, MaxAttempts, "the connection ended before the answer did (tried 5 times)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			state := oneRepository()
			tt.fault.Times = -1
			state.Faults = []*githubtest.Fault{&tt.fault}
			s := newSession(t, state, func(o *Options) { o.Transport = fresh() })
			_, err := s.PutComment(t.Context(), comment("text"))
			wantUnavailable(t, err, tt.why)
			if n := len(s.server.Requests()); n != tt.requests {
				t.Errorf("%d requests, want %d", n, tt.requests)
			}
		})
	}
}

// The patience is one client's, over all that it writes.
func TestWaitsAddUpOverOperations(t *testing.T) {
	state := oneRepository()
	state.Faults = []*githubtest.Fault{{Kind: githubtest.Secondary, RetryAfter: "50", Times: -1}}
	s := newSession(t, state)
	for range 3 {
		if _, err := s.PutComment(t.Context(), comment("text")); err == nil {
			t.Fatal("no error")
		}
	}
	if diff := cmp.Diff([]time.Duration{50 * second, 50 * second}, s.waits); diff != "" {
		t.Error(diff)
	}
}

// A write whose answer always gets lost is tried a bounded number of times, too.
func TestADoubtfulWriteIsTriedABoundedNumberOfTimes(t *testing.T) {
	state := oneRepository()
	state.Faults = []*githubtest.Fault{{Kind: githubtest.Status, Method: http.MethodPost, Path: listPath, Status: 502, Times: -1}}
	s := newSession(t, state)
	_, err := s.PutComment(t.Context(), comment("text"))
	wantUnavailable(t, err, "502 Bad Gateway")
	if n := s.asked(http.MethodPost); n != MaxAttempts {
		t.Errorf("%d tries", n)
	}
}

func TestAnAnswerIsReadUpToItsBound(t *testing.T) {
	state := oneRepository()
	state.Faults = []*githubtest.Fault{{Kind: githubtest.Large, Path: listPath, Size: MaxResponse + 1}}
	s := newSession(t, state)
	_, err := s.PutComment(t.Context(), comment("text"))
	wantUnavailable(t, err, "more than 16777216 bytes")
	if len(s.waits) != 0 {
		t.Errorf("it was asked for again: %v", s.waits)
	}
}

func TestAnAnswerThatIsNoJSONIsUnavailable(t *testing.T) {
	state := oneRepository()
	state.Faults = []*githubtest.Fault{{Kind: githubtest.Status, Path: listPath, Status: 200, Body: "<html>Sign in to the Wi-Fi</html>"}}
	s := newSession(t, state)
	_, err := s.PutComment(t.Context(), comment("text"))
	wantUnavailable(t, err, "not what the API gives")
}

func TestAPageThatLeadsBackIsAnError(t *testing.T) {
	state := oneRepository()
	state.Repositories[0].Issues[0].Comments = bystanders(250)
	s := newSession(t, state, func(o *Options) { o.Transport = circle{http.DefaultTransport} })
	_, err := s.PutComment(t.Context(), comment("text"))
	wantUnavailable(t, err, "in a circle")
}

// circle links every page to the first.
type circle struct{ inner http.RoundTripper }

func (c circle) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := c.inner.RoundTrip(r)
	if err == nil {
		response.Header.Set("Link", `<https://api.github.com/x?page=1>; rel="next"`)
	}
	return response, err
}

// A redirect to another server gets neither the token nor the request.
func TestTheTokenGoesToNoOtherServer(t *testing.T) {
	var seen []string
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		seen = append(seen, r.Header.Get("Authorization"))
	}))
	t.Cleanup(other.Close)
	for _, status := range []int{301, 302, 303, 307, 308} {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			state := oneRepository()
			state.Faults = []*githubtest.Fault{{Kind: githubtest.Redirect, Method: method, Path: listPath, Status: status, Location: other.URL + "/repos/octo/app/issues/7/comments"}}
			s := newSession(t, state)
			_, err := s.PutComment(t.Context(), comment("text"))
			wantUnavailable(t, err, "redirects")
		}
	}
	if len(seen) != 0 {
		t.Errorf("the other server was asked, with %q", seen)
	}
}

// Even below the check of redirects nothing adds the token for another server.
func TestTheTokenIsOnlyAddedForTheAPIsServer(t *testing.T) {
	root, err := parseRoot("https://api.example.com/api/v3")
	if err != nil {
		t.Fatal(err)
	}
	var seen []string
	inner := roundTrip(func(r *http.Request) (*http.Response, error) {
		seen = append(seen, r.URL.Host+" "+r.Header.Get("Authorization"))
		return &http.Response{StatusCode: 200, Body: io.NopCloser(strings.NewReader("")), Header: http.Header{}}, nil
	})
	c := newCarrier(root, token, Options{Transport: inner})
	for _, url := range []string{"https://api.example.com/x", "http://api.example.com/x", "https://api.example.com:8443/x", "https://evil.example/x", "https://api.example.com.evil.example/x"} {
		r := httptest.NewRequest(http.MethodGet, url, nil)
		r.Header.Set("Authorization", "Bearer "+token) // as a redirect's request would bring it along
		if _, err := c.RoundTrip(r); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"api.example.com Bearer " + token, "api.example.com ", "api.example.com:8443 ", "evil.example ", "api.example.com.evil.example "}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Error(diff)
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// A renamed repository's reads lead to its new name, on the same server.
func TestARedirectOnTheSameServerIsFollowed(t *testing.T) {
	state := oneRepository()
	state.Repositories[0].Name = "octo/new"
	s := newSession(t, state)
	s.server.Edit(func(state *githubtest.State) {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			state.Faults = append(state.Faults, &githubtest.Fault{Kind: githubtest.Redirect, Method: method, Path: "repos/octo/app/issues/7/comments", Status: 307, Location: s.server.URL + "/repos/octo/new/issues/7/comments"})
		}
		state.Faults = append(state.Faults, &githubtest.Fault{Kind: githubtest.Redirect, Path: "repos/octo/app/pulls/7", Status: 301, Location: s.server.URL + "/repos/octo/new/pulls/7"})
	})
	wantDid(t, Created)(s.PutComment(t.Context(), comment("text")))
	state = s.server.State()
	if got := state.Repository("octo/new").Issue(number).Comments; len(got) != 1 {
		t.Errorf("%d comments", len(got))
	}
}

// A 301 turns a POST into a GET, whose 200 would look like a success.
func TestARedirectThatTurnsAWriteIntoAReadIsRefused(t *testing.T) {
	for _, status := range []int{301, 302, 303} {
		state := oneRepository()
		s := newSession(t, state)
		s.server.Edit(func(state *githubtest.State) {
			state.Faults = []*githubtest.Fault{{Kind: githubtest.Redirect, Method: http.MethodPost, Path: listPath, Status: status, Location: s.server.URL + "/repos/octo/app/issues/7/comments"}}
		})
		_, err := s.PutComment(t.Context(), comment("text"))
		wantUnavailable(t, err, "redirects a write")
	}
}

func TestRedirectsAreBounded(t *testing.T) {
	state := oneRepository()
	s := newSession(t, state)
	s.server.Edit(func(state *githubtest.State) {
		state.Faults = []*githubtest.Fault{{Kind: githubtest.Redirect, Times: -1, Status: 301, Path: listPath, Location: s.server.URL + "/repos/octo/app/issues/7/comments?page=1"}}
	})
	_, err := s.PutComment(t.Context(), comment("text"))
	wantUnavailable(t, err, "more than 3 times")
}

func TestAnAttemptEndsWhenItsTimeIsOver(t *testing.T) {
	inner := roundTrip(func(r *http.Request) (*http.Response, error) {
		deadline, ok := r.Context().Deadline()
		if left := time.Until(deadline); !ok || left > maxAttempt {
			t.Errorf("the deadline is in %s (there is one: %t)", left, ok)
		}
		return nil, context.DeadlineExceeded
	})
	root, _ := parseRoot(DefaultURL)
	c := newCarrier(root, token, Options{Transport: inner, Sleep: func(context.Context, time.Duration) error { return nil }})
	_, err := c.RoundTrip(httptest.NewRequest(http.MethodGet, DefaultURL, nil))
	wantUnavailable(t, err, "no answer within 30s")
}

func TestAnOperationThatTakesTooLongIsUnavailable(t *testing.T) {
	state := oneRepository()
	state.Faults = []*githubtest.Fault{{Kind: githubtest.Hang}}
	s := newSession(t, state)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err := s.PutComment(ctx, comment("text"))
	wantUnavailable(t, err, "too long")
}

func TestAnOperationHasAnEnd(t *testing.T) {
	for name, operation := range operations {
		state := oneRepository()
		state.Faults = []*githubtest.Fault{{Kind: githubtest.Secondary, RetryAfter: "1"}}
		var left time.Duration
		s := newSession(t, state, func(o *Options) {
			o.Sleep = func(ctx context.Context, _ time.Duration) error {
				deadline, _ := ctx.Deadline()
				left = time.Until(deadline)
				return nil
			}
		})
		if err := operation(t.Context(), s.Client); err != nil || left <= 0 || left > MaxOperation {
			t.Errorf("%s ends in %s: %v", name, left, err)
		}
	}
}

func TestTheRealSleepHeedsItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := sleep(ctx, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	if err := sleep(t.Context(), time.Nanosecond); err != nil {
		t.Error(err)
	}
}

// The body of a request is whole each time that it is sent.
func TestEachAttemptSendsTheWholeBody(t *testing.T) {
	var bodies []string
	inner := roundTrip(func(r *http.Request) (*http.Response, error) {
		body, err := io.ReadAll(r.Body)
		bodies = append(bodies, string(body))
		return &http.Response{StatusCode: 429, Header: http.Header{"Retry-After": {"1"}}, Body: io.NopCloser(strings.NewReader("{}"))}, err
	})
	root, _ := parseRoot(DefaultURL)
	c := newCarrier(root, token, Options{Transport: inner, Sleep: func(context.Context, time.Duration) error { return nil }})
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, DefaultURL, bytes.NewBufferString("the body"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.RoundTrip(r); err == nil {
		t.Error("no error")
	}
	if got := fmt.Sprint(bodies); got != "[the body the body the body the body the body]" {
		t.Error(got)
	}
}
