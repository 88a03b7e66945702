package value

import (
	"math"
	"strconv"
	"unicode/utf8"
)

// word reads true, false or null.
func (p *jsonParser) word(v *Value) error {
	for _, w := range []struct {
		word string
		v    Value
	}{{"true", Value{Kind: Bool, Bool: true}}, {"false", Value{Kind: Bool}}, {"null", Value{Kind: Null}}} {
		if len(p.text)-p.at >= len(w.word) && p.text[p.at:p.at+len(w.word)] == w.word {
			v.Kind, v.Bool = w.v.Kind, w.v.Bool
			p.at += len(w.word)
			return nil
		}
	}
	return p.fail("a value is expected here, not %s", p.here())
}

// number reads -?(0|[1-9][0-9]*)(.[0-9]+)?([eE][+-]?[0-9]+)?; what a double
// cannot hold becomes an infinity.
func (p *jsonParser) number() (float64, error) {
	start := p.at
	if p.peek() == '-' {
		p.at++
	}
	if p.peek() == '0' {
		p.at++
	} else if !p.digits() {
		return 0, p.fail("a digit is expected here, not %s", p.here())
	}
	if p.peek() == '.' {
		p.at++
		if !p.digits() {
			return 0, p.fail("a digit is expected after the decimal point, not %s", p.here())
		}
	}
	if c := p.peek(); c == 'e' || c == 'E' {
		p.at++
		if c := p.peek(); c == '+' || c == '-' {
			p.at++
		}
		if !p.digits() {
			return 0, p.fail("a digit is expected in the exponent, not %s", p.here())
		}
	}
	n, err := strconv.ParseFloat(p.text[start:p.at], 64)
	if err != nil && !math.IsInf(n, 0) {
		return 0, p.fail("%q is not a number", p.text[start:p.at])
	}
	return n, nil
}

// digits skips digits and says whether there was one.
func (p *jsonParser) digits() bool {
	start := p.at
	for c := p.peek(); c >= '0' && c <= '9'; c = p.peek() {
		p.at++
	}
	return p.at > start
}

// quoted reads a string from its opening quote to behind its closing one.
func (p *jsonParser) quoted() (string, error) {
	p.at++
	if plain := plainPrefix(p.text[p.at:]); p.at+plain < len(p.text) && p.text[p.at+plain] == '"' {
		s := p.text[p.at : p.at+plain]
		p.at += plain + 1
		return s, nil
	}
	var text []byte
	for {
		switch c := p.peek(); {
		case p.at == len(p.text):
			return "", p.fail("the string has no closing quote")
		case c == '"':
			p.at++
			return string(text), nil
		case c < ' ':
			return "", p.fail("a string holds %s only as an escape", p.here())
		case c == '\\':
			r, err := p.escape()
			if err != nil {
				return "", err
			}
			text = AppendRune(text, r)
		default:
			r, width := decodeRune(p.text[p.at:])
			if r == utf8.RuneError && width == 1 {
				return "", p.fail("byte 0x%02X is not UTF-8", c)
			}
			text = AppendRune(text, r)
			p.at += width
		}
	}
}

// jsonEscapes gives what each letter behind a backslash stands for.
var jsonEscapes = map[byte]rune{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// escape reads one escape, which may be half of a surrogate pair.
func (p *jsonParser) escape() (rune, error) {
	rest := p.text[p.at:]
	if len(rest) < 2 {
		return 0, p.fail("the string has no closing quote")
	}
	if r, ok := jsonEscapes[rest[1]]; ok {
		p.at += 2
		return r, nil
	}
	const unicodeEscape = len(`\u0000`)
	if rest[1] == 'u' && len(rest) >= unicodeEscape {
		if r, err := strconv.ParseUint(rest[2:unicodeEscape], 16, 16); err == nil {
			p.at += unicodeEscape
			return rune(r), nil
		}
	}
	return 0, p.fail("%q is no escape", rest[:min(len(rest), 2)])
}
