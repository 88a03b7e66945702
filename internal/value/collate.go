package value

import (
	"sync"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
)

// collators holds idle collators of the Unicode root: one is not safe for two
// goroutines, and making one is slow.
var collators = sync.Pool{New: func() any { return collate.New(language.Und) }}

// CompareIDs compares agent and fleet ids in the runtime's locale order, the
// Unicode root collation: a, b, B, C (spec section 3.5). Different ids that
// collate alike are told apart by their UTF-16 units, so that the order is total.
func CompareIDs(a, b string) int {
	if a == b {
		return 0
	}
	c := collators.Get().(*collate.Collator)
	defer collators.Put(c)
	if order := c.CompareString(a, b); order != 0 {
		return order
	}
	return CompareUTF16(a, b)
}
