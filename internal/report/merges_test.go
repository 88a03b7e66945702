package report

import (
	"strings"
	"testing"

	"github.com/fleetgate/fleetgate/internal/verdict"
)

func TestMergesThatDecideNothingAreExplained(t *testing.T) {
	merge := func(n int, changes ...verdict.Change) verdict.Commit {
		return verdict.Commit{SHA: sha(n), Subject: "Merge main", Status: verdict.StatusMerge, Changes: changes}
	}
	tests := []struct {
		name   string
		merges []verdict.Commit
		want   string // "" for no word of merges
	}{
		{"none", nil, ""},
		{"one", []verdict.Commit{merge(5)}, "1 decides nothing"},
		{"two", []verdict.Commit{merge(5), merge(6)}, "2 decide nothing"},
		{"one that decides", []verdict.Commit{merge(5, verdict.Change{Status: "M", Path: "a"})}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := passed()
			v.Commits = append(v.Commits, tt.merges...)
			for name, format := range map[string]Format{"text": Text, "markdown": Markdown} {
				got := rendered(t, format, sealed(t, v))
				if strings.Contains(got, "nothing of") != (tt.want != "") || !strings.Contains(got, tt.want) {
					t.Errorf("%s: want %q in:\n%s", name, tt.want, got)
				}
			}
		})
	}
}
