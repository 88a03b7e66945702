package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/verdict"
)

const many = 20_000

// violations is a verdict of n violations in the given number of commits.
func violations(n, commits int) verdict.Verdict {
	v := firstFailure()
	v.Commits, v.Diagnostics = nil, nil
	for i := range commits {
		v.Commits = append(v.Commits, docsCommit(i, fmt.Sprintf("Commit %d", i)))
	}
	for i := range n {
		c := &v.Commits[i%commits]
		path := fmt.Sprintf("src/package-%d/some-file-with-a-name.go", i)
		c.Changes = append(c.Changes, verdict.Change{Status: "M", Path: path})
		v.Diagnostics = append(v.Diagnostics, outside(c.SHA, path))
	}
	return v
}

func eachSize(t *testing.T, check func(t *testing.T, v verdict.Verdict)) {
	sizes := []int{1, 200, many}
	if testing.Short() {
		sizes = sizes[1:2]
	}
	for _, commits := range sizes {
		t.Run(fmt.Sprintf("in %d commits", commits), func(t *testing.T) { check(t, sealed(t, violations(many, commits))) })
	}
}

func TestAnnotationsStayInTheirLimits(t *testing.T) {
	eachSize(t, func(t *testing.T, v verdict.Verdict) {
		text := rendered(t, GitHub, v)
		if n := strings.Count(text, "\n::error ") + strings.Count(text[:8], "::error "); n > MaxAnnotations || n == 0 {
			t.Errorf("%d annotations", n)
		}
		accounted := 0
		all := Annotations(v, MaxAnnotations)
		for _, a := range all {
			accounted += a.Findings
		}
		if left := many - accounted; left > 0 {
			want := fmt.Sprintf("%d more findings without an annotation", left)
			if last := all[len(all)-1].Message; !strings.Contains(last, want) {
				t.Errorf("the last annotation doesn't say %q: %s", want, last)
			}
		}
	})
}

func TestErrorsAndWarningsHaveLimitsOfTheirOwn(t *testing.T) {
	v := violations(400, 400)
	for i := range v.Diagnostics {
		v.Diagnostics[i].Severity = diag.Error + diag.Severity(i%3) // notes have no annotation
	}
	v.Incomplete = true
	count := map[diag.Severity]int{}
	for _, a := range Annotations(sealed(t, v), MaxAnnotations) {
		count[a.Severity]++
	}
	if count[diag.Error] != MaxAnnotations || count[diag.Warning] != MaxAnnotations || len(count) != 2 {
		t.Errorf("annotations: %v", count)
	}
}

func TestAnUndecidedVerdictsAnnotationIsOneOfTheTen(t *testing.T) {
	v := undecided()
	for i := range 40 {
		d := outside(sha(i), "src/a.go")
		d.Severity = diag.Warning
		v.Diagnostics = append(v.Diagnostics, d)
	}
	all := Annotations(sealed(t, v), MaxAnnotations)
	if all[0].Severity != diag.Error || !strings.Contains(all[0].Message, "no pass") || len(all) != 1+MaxAnnotations {
		t.Errorf("%d annotations, the first is %+v", len(all), all[0])
	}
}

func TestWorstAnnotationsComeFirst(t *testing.T) {
	v := firstFailure()
	v.Diagnostics = []diag.Diagnostic{outside(sha(1), "a"), outside(sha(2), "b"), outside(sha(2), "c"), {
		Code: "boundary-policy-edit", Severity: diag.Error, Commit: sha(3), Path: ".github/workflows/a.yml",
	}}
	var got []string
	for _, a := range Annotations(sealed(t, v), 2) {
		got = append(got, a.Pos.File)
	}
	if strings.Join(got, " ") != ".github/workflows/a.yml b" {
		t.Errorf("annotated: %v", got)
	}
}

func TestADeletedPathIsAnnotatedAtTheContract(t *testing.T) {
	v := firstFailure()
	v.Diagnostics = []diag.Diagnostic{outside(sha(3), "src/parser_old.go")}
	for _, c := range []struct {
		name   string
		newest []verdict.Commit // further commits on top
		want   diag.Pos
	}{
		{"deleted", nil, writesLine},
		{"written again later", []verdict.Commit{docsCommit(9, "", verdict.Change{Status: "A", Path: "src/parser_old.go"})}, diag.Pos{File: "src/parser_old.go", Line: 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := v
			v.Commits = append(c.newest, v.Commits...)
			if got := Annotations(sealed(t, v), 1)[0].Pos; got != c.want {
				t.Errorf("annotated at %v, want %v", got, c.want)
			}
		})
	}
}

