package action

import (
	"strings"
	"testing"
)

func TestThePullRequestOfAnEvent(t *testing.T) {
	numbered := strings.Replace(pullRequest, `"user"`, `"number": 7, "user"`, 1)
	for name, c := range map[string]struct {
		payload string
		want    Pull
	}{
		"a pull request":         {numbered, Pull{7, shaA}},
		"one without a number":   {pullRequest, Pull{}},
		"a number that is text":  {strings.Replace(numbered, ": 7,", `: "7",`, 1), Pull{}},
		"a number that is none":  {strings.Replace(numbered, ": 7,", `: 0,`, 1), Pull{}},
		"a fraction":             {strings.Replace(numbered, ": 7,", `: 7.5,`, 1), Pull{}},
		"a head that is no sha":  {strings.Replace(numbered, shaA, "main", 1), Pull{}},
		"a push":                 {push, Pull{}},
		"a schedule":             {`{"schedule": "0 0 * * *"}`, Pull{}},
		"nothing":                {"", Pull{}},
		"a pull request of null": {`{"pull_request": null}`, Pull{}},
		"a comment's issue":      {`{"issue": {"number": 7}}`, Pull{}},
	} {
		if got := ReadPull("pull_request", []byte(c.payload)); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}
