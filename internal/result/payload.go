package result

import (
	"strings"

	"github.com/fleetgate/fleetgate/internal/value"
)

const fence = "```"

// FindObject gives the JSON object in a worker's final text (spec 7): the
// whole trimmed text, else its first fenced block that isn't empty, else the
// span from the first { to the last }; the first of them that parses to an
// object. The code is "" then, NotObject where some span is JSON, else NotJSON.
// A span over value.MaxJSONBytes, or nested over value.MaxJSONDepth, is not JSON here.
func FindObject(text string) (*value.Value, Code) {
	code := NotJSON
	trimmed := value.Trim(text)
	for _, span := range []func(string) string{wholeText, firstFence, outerBraces} {
		candidate := span(trimmed)
		if candidate == "" {
			continue
		}
		v, err := value.ParseJSON("", []byte(candidate))
		if err != nil {
			continue
		}
		if v.Kind == value.Map {
			return v, ""
		}
		code = NotObject
	}
	return nil, code
}

func wholeText(text string) string { return text }

// firstFence gives what the first fenced block that isn't empty holds, whatever its tag.
func firstFence(text string) string {
	for {
		_, after, opened := strings.Cut(text, fence)
		if !opened {
			return ""
		}
		block, rest, closed := strings.Cut(strings.TrimLeftFunc(after, isTagRune), fence)
		if !closed {
			return ""
		}
		if content := value.Trim(block); content != "" {
			return content
		}
		text = rest
	}
}

func isTagRune(r rune) bool {
	switch {
	case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
		return true
	}
	return r == '_' || r == '-'
}

// outerBraces gives the span from the first { to the last }.
func outerBraces(text string) string {
	start, end := strings.IndexByte(text, '{'), strings.LastIndexByte(text, '}')
	if start < 0 || end < start {
		return ""
	}
	return text[start : end+1]
}
