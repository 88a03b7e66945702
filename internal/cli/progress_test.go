package cli

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/gate"
)

func TestALogGetsALineEveryFewSeconds(t *testing.T) {
	now := time.Date(2026, time.January, 1, 9, 0, 0, 0, time.UTC)
	var out bytes.Buffer
	log := newLog(&out, func() time.Time { return now })
	for i := range 8 {
		log.report(gate.Progress{Done: i, Total: 300, Of: "repositories"})
		now = now.Add(2 * time.Second)
	}
	want := "fleetgate: 3 of 300 repositories\nfleetgate: 6 of 300 repositories\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Whoever reads standard error as a program reads only what is for it.
func TestProgressIsForPeople(t *testing.T) {
	for name, tt := range map[string]struct {
		env  map[string]string
		want bool
	}{
		"a pipe":                    {nil, false},
		"a pipe, in a job":          {map[string]string{"CI": "true"}, true},
		"a pipe, on GitHub":         {map[string]string{"GITHUB_ACTIONS": "true"}, true},
		"a pipe, on no job":         {map[string]string{"CI": "false"}, false},
		"a pipe, with a terminal's": {map[string]string{"TERM": "xterm"}, false},
	} {
		a, _, _ := testApp(tt.env)
		if report, done := a.progress(); (report != nil) != tt.want || done == nil {
			t.Errorf("%s: progress is shown: %t, want %t", name, report != nil, tt.want)
		}
	}
}

func TestABarMovesAndIsGoneAtTheEnd(t *testing.T) {
	var out bytes.Buffer
	b := &bar{out: &out}
	for i := range 4 {
		b.report(gate.Progress{Done: i, Total: 4, Of: "commits"})
		time.Sleep(drawEvery + 20*time.Millisecond)
	}
	for _, part := range []string{"commits", "(1/4)", "(3/4)", " 75% "} {
		if !strings.Contains(out.String(), part) {
			t.Errorf("no %q was drawn: %q", part, out.String())
		}
	}
	b.report(gate.Progress{Done: 0, Total: 2, Of: "repositories"})
	b.clear()
	b.clear()
	drawn := strings.Split(strings.TrimRight(out.String(), "\r"), "\r")
	if last := drawn[len(drawn)-1]; strings.TrimSpace(last) != "" || !strings.Contains(out.String(), "(0/2)") {
		t.Errorf("what stays is %q, of %q", last, out.String())
	}
}
