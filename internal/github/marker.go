package github

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// Bounds of what is written: GitHub takes 65,536 characters of a comment, an
// issue or a check run's summary.
const (
	MaxBody   = 60_000              // bytes of what is posted, the hidden marker included
	MaxText   = MaxBody - maxMarker // bytes of a text that a marker is put before
	maxMarker = 200                 // bytes of a marker and its line end
	keyLength = 16                  // hexadecimal digits: 64 bits of a digest
)

// digest is the SHA-256 of texts, in hexadecimal; no text can pass for two.
func digest(parts ...string) string {
	hash := sha256.New()
	for _, part := range parts {
		fmt.Fprintf(hash, "%d:%s,", len(part), part)
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// marker is the first line of what the gate posts: a comment that a page
// doesn't show. key tells gates apart, head is the commit that was judged.
func marker(kind, key, head string) string {
	text := markerStart(kind, key)
	if head != "" {
		text += " head=" + head
	}
	return text + " -->\n"
}

func markerStart(kind, key string) string { return fmt.Sprintf("<!-- fleetgate %s key=%s", kind, key) }

// marked says whether a text begins with the marker of kind and key. One
// further down is somebody's quotation.
func marked(body, kind, key string) bool {
	rest, ok := strings.CutPrefix(body, markerStart(kind, key))
	return ok && strings.HasPrefix(rest, " ")
}

// sameText compares what was posted with what is to be; GitHub trims texts
// and may give back other line ends.
func sameText(a, b string) bool { return normal(a) == normal(b) }

func normal(text string) string { return strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n")) }

// checkKey holds keys to what Key gives, since they stand in a marker.
func checkKey(key string) error {
	odd := func(r rune) bool { return !(r >= '0' && r <= '9' || r >= 'a' && r <= 'f') }
	if len(key) != keyLength || strings.ContainsFunc(key, odd) {
		return fmt.Errorf("%q is no key: it is made by Key", clean(key, ""))
	}
	return nil
}

// checkText holds a text to its bound; whoever writes it cuts it, at a line's
// end and with a count of what is left out.
func checkText(text string) error {
	if len(text) > MaxText {
		return fmt.Errorf("the text has %d bytes; at most %d are posted", len(text), MaxText)
	}
	return nil
}
