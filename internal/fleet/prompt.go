package fleet

import (
	"strings"
	"unicode/utf8"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/value"
)

// RenderPrompt renders a contract's body (spec section 4, Prompt): {{ name }}
// becomes the variable's value, as it is; anything else in braces is literal
// text. missing lists the placeholders without a value, each once, in order of
// appearance; text is empty where there is any.
func RenderPrompt(body string, vars map[string]string) (text string, missing []string) {
	var out strings.Builder
	asked := map[string]bool{}
	end := 0
	for name, span := range placeholders(body) {
		value, bound := vars[name]
		if !bound && !asked[name] {
			asked[name] = true
			missing = append(missing, name)
		}
		out.WriteString(body[end:span[0]])
		out.WriteString(value)
		end = span[1]
	}
	if missing != nil {
		return "", missing
	}
	out.WriteString(body[end:])
	return out.String(), nil
}

// placeholders walks the placeholders of a text from left to right, none
// inside another, each with its name and where it begins and ends.
func placeholders(text string) func(yield func(name string, span [2]int) bool) {
	return func(yield func(string, [2]int) bool) {
		for at := 0; ; {
			open := strings.Index(text[at:], "{{")
			if open < 0 {
				return
			}
			at += open
			name, length := placeholderAt(text[at:])
			if length == 0 {
				at++
				continue
			}
			if !yield(name, [2]int{at, at + length}) {
				return
			}
			at += length
		}
	}
}

// placeholderAt reads the placeholder that text, which starts with {{, starts
// with; length is 0 where it is none. It looks no further than the next brace,
// so that a text of nothing but braces costs no more than its length.
func placeholderAt(text string) (name string, length int) {
	inner := text[2:]
	end := strings.IndexAny(inner, "{}")
	if end < 0 || !strings.HasPrefix(inner[end:], "}}") {
		return "", 0
	}
	name = value.Trim(inner[:end])
	if !isVariableName(name) {
		return "", 0
	}
	return name, 2 + end + 2
}

// wholePlaceholder reads an argument that is one placeholder and nothing else.
func wholePlaceholder(arg string) (name string, whole bool) {
	if !strings.HasPrefix(arg, "{{") {
		return "", false
	}
	name, length := placeholderAt(arg)
	return name, length > 0 && length == len(arg)
}

// bodyPos is where the trimmed body begins, given where the whole one does.
func bodyPos(start diag.Pos, whole, trimmed string) diag.Pos {
	before, _, _ := strings.Cut(whole, trimmed)
	if trimmed == "" {
		return start
	}
	return advance(start, before)
}

// advance moves a position over a text.
func advance(pos diag.Pos, text string) diag.Pos {
	if last := strings.LastIndexByte(text, '\n'); last >= 0 {
		pos.Line += strings.Count(text, "\n")
		pos.Column = 1
		text = text[last+1:]
	}
	pos.Column += utf8.RuneCountInString(text)
	return pos
}

// Render renders the contract's prompt and, where a registry is known, binds
// the arguments of its code steps to vars. text is nil where a placeholder of
// the prompt has no value; the finding about it comes first.
func (c *Contract) Render(registry *Registry, vars map[string]string) (text *string, found []diag.Diagnostic) {
	rendered, missing := RenderPrompt(c.Body, vars)
	if missing == nil {
		text = &rendered
	} else {
		found = append(found, c.missingVariables(missing))
	}
	if registry != nil {
		found = append(found, Bind(c, registry, vars)...)
	}
	return text, found
}

func (c *Contract) missingVariables(missing []string) diag.Diagnostic {
	var d diag.Diagnostic
	reported := 0
	for name, span := range placeholders(c.Body) {
		if reported == len(missing) || name != missing[reported] {
			continue
		}
		pos := advance(c.BodyPos, c.Body[:span[0]])
		if reported == 0 {
			d = diag.New(codeMissingVariables, pos, "", "the prompt needs a value for "+listed(missing)).
				WithHint("pass --var NAME=VALUE for each; an empty value counts")
		} else if reported < maxListed {
			d = d.WithRelated(pos, "{{"+name+"}}")
		}
		reported++
	}
	return d
}