func TestAPlaceOutsideTheRepositoryIsNotAnnotated(t *testing.T) {
	for _, file := range []string{"", "/etc/passwd", "../x", "a/../b", "./a", "a//b", "a\nb", "caf\xe9", "a\u202e"} {
		d := diag.Diagnostic{Code: "writes-parent", Severity: diag.Error, Pos: diag.Pos{File: file, Line: 3}, Message: "wrong"}
		v := verdict.Verdict{Word: verdict.Failed, Diagnostics: []diag.Diagnostic{d}}
		if got := Annotations(sealed(t, v), 1)[0].Pos; got != (diag.Pos{}) {
			t.Errorf("%q is annotated at %v", file, got)
		}
	}
}

func TestMarkdownStaysInItsLimitAndCountsTheRest(t *testing.T) {
	for _, limit := range []int{MaxMarkdown, 60_000, 4_000} {
		eachSize(t, func(t *testing.T, v verdict.Verdict) {
			page := rendered(t, MarkdownWithin(limit), v)
			if len(page) > limit || !strings.HasSuffix(page, "\n") {
				t.Errorf("%d bytes, of %d", len(page), limit)
			}
			shown := strings.Count(page, "`boundary-outside`\n")
			if got := leftOut(page, "finding"); shown+got != many {
				t.Errorf("%d findings shown, %d counted as left out, of %d", shown, got, many)
			}
			rows := strings.Count(page, "\n| `")
			if got := leftOut(page, "commit"); rows+got != len(v.Commits) && rows > 0 {
				t.Errorf("%d commits shown, %d counted as left out, of %d", rows, got, len(v.Commits))
			}
			if limit < MaxMarkdown {
				checkMarkdown(t, page)
			}
		})
	}
}

func leftOut(page, what string) int {
	match := regexp.MustCompile(`… and (\d+) more ` + what).FindStringSubmatch(page)
	if match == nil {
		return 0
	}
	n, _ := strconv.Atoi(match[1])
	return n
}

func TestLongPathsAreCutInThePageAndCounted(t *testing.T) {
	v := violations(2000, 1)
	for i := range v.Diagnostics {
		v.Diagnostics[i].Path = fmt.Sprintf("src/%d/%s", i, strings.Repeat("p", 4000))
	}
	page := rendered(t, MarkdownWithin(60_000), sealed(t, v))
	if len(page) > 60_000 || leftOut(page, "finding") == 0 {
		t.Errorf("%d bytes, %d left out", len(page), leftOut(page, "finding"))
	}
}

func TestTextStaysShortEnoughToRead(t *testing.T) {
	eachSize(t, func(t *testing.T, v verdict.Verdict) {
		if n := strings.Count(rendered(t, Text, v), "\n"); n > maxTextCommits*(maxTextPaths+15)+20 {
			t.Errorf("%d lines", n)
		}
	})
}

func TestJSONHasEveryViolation(t *testing.T) {
	eachSize(t, func(t *testing.T, v verdict.Verdict) {
		var document struct {
			Diagnostics []json.RawMessage
			Commits     []json.RawMessage
		}
		if err := json.Unmarshal([]byte(rendered(t, JSON, v)), &document); err != nil {
			t.Fatal(err)
		}
		if len(document.Diagnostics) != many || len(document.Commits) != len(v.Commits) {
			t.Errorf("%d findings, %d commits", len(document.Diagnostics), len(document.Commits))
		}
	})
}

// Without the limits a big contract's picture would be refused by GitHub.
func TestALargeFleetIsNotDrawnInThePage(t *testing.T) {
	v := firstFailure()
	for i := range 10_000 {
		v.Fleets[0].Steps = append(v.Fleets[0].Steps, verdict.Step{ID: fmt.Sprint(i), Kind: "agent"})
	}
	page := rendered(t, Markdown, sealed(t, v))
	if strings.Contains(page, "```mermaid") || !strings.Contains(page, "Not drawn: it has 10004 positions and 4 edges.") {
		t.Error(page)
	}
}

func TestOnlyTenFleetsAreDrawnInThePage(t *testing.T) {
	v := lintFailure()
	for i := range 30 {
		f := docsFleet()
		f.Name = fmt.Sprintf("fleet-%02d", i)
		v.Fleets = append(v.Fleets, f)
	}
	page := rendered(t, Markdown, sealed(t, v))
	if n := strings.Count(page, "```mermaid"); n != maxPictures || !strings.Contains(page, "21 more fleets") {
		t.Errorf("%d pictures in %s", n, page)
	}
}

type brokenWriter struct{}

var errBroken = errors.New("broken")

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestEveryFormatReportsWriteErrors(t *testing.T) {
	for _, name := range Names() {
		format, _ := Lookup(name)
		if err := format(brokenWriter{}, sealed(t, firstFailure())); !errors.Is(err, errBroken) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func BenchmarkFormats(b *testing.B) {
	v := sealed(b, violations(many, 200))
	for _, name := range Names() {
		format, _ := Lookup(name)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := format(discard{}, v); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
