package report

import (
	"strings"
	"testing"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/verdict"
)

func TestTitle(t *testing.T) {
	onlyWarnings := landed()
	onlyWarnings.Word = verdict.Failed
	mixed := landed()
	mixed.Word = verdict.Failed
	mixed.Diagnostics = append(mixed.Diagnostics, diag.Diagnostic{Code: "claim-unknown", Severity: diag.Error})
	for name, c := range map[string]struct {
		v    verdict.Verdict
		want string
	}{
		"a pass":                        {passed(), "2 of 3 commits claimed, 0 outside"},
		"paths outside":                 {firstFailure(), "2 of 3 commits claimed, 3 outside"},
		"other errors":                  {manyKinds(), "2 of 4 commits claimed, 3 outside, 2 other errors"},
		"outside, as warnings":          {landed(), "2 of 3 commits claimed, 3 outside"},
		"warnings that fail":            {onlyWarnings, "2 of 3 commits claimed, 3 outside, 3 warnings"},
		"an error beside warnings":      {mixed, "2 of 3 commits claimed, 3 outside, 1 other error"},
		"nothing judged, its summary":   {noPolicy(), noPolicy().Summary},
		"undecided, its summary":        {undecided(), undecided().Summary},
		"lint has no commits to number": {lintFailure(), lintFailure().Summary},
	} {
		if got := Title(sealed(t, c.v)); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestFormatsAreFoundByName(t *testing.T) {
	for _, name := range Names() {
		if format, ok := Lookup(name); !ok || format == nil {
			t.Errorf("%s is named and not found", name)
		}
	}
	if _, ok := Lookup("word"); ok {
		t.Error("a format that isn't there is found")
	}
}

func TestNames(t *testing.T) {
	for in, want := range map[string]string{
		"docs/a b.md":        "docs/a b.md",
		"docs/bad-é.txt":     "docs/bad-é.txt",
		"a\"b\t.md":          `"a\"b\t.md"`,
		"a\tb":               `"a\tb"`,
		`a\tb`:               `"a\\tb"`,
		`docs\evil.sh`:       `"docs\\evil.sh"`,
		"caf\xe9":            `"caf\xe9"`,
		"\u202egpj":          `"\u202egpj"`,
		"x\n::error::y":      `"x\n::error::y"`,
		"##[error]":          `"#\x23[error]"`,
		"## a heading":       "## a heading",
		"":                   `""`,
		" a":                 `" a"`,
		"e\u0301 decomposed": "e\u0301 decomposed",
	} {
		if got := Name(in); got != want {
			t.Errorf("%q is shown as %s, want %s", in, got, want)
		}
	}
}

func TestShortenCountsCodePoints(t *testing.T) {
	for _, c := range []struct {
		in   string
		n    int
		want string
	}{{"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"éèê", 3, "éèê"}, {"éèêë", 3, "éè…"}, {"é", 1, "é"}, {"éé", 1, "…"}} {
		if got := shorten(c.in, c.n); got != c.want {
			t.Errorf("%q at most %d: %q, want %q", c.in, c.n, got, c.want)
		}
	}
}

func TestWhatSeemsCoveredIsToldInFull(t *testing.T) {
	v := firstFailure()
	d := outside(sha(3), "docs/sub")
	d.Message = `a directory entry covers no submodule: "docs/sub" needs an entry of its own`
	v.Diagnostics = []diag.Diagnostic{d, outside(sha(3), "src/a.go"), outside(sha(3), "src/b.go")}
	golden(t, "seems-covered.txt", rendered(t, Text, sealed(t, v)))
}

func TestTwoClaimsNameTheStepOfEachPath(t *testing.T) {
	v := firstFailure()
	v.Commits[0].Claims = []string{"docs/write", "docs/proof.repair"}
	golden(t, "two-claims.txt", rendered(t, Text, sealed(t, v)))
}

func TestAPicturesLabelListsWhatFits(t *testing.T) {
	long := strings.Repeat("x", 100)
	for _, c := range []struct {
		writes []string
		want   string
	}{
		{nil, "writes nothing"},
		{[]string{"docs/"}, "docs/"},
		{[]string{"docs/", "README.md"}, "docs/, README.md"},
		{[]string{"internal/diag/", "internal/value/", "internal/yaml/", "a/", "b/"}, "internal/diag/, internal/value/, internal/yaml/, a/, 1 more"},
		{[]string{long, "a"}, long + ", 1 more"},
	} {
		if got := writes(verdict.Step{Writes: c.writes}); got != c.want {
			t.Errorf("%v is shown as %q, want %q", c.writes, got, c.want)
		}
	}
}
