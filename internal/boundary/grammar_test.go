package boundary

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/diag"
)

func TestParseEntry(t *testing.T) {
	type result struct {
		Entry   string
		Refusal diag.Code
		Bad     string
	}
	tests := []struct {
		raw  string
		want result
	}{
		{"docs/", result{Entry: "docs/"}},
		{" docs//a.md\n", result{Entry: "docs/a.md"}},
		{"a///b///", result{Entry: "a/b/"}},
		{"...", result{Entry: "..."}},
		{"é/", result{Entry: "é/"}},
		{" ", result{"", WritesEmpty, " "}},
		{"\ufeff", result{"", WritesEmpty, "\ufeff"}},
		{`a\*`, result{"", WritesSeparator, `\`}},
		{"/a*", result{"", WritesGlob, "*"}},
		{"{a}", result{"", WritesGlob, "{"}},
		{"/../a", result{"", WritesAbsolute, "/"}},
		{"//", result{"", WritesAbsolute, "/"}},
		{"c:/..", result{"", WritesAbsolute, "c:"}},
		{"1:", result{Entry: "1:"}},
		{"a/../.", result{"", WritesParent, ".."}},
		{"./..", result{"", WritesDot, "."}},
		{".", result{"", WritesDot, "."}},
	}
	for _, tt := range tests {
		t.Run(tt.raw, func(t *testing.T) {
			var got result
			got.Entry, got.Refusal, got.Bad = ParseEntry(tt.raw)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("ParseEntry(%q) differs (-want +got):\n%s", tt.raw, diff)
			}
		})
	}
}

func TestParseListCountsDuplicates(t *testing.T) {
	if entries, refusal, _, at := ParseList(slices.Repeat([]string{"x"}, MaxEntries)); refusal != "" || at != -1 || len(entries) != 1 {
		t.Errorf("%d duplicates give %v, %q at %d", MaxEntries, entries, refusal, at)
	}
	if _, refusal, bad, at := ParseList(slices.Repeat([]string{"x"}, MaxEntries+1)); refusal != WritesTooMany || bad != "33" || at != -1 {
		t.Errorf("%d entries give %q (%s) at %d", MaxEntries+1, refusal, bad, at)
	}
	if _, refusal, _, at := ParseList([]string{"a", "../b", "/c"}); refusal != WritesParent || at != 1 {
		t.Errorf("the first refused entry is %q at %d", refusal, at)
	}
}

func TestRefusalsAreRegisteredAndNameTheEntry(t *testing.T) {
	for raw, want := range map[string]string{
		" ":    `writes entry " " names no path`,
		`a\b`:  `writes entry "a\\b" has a backslash; segments are separated by "/"`,
		"a*":   `writes entry "a*" has the glob character "*"; entries are plain paths`,
		"/a":   `writes entry "/a" is absolute (it starts with "/"); entries are relative to the repository's root`,
		"../a": `writes entry "../a" has a ".." segment`,
		"./a":  `writes entry "./a" has a "." segment`,
	} {
		_, refusal, bad := ParseEntry(raw)
		message, hint := Refusal(refusal, raw, bad)
		if message != want || hint == "" {
			t.Errorf("Refusal(%q) = %q, hint %q; want %q", raw, message, hint, want)
		}
		if _, known := diag.Lookup(refusal); !known {
			t.Errorf("code %s isn't registered", refusal)
		}
	}
	if message, _ := Refusal(WritesTooMany, "", "33"); message != "writes has 33 entries; at most 32 may be declared" {
		t.Errorf("too many: %q", message)
	}
}

func TestStepBoundary(t *testing.T) {
	if _, bounded := StepBoundary(FirstBounded-1, false, []string{"a"}); bounded {
		t.Error("a contract below version 4 has a boundary")
	}
	if allow, bounded := StepBoundary(FirstBounded, true, []string{"a"}); !bounded || len(allow) != 0 {
		t.Errorf("a readonly step may write %v", allow)
	}
	if allow, _ := StepBoundary(FirstBounded, false, []string{"b", "a", "b"}); !slices.Equal(allow, []string{"a", "b"}) {
		t.Errorf("a workspace step may write %v", allow)
	}
}

func TestOverlap(t *testing.T) {
	tests := []struct {
		a, b string
		want bool
	}{
		{"a/", "a/b", true},
		{"a/", "a/b/", true},
		{"a", "a", true},
		{"a", "a/", false},
		{"a/", "ab", false},
		{"x/y/", "x/z/", false},
		{`a/`, `a\b`, false},
	}
	for _, tt := range tests {
		if Overlap(tt.a, tt.b) != tt.want || Overlap(tt.b, tt.a) != tt.want {
			t.Errorf("Overlap(%q, %q) isn't %v both ways", tt.a, tt.b, tt.want)
		}
	}
}

// The runtime's grammar turns backslashes around; what is enforced never does.
func TestRuntimeVariantsTurnBackslashes(t *testing.T) {
	if !RuntimeCovers([]string{`a\`}, "a/b") || !RuntimeCovers([]string{"a/"}, `a\b`) || Covers([]string{"a/"}, `a\b`) {
		t.Error("covering")
	}
	if !RuntimeOverlap([]string{"x", "a/"}, []string{`a\b`}) || RuntimeOverlap(nil, []string{"a"}) || Overlap("a/", `a\b`) {
		t.Error("overlapping")
	}
}

func TestDescribe(t *testing.T) {
	if got := Describe([]string{"README.md", "docs/"}); got != "README.md, docs/" {
		t.Errorf("Describe gives %q", got)
	}
	if got := Describe(nil); got != "(nothing: readonly)" {
		t.Errorf("Describe(nil) gives %q", got)
	}
}

func TestQuoteKeepsLettersAndEscapesTheRest(t *testing.T) {
	for text, want := range map[string]string{
		"docs/bad-é.txt": `"docs/bad-é.txt"`,
		"e\u0301":        "\"e\u0301\"",
		"a\"b\t.md":      `"a\"b\t.md"`,
		`a\tb`:           `"a\\tb"`,
		"x\n::error::":   `"x\n::error::"`,
		"\x1b[31m":       `"\x1b[31m"`,
		"\xff":           `"\xff"`,
		"a\u202eb":       `"a\u202eb"`,
		"日本":             `"日本"`,
	} {
		if got := Quote(text); got != want {
			t.Errorf("Quote(%q) = %s, want %s", text, got, want)
		}
	}
}

// The compiled list answers as the plain one does.
func TestAllowlistAgreesWithCovers(t *testing.T) {
	random := rand.New(rand.NewPCG(20260101, 3))
	name := func() string { return []string{"a", "b", "ab", "a-", "a.b", "a\x00", `a\b`, "é"}[random.IntN(8)] }
	path := func() string {
		segments := []string{name()}
		for random.IntN(3) > 0 {
			segments = append(segments, name())
		}
		return strings.Join(segments, "/")
	}
	covered := 0
	for range 2000 {
		var entries []string
		for range random.IntN(8) {
			entries = append(entries, path()+[]string{"", "/"}[random.IntN(2)])
		}
		list := Compile(entries)
		for range 20 {
			p := path()
			want := Covers(entries, p)
			if want {
				covered++
			}
			if got := list.Covers(p); got != want {
				t.Fatalf("entries %q, path %q: the compiled list says %v, the plain one %v", entries, p, got, want)
			}
		}
	}
	if covered < 1000 {
		t.Errorf("only %d paths were covered: the test no longer tests much", covered)
	}
}

func FuzzParseEntry(f *testing.F) {
	for _, seed := range []string{"docs/", " a//b ", `a\b`, "/", "c:", "../x", "./", "\ufeff", "a/ .. /b", "{"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		entry, refusal, bad := ParseEntry(raw)
		if refusal != "" {
			if entry != "" || !strings.Contains(raw, bad) {
				t.Errorf("%q is refused as %s with entry %q and part %q", raw, refusal, entry, bad)
			}
			if message, _ := Refusal(refusal, raw, bad); strings.ContainsAny(message, "\n\r\x1b") {
				t.Errorf("the message for %q isn't one plain line: %q", raw, message)
			}
			return
		}
		if again, refusal, _ := ParseEntry(entry); refusal != "" || again != entry {
			t.Errorf("%q gives %q, which gives %q (%s)", raw, entry, again, refusal)
		}
		inside := entry
		if strings.HasSuffix(entry, "/") {
			inside += "x"
		}
		if !Covers([]string{entry}, inside) || !Compile([]string{entry}).Covers(inside) {
			t.Errorf("entry %q doesn't cover %q", entry, inside)
		}
	})
}

// BenchmarkCoverage holds 100,000 paths against lists of which each is four
// times as long as the one before; 320 entries are the most that a window of
// ten steps has. The cost is logarithmic: ns/path grows by a part of itself
// each time, where it would grow fourfold if every entry were looked at.
//
//	go test ./internal/boundary -run '^$' -bench Coverage
func BenchmarkCoverage(b *testing.B) {
	const pathCount = 100_000
	paths := make([]string, pathCount)
	for i := range paths {
		paths[i] = fmt.Sprintf("internal/room%d/part%d/file%d.go", i%997, i%31, i)
	}
	for _, entryCount := range []int{20, 80, 320, 1_280} {
		entries := make([]string, entryCount)
		for i := range entries {
			entries[i] = fmt.Sprintf("internal/room%d/part%d/", i*3%997, i%31)
		}
		b.Run(fmt.Sprintf("entries=%d", entryCount), func(b *testing.B) {
			list := Compile(entries)
			covered := 0
			for b.Loop() {
				covered = 0
				for _, path := range paths {
					if list.Covers(path) {
						covered++
					}
				}
			}
			b.ReportMetric(float64(entryCount), "entries")
			b.ReportMetric(pathCount, "paths")
			b.ReportMetric(float64(covered), "covered")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/pathCount, "ns/path")
		})
	}
}
