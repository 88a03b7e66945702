package value

import (
	"cmp"
	"math"
	"slices"
	"strconv"
)

// NewNull makes a null without a position.
func NewNull() *Value { return &Value{Kind: Null} }

// NewBool makes a boolean without a position.
func NewBool(b bool) *Value { return &Value{Kind: Bool, Bool: b} }

// NewNumber makes a number without a position.
func NewNumber(n float64) *Value { return &Value{Kind: Number, Number: n} }

// NewString makes a string without a position.
func NewString(text string) *Value { return &Value{Kind: String, Text: text} }

// NewList makes a list of items.
func NewList(items ...*Value) *Value { return &Value{Kind: List, Items: items} }

// ListOf makes a list of what of makes of each item.
func ListOf[T any](list []T, of func(T) *Value) *Value {
	items := make([]*Value, len(list))
	for i, item := range list {
		items[i] = of(item)
	}
	return NewList(items...)
}

// Strings makes a list of strings.
func Strings(list []string) *Value {
	values := make([]Value, len(list)) // one allocation for all
	items := make([]*Value, len(list))
	for i, text := range list {
		values[i] = Value{Kind: String, Text: text}
		items[i] = &values[i]
	}
	return NewList(items...)
}

// NewMap makes a mapping of members, put into the runtime's key order. Keys
// must differ.
func NewMap(members ...Member) *Value {
	members = slices.Clone(members)
	OrderKeys(members)
	return &Value{Kind: Map, Members: members}
}

// Field makes one member of a mapping without a position.
func Field(key string, v *Value) Member { return Member{Key: key, Value: v} }

// OrderKeys sorts members in place into the order in which the runtime walks
// an object: canonical whole-number keys below 2^32−1 ascending, then the
// others as they stand (spec section 1).
func OrderKeys(members []Member) {
	whole := func(m Member) bool { _, ok := wholeNumberKey(m.Key); return ok }
	if !slices.ContainsFunc(members, whole) {
		return
	}
	slices.SortStableFunc(members, func(a, b Member) int { return cmp.Compare(keyRank(a.Key), keyRank(b.Key)) })
}

// keyRank is a whole-number key's number, and for all other keys one that is
// greater than any.
func keyRank(key string) uint64 {
	if n, ok := wholeNumberKey(key); ok {
		return n
	}
	return math.MaxUint32
}

// maxWholeNumberKey is the greatest key that the runtime orders by number, 2^32−2.
const maxWholeNumberKey = math.MaxUint32 - 1

// wholeNumberKey reads a key that is written as the runtime writes whole
// numbers: "7", but not "07" or "+7".
func wholeNumberKey(key string) (uint64, bool) {
	if key == "" || key[0] < '0' || key[0] > '9' || key[0] == '0' && len(key) > 1 {
		return 0, false
	}
	n, err := strconv.ParseUint(key, 10, 32)
	return n, err == nil && n <= maxWholeNumberKey
}
