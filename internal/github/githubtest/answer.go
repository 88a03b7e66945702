package githubtest

import (
	"encoding/json"
	"net/http"
	"strconv"
	"time"
)

// answer is one response.
type answer struct {
	status int
	header map[string]string
	body   any
}

func success(status int, body any) answer { return answer{status: status, body: body} }

// failure is an error as GitHub writes it.
func failure(status int, message string) answer {
	return answer{status: status, body: map[string]any{
		"message": message, "documentation_url": "https://docs.github.com/rest", "status": strconv.Itoa(status),
	}}
}

// invalid is the answer to a body that breaks the schema.
func invalid(field, message string) answer {
	return answer{status: http.StatusUnprocessableEntity, body: map[string]any{
		"message": "Validation Failed", "documentation_url": "https://docs.github.com/rest",
		"errors": []map[string]string{{"resource": "Request", "field": field, "code": "custom", "message": message}},
	}}
}

var (
	notFound  = failure(http.StatusNotFound, "Not Found")
	forbidden = failure(http.StatusForbidden, "Resource not accessible by integration")
	disabled  = failure(http.StatusGone, "Issues are disabled for this repo")
)

// write sends an answer as GitHub does, with what is left of the rate limit.
func (a answer) write(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	if w.Header().Get("X-Ratelimit-Remaining") == "" {
		w.Header().Set("X-Ratelimit-Limit", "5000")
		w.Header().Set("X-Ratelimit-Remaining", "4999")
		w.Header().Set("X-Ratelimit-Reset", strconv.FormatInt(time.Date(2099, 1, 1, 0, 0, 0, 0, time.UTC).Unix(), 10))
	}
	for key, value := range a.header {
		w.Header().Set(key, value)
	}
	w.WriteHeader(a.status)
	// Whoever doesn't read the answer gets none.
	_ = json.NewEncoder(w).Encode(a.body)
}

// handler is one route. What it gives is written by whoever called it, so that
// a fault can do the work and lose the answer.
type handler func(r *http.Request) answer

// ServeHTTP hands the answer to the collector that called.
func (h handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.(*collector).answer = h(r)
}

// isOurs tells a route from what a ServeMux answers by itself.
func isOurs(h http.Handler) bool {
	_, ours := h.(handler)
	return ours
}

// collector is how an answer comes back through a ServeMux.
type collector struct {
	http.ResponseWriter
	answer answer
}
