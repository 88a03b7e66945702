package value

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/diag"
)

func mustParse(t *testing.T, text string) *Value {
	t.Helper()
	v, err := ParseJSON("f.json", []byte(text))
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return v
}

func TestParseJSONReadsEveryKind(t *testing.T) {
	got := mustParse(t, ` {"a" : [1, -0.5e1 ,true,false,null,"x"], "b":{}, "c":[] }`+"\r\n\t")
	want := NewMap(
		Field("a", NewList(NewNumber(1), NewNumber(-5), NewBool(true), NewBool(false), NewNull(), NewString("x"))),
		Field("b", NewMap()),
		Field("c", NewList()),
	)
	if !got.Equal(want) {
		t.Errorf("got %s, want %s", Stringify(got), Stringify(want))
	}
}

func TestParseJSONNumbers(t *testing.T) {
	for text, want := range map[string]float64{
		"0": 0, "-1": -1, "10": 10, "1.50": 1.5, "1E2": 100, "1e+2": 100, "1e-2": 0.01, "0.1": 0.1,
		"1e400": math.Inf(1), "-1e400": math.Inf(-1), "1e-400": 0, "9007199254740993": 9007199254740992,
	} {
		if got := mustParse(t, text); got.Kind != Number || got.Number != want {
			t.Errorf("%s reads as %v", text, got.Number)
		}
	}
	if got := mustParse(t, "-0"); got.Number != 0 || !math.Signbit(got.Number) {
		t.Errorf("-0 reads as %v", got.Number)
	}
}

func TestParseJSONStrings(t *testing.T) {
	for text, want := range map[string]string{
		`""`: "", `"é名"`: "é名", `"\"\\\/\b\f\n\r\t"`: "\"\\/\b\f\n\r\t", `"\u0041\u00e9"`: "Aé",
		`"\ud83d\ude00"`: grinning, `"\ud83d"`: highSurrogate, `"\ude00\ud83d"`: lowSurrogate + highSurrogate,
		`"` + highSurrogate + `"`: highSurrogate, `"` + highSurrogate + `\ude00"`: grinning, "\"\u2028\u007f\"": "\u2028\u007f",
	} {
		if got := mustParse(t, text); got.Text != want {
			t.Errorf("%s reads as %q, want %q", text, got.Text, want)
		}
	}
}

func TestParseJSONKeepsTheRuntimesKeyOrder(t *testing.T) {
	for text, want := range map[string]string{
		`{"b":1,"a":2}`:                              `{"b":1,"a":2}`,
		`{"a":1,"b":2,"a":3}`:                        `{"a":3,"b":2}`,
		`{"x":0,"10":1,"9":2,"01":3,"-1":4}`:         `{"9":2,"10":1,"x":0,"01":3,"-1":4}`,
		`{"a":0,"4294967295":1,"4294967294":2}`:      `{"4294967294":2,"a":0,"4294967295":1}`,
		`{"2":0,"2":1,"1":2}`:                        `{"1":2,"2":1}`,
		`{"__proto__":1,"constructor":2,"":3,"0":4}`: `{"0":4,"__proto__":1,"constructor":2,"":3}`,
	} {
		if got := Stringify(mustParse(t, text)); got != want {
			t.Errorf("%s reads as %s, want %s", text, got, want)
		}
	}
}

