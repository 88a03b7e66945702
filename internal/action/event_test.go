package action

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	shaA = "1111111111111111111111111111111111111111"
	shaB = "2222222222222222222222222222222222222222"
)

const pullRequest = `{
  "action": "synchronize",
  "pull_request": {
    "user": {"login": "octocat", "type": "User"},
    "base": {"ref": "main", "sha": "3333333333333333333333333333333333333333", "repo": {"full_name": "octo/app"}},
    "head": {"ref": "agent/docs", "sha": "` + shaA + `", "repo": {"full_name": "octo/app"}}
  },
  "repository": {"full_name": "octo/app", "default_branch": "main"}
}`

const mergeGroup = `{
  "action": "checks_requested",
  "merge_group": {
    "head_sha": "` + shaB + `", "head_ref": "refs/heads/gh-readonly-queue/main/pr-1-` + shaA + `",
    "base_sha": "` + shaA + `", "base_ref": "refs/heads/main"
  },
  "repository": {"full_name": "octo/app", "default_branch": "main"}
}`

const push = `{
  "ref": "refs/heads/main", "before": "` + shaA + `", "after": "` + shaB + `",
  "created": false, "deleted": false, "forced": false,
  "repository": {"full_name": "octo/app", "default_branch": "main"}
}`

// own is an event of octo/app that cannot come from a fork.
func own(e Event) Event {
	e.BaseRepo, e.HeadRepo, e.DefaultBranch = "octo/app", "octo/app", "main"
	return e
}

func TestEventTable(t *testing.T) {
	pr := Event{
		Name: "pull_request", Action: "synchronize", BaseRef: "main", HeadSHA: shaA, HeadRef: "agent/docs",
		BaseRepo: "octo/app", HeadRepo: "octo/app", DefaultBranch: "main", Author: "octocat",
	}
	target, fork, gone, bot, typed, ghost := pr, pr, pr, pr, pr, pr
	target.Name = "pull_request_target"
	fork.HeadRepo = "mallory/app"
	gone.HeadRepo = ""
	bot.Author, bot.AuthorIsBot = "dependabot[bot]", true
	typed.AuthorIsBot = true
	ghost.Author = ""
	branch := own(Event{Name: "push", BaseRef: "main", HeadRef: "main", BaseSHA: shaA, HeadSHA: shaB})
	created, deleted, forced, tag := branch, branch, branch, branch
	created.BaseSHA, created.Created = "", true
	deleted.HeadSHA, deleted.Deleted = "", true
	forced.Forced = true
	tag.BaseRef, tag.HeadRef, tag.Tag = "v1.0", "v1.0", true
	group := own(Event{
		Name: "merge_group", Action: "checks_requested", BaseRef: "main", BaseSHA: shaA, HeadSHA: shaB,
		HeadRef: "gh-readonly-queue/main/pr-1-" + shaA,
	})
	baseless := group
	baseless.BaseSHA = ""

	tests := []struct {
		name, event, payload string
		edit                 []string // pairs of old, new text in the payload
		want                 Event
	}{
		{"pull request", "pull_request", pullRequest, nil, pr},
		{"pull request target", "pull_request_target", pullRequest, nil, target},
		{"pull request from a fork", "pull_request", pullRequest, []string{`A", "repo": {"full_name": "octo/app"}`, `A", "repo": {"full_name": "mallory/app"}`}, fork},
		{"pull request from a deleted fork", "pull_request", pullRequest, []string{`A", "repo": {"full_name": "octo/app"}`, `A", "repo": null`}, gone},
		{"pull request of a bot", "pull_request", pullRequest, []string{`"octocat", "type": "User"`, `"dependabot[bot]", "type": "Bot"`}, bot},
		{"an unknown kind of account counts as a bot", "pull_request", pullRequest, []string{`"type": "User"`, `"type": "Droid"`}, typed},
		{"pull request of a deleted account", "pull_request", pullRequest, []string{`{"login": "octocat", "type": "User"}`, `null`}, ghost},
		{"merge group", "merge_group", mergeGroup, nil, group},
		{"merge group without base_sha", "merge_group", mergeGroup, []string{`"base_sha": "` + shaA + `",`, ``}, baseless},
		{"merge group with an all-zero base_sha", "merge_group", mergeGroup, []string{`"base_sha": "` + shaA, `"base_sha": "` + zeroSHA}, baseless},
		{"push to a branch", "push", push, nil, branch},
		{"push of a new branch", "push", push, []string{`"before": "` + shaA, `"before": "` + zeroSHA, `"created": false`, `"created": true`}, created},
		{"push that deletes a branch", "push", push, []string{`"after": "` + shaB, `"after": "` + zeroSHA, `"deleted": false`, `"deleted": true`}, deleted},
		{"forced push", "push", push, []string{`"forced": false`, `"forced": true`}, forced},
		{"push of a tag", "push", push, []string{`refs/heads/main`, `refs/tags/v1.0`}, tag},
		{"push with ids in upper case", "push", push, []string{shaA, strings.ToUpper(shaA)}, branch},
		{"schedule", "schedule", `{"schedule": "0 0 * * *"}`, nil, Event{Name: "schedule"}},
		{"schedule with its repository", "schedule", `{"repository": {"full_name": "octo/app", "default_branch": "main"}}`, nil, own(Event{Name: "schedule"})},
		{"workflow_dispatch", "workflow_dispatch", `{"ref": "refs/heads/dev", "inputs": null}`, nil, Event{Name: "workflow_dispatch", HeadRef: "dev"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ParseEvent(tt.event, []byte(edited(t, tt.payload, tt.edit)), "octo/app")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("event differs (-want +got):\n%s", diff)
			}
		})
	}
}

