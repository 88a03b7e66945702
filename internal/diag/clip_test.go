package diag

import (
	"strings"
	"testing"
)

func TestClipCutsBetweenCharacters(t *testing.T) {
	whole := strings.Repeat("a", MaxClipBytes)
	for _, c := range []struct{ name, text, want string }{
		{"a text at the bound stays whole", whole, whole},
		{"a longer one is cut and marked", whole + "b", whole + "…"},
		{"a character is not split", strings.Repeat("a", MaxClipBytes-1) + "éé", strings.Repeat("a", MaxClipBytes-1) + "…"},
		{"bytes that start no character", strings.Repeat("\x80", MaxClipBytes+1), "…"},
		{"an empty text", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Clip(c.text); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
