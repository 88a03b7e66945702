package verdict

import "unicode/utf8"

// The kinds of member that the wire format has, so that its tables say one
// thing a line.

func text[T any](key string, get func(*T) string) member[T] {
	return member[T]{key: key, write: func(e *encoder, v *T) { e.text(get(v)) }}
}

// optional is a text that is left out when it is empty.
func optional[T any](key string, get func(*T) string) member[T] {
	m := text(key, get)
	m.when = func(v *T) bool { return get(v) != "" }
	return m
}

// raw is a text's own bytes in base64, there only when they are not UTF-8.
func raw[T any](key string, get func(*T) string) member[T] {
	return member[T]{
		key:   key,
		when:  func(v *T) bool { return !utf8.ValidString(get(v)) },
		write: func(e *encoder, v *T) { e.bytes(get(v)) },
	}
}

func integer[T any](key string, get func(*T) int) member[T] {
	return member[T]{key: key, write: func(e *encoder, v *T) { e.integer(get(v)) }}
}

// ordinal is a line or a column, left out when it is not known.
func ordinal[T any](key string, get func(*T) int) member[T] {
	m := integer(key, get)
	m.when = func(v *T) bool { return get(v) > 0 }
	return m
}

func boolean[T any](key string, get func(*T) bool) member[T] {
	return member[T]{key: key, write: func(e *encoder, v *T) { e.boolean(get(v)) }}
}

func texts[T any](key string, get func(*T) []string) member[T] {
	return member[T]{key: key, write: func(e *encoder, v *T) { e.texts(get(v)) }}
}

func nested[T, U any](key string, o *object[U], get func(*T) *U) member[T] {
	return member[T]{key: key, write: func(e *encoder, v *T) { o.write(e, get(v)) }}
}

func list[T, U any](key string, o *object[U], get func(*T) []U) member[T] {
	return member[T]{key: key, write: func(e *encoder, v *T) { writeList(e, false, get(v), o.write) }}
}
