package value

import (
	"math"
	"testing"
)

func TestFormatNumberWritesAsTheRuntimeDoes(t *testing.T) {
	for _, c := range []struct {
		n    float64
		want string
	}{
		{0, "0"},
		{math.Copysign(0, -1), "0"},
		{1, "1"},
		{-1, "-1"},
		{1.0, "1"},
		{0.1, "0.1"},
		{-1.5, "-1.5"},
		{1e20, "100000000000000000000"},
		{123456789012345680000, "123456789012345680000"},
		{1e21, "1e+21"},
		{1.5e300, "1.5e+300"},
		{-1e21, "-1e+21"},
		{0.000001, "0.000001"},
		{0.0000001, "1e-7"},
		{1.25e-7, "1.25e-7"},
		{123.456, "123.456"},
		{1234567.891, "1234567.891"},
		{MaxSafeInteger, "9007199254740991"},
		{-MaxSafeInteger, "-9007199254740991"},
		{1 << 53, "9007199254740992"},
		{math.MaxFloat64, "1.7976931348623157e+308"},
		{math.SmallestNonzeroFloat64, "5e-324"},
		{2.0 / 3, "0.6666666666666666"},
		{math.NaN(), "NaN"},
		{math.Inf(1), "Infinity"},
		{math.Inf(-1), "-Infinity"},
	} {
		if got := FormatNumber(c.n); got != c.want {
			t.Errorf("FormatNumber(%g) = %s, want %s", c.n, got, c.want)
		}
	}
}

func TestIntegersAreFiniteAndWhole(t *testing.T) {
	for _, c := range []struct {
		n             float64
		integer, safe bool
	}{
		{0, true, true},
		{math.Copysign(0, -1), true, true},
		{1, true, true},
		{-7, true, true},
		{1.5, false, false},
		{MaxSafeInteger, true, true},
		{-MaxSafeInteger, true, true},
		{MaxSafeInteger + 1, true, false},
		{1e300, true, false},
		{math.Inf(1), false, false},
		{math.Inf(-1), false, false},
		{math.NaN(), false, false},
	} {
		if got := IsInteger(c.n); got != c.integer {
			t.Errorf("IsInteger(%g) = %t", c.n, got)
		}
		if got := IsSafeInteger(c.n); got != c.safe {
			t.Errorf("IsSafeInteger(%g) = %t", c.n, got)
		}
	}
}

func BenchmarkFormatNumber(b *testing.B) {
	for b.Loop() {
		FormatNumber(1234.5678)
		FormatNumber(3600000)
	}
}