func TestParseJSONRefusesWhatIsNotJSON(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "f.json:1:1: a value is expected here, not the end of the text"},
		{"  \n ", "f.json:2:2: a value is expected here, not the end of the text"},
		{"nul", `f.json:1:1: a value is expected here, not 'n'`},
		{"True", `f.json:1:1: a value is expected here, not 'T'`},
		{"NaN", `f.json:1:1: a value is expected here, not 'N'`},
		{"+1", `f.json:1:1: a value is expected here, not '+'`},
		{"01", `f.json:1:2: only white space may follow the value, not '1'`},
		{"1 2", `f.json:1:3: only white space may follow the value, not '2'`},
		{"-", "f.json:1:2: a digit is expected here, not the end of the text"},
		{"1.", "f.json:1:3: a digit is expected after the decimal point, not the end of the text"},
		{".5", `f.json:1:1: a value is expected here, not '.'`},
		{"1e", "f.json:1:3: a digit is expected in the exponent, not the end of the text"},
		{"[1,]", `f.json:1:4: a value is expected here, not ']'`},
		{"[1 2]", `f.json:1:4: a list goes on with , or ends with ], not with '2'`},
		{"[1", "f.json:1:3: a list goes on with , or ends with ], not with the end of the text"},
		{`{"a":1,}`, `f.json:1:8: a key in double quotes is expected here, not '}'`},
		{`{a:1}`, `f.json:1:2: a key in double quotes is expected here, not 'a'`},
		{`{"a" 1}`, `f.json:1:6: a key is followed by :, not by '1'`},
		{`{"a":1 "b":2}`, `f.json:1:8: a mapping goes on with , or ends with }, not with '"'`},
		{`"a`, "f.json:1:3: the string has no closing quote"},
		{`"a\`, "f.json:1:3: the string has no closing quote"},
		{`"\x41"`, `f.json:1:2: "\\x" is no escape`},
		{`"\u12"`, `f.json:1:2: "\\u" is no escape`},
		{"\"é\t\"", `f.json:1:3: a string holds '\t' only as an escape`},
		{"\"\xff\"", "f.json:1:2: byte 0xFF is not UTF-8"},
		{"'a'", `f.json:1:1: a value is expected here, not '\''`},
		{"\ufeff1", `f.json:1:1: a value is expected here, not '\ufeff'`},
		{"\u00a01", `f.json:1:1: a value is expected here, not '\u00a0'`},
		{"// c\n1", `f.json:1:1: a value is expected here, not '/'`},
	} {
		_, err := ParseJSON("f.json", []byte(c.text))
		var syntax *SyntaxError
		if !errors.As(err, &syntax) {
			t.Errorf("%q: error is %v", c.text, err)
			continue
		}
		if diff := cmp.Diff(c.want, err.Error()); diff != "" {
			t.Errorf("%q: %s", c.text, diff)
		}
	}
}

func TestParseJSONRemembersPlaces(t *testing.T) {
	v := mustParse(t, "{\n  \"é\": [1,\n\t\"名\", {}]\r\n}")
	list := v.Get("é")
	for _, c := range []struct {
		what      string
		got, want diag.Pos
	}{
		{"mapping", v.Pos, diag.Pos{File: "f.json", Line: 1, Column: 1}},
		{"its end", v.End, diag.Pos{File: "f.json", Line: 4, Column: 2}},
		{"key", v.Members[0].KeyPos, diag.Pos{File: "f.json", Line: 2, Column: 3}},
		{"list", list.Pos, diag.Pos{File: "f.json", Line: 2, Column: 8}},
		{"number", list.Items[0].Pos, diag.Pos{File: "f.json", Line: 2, Column: 9}},
		{"string", list.Items[1].Pos, diag.Pos{File: "f.json", Line: 3, Column: 2}},
		{"its end", list.Items[1].End, diag.Pos{File: "f.json", Line: 3, Column: 5}},
		{"empty mapping", list.Items[2].Pos, diag.Pos{File: "f.json", Line: 3, Column: 7}},
	} {
		if c.got != c.want {
			t.Errorf("%s at %v, want %v", c.what, c.got, c.want)
		}
	}
}

func TestParseJSONBoundsDepthAndBytes(t *testing.T) {
	deep := func(levels int) []byte {
		return []byte(strings.Repeat("[", levels) + strings.Repeat("]", levels))
	}
	if _, err := ParseJSON("", deep(MaxJSONDepth)); err != nil {
		t.Errorf("the deepest text: %v", err)
	}
	if _, err := ParseJSON("", deep(MaxJSONDepth+1)); err == nil || !strings.Contains(err.Error(), "1000 deep") {
		t.Errorf("too deep a text: %v", err)
	}
	limits := JSONLimits{Bytes: 4, Depth: 1}
	if _, err := ParseJSONLimited("", []byte(`[12]`), limits); err != nil {
		t.Errorf("at the bounds: %v", err)
	}
	if _, err := ParseJSONLimited("", []byte(`[123]`), limits); err == nil || !strings.Contains(err.Error(), "has 5 bytes; at most 4") {
		t.Errorf("too long a text: %v", err)
	}
	if _, err := ParseJSONLimited("", []byte(`[[[`), limits); err == nil || !strings.Contains(err.Error(), "more than 1 deep") {
		t.Errorf("over the depth: %v", err)
	}
	long := make([]byte, MaxJSONBytes+1)
	if _, err := ParseJSON("", long); err == nil || !strings.Contains(err.Error(), fmt.Sprint(MaxJSONBytes)) {
		t.Errorf("too long a text: %v", err)
	}
}

func hasInfinity(v *Value) bool {
	if v.Kind == Number {
		return math.IsInf(v.Number, 0)
	}
	for _, item := range v.Items {
		if hasInfinity(item) {
			return true
		}
	}
	for _, m := range v.Members {
		if hasInfinity(m.Value) {
			return true
		}
	}
	return false
}

func FuzzParseJSON(f *testing.F) {
	for _, seed := range []string{
		`{"a":[1,-0.5e1,true,false,null,"x"],"10":{},"9":[]}`, `"\ud83d\ude00\ud83d"`, "[1e400, 1e-7]", "{\"a\":1,\"a\":2}", "[[[", "\"\xed\xa0\xbd\\ude00\"", " 1 ",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := ParseJSON("f", text)
		if err != nil {
			return
		}
		written := Stringify(v)
		again, err := ParseJSON("f", []byte(written))
		if err != nil {
			t.Fatalf("%q is written as %q, which cannot be read: %v", text, written, err)
		}
		if got := Stringify(again); got != written {
			t.Errorf("%q is written as %q, then as %q", text, written, got)
		}
		if !hasInfinity(v) && !again.Equal(v) {
			t.Errorf("%q and %q read differently", text, written)
		}
		canonical, err := ParseJSON("f", Canonical(v))
		if err != nil || !canonical.Equal(again) {
			t.Errorf("%q is %q in canonical form: %v", text, Canonical(v), err)
		}
	})
}

func BenchmarkParseJSON(b *testing.B) {
	text := []byte(`{"findings":[` + strings.Repeat(`{"claim":"a claim of some length","path":"internal/value/json.go","line":123},`, 100) + `{}],"needsSplit":false}`)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ParseJSON("f.json", text); err != nil {
			b.Fatal(err)
		}
	}
}
