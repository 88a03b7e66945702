package value

import "math"

// Equal says whether two values are the same but for where they stand and for
// the order of mapping keys. NaN equals NaN. Two nil values are equal.
func (v *Value) Equal(other *Value) bool {
	if v == other {
		return true
	}
	if v == nil || other == nil || v.Kind != other.Kind {
		return false
	}
	switch v.Kind {
	case Bool:
		return v.Bool == other.Bool
	case Number:
		return v.Number == other.Number || math.IsNaN(v.Number) && math.IsNaN(other.Number)
	case String:
		return v.Text == other.Text
	case List:
		return equalItems(v.Items, other.Items)
	case Map:
		return equalMembers(v.Members, other.Members)
	}
	return true
}

func equalItems(a, b []*Value) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !a[i].Equal(b[i]) {
			return false
		}
	}
	return true
}

func equalMembers(a, b []Member) bool {
	if len(a) != len(b) {
		return false
	}
	byKey := make(map[string]*Value, len(b))
	for _, m := range b {
		byKey[m.Key] = m.Value
	}
	for _, m := range a {
		other, found := byKey[m.Key]
		if !found || !m.Value.Equal(other) {
			return false
		}
	}
	return true
}
