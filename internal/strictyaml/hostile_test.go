package strictyaml

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/fleetgate/fleetgate/internal/diag"
)

// hostileBytes is the size of the texts: a quarter of the largest file, so that
// the test is quick, and large enough to show time that grows faster than the text.
const hostileBytes = MaxBytes / 4

// repeat gives as many copies of piece as make a hostile text.
func repeat(piece string) string { return strings.Repeat(piece, hostileBytes/len(piece)) }

// numbered gives as many lines, each with its number in the format.
func numbered(format string) string {
	var b strings.Builder
	for i := 0; ; i++ {
		line := fmt.Sprintf(format, i)
		if b.Len()+len(line) > hostileBytes {
			return b.String()
		}
		b.WriteString(line)
	}
}

// nested gives keys each of which is indented one space more than the one before.
func nested(levels int) string {
	var b strings.Builder
	for i := range levels {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

func TestHostileTextsAreReadInTime(t *testing.T) {
	texts := map[string]string{
		"lists in lists":                   repeat("["),
		"lists in lists, one line each":    repeat("[\n"),
		"empty lists in one list":          "[" + repeat("[],")[:hostileBytes-2] + "]",
		"pairs in one list":                "[" + repeat("a: b,")[:hostileBytes-5] + "]",
		"block lists in lists":             repeat("- "),
		"marked keys in keys":              repeat("? "),
		"colons in colons":                 repeat(": "),
		"items of one list":                repeat("- a\n"),
		"different keys":                   numbered("k%d: v\n"),
		"one key again and again":          repeat("a: b\n"),
		"whole-number keys":                numbered("%d: v\n"),
		"deep mapping":                     nested(MaxDepth + 1),
		"deepest mapping, then wide":       nested(MaxDepth) + strings.Repeat(strings.Repeat(" ", MaxDepth)+"- a\n", 500),
		"empty lines":                      "a: b" + repeat("\n")[:hostileBytes-4],
		"empty lines in a text":            "a: b" + repeat("\n")[:hostileBytes-8] + " c",
		"empty lines in a block text":      "a: |+" + repeat("\n")[:hostileBytes-8] + " c",
		"many block texts":                 numbered("k%d: |\n\n  a\n\n"),
		"spaces":                           repeat(" "),
		"tabs":                             repeat("\t"),
		"carriage returns":                 repeat("\r"),
		"comments":                         repeat("# c\n"),
		"comments behind values":           numbered("k%d: v # c\n"),
		"an open double quote":             `a: "` + repeat("b ")[:hostileBytes-8],
		"an open quote over lines":         `a: "` + repeat("\n b")[:hostileBytes-8],
		"quotes that never fit":            repeat("- \"a\n- 'b\n"),
		"backslashes in quotes":            `a: "` + repeat(`\\`)[:hostileBytes-8] + `"`,
		"quote behind backslashes":         `a: "` + repeat(`\"`)[:hostileBytes-8] + `"`,
		"doubled quotes":                   `a: '` + repeat(`''`)[:hostileBytes-8] + `'`,
		"one long text":                    "a: " + repeat("b")[:hostileBytes-3],
		"one text of many lines":           "a:\n" + repeat("  b\n")[:hostileBytes-4],
		"one text of many hashes":          "a: b" + repeat("#:-")[:hostileBytes-8],
		"one long number":                  "a: " + repeat("1")[:hostileBytes-3],
		"one long octal":                   "a: 0o" + repeat("7")[:hostileBytes-8],
		"one long hexadecimal":             "a: 0x" + repeat("f")[:hostileBytes-8],
		"one long fraction":                "a: 0." + repeat("1")[:hostileBytes-8],
		"one long exponent":                "a: 1e" + repeat("1")[:hostileBytes-8],
		"a long key":                       repeat("k")[:hostileBytes-3] + ": v",
		"anchors":                          numbered("k%d: &a v\n"),
		"anchors and aliases":              numbered("k%[1]d: &a%[1]d v\nl%[1]d: *a%[1]d\n"),
		"one alias again and again":        "a: &a []\nb: [" + repeat("*a, ")[:hostileBytes-20] + "]",
		"a chain of aliases without text":  "- &a0 []\n" + chain(),
		"aliases of a wide list":           "a: &a [" + strings.Repeat("[],", 25_000) + "]\nb: [" + strings.Repeat("*a, ", 25_000) + "]",
		"anchors in anchors, then aliases": anchorsInAnchors(),
		"tags":                             numbered("k%d: !!str v\n"),
		"one long tag":                     "a: !" + repeat("t")[:hostileBytes-8] + " v",
		"document markers":                 repeat("---\n"),
		"document ends":                    repeat("...\n"),
		"directives":                       repeat("%A\n"),
		"braces":                           repeat("{"),
		"keys in braces":                   repeat("{a: "),
		"quoted keys in braces":            "{" + repeat(`"a":`)[:hostileBytes-1],
		"keys that are lists":              repeat("[a]: "),
		"keys that are lists, nested":      strings.Repeat("[", 900) + "a" + strings.Repeat("]: b", 900),
		"long keys in nested lists":        longKeys(),
		"closing brackets":                 repeat("]"),
		"commas":                           "[" + repeat(",")[:hostileBytes-1],
		"wide characters":                  "a: " + repeat("\u00e9")[:hostileBytes-4],
		"many columns":                     "{" + repeat("é: é, ")[:hostileBytes-8],
	}
	// A hang, not a measurement: on a loaded machine the slowest of these takes
	// a second or two, and quadratic work on a text of this size takes minutes.
	const limit = 30 * time.Second
	for name, text := range texts {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			_, found := Parse("f", []byte(text), codeInvalidYAML)
			took := time.Since(start)
			if took > limit {
				t.Errorf("took %v; at most %v", took, limit)
			}
			if diag.HasError(found) && len(found[0].Message) > 1000 {
				t.Errorf("the message has %d bytes", len(found[0].Message))
			}
			t.Logf("%v, %d findings", took.Round(time.Millisecond), len(found))
		})
	}
}

// chain makes lists each of which holds an alias of the one before.
func chain() string {
	var b strings.Builder
	for i := 1; b.Len() < hostileBytes-40; i++ {
		fmt.Fprintf(&b, "- &a%d [*a%d]\n", i, i-1)
	}
	return b.String()
}

// anchorsInAnchors nests anchored lists with many aliases at the innermost, and then uses each.
func anchorsInAnchors() string {
	const levels = 900
	var b strings.Builder
	b.WriteString("- ")
	for i := range levels {
		fmt.Fprintf(&b, "&a%d [", i)
	}
	b.WriteString("&e [], " + strings.Repeat("*e , ", 25_000) + strings.Repeat("]", levels) + "\n")
	for i := range levels {
		fmt.Fprintf(&b, "- *a%d\n", i)
	}
	return b.String()
}

// longKeys nests lists whose entries are pairs with long keys.
func longKeys() string {
	const levels = 900
	key := strings.Repeat("k", 1000)
	var b strings.Builder
	for range levels {
		b.WriteString("[" + key + ", ")
	}
	b.WriteString("a")
	for range levels {
		b.WriteString("]: b")
	}
	return b.String()
}
