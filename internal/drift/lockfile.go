package drift

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// The words that begin a line of the lock.
const (
	lockWord     = "fleetgate-lock"
	toolWord     = "tool"
	boundaryWord = "boundary"
	commandWord  = "command"
	fleetWord    = "fleet"
	recipeWord   = "recipe"
)

const lockComment = "# `fleetgate lock` writes this file, `fleetgate lock --check` says what changed since. Review it like code."

// digestMark stands before every digest and fingerprint.
const digestMark = "sha256:"

// WriteTo writes the lock: its version first, then one fact a line, sorted, so
// that a review sees every boundary entry that comes or goes, and merging two
// locks is merging two lists. The only errors are the writer's own.
func (l Lock) WriteTo(w io.Writer) (int64, error) {
	head := fmt.Sprintf("%s %d\n%s\n%s\n", lockWord, LockVersion, lockComment, line(toolWord, l.Tool))
	n, err := io.WriteString(w, head+strings.Join(l.lines(), ""))
	return int64(n), err
}

func (l Lock) lines() []string {
	var facts []string
	add := func(fields ...string) { facts = append(facts, line(fields...)+"\n") }
	for _, r := range l.Recipes {
		add(recipeWord, r.ID, r.Path, r.Class, digestMark+r.Fingerprint)
	}
	for _, f := range l.Fleets {
		add(fleetWord, f.Name, strconv.Itoa(f.Version), digestMark+f.Digest)
		for _, p := range f.Positions {
			if len(p.Allow) == 0 {
				add(boundaryWord, f.Name, p.ID)
			}
			for _, entry := range p.Allow {
				add(boundaryWord, f.Name, p.ID, entry)
			}
		}
	}
	for _, c := range l.Commands {
		add(commandWord, c.ID, digestMark+c.Digest)
	}
	slices.Sort(facts)
	return slices.Compact(facts)
}

// line joins fields by single spaces; a field that would not be read back as
// it is, or not be seen as it is, is quoted as in Go.
func line(fields ...string) string {
	shown := make([]string, len(fields))
	for i, field := range fields {
		shown[i] = field
		if !bare(field) {
			shown[i] = strconv.Quote(field)
		}
	}
	return strings.Join(shown, " ")
}

func bare(field string) bool {
	return field != "" && !strings.HasPrefix(field, "#") && strconv.Quote(field) == `"`+field+`"` && !strings.ContainsFunc(field, unicode.IsSpace)
}

// fields splits a line that line has written; ok is false for any other.
func fields(text string) (list []string, ok bool) {
	for rest := text; ; {
		var field string
		if field, rest, ok = nextField(rest); !ok {
			return nil, false
		}
		list = append(list, field)
		if rest == "" {
			return list, true
		}
		if rest, ok = strings.CutPrefix(rest, " "); !ok {
			return nil, false
		}
	}
}

func nextField(text string) (field, rest string, ok bool) {
	if !strings.HasPrefix(text, `"`) {
		end := strings.IndexByte(text, ' ')
		if end < 0 {
			end = len(text)
		}
		return text[:end], text[end:], bare(text[:end])
	}
	quoted, err := strconv.QuotedPrefix(text)
	if err != nil {
		return "", "", false
	}
	field, err = strconv.Unquote(quoted)
	return field, text[len(quoted):], err == nil && !bare(field)
}
