package value

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestStringifyWritesOnlyTheRuntimesEscapes(t *testing.T) {
	for text, want := range map[string]string{
		"":                                 `""`,
		"a/b":                              `"a/b"`,
		"\"\\":                             `"\"\\"`,
		"\b\f\n\r\t":                       `"\b\f\n\r\t"`,
		"\x00\x1f\x0b":                     `"\u0000\u001f\u000b"`,
		"<a>&\u2028\u2029\u007f":           "\"<a>&\u2028\u2029\u007f\"",
		"é名" + grinning:                    `"é名` + grinning + `"`,
		highSurrogate + "a" + lowSurrogate: `"\ud83da\ude00"`,
		"a\xffb":                           "\"a\ufffdb\"",
	} {
		if got := Stringify(NewString(text)); got != want {
			t.Errorf("%q is written as %s, want %s", text, got, want)
		}
	}
}

func TestStringifyWritesEveryKind(t *testing.T) {
	v := NewMap(
		Field("b", NewList(NewNumber(1.0), NewNumber(1e21), NewNumber(math.Copysign(0, -1)), NewNull(), nil)),
		Field("a", NewBool(true)),
		Field("é\"", NewMap()),
		Field("7", NewList(NewNumber(math.NaN()), NewNumber(math.Inf(-1)), NewBool(false))),
	)
	want := `{"7":[null,null,false],"b":[1,1e+21,0,null,null],"a":true,"é\"":{}}`
	if got := Stringify(v); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := Stringify(nil); got != "null" {
		t.Errorf("nil is written as %s", got)
	}
}

func TestCanonicalSortsKeysByUTF16Units(t *testing.T) {
	v := NewMap(
		Field("\ue000", NewNumber(1)), Field(grinning, NewNumber(2)), Field("b", NewMap(Field("z", NewNull()), Field("a", NewNull()))),
		Field("10", NewNumber(3)), Field("9", NewNumber(4)),
	)
	want := `{"10":3,"9":4,"b":{"a":null,"z":null},"` + grinning + `":2,"` + "\ue000" + `":1}`
	if got := string(Canonical(v)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := Stringify(v), `{"9":4,"10":3,`; got[:len(want)] != want {
		t.Errorf("Canonical changed its argument: %s", got)
	}
}

func TestCanonicalGoGoesByTheValuesOwnEncoding(t *testing.T) {
	type row struct {
		Zed  string            `json:"zed"`
		Any  any               `json:"any,omitempty"`
		Tags map[string]int    `json:"tags"`
		Big  float64           `json:"big"`
		HTML string            `json:"html"`
		None map[string]string `json:"none"`
	}
	got, err := CanonicalGo(row{Zed: "z", Tags: map[string]int{"b": 1, "a": 2}, Big: 1e21, HTML: "<&>"})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"big":1e+21,"html":"<&>","none":null,"tags":{"a":2,"b":1},"zed":"z"}`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
	if _, err := CanonicalGo(func() {}); err == nil {
		t.Error("a function was encoded")
	}
}

func TestOrderKeysPutsWholeNumbersFirst(t *testing.T) {
	var members []Member
	for _, key := range []string{"b", "10", "a", "-1", "4294967295", "2", "01", "4294967294", "1.0", "0", "+3", "", "3 "} {
		members = append(members, Field(key, nil))
	}
	OrderKeys(members)
	var got []string
	for _, m := range members {
		got = append(got, m.Key)
	}
	want := []string{"0", "2", "10", "4294967294", "b", "a", "-1", "4294967295", "01", "1.0", "+3", "", "3 "}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestEqualLooksAtTheValueAlone(t *testing.T) {
	placed := func(v *Value) *Value {
		v.Pos.Line = 7
		return v
	}
	equal := [][2]*Value{
		{nil, nil},
		{NewNull(), placed(NewNull())},
		{NewNumber(0), NewNumber(math.Copysign(0, -1))},
		{NewNumber(math.NaN()), NewNumber(math.NaN())},
		{NewList(NewString("a")), NewList(placed(NewString("a")))},
		{NewMap(Field("a", NewNull()), Field("b", NewBool(true))), NewMap(Field("b", NewBool(true)), Field("a", NewNull()))},
	}
	for i, pair := range equal {
		if !pair[0].Equal(pair[1]) {
			t.Errorf("pair %d differs", i)
		}
	}
	different := [][2]*Value{
		{nil, NewNull()},
		{NewNull(), nil},
		{NewNumber(1), NewString("1")},
		{NewBool(true), NewBool(false)},
		{NewNumber(1), NewNumber(2)},
		{NewList(NewNull()), NewList()},
		{NewList(NewNumber(1), NewNumber(2)), NewList(NewNumber(2), NewNumber(1))},
		{NewMap(Field("a", NewNull())), NewMap(Field("b", NewNull()))},
		{NewMap(Field("a", NewNull())), NewMap(Field("a", NewBool(false)))},
		{NewMap(Field("a", NewNull())), NewMap()},
	}
	for i, pair := range different {
		if pair[0].Equal(pair[1]) {
			t.Errorf("pair %d is equal", i)
		}
	}
}

func TestGetAndMemberFindKeys(t *testing.T) {
	v := NewMap(Field("a", NewNumber(1)), Field("b", NewNull()))
	if got := v.Get("a"); got == nil || got.Number != 1 {
		t.Errorf("Get(a) = %v", got)
	}
	if got := v.Get("b"); got == nil || got.Kind != Null {
		t.Errorf("Get(b) = %v: a null is present", got)
	}
	for _, v := range []*Value{nil, NewList(), v} {
		if _, found := v.Member("c"); found || v.Get("c") != nil {
			t.Errorf("%v has a member c", v)
		}
	}
}

func BenchmarkStringify(b *testing.B) {
	v := NewList()
	for range 100 {
		v.Items = append(v.Items, NewMap(Field("claim", NewString("a claim of some length")), Field("line", NewNumber(123))))
	}
	b.ReportAllocs()
	for b.Loop() {
		Stringify(v)
	}
}

func BenchmarkCanonical(b *testing.B) {
	v := NewList()
	for range 100 {
		v.Items = append(v.Items, NewMap(Field("path", NewString("docs/é")), Field("line", NewNumber(123)), Field("claim", NewNull())))
	}
	b.ReportAllocs()
	for b.Loop() {
		Canonical(v)
	}
}
