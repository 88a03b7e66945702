package value

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"
)

// Stringify writes v exactly as the runtime's JSON.stringify does: no white
// space, members in the order they have, only the escapes that it makes
// (<, >, &, U+2028 and U+2029 stay literal; unpaired surrogates become \udXXX),
// and null for a number that JSON cannot hold. A nil v is written as null.
func Stringify(v *Value) string {
	const usual = 512 // bytes
	return string(appendJSON(make([]byte, 0, usual), v, false))
}

// Canonical writes v as canonical JSON (RFC 8785): as Stringify does, with the
// members of every mapping sorted by the UTF-16 units of their keys.
func Canonical(v *Value) []byte { return appendJSON(nil, v, true) }

// CanonicalGo writes a Go value as canonical JSON by way of its own JSON
// encoding. It fails where that encoding does.
func CanonicalGo(v any) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return nil, fmt.Errorf("canonical JSON: %w", err)
	}
	parsed, err := ParseJSONLimited("", text.Bytes(), JSONLimits{Bytes: text.Len(), Depth: MaxJSONDepth})
	if err != nil {
		return nil, fmt.Errorf("canonical JSON: %w", err)
	}
	return Canonical(parsed), nil
}

func appendJSON(text []byte, v *Value, sorted bool) []byte {
	if v == nil {
		return append(text, "null"...)
	}
	switch v.Kind {
	case Bool:
		return strconv.AppendBool(text, v.Bool)
	case Number:
		return appendNumber(text, v.Number)
	case String:
		return appendQuoted(text, v.Text)
	case List:
		return appendList(text, v.Items, sorted)
	case Map:
		return appendMap(text, v.Members, sorted)
	}
	return append(text, "null"...)
}

func appendNumber(text []byte, n float64) []byte {
	if math.IsNaN(n) || math.IsInf(n, 0) {
		return append(text, "null"...)
	}
	return append(text, FormatNumber(n)...)
}

func appendList(text []byte, items []*Value, sorted bool) []byte {
	text = append(text, '[')
	for i, item := range items {
		if i > 0 {
			text = append(text, ',')
		}
		text = appendJSON(text, item, sorted)
	}
	return append(text, ']')
}

func appendMap(text []byte, members []Member, sorted bool) []byte {
	if sorted {
		members = slices.Clone(members)
		slices.SortFunc(members, func(a, b Member) int { return CompareUTF16(a.Key, b.Key) })
	}
	text = append(text, '{')
	for i, m := range members {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(appendQuoted(text, m.Key), ':')
		text = appendJSON(text, m.Value, sorted)
	}
	return append(text, '}')
}

const hexDigits = "0123456789abcdef"

// appendQuoted writes s as a JSON string. Bytes that are not UTF-8 become U+FFFD.
func appendQuoted(text []byte, s string) []byte {
	text = append(text, '"')
	for len(s) > 0 {
		if plain := plainPrefix(s); plain > 0 {
			text = append(text, s[:plain]...)
			s = s[plain:]
			continue
		}
		r, width := decodeRune(s)
		text = appendEscaped(text, r)
		s = s[width:]
	}
	return append(text, '"')
}

// plainPrefix gives how many bytes at the start of s stand for themselves.
func plainPrefix(s string) int {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			return i
		}
	}
	return len(s)
}

func appendEscaped(text []byte, r rune) []byte {
	switch r {
	case '"', '\\':
		return append(text, '\\', byte(r))
	case '\b':
		return append(text, `\b`...)
	case '\f':
		return append(text, `\f`...)
	case '\n':
		return append(text, `\n`...)
	case '\r':
		return append(text, `\r`...)
	case '\t':
		return append(text, `\t`...)
	}
	if r < ' ' || isSurrogate(r) {
		return append(text, '\\', 'u', hexDigits[r>>12&15], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
	}
	return utf8.AppendRune(text, r)
}
