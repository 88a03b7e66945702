package strictyaml

import (
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/fleetgate/fleetgate/internal/value"
)

// The plain scalars of the YAML 1.2 core schema that are not strings (spec
// section 1). What matches none of them is a string: yes, 1_000, 0b1, 2020-01-01.
var (
	octalForm = lazyRegexp(`^0o[0-7]+$`)
	hexForm   = lazyRegexp(`^0x[0-9a-fA-F]+$`)
	floatForm = lazyRegexp(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)
)

// lazyRegexp compiles a pattern when it is first asked for, so that a process
// that reads no such text doesn't pay for it.
func lazyRegexp(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// plainScalar resolves the text of an untagged plain scalar by the core schema.
func plainScalar(text string) *value.Value {
	switch text {
	case "", "~", "null", "Null", "NULL":
		return value.NewNull()
	case "true", "True", "TRUE":
		return value.NewBool(true)
	case "false", "False", "FALSE":
		return value.NewBool(false)
	case ".nan", ".NaN", ".NAN":
		return value.NewNumber(math.NaN())
	case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF":
		return value.NewNumber(math.Inf(1))
	case "-.inf", "-.Inf", "-.INF":
		return value.NewNumber(math.Inf(-1))
	}
	if n, ok := plainNumber(text); ok {
		return value.NewNumber(n)
	}
	return value.NewString(text)
}

// plainNumber reads a number of the core schema as an IEEE double.
func plainNumber(text string) (float64, bool) {
	if !strings.ContainsAny(text[:1], "+-.0123456789") {
		return 0, false
	}
	switch {
	case isOctalNumber(text):
		return octal(text[len("0o"):]), true
	case isHexNumber(text):
		return decimal(text + "p0"), true
	case isDecimalNumber(text), floatForm().MatchString(text):
		return decimal(text), true
	}
	return 0, false
}

// isIntegerForm says whether text is written as an integer.
func isIntegerForm(text string) bool {
	return isDecimalNumber(text) || isOctalNumber(text) || isHexNumber(text)
}

// isDecimalNumber says whether text is [-+]?[0-9]+, as nearly all numbers are.
func isDecimalNumber(text string) bool {
	if text != "" && (text[0] == '-' || text[0] == '+') {
		text = text[1:]
	}
	return text != "" && strings.Trim(text, "0123456789") == ""
}

func isOctalNumber(text string) bool {
	return strings.HasPrefix(text, "0o") && octalForm().MatchString(text)
}

func isHexNumber(text string) bool {
	return strings.HasPrefix(text, "0x") && hexForm().MatchString(text)
}

// decimal reads digits that are known to be well-formed; what is too large
// becomes an infinity, as the runtime has it.
func decimal(text string) float64 {
	n, _ := strconv.ParseFloat(text, 64)
	return n
}

// octalDigitsOfDouble is more octal digits than any finite double has before its point.
const octalDigitsOfDouble = 342

func octal(digits string) float64 {
	digits = strings.TrimLeft(digits, "0")
	if len(digits) > octalDigitsOfDouble {
		return math.Inf(1)
	}
	n, ok := new(big.Int).SetString(digits, 8)
	if !ok {
		return 0 // nothing but zeros
	}
	f, _ := new(big.Float).SetInt(n).Float64()
	return f
}
