package cli

import (
	"io"
	"strings"
	"testing"
)

// blanks is white space without end.
type blanks struct{}

func (blanks) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

func TestAReportHasAtMostItsBound(t *testing.T) {
	const report = `{"verdict":"pass","checks":[{"name":"t","passed":true,"evidence":"e"}]}`
	for size, want := range map[int64]int{MaxReportBytes: ExitPassed, MaxReportBytes + 1: ExitUsage} {
		a, stdout, stderr := testApp(nil)
		a.stdin = io.MultiReader(strings.NewReader(report), io.LimitReader(blanks{}, size-int64(len(report))))
		if code := a.run(t.Context(), a.rootFor(nil), []string{"result", "--kind", "verifier-report", "--repo", t.TempDir()}); code != want {
			t.Errorf("%d bytes: exit code %d, want %d: %s%s", size, code, want, stdout, stderr)
		}
	}
}

func TestAnEndlessReportEnds(t *testing.T) {
	a, _, stderr := testApp(nil)
	a.stdin = blanks{}
	if code := a.run(t.Context(), a.rootFor(nil), []string{"result", "--kind", "verifier-report", "--repo", t.TempDir()}); code != ExitUsage {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}