// edited replaces text in a payload; a text that isn't there fails the test.
// A leading A" stands for the end of head's sha.
func edited(t *testing.T, payload string, pairs []string) string {
	t.Helper()
	for i := 0; i+1 < len(pairs); i += 2 {
		before := strings.Replace(pairs[i], `A"`, shaA+`"`, 1)
		after := strings.Replace(pairs[i+1], `A"`, shaA+`"`, 1)
		if !strings.Contains(payload, before) {
			t.Fatalf("the payload holds no %s", before)
		}
		payload = strings.ReplaceAll(payload, before, after)
	}
	return payload
}

func TestUnusablePayloadsNameTheField(t *testing.T) {
	tests := []struct {
		name, event, payload string
		edit                 []string
		want                 string
	}{
		{"no JSON", "push", `{`, nil, "payload of event push: it is not a JSON object: unexpected end of JSON input"},
		{"a list", "push", `[]`, nil, "payload of event push: it is not a JSON object: json: cannot unmarshal array"},
		{"null", "push", `null`, nil, "payload of event push: it is not a JSON object but null"},
		{"two documents", "push", push + push, nil, "payload of event push: it is not a JSON object: invalid character '{' after top-level value"},
		{"not UTF-8", "push", "{\"a\": \"\xff\"}", nil, "payload of event push: it is not valid UTF-8"},
		{"too large", "push", strings.Repeat(" ", MaxPayload+1), nil, "payload of event push: it has 26214401 bytes; at most 26214400 are read"},
		{"nested without end", "push", strings.Repeat(`{"a":`, 20_000), nil, "payload of event push: it is not a JSON object: invalid character '{' exceeded max depth"},
		{"no pull request", "pull_request", push, nil, "payload of event pull_request: pull_request.base.ref is missing"},
		{"pull request is a list", "pull_request", `{"pull_request": []}`, nil, "payload of event pull_request: pull_request must be an object, not a list"},
		{"names in another case", "pull_request", pullRequest, []string{`"pull_request"`, `"Pull_Request"`}, "payload of event pull_request: pull_request.base.ref is missing"},
		{"sha too short", "pull_request", pullRequest, []string{shaA, "1234"}, `payload of event pull_request: pull_request.head.sha is "1234", which is not a commit id of 40 hexadecimal digits`},
		{"sha of zeros", "pull_request", pullRequest, []string{shaA, zeroSHA}, `payload of event pull_request: pull_request.head.sha is all zeros: it names no commit`},
		{"sha is a number", "pull_request", pullRequest, []string{`"` + shaA + `"`, `12`}, `payload of event pull_request: pull_request.head.sha must be a string, not a number`},
		{"head repository missing", "pull_request", pullRequest, []string{`A", "repo": {"full_name": "octo/app"}`, `A"`}, `payload of event pull_request: pull_request.head.repo is missing`},
		{"author missing", "pull_request", pullRequest, []string{`"user": {"login": "octocat", "type": "User"},`, ``}, `payload of event pull_request: pull_request.user is missing`},
		{"author without a name", "pull_request", pullRequest, []string{`"octocat"`, `""`}, `payload of event pull_request: pull_request.user.login is empty`},
		{"branch with a blank", "pull_request", pullRequest, []string{`agent/docs`, `agent docs`}, `payload of event pull_request: pull_request.head.ref is "agent docs", which is not a branch name: it contains ' '`},
		{"branch that climbs", "pull_request", pullRequest, []string{`"ref": "main"`, `"ref": "../main"`}, `payload of event pull_request: pull_request.base.ref is "../main", which is not a branch name: it contains ..`},
		{"repository without owner", "pull_request", pullRequest, []string{`{"full_name": "octo/app"}},`, `{"full_name": "app"}},`}, `payload of event pull_request: pull_request.base.repo.full_name is "app", which is not OWNER/REPO`},
		{"two repositories", "pull_request", pullRequest, []string{`{"full_name": "octo/app", "default`, `{"full_name": "octo/other", "default`}, `payload of event pull_request: repository.full_name is "octo/other", but the event is about octo/app`},
		{"another repository than named", "push", push, []string{`octo/app`, `octo/other`}, `payload of event push: it is about repository octo/other, not octo/app`},
		{"no default branch", "push", push, []string{`, "default_branch": "main"`, ``}, `payload of event push: repository.default_branch is missing`},
		{"short ref", "push", push, []string{`refs/heads/main`, `main`}, `payload of event push: ref is "main", which is not a full name: it must begin with refs/heads/ or refs/tags/`},
		{"created contradicts before", "push", push, []string{`"created": false`, `"created": true`}, `payload of event push: created is true, but before says otherwise`},
		{"deleted is a word", "push", push, []string{`"deleted": false`, `"deleted": "no"`}, `payload of event push: deleted must be true or false, not a string`},
		{"merge group into a tag", "merge_group", mergeGroup, []string{`refs/heads/main`, `refs/tags/main`}, `payload of event merge_group: merge_group.base_ref names a tag, not a branch`},
		{"merge group base of another type", "merge_group", mergeGroup, []string{`"base_sha": "` + shaA + `"`, `"base_sha": true`}, `payload of event merge_group: merge_group.base_sha must be a string, not a boolean`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			event, err := ParseEvent(tt.event, []byte(edited(t, tt.payload, tt.edit)), "octo/app")
			var unusable *PayloadError
			if !errors.As(err, &unusable) {
				t.Fatalf("got %v and the event %+v, want a PayloadError", err, event)
			}
			if !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("got  %s\nwant %s", err, tt.want)
			}
			if strings.ContainsAny(err.Error(), "\n\r\x1b") {
				t.Errorf("the message is not one plain line: %q", err)
			}
		})
	}
}

