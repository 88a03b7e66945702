package diag

import "unicode/utf8"

// MaxClipBytes is how much of a repository's own text a message repeats.
const MaxClipBytes = 80

// Clip shortens a text to at most MaxClipBytes, cut between two characters and
// marked with "…", so that a hostile value cannot swell a message.
func Clip(text string) string { return clip(text, MaxClipBytes) }

// MaxItemBytes is how much of one path a message that lists several repeats.
const MaxItemBytes = 400

// ClipItem is Clip for a path in a list, at MaxItemBytes.
func ClipItem(text string) string { return clip(text, MaxItemBytes) }

func clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	end := most
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}
