package action

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// remoteName is what git knows the source of a fetch by. The name stands in no
// file: git is told in its environment what it means, so that neither the
// address nor the token is in its arguments or in the clone's configuration.
const remoteName = "fleetgate-source"

// gitCall is one run of git.
type gitCall struct {
	args  []string
	stdin string
	noop  bool // nothing that the clone has is offered to the server
}

// run runs git, for what, and gives what it prints.
func (f *Fetcher) run(ctx context.Context, s source, what string, call gitCall) (string, error) {
	what += " of " + f.Repository
	if f.Say != nil {
		f.Say("fetching " + what)
	}
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(f.Limit, MaxFetchTime))
	defer cancel()
	command := exec.CommandContext(ctx, cmp.Or(f.Git, "git"), append(gitFlags(s), call.args...)...)
	command.Env = append(gitEnvironment(f.Environ), s.configuration(f.Environ, call.noop)...)
	command.Stdin = strings.NewReader(call.stdin)
	command.WaitDelay = time.Second // for what git has started, and left behind
	var out, problem bounded
	command.Stdout, command.Stderr = &out, &problem
	err := command.Run()
	switch {
	case err == nil:
		return out.String(), nil
	case ctx.Err() != nil:
		return "", &FetchError{What: what, Why: "it took too long, or was interrupted"}
	}
	return "", &FetchError{What: what, Why: f.reason(problem.String(), err)}
}

// gitFlags come before the command. The repository is named outright, so that
// who owns it doesn't matter; a clone has none yet.
func gitFlags(s source) []string {
	flags := []string{"-c", "core.hooksPath=/dev/null", "-c", "protocol.ext.allow=never"}
	if s.gitDir == "" {
		return flags
	}
	return append([]string{"--git-dir=" + s.gitDir}, flags...)
}

// setting is one entry of git's configuration.
type setting struct{ key, value string }

// configuration says in the environment what the source is. An empty header
// first takes away the ones that the clone has for that server: two of a kind
// would be refused. No redirect is followed: it could lead the token elsewhere.
func (s source) configuration(environ []string, noop bool) []string {
	settings := []setting{
		{"remote." + remoteName + ".url", s.url},
		{"http.followRedirects", "false"},
		{"http.lowSpeedLimit", "1000"},
		{"http.lowSpeedTime", "60"},
		{"fetch.writeCommitGraph", "false"},
	}
	if s.partial { // what is fetched may refer to what is left out
		settings = append(settings,
			setting{"remote." + remoteName + ".promisor", "true"},
			setting{"remote." + remoteName + ".partialCloneFilter", "blob:none"})
	}
	if noop {
		settings = append(settings, setting{"fetch.negotiationAlgorithm", "noop"})
	}
	if s.header != "" {
		settings = append(settings, setting{"http." + s.url + ".extraHeader", ""}, setting{"http." + s.url + ".extraHeader", s.header})
	}
	return asEnvironment(environ, settings)
}

// asEnvironment adds settings to those that the environment has already.
func asEnvironment(environ []string, settings []setting) []string {
	count := 0
	for _, entry := range environ {
		if value, ok := strings.CutPrefix(entry, "GIT_CONFIG_COUNT="); ok {
			count, _ = strconv.Atoi(value)
		}
	}
	var env []string
	for i, s := range settings {
		env = append(env, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", count+i, s.key), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", count+i, s.value))
	}
	return append(env, fmt.Sprintf("GIT_CONFIG_COUNT=%d", count+len(settings)))
}

// withheld are the beginnings of variables that git doesn't get: what would
// point it at another repository or make a new one of another format, what would make it print or keep what it
// sends, and what is nobody's business but the step's.
var withheld = []string{
	"GIT_DIR=", "GIT_COMMON_DIR=", "GIT_WORK_TREE=", "GIT_INDEX_FILE=", "GIT_OBJECT_DIRECTORY=", "GIT_ALTERNATE_OBJECT_DIRECTORIES=",
	"GIT_NAMESPACE=", "GIT_SHALLOW_FILE=", "GIT_DEFAULT_HASH=", "GIT_DEFAULT_REF_FORMAT=", "GIT_CONFIG_COUNT=", "GIT_TRACE", "GIT_CURL_VERBOSE=", "GIT_TERMINAL_PROMPT=", "GIT_ASKPASS=",
	"INPUT_", "ACTIONS_", "GITHUB_TOKEN=", "GH_TOKEN=", "LC_ALL=",
}

// gitEnvironment is the environment that git gets: nobody is asked for a
// password, nothing is fetched behind our back, messages are in English.
func gitEnvironment(environ []string) []string {
	env := []string{
		"GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "GIT_NO_LAZY_FETCH=1", "GIT_TRACE2=0", "GIT_TRACE2_EVENT=0", "GIT_TRACE2_PERF=0", "LC_ALL=C",
	}
	for _, entry := range environ {
		if !hasAnyPrefix(entry, withheld) {
			env = append(env, entry)
		}
	}
	return env
}

func hasAnyPrefix(text string, prefixes []string) bool {
	for _, prefix := range prefixes {
		if len(text) >= len(prefix) && strings.EqualFold(text[:len(prefix)], prefix) {
			return true
		}
	}
	return false
}

// basicAuthorization is the header by which GitHub takes a token for git.
func basicAuthorization(token string) string {
	return "Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte("x-access-token:"+token))
}

// reason is git's last word, on one line and without the token.
func (f *Fetcher) reason(problem string, err error) string {
	if errors.Is(err, exec.ErrNotFound) {
		return "there is no git on this machine"
	}
	said := strings.Split(strings.TrimSpace(problem), "\n")
	reason := strings.TrimSpace(said[len(said)-1])
	for _, line := range said { // what comes after is advice
		if strings.HasPrefix(line, "fatal: ") || strings.HasPrefix(line, "error: ") || strings.HasPrefix(line, "remote: ") {
			reason = strings.TrimSpace(line)
			break
		}
	}
	switch {
	case strings.Contains(problem, "could not read Username") || strings.Contains(problem, "Authentication failed"):
		reason = "the server wants a token that may read it (permissions: contents: read)"
	case reason == "":
		reason = err.Error()
	}
	return f.redacted(strings.Join(strings.Fields(reason), " "))
}

// redacted takes the token out of a text, should git ever repeat it.
func (f *Fetcher) redacted(text string) string {
	if f.Token == "" {
		return text
	}
	_, encoded, _ := strings.Cut(basicAuthorization(f.Token), "Basic ")
	return strings.NewReplacer(f.Token, "***", encoded, "***").Replace(text)
}

// bounded keeps the first MaxGitOutput bytes that are written to it.
type bounded struct{ bytes.Buffer }

// Write takes everything and keeps what there is room for.
func (b *bounded) Write(p []byte) (int, error) {
	room := max(MaxGitOutput-b.Len(), 0)
	b.Buffer.Write(p[:min(len(p), room)])
	return len(p), nil
}

// ReadFrom keeps io.Copy from going round Write.
func (b *bounded) ReadFrom(r io.Reader) (int64, error) {
	return io.Copy(struct{ io.Writer }{b}, r)
}