func TestHostileValuesAreShownQuotedAndCut(t *testing.T) {
	hostile := `\u001b[31m\n::error::forged` + strings.Repeat("x", 4000)
	_, err := ParseEvent("push", []byte(edited(t, push, []string{`refs/heads/main`, hostile})), "")
	if err == nil || strings.ContainsAny(err.Error(), "\n\x1b") || len(err.Error()) > 300 {
		t.Errorf("got %q", err)
	}
}

func TestEventWithoutARowIsRefused(t *testing.T) {
	for _, name := range []string{"issue_comment", "workflow_run", "pull_request_review", "", "Push"} {
		_, err := ParseEvent(name, []byte(pullRequest), "")
		var none *NoRowError
		if !errors.As(err, &none) || none.Event != name {
			t.Errorf("event %q: got %v, want a NoRowError", name, err)
		}
	}
}

func TestReferenceNames(t *testing.T) {
	good := []string{"main", "release/1.2", "agent/x-y_z", "été", "a.b", "@a", "gh-readonly-queue/main/pr-1-" + shaA, strings.Repeat("a", MaxRefLength)}
	bad := []string{
		"", "@", "a b", "a\tb", "a\x7fb", "a~1", "a^", "a:b", "a?", "a*", "a[b", `a\b`, "a..b", "a@{1}", "a.", "/a", "a/", "a//b",
		".a", "a/.b", "a.lock", "a.lock/b", strings.Repeat("a", MaxRefLength+1),
	}
	for _, name := range good {
		if why := refProblem(name); why != "" {
			t.Errorf("%q is refused: it %s", name, why)
		}
	}
	for _, name := range bad {
		if refProblem(name) == "" {
			t.Errorf("%q is accepted", name)
		}
	}
}

func TestRepositoryNames(t *testing.T) {
	for _, name := range []string{"octo/app", "o-c/a.b_c", "0/1"} {
		if !IsRepository(name) {
			t.Errorf("%q is refused", name)
		}
	}
	for _, name := range []string{"", "octo", "octo/", "/app", "a/b/c", "octo/..", "octo/a b", "octo/a\n", "octo/é", "octo/" + strings.Repeat("a", 101)} {
		if IsRepository(name) {
			t.Errorf("%q is accepted", name)
		}
	}
}

// FuzzParseEvent: no payload makes the parser panic, and what it accepts has
// the ids and names that the table promises.
func FuzzParseEvent(f *testing.F) {
	f.Add("pull_request", pullRequest)
	f.Add("merge_group", mergeGroup)
	f.Add("push", push)
	f.Add("workflow_dispatch", `{"ref": "refs/heads/dev"}`)
	f.Fuzz(func(t *testing.T, name, payload string) {
		e, err := ParseEvent(name, []byte(payload), "octo/app")
		if err != nil {
			return
		}
		for _, sha := range []string{e.BaseSHA, e.HeadSHA} {
			if sha != "" && (len(sha) != len(zeroSHA) || sha == zeroSHA) {
				t.Errorf("accepted the id %q", sha)
			}
		}
		if e.BaseRepo != "" && !strings.EqualFold(e.BaseRepo, "octo/app") {
			t.Errorf("accepted the repository %q", e.BaseRepo)
		}
	})
}
