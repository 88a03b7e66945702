package verdict

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/value"
)

func TestListsAreNeverNull(t *testing.T) {
	text := string(written(t, sealed(t, Verdict{Word: Passed, Commits: make([]Commit, 1), Fleets: make([]Fleet, 1), Diagnostics: make([]diag.Diagnostic, 1)})))
	if strings.Contains(text, "null") {
		t.Error(text)
	}
	for _, member := range []string{`"merge_bases": []`, `"claims": []`, `"changes": []`, `"steps": []`, `"related": []`} {
		if !strings.Contains(text, member) {
			t.Errorf("no %s in %s", member, text)
		}
	}
}

func TestBytesThatAreNotUTF8StandBesideTheText(t *testing.T) {
	document := decoded(t, written(t, sealed(t, sample())))
	commits := document["commits"].([]any)
	changes := commits[0].(map[string]any)["changes"].([]any)
	finding := document["diagnostics"].([]any)[0].(map[string]any)
	got := []any{
		changes[0],
		changes[1],
		commits[1].(map[string]any)["subject_base64"],
		finding["path"],
		finding["path_base64"],
		finding["related"],
	}
	want := []any{
		map[string]any{"status": "M", "path": "docs/a.md"},
		map[string]any{"status": "A", "path": "src/\uFFFDé.go", "path_base64": "c3JjL//DqS5nbw=="},
		"Q2Fm6Q==",
		"src/\uFFFDé.go",
		"c3JjL//DqS5nbw==",
		[]any{map[string]any{"message": "here", "rev": "head", "file": "a\uFFFD", "file_base64": "Yf8=", "line": 1.0, "column": 2.0}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestWriteErrorsAreReported(t *testing.T) {
	v := sealed(t, sample())
	if err := v.WriteJSON(brokenWriter{}); !errors.Is(err, errBroken) {
		t.Errorf("got %v", err)
	}
}

var errBroken = errors.New("broken")

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

// chunks records the largest piece that was written at once.
type chunks struct{ largest, total int }

func (c *chunks) Write(p []byte) (int, error) {
	c.largest = max(c.largest, len(p))
	c.total += len(p)
	return len(p), nil
}

func TestALargeVerdictIsWrittenInPieces(t *testing.T) {
	v := sealed(t, large(500, 20, 2000))
	var out chunks
	if err := v.WriteJSON(&out); err != nil {
		t.Fatal(err)
	}
	if out.largest > writeBuffer || out.total < 10*writeBuffer {
		t.Errorf("%d bytes in pieces of up to %d", out.total, out.largest)
	}
}

// large is a verdict of some commits, changes a commit, and findings.
func large(commits, changes, findings int) Verdict {
	v := Verdict{Word: Failed, Reason: "findings"}
	for i := range commits {
		c := Commit{SHA: id(i), Subject: fmt.Sprintf("Commit number %d", i), Claims: []string{"docs/write"}, Allow: []string{"docs/"}, Status: StatusClaimed}
		for j := range changes {
			c.Changes = append(c.Changes, Change{Status: "M", Path: fmt.Sprintf("src/package-%d/file-%d.go", i, j)})
		}
		v.Commits = append(v.Commits, c)
	}
	for i := range findings {
		path := fmt.Sprintf("src/package-%d/file.go", i)
		v.Diagnostics = append(v.Diagnostics, diag.Diagnostic{
			Code: "boundary-outside", Severity: diag.Error, Rev: diag.Base, Pos: diag.Pos{File: ".clio-coder/fleets/docs.md", Line: 7, Column: 5},
			Message: fmt.Sprintf("step %q may not write %q; its writes are docs/", "docs/write", path),
			Hint:    "move the change to a commit that claims a step which may write it", Commit: id(i % max(commits, 1)), Step: "docs/write", Path: path,
		})
	}
	return v
}

func TestTwentyThousandViolationsAreAllInTheJSON(t *testing.T) {
	document := decoded(t, written(t, sealed(t, large(100, 0, 20_000))))
	if n := len(document["diagnostics"].([]any)); n != 20_000 {
		t.Errorf("%d of 20000 findings", n)
	}
}

func lossy(s string) string {
	var out strings.Builder
	for _, r := range s {
		out.WriteRune(r)
	}
	return out.String()
}

func encoded(s string, canonical bool) string {
	var out bytes.Buffer
	e := newEncoder(&out, canonical)
	e.text(s)
	_ = e.flush()
	return out.String()
}

func FuzzEscapeJSON(f *testing.F) {
	for _, s := range hostileTexts {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := encoded(s, true), value.Stringify(value.NewString(lossy(s))); got != want {
			t.Errorf("canonical %s, want %s", got, want)
		}
		text := encoded(s, false)
		var back string
		if err := json.Unmarshal([]byte(text), &back); err != nil || back != lossy(s) {
			t.Errorf("%q reads back as %q, %v", s, back, err)
		}
		checkHarmless(t, text)
	})
}

func checkHarmless(t *testing.T, text string) {
	t.Helper()
	if bracketCommandAnywhere(text) {
		t.Errorf("a runner would obey %s", text)
	}
	for _, r := range text {
		if r != '\n' && r != utf8.RuneError && !unicode.IsPrint(r) {
			t.Errorf("%U stands in %q", r, text)
		}
	}
}

func bracketCommandAnywhere(text string) bool {
	for i := range text {
		if bracketCommand(text[i:]) {
			return true
		}
	}
	return false
}

var hostileTexts = []string{
	"", "docs/bad-é.txt", "x\n::error::forged", "##[error]forged", "###[group]", "##vso[task.setvariable]", "\x1b[31mred\x1b[0m", "\u202egnp.exe",
	"a\"b\t.md", "a\\tb", "\x00\x7f\u0080\u009b31m", "\xff\xfe", "\xed\xa0\x80", "\U000e0041\u200b\u2028", "\uFFFD", strings.Repeat("é", 4000),
}

func TestEveryStringOfTheDocumentIsEscaped(t *testing.T) {
	for _, s := range hostileTexts {
		v := Verdict{Word: Failed, Tool: s, Command: s, Reason: s, Summary: s, Hint: s, Assurance: Assurance(s), Repository: s, Event: s, Policy: s}
		v.Commits = []Commit{{Subject: s, Claims: []string{s}, Allow: []string{s}, Status: s, Changes: []Change{{Status: s, Path: s}}}}
		v.Fleets = []Fleet{{Name: s, Path: s, Violated: []string{s}, Steps: []Step{{ID: s, Kind: s, Agent: s, Scope: s, Writes: []string{s}}}, Edges: []Edge{{From: s, To: s}}}}
		v.Diagnostics = []diag.Diagnostic{{Severity: diag.Error, Message: s, Hint: s, Field: s, Step: s, Path: s, Pos: diag.Pos{File: s}, Related: []diag.Related{{Message: s, Pos: diag.Pos{File: s}}}}}
		text := written(t, sealed(t, v))
		decoded(t, text)
		checkHarmless(t, string(text))
	}
}

func BenchmarkWriteJSON(b *testing.B) {
	benchmark(b, func(v *Verdict) error { return v.WriteJSON(&chunks{}) })
}

func BenchmarkSeal(b *testing.B) { benchmark(b, (*Verdict).Seal) }

func benchmark(b *testing.B, run func(*Verdict) error) {
	for _, size := range []struct{ commits, changes, findings int }{{100, 10, 100}, {5000, 40, 20_000}, {20_000, 40, 80_000}} {
		b.Run(fmt.Sprintf("commits=%d/changes=%d/findings=%d", size.commits, size.commits*size.changes, size.findings), func(b *testing.B) {
			v := sealed(b, large(size.commits, size.changes, size.findings))
			b.ReportAllocs()
			for b.Loop() {
				if err := run(&v); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
