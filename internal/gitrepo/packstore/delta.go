package packstore

import "errors"

// maxVarint is the length of the longest number in a delta.
const maxVarint = 10

var (
	errShort  = errors.New("it ends early")
	errSource = errors.New("it copies from outside its base")
	errResult = errors.New("its result has another size than it says")
	errBase   = errors.New("its base has another size than it says")
	errZero   = errors.New("it has the reserved instruction 0")
	errAbsurd = errors.New("its result is larger than 512 MiB")
)

// varint reads a little-endian base-128 number.
func varint(raw []byte) (value uint64, rest []byte, ok bool) {
	for i, shift := 0, 0; i < len(raw) && i < maxVarint; i, shift = i+1, shift+7 {
		value |= uint64(raw[i]&0x7f) << shift
		if raw[i]&0x80 == 0 {
			return value, raw[i+1:], true
		}
	}
	return 0, nil, false
}

// deltaSizes gives the size of a delta's result, and its instructions.
func deltaSizes(base int, delta []byte) (size int64, instructions []byte, err error) {
	from, rest, ok := varint(delta)
	if !ok {
		return 0, nil, errShort
	}
	to, rest, ok := varint(rest)
	switch {
	case !ok:
		return 0, nil, errShort
	case from != uint64(base):
		return 0, nil, errBase
	case to > MaxObjectBytes:
		return 0, nil, errAbsurd
	}
	return int64(to), rest, nil
}

// applyDelta fills an object's content from its base.
func applyDelta(content, base, instructions []byte) error {
	at := 0
	for len(instructions) > 0 {
		piece, rest, err := instruction(base, instructions)
		if err != nil {
			return err
		}
		if len(piece) > len(content)-at {
			return errResult
		}
		at += copy(content[at:], piece)
		instructions = rest
	}
	if at != len(content) {
		return errResult
	}
	return nil
}

// instruction reads one instruction: bytes to insert, or a piece of the base.
func instruction(base, raw []byte) (piece, rest []byte, err error) {
	op := raw[0]
	raw = raw[1:]
	if op == 0 {
		return nil, nil, errZero
	}
	if op&0x80 == 0 {
		if len(raw) < int(op) {
			return nil, nil, errShort
		}
		return raw[:op], raw[op:], nil
	}
	var offset, size uint64
	for bit := range 7 {
		if op&(1<<bit) == 0 {
			continue
		}
		if len(raw) == 0 {
			return nil, nil, errShort
		}
		if bit < 4 {
			offset |= uint64(raw[0]) << (8 * bit)
		} else {
			size |= uint64(raw[0]) << (8 * (bit - 4))
		}
		raw = raw[1:]
	}
	if size == 0 {
		size = 1 << 16
	}
	if offset+size > uint64(len(base)) {
		return nil, nil, errSource
	}
	return base[offset : offset+size], raw, nil
}
