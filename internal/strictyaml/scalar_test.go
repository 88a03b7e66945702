package strictyaml

import (
	"math"
	"strings"
	"testing"

	"github.com/fleetgate/fleetgate/internal/value"
)

func TestPlainScalarsAreReadByTheCoreSchema(t *testing.T) {
	number, text := value.NewNumber, value.NewString
	for plain, want := range map[string]*value.Value{
		"": value.NewNull(), "~": value.NewNull(), "null": value.NewNull(), "Null": value.NewNull(), "NULL": value.NewNull(),
		"nULL": text("nULL"), "none": text("none"),
		"true": value.NewBool(true), "True": value.NewBool(true), "TRUE": value.NewBool(true), "tRUE": text("tRUE"),
		"false": value.NewBool(false), "False": value.NewBool(false), "FALSE": value.NewBool(false),
		"yes": text("yes"), "no": text("no"), "on": text("on"), "off": text("off"), "y": text("y"), "n": text("n"),
		"0": number(0), "1": number(1), "-1": number(-1), "+1": number(1), "01": number(1), "017": number(17), "-017": number(-17),
		"0o17": number(15), "0o0": number(0), "0x1F": number(31), "0xff": number(255),
		"-0x1F": text("-0x1F"), "+0x1": text("+0x1"), "0X1F": text("0X1F"), "-0o7": text("-0o7"), "0O17": text("0O17"), "0o8": text("0o8"), "0o": text("0o"), "0x": text("0x"), "0xg": text("0xg"),
		"0b101": text("0b101"), "0B1": text("0B1"), "1_000": text("1_000"), "1,000": text("1,000"), "1:30": text("1:30"),
		"1.0": number(1), "1.": number(1), ".5": number(0.5), "-.5": number(-0.5), "+1.5": number(1.5), ".": text("."), "-": text("-"), "+": text("+"), "-.": text("-."),
		"1e0": number(1), "1E3": number(1000), "1e+3": number(1000), "1.5e-3": number(0.0015), ".5e1": number(5), "1.e1": number(10),
		"1e": text("1e"), "e1": text("e1"), "1e1.5": text("1e1.5"), "--1": text("--1"), "1-": text("1-"), "1 2": text("1 2"),
		".inf": number(math.Inf(1)), ".Inf": number(math.Inf(1)), ".INF": number(math.Inf(1)), "+.inf": number(math.Inf(1)), "-.INF": number(math.Inf(-1)), ".iNF": text(".iNF"), "inf": text("inf"),
		".nan": number(math.NaN()), ".NaN": number(math.NaN()), ".NAN": number(math.NaN()), ".Nan": text(".Nan"), "-.nan": text("-.nan"),
		"1e400": number(math.Inf(1)), "-1e400": number(math.Inf(-1)), "9007199254740993": number(9007199254740992), "0x20000000000001": number(9007199254740992),
		"0x" + strings.Repeat("f", 300): number(math.Inf(1)), "0o" + strings.Repeat("7", 400): number(math.Inf(1)), "0o" + strings.Repeat("0", 400) + "7": number(7),
		"0o777777777777777777777": number(9223372036854775807),
		"2020-01-01":              text("2020-01-01"), "2001-12-14t21:59:43.10-05:00": text("2001-12-14t21:59:43.10-05:00"), "<<": text("<<"), "=": text("="), "１": text("１"),
	} {
		if got := plainScalar(plain); !got.Equal(want) {
			t.Errorf("%q reads as %s %s, want %s %s", plain, got.Kind, value.Stringify(got), want.Kind, value.Stringify(want))
		}
	}
}

func TestMinusZeroIsKept(t *testing.T) {
	for _, plain := range []string{"-0", "-0.0", "-0e5", "-1e-400"} {
		if got := plainScalar(plain); got.Number != 0 || !math.Signbit(got.Number) {
			t.Errorf("%s reads as %v", plain, got.Number)
		}
	}
}
