package value

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	highSurrogate = "\xed\xa0\xbd" // U+D83D by itself
	lowSurrogate  = "\xed\xb8\x80" // U+DE00 by itself
	grinning      = "\U0001F600"   // the two together
)

func TestTrimRemovesWhatTheRuntimeCallsWhiteSpace(t *testing.T) {
	for name, space := range map[string]string{
		"space": " ", "tab": "\t", "line feed": "\n", "vertical tab": "\v", "form feed": "\f", "carriage return": "\r",
		"no-break space": "\u00a0", "ogham space": "\u1680", "en quad": "\u2000", "hair space": "\u200a",
		"line separator": "\u2028", "paragraph separator": "\u2029", "narrow no-break space": "\u202f",
		"mathematical space": "\u205f", "ideographic space": "\u3000", "byte order mark": "\ufeff",
	} {
		if got := Trim(space + "a" + space + "b" + space); got != "a"+space+"b" {
			t.Errorf("%s: Trim gives %q", name, got)
		}
		if !IsBlank(space + space) {
			t.Errorf("%s is not blank", name)
		}
	}
}

func TestTrimKeepsWhatOnlyLooksLikeWhiteSpace(t *testing.T) {
	for name, text := range map[string]string{
		"next line": "\u0085", "mongolian vowel separator": "\u180e", "zero width space": "\u200b",
		"word joiner": "\u2060", "null": "\x00", "unit separator": "\x1f",
	} {
		if got := Trim(text); got != text {
			t.Errorf("%s: Trim gives %q", name, got)
		}
		if IsBlank(text) {
			t.Errorf("%s is blank", name)
		}
	}
	if !IsBlank("") {
		t.Error("the empty string is not blank")
	}
}

func TestUTF16LenCountsCodeUnits(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "abc": 3, "é": 1, "€": 1, "名前": 2, grinning: 2, "a" + grinning + "b": 4,
		highSurrogate: 1, lowSurrogate + highSurrogate: 2, "\xff": 1, "a\xed\xa0": 3,
	} {
		if got := UTF16Len(text); got != want {
			t.Errorf("UTF16Len(%q) = %d, want %d", text, got, want)
		}
	}
}

func TestSortUTF16OrdersByCodeUnits(t *testing.T) {
	want := []string{
		"", "A", "B", "a", "a\x00", "aa", "b", "\u007f", "é", "\ud7ff",
		highSurrogate, highSurrogate + "a", grinning, grinning + "a", highSurrogate + "\ue000", "\U0010ffff", lowSurrogate, "\ue000", "\uffff",
	}
	got := slices.Clone(want)
	slices.Reverse(got)
	SortUTF16(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestCompareUTF16IsZeroForEqualStringsAlone(t *testing.T) {
	for _, pair := range [][2]string{{"a", "a"}, {"é" + grinning, "é" + grinning}, {"", ""}} {
		if got := CompareUTF16(pair[0], pair[1]); got != 0 {
			t.Errorf("CompareUTF16(%q, %q) = %d", pair[0], pair[1], got)
		}
	}
	// Bytes that are no text all read as U+FFFD; they must be told apart all the same.
	for _, pair := range [][2]string{{"\xfe", "\xff"}, {"\xff", "\ufffd"}, {"a", "a\xff"}} {
		if CompareUTF16(pair[0], pair[1]) == 0 || CompareUTF16(pair[0], pair[1]) != -CompareUTF16(pair[1], pair[0]) {
			t.Errorf("CompareUTF16(%q, %q) = %d and back %d", pair[0], pair[1], CompareUTF16(pair[0], pair[1]), CompareUTF16(pair[1], pair[0]))
		}
	}
}

func TestAppendRuneJoinsTheHalvesOfAPair(t *testing.T) {
	for _, c := range []struct {
		runes []rune
		want  string
	}{
		{[]rune{'a', 'é', 0x1F600}, "aé" + grinning},
		{[]rune{0xD83D, 0xDE00}, grinning},
		{[]rune{0xD83D}, highSurrogate},
		{[]rune{0xDE00, 0xD83D}, lowSurrogate + highSurrogate},
		{[]rune{0xD83D, 'a', 0xDE00}, highSurrogate + "a" + lowSurrogate},
		{[]rune{0xD83D, 0xD83D, 0xDE00}, highSurrogate + grinning},
		{[]rune{0xD800, 0xDC00}, "\U00010000"},
		{[]rune{0xDBFF, 0xDFFF}, "\U0010FFFF"},
	} {
		var text []byte
		for _, r := range c.runes {
			text = AppendRune(text, r)
		}
		if string(text) != c.want {
			t.Errorf("%X gives %q, want %q", c.runes, text, c.want)
		}
	}
}

func TestCompareIDsIsTheRootCollation(t *testing.T) {
	want := []string{
		"", "_", "-", ".", "1", "10", "2", "9", "a", "a_b", "a-b", "a.b", "a1", "ab", "aB", "Ab", "AB", "b", "B", "c", "C", "e", "é", "f", "ß9", "z", "Z", "名前",
	}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, CompareIDs)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestCompareIDsTellsApartWhatCollatesAlike(t *testing.T) {
	composed, decomposed := "\u00e9", "e\u0301"
	if got := CompareIDs(composed, decomposed); got != CompareUTF16(composed, decomposed) || got == 0 {
		t.Errorf("got %d", got)
	}
}

func BenchmarkCompareIDs(b *testing.B) {
	for b.Loop() {
		CompareIDs("context-bootstrap", "context-handbook")
	}
}

func BenchmarkCompareUTF16(b *testing.B) {
	x, y := strings.Repeat("docs/", 20)+"a", strings.Repeat("docs/", 20)+"b"
	for b.Loop() {
		CompareUTF16(x, y)
	}
}

func BenchmarkTrim(b *testing.B) {
	text := "  a text of some length, as a description has it\n"
	for b.Loop() {
		Trim(text)
	}
}
