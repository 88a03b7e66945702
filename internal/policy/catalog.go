package policy

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/fleetgate/fleetgate/internal/value"
)

// MaxPurposeUnits is how long a roster line's purpose is at most, in UTF-16
// code units, before "..." is added (spec 3.7).
const MaxPurposeUnits = 64

// oracleID is the one shadow agent that the catalog doesn't list: it is asked by the runtime alone.
const oracleID = "oracle"

// The four rules of the fleet that a session is told (spec 3.7).
const (
	handOffRule = "Hand-off: a file that you gave to a worker isn't yours to edit while the worker runs, nor after it succeeded. " +
		"Read its report and dispatch again if something is wrong."
	antiChurnRule = "Anti-churn: the same files and the same goal are a repeat, however differently you word the task. " +
		"Before you repeat, change what you give the worker, or stop and say what stands in the way."
	refusalRule = "Refusals: when a dispatch is refused, report it with its reason. " +
		"Don't do the refused work yourself, and don't present it as done."
	routingRule = "Routing: exploring goes to an agent that reads, a change of code or documents to one that edits, a check of finished work to one that verifies. " +
		"Prefer the narrowest class that can do the job."
)

// Roster is who stands in the catalog, each group by category, then by id in the runtime's locale order.
type Roster struct {
	Public      []Spec // audience base or custom
	Specialists []Spec // audience shadow, but for oracle
}

// NewRoster sorts agents into the catalog's groups. The order of specs doesn't matter.
func NewRoster(specs []Spec) Roster {
	ordered := slices.Clone(specs)
	slices.SortStableFunc(ordered, compareForRoster)
	var roster Roster
	for _, spec := range ordered {
		switch {
		case spec.Audience == AudienceBase || spec.Audience == AudienceCustom:
			roster.Public = append(roster.Public, spec)
		case spec.Audience == AudienceShadow && spec.ID != oracleID:
			roster.Specialists = append(roster.Specialists, spec)
		}
	}
	return roster
}

// compareForRoster orders by category, then id; what is left, which only two
// agents of one id can need, is settled by the text of their lines.
func compareForRoster(a, b Spec) int {
	return cmp.Or(
		value.CompareIDs(a.Category, b.Category),
		value.CompareIDs(a.ID, b.ID),
		value.CompareUTF16(a.ID, b.ID),
		cmp.Compare(RosterLine(a), RosterLine(b)),
	)
}

// CatalogSection writes the part of a session's prompt that introduces the
// fleet: four rules, then one line an agent (spec 3.7). The same agents give the
// same bytes, in whatever order they come; no agent to list gives "".
func CatalogSection(specs []Spec) string {
	roster := NewRoster(specs)
	if len(roster.Public) == 0 && len(roster.Specialists) == 0 {
		return ""
	}
	var text strings.Builder
	text.WriteString("# Fleet\n\n")
	for _, rule := range []string{handOffRule, antiChurnRule, refusalRule, routingRule} {
		text.WriteString("- " + rule + "\n")
	}
	writeGroup(&text, "Agents", roster.Public)
	writeGroup(&text, "Internal specialists", roster.Specialists)
	return text.String()
}

func writeGroup(text *strings.Builder, title string, specs []Spec) {
	if len(specs) == 0 {
		return
	}
	fmt.Fprintf(text, "\n## %s\n\n", title)
	for _, spec := range specs {
		text.WriteString(RosterLine(spec) + "\n")
	}
}

// RosterLine is an agent's line in the catalog: id, capability class, budget and purpose (spec 3.7).
func RosterLine(s Spec) string {
	line := fmt.Sprintf("- %s (%s, %s)", oneLine(s.ID), s.CapabilityClass, BudgetText(s.Budget))
	if purpose := Purpose(s.Description); purpose != "" {
		line += ": " + purpose
	}
	return line
}

// BudgetText says how many tool calls a budget allows: "8 calls", or "8..24 calls" with a maximum (spec 3.7).
func BudgetText(b Budget) string {
	calls := value.FormatNumber(b.ToolCalls)
	if b.Maximum != nil {
		calls += ".." + value.FormatNumber(b.Maximum.ToolCalls)
	}
	return calls + " calls"
}

// Purpose shortens a description for the roster (spec 3.7): its first
// sentence, on one line, at most MaxPurposeUnits long.
func Purpose(description string) string {
	text := collapse(description)
	if first, _, more := strings.Cut(text, ". "); more {
		text = first
	} else {
		text = strings.TrimSuffix(text, ".")
	}
	if value.UTF16Len(text) <= MaxPurposeUnits {
		return text
	}
	return cut(text) + "..."
}

// collapse trims a text, and makes each run of white space in it one space.
func collapse(text string) string {
	isSpace := func(r rune) bool { return value.IsBlank(string(r)) }
	return strings.Join(strings.FieldsFunc(text, isSpace), " ")
}

// cut gives what of a longer text fits MaxPurposeUnits: up to the last space
// at or before that bound, else whole characters up to it.
func cut(text string) string {
	fits := 0
	for end := 1; end < len(text); end++ {
		if !utf8.RuneStart(text[end]) {
			continue
		}
		if value.UTF16Len(text[:end]) > MaxPurposeUnits {
			break
		}
		fits = end
	}
	if text[fits] == ' ' {
		return text[:fits]
	}
	if space := strings.LastIndexByte(text[:fits], ' '); space > 0 {
		return text[:space]
	}
	return text[:fits]
}

// oneLine quotes an id that would break out of its line.
func oneLine(id string) string {
	if collapse(id) == id && !strings.ContainsFunc(id, func(r rune) bool { return r < ' ' || r == 0x7F }) {
		return id
	}
	return fmt.Sprintf("%q", id)
}
