// Package diag holds the findings that every room of the gate produces: a
// positioned, coded Diagnostic, and the registry of the rules behind the codes.
//
// A finding is data, never an error: a bad recipe is a Diagnostic, a
// repository that cannot be read is an error.
package diag

import (
	"cmp"
	"fmt"
	"slices"
)

// Code names one rule, for ever: "boundary-outside". Every code is registered
// once, in this package, with its title, severity and examples.
type Code string

// Severity says how much a finding weighs. The zero value is not a severity.
type Severity uint8

// The severities, from heaviest to lightest. Off exists only in configuration
// and on findings that configuration has silenced; it is never reported.
const (
	Error Severity = iota + 1
	Warning
	Note
	Off
)

// String gives the word used in configuration, JSON and text.
func (s Severity) String() string {
	switch s {
	case Error:
		return "error"
	case Warning:
		return "warning"
	case Note:
		return "note"
	case Off:
		return "off"
	}
	return fmt.Sprintf("severity(%d)", uint8(s))
}

// ParseSeverity reads the word that String writes. Any other word is refused.
func ParseSeverity(word string) (Severity, bool) {
	for s := Error; s <= Off; s++ {
		if s.String() == word {
			return s, true
		}
	}
	return 0, false
}

// Side says which revision a finding is about.
type Side string

// The sides of a check. None stands for the work tree, or for no revision.
const (
	None Side = ""
	Base Side = "base"
	Head Side = "head"
)

// Pos is a place in a file of the repository: a slash path relative to its
// root, a 1-based line and a 1-based column counted in Unicode code points.
// Line 0 means the whole file.
type Pos struct {
	File   string
	Line   int
	Column int
}

// String gives file:line:column, without the parts that are not known.
func (p Pos) String() string {
	switch {
	case p.Line == 0:
		return p.File
	case p.Column == 0:
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// Related is a second place that explains a finding.
type Related struct {
	Pos     Pos
	Rev     Side
	Message string
}

// Diagnostic is one finding.
type Diagnostic struct {
	Code     Code
	Severity Severity
	Rev      Side
	Pos      Pos
	End      Pos       // optional; File is empty when absent
	Field    string    // tools.required[1].anyOf
	Message  string    // names the thing, the rule and the bad value
	Hint     string    // the way out: what to write instead
	Related  []Related // "first declared here"
	Commit   string    // full hexadecimal id, for findings about a commit
	Path     string    // for findings about a commit: the raw path, bytes as git has them
	Step     string    // for findings about a commit: the claim concerned, fleet/position, or empty
}

// New makes a finding of a registered rule with the severity that the rule
// has by default. It panics on a code that is not registered: that is a
// programming error, never a matter of input.
func New(code Code, pos Pos, field, message string) Diagnostic {
	rule, ok := Lookup(code)
	if !ok {
		panic("diag: code not registered: " + string(code))
	}
	return Diagnostic{Code: code, Severity: rule.Severity, Pos: pos, Field: field, Message: message}
}

// WithHint gives a copy of d whose way out is hint.
func (d Diagnostic) WithHint(hint string) Diagnostic {
	d.Hint = hint
	return d
}

// WithRelated gives a copy of d with one more related place.
func (d Diagnostic) WithRelated(pos Pos, message string) Diagnostic {
	d.Related = append(slices.Clone(d.Related), Related{Pos: pos, Rev: d.Rev, Message: message})
	return d
}

// Compare is the total order in which reports list findings: by severity,
// then revision, file, line, column, commit, path, code, field, message.
// Parsers return findings in the runtime's order; only reports sort.
func Compare(a, b Diagnostic) int {
	return cmp.Or(
		cmp.Compare(a.Severity, b.Severity),
		cmp.Compare(a.Rev, b.Rev),
		cmp.Compare(a.Pos.File, b.Pos.File),
		cmp.Compare(a.Pos.Line, b.Pos.Line),
		cmp.Compare(a.Pos.Column, b.Pos.Column),
		cmp.Compare(a.Commit, b.Commit),
		cmp.Compare(a.Path, b.Path),
		cmp.Compare(a.Code, b.Code),
		cmp.Compare(a.Step, b.Step),
		cmp.Compare(a.Field, b.Field),
		cmp.Compare(a.Message, b.Message),
		cmp.Compare(a.Hint, b.Hint),
	)
}

// Count says how many findings have each severity.
func Count(found []Diagnostic) (errors, warnings, notes int) {
	for _, d := range found {
		switch d.Severity {
		case Error:
			errors++
		case Warning:
			warnings++
		case Note:
			notes++
		}
	}
	return errors, warnings, notes
}

// HasError says whether any finding is an error.
func HasError(found []Diagnostic) bool {
	return slices.ContainsFunc(found, func(d Diagnostic) bool { return d.Severity == Error })
}
