package value

import (
	"math"
	"strconv"
	"strings"
)

// MaxSafeInteger is 2^53−1, the largest integer that a double holds together
// with both of its neighbours.
const MaxSafeInteger = 1<<53 - 1

// IsInteger says whether n is finite and has no fraction: 1.0 is an integer.
func IsInteger(n float64) bool { return !math.IsInf(n, 0) && n == math.Trunc(n) }

// IsSafeInteger says whether n is an integer within ±(2^53−1).
func IsSafeInteger(n float64) bool { return IsInteger(n) && math.Abs(n) <= MaxSafeInteger }

// The decimal exponents between which the runtime writes a number without one.
const (
	leastPlainExponent = -7
	mostPlainExponent  = 21
)

// FormatNumber writes n as the runtime's Number-to-string conversion does: the
// shortest digits that read back as n; plain up to 21 digits, else with an
// exponent; "NaN", "Infinity" and "-Infinity"; minus zero as "0".
func FormatNumber(n float64) string {
	switch {
	case math.IsNaN(n):
		return "NaN"
	case math.IsInf(n, 1):
		return "Infinity"
	case math.IsInf(n, -1):
		return "-Infinity"
	case n == 0:
		return "0"
	case n < 0:
		return "-" + FormatNumber(-n)
	case n <= MaxSafeInteger && n == math.Trunc(n):
		return strconv.FormatInt(int64(n), 10)
	}
	return formatPositive(n)
}

// formatPositive writes a finite positive number.
func formatPositive(n float64) string {
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(n, 'e', -1, 64), "e")
	digits := strings.Replace(mantissa, ".", "", 1)
	power, _ := strconv.Atoi(exponent)
	point := power + 1 // where the decimal point stands among the digits
	switch {
	case point > mostPlainExponent || point <= leastPlainExponent+1:
		return formatExponent(mantissa, power)
	case point <= 0:
		return "0." + strings.Repeat("0", -point) + digits
	case point >= len(digits):
		return digits + strings.Repeat("0", point-len(digits))
	}
	return digits[:point] + "." + digits[point:]
}

func formatExponent(mantissa string, power int) string {
	if power > 0 {
		return mantissa + "e+" + strconv.Itoa(power)
	}
	return mantissa + "e" + strconv.Itoa(power)
}
