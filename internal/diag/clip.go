package diag

import "unicode/utf8"

// MaxClipBytes is how much of a repository's own text a message repeats.
const MaxClipBytes = 80

// Clip shortens a text to at most MaxClipBytes, cut between two characters and
// marked with "…", so that a hostile value cannot swell a message.
func Clip(text string) string {
	if len(text) <= MaxClipBytes {
		return text
	}
	end := MaxClipBytes
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}
