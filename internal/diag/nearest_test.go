package diag

import (
	"strings"
	"testing"
)

func TestNearestFindsTheWordThatWasMeant(t *testing.T) {
	keys := []string{"version", "name", "description", "tools", "tags", "take"}
	for _, c := range []struct{ name, word, want string }{
		{"a letter too many", "versions", "version"},
		{"a letter missing", "descripton", "description"},
		{"two letters swapped", "tolos", "tools"},
		{"letter case aside", "NAME", "name"},
		{"an exact word is its own nearest", "tags", "tags"},
		{"the first of two equally near", "tame", "name"},
		{"too far from all", "resultContract", ""},
		{"one letter of a short word", "nam", "name"},
		{"nothing to be near to", "", ""},
		{"too long to be a misspelling", strings.Repeat("n", MaxNearestBytes+1), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Nearest(c.word, keys); got != c.want {
				t.Errorf("Nearest(%q) = %q, want %q", c.word, got, c.want)
			}
		})
	}
}

func TestDidYouMeanSaysNothingWhereNothingIsNear(t *testing.T) {
	if got := DidYouMean("versoin", []string{"version"}); got != "did you mean version? " {
		t.Errorf("got %q", got)
	}
	if got := DidYouMean("budget", []string{"version"}); got != "" {
		t.Errorf("got %q, want nothing", got)
	}
}
