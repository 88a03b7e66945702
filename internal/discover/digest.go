package discover

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
)

// digest is the SHA-256, in hexadecimal, over every policy file in the order
// read: its path, what it is, its length and its bytes. It is empty where
// there is no policy file at all.
func (r *reader) digest() string {
	if len(r.seen) == 0 {
		return ""
	}
	sum := sha256.New()
	for _, s := range r.seen {
		fmt.Fprintf(sum, "%q %q %d\n", s.path, s.state, len(s.text))
		sum.Write(s.text)
		io.WriteString(sum, "\n")
	}
	return hex.EncodeToString(sum.Sum(nil))
}
