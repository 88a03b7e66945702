package verdict

import (
	"bufio"
	"cmp"
	"encoding/base64"
	"io"
	"slices"
	"strconv"
	"sync"
	"unicode/utf8"
)

// writeBuffer is how many bytes of JSON are held before they are written on.
const writeBuffer = 16 << 10

// encoder writes one JSON document while walking the values, so that a large
// verdict is never held as text. It has two forms: indented for readers, and
// canonical (RFC 8785) for the digest. The reflecting encoder of the standard
// library has neither sorted members nor the escapes that a log needs.
type encoder struct {
	out       *bufio.Writer
	canonical bool
	depth     int // of the lists and objects that have a line for each item
	inline    int // of those that stand on one line
}

func newEncoder(w io.Writer, canonical bool) *encoder {
	return &encoder{out: bufio.NewWriterSize(w, writeBuffer), canonical: canonical}
}

// member is one key of an object: how it is written, and when (nil: always).
type member[T any] struct {
	key   string
	when  func(*T) bool
	write func(*encoder, *T)
}

// object is the shape of one JSON object, as data: the JSON schema is tested against it.
type object[T any] struct {
	inline  bool
	members []member[T]        // in the order for readers
	sorted  func() []member[T] // in canonical order; every key is ASCII
}

func newObject[T any](inline bool, members ...member[T]) *object[T] {
	return &object[T]{inline: inline, members: members, sorted: sync.OnceValue(func() []member[T] {
		return slices.SortedFunc(slices.Values(members), func(a, b member[T]) int { return cmp.Compare(a.key, b.key) })
	})}
}

func (o *object[T]) write(e *encoder, v *T) {
	members := o.members
	if e.canonical {
		members = o.sorted()
	}
	e.open('{', o.inline)
	first := true
	for i := range members {
		m := &members[i]
		if m.when != nil && !m.when(v) {
			continue
		}
		e.next(first)
		first = false
		e.key(m.key)
		m.write(e, v)
	}
	e.close('}', first)
}

// writeList writes one item a line, or all on one line. An empty list is [], never null.
func writeList[T any](e *encoder, inline bool, items []T, write func(*encoder, *T)) {
	e.open('[', inline)
	for i := range items {
		e.next(i == 0)
		write(e, &items[i])
	}
	e.close(']', len(items) == 0)
}

func (e *encoder) texts(list []string) {
	writeList(e, true, list, func(e *encoder, s *string) { e.text(*s) })
}

func (e *encoder) open(bracket byte, inline bool) {
	e.out.WriteByte(bracket)
	if inline || e.inline > 0 {
		e.inline++
		return
	}
	e.depth++
}

func (e *encoder) close(bracket byte, empty bool) {
	if e.inline > 0 {
		e.inline--
	} else {
		e.depth--
		if !empty {
			e.line()
		}
	}
	e.out.WriteByte(bracket)
}

// next stands between two items, and before the first.
func (e *encoder) next(first bool) {
	if !first {
		e.out.WriteByte(',')
	}
	if e.inline == 0 {
		e.line()
		return
	}
	if !first && !e.canonical {
		e.out.WriteByte(' ')
	}
}

// line begins a new line at the current depth; the canonical form has none.
func (e *encoder) line() {
	if e.canonical {
		return
	}
	e.out.WriteByte('\n')
	for range e.depth {
		e.out.WriteString("  ")
	}
}

func (e *encoder) key(name string) {
	e.text(name)
	e.out.WriteByte(':')
	if !e.canonical {
		e.out.WriteByte(' ')
	}
}

func (e *encoder) integer(n int) {
	e.out.Write(strconv.AppendInt(e.out.AvailableBuffer(), int64(n), 10))
}

func (e *encoder) boolean(b bool) { e.out.WriteString(strconv.FormatBool(b)) }

// text writes a string. A byte that is not part of valid UTF-8 becomes U+FFFD;
// what may not be lost stands beside it in base64.
func (e *encoder) text(s string) {
	e.out.WriteByte('"')
	plain := 0 // s[plain:i] needs no escape
	for i := 0; i < len(s); {
		if plainByte[s[i]] {
			i++
			continue
		}
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
		}
		if escaped := e.escape(r, size, s[i:]); escaped != "" {
			e.out.WriteString(s[plain:i])
			e.out.WriteString(escaped)
			plain = i + size
		}
		i += size
	}
	e.out.WriteString(s[plain:])
	e.out.WriteByte('"')
}

func (e *encoder) bytes(s string) { e.text(base64.StdEncoding.EncodeToString([]byte(s))) }

// flush writes what is held, and gives the first error of any write.
func (e *encoder) flush() error { return e.out.Flush() }
