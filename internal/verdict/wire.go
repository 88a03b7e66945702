package verdict

import (
	"io"

	"github.com/fleetgate/fleetgate/internal/diag"
)

// WriteJSON writes the verdict as indented JSON (docs/verdict.schema.json).
// Every list is there, empty or not; text that is not UTF-8 is given lossily,
// with a path's or a subject's own bytes in base64 beside it. The only errors
// are w's own.
func (v *Verdict) WriteJSON(w io.Writer) error {
	e := newEncoder(w, false)
	verdictObject.write(e, v)
	e.out.WriteByte('\n')
	return e.flush()
}

var verdictObject = newObject(false,
	text("schema", func(*Verdict) string { return Schema }),
	text("tool", func(v *Verdict) string { return v.Tool }),
	text("command", func(v *Verdict) string { return v.Command }),
	text("verdict", func(v *Verdict) string { return string(v.Word) }),
	text("reason", func(v *Verdict) string { return v.Reason }),
	text("summary", func(v *Verdict) string { return v.Summary }),
	optional("hint", func(v *Verdict) string { return v.Hint }),
	boolean("incomplete", func(v *Verdict) bool { return v.Incomplete }),
	text("assurance", func(v *Verdict) string { return string(v.Assurance) }),
	text("repository", func(v *Verdict) string { return v.Repository }),
	text("event", func(v *Verdict) string { return v.Event }),
	text("base", func(v *Verdict) string { return v.Base }),
	text("head", func(v *Verdict) string { return v.Head }),
	texts("merge_bases", func(v *Verdict) []string { return v.MergeBases }),
	texts("trusted", func(v *Verdict) []string { return v.Trusted }),
	text("policy", func(v *Verdict) string { return v.Policy }),
	nested("counts", countsObject, func(v *Verdict) *Counts { return &v.Counts }),
	list("commits", commitObject, func(v *Verdict) []Commit { return v.Commits }),
	list("fleets", fleetObject, func(v *Verdict) []Fleet { return v.Fleets }),
	list("diagnostics", diagnosticObject, func(v *Verdict) []diag.Diagnostic { return v.Diagnostics }),
	auditMember,
	resultsMember,
	optional("digest", func(v *Verdict) string { return v.Digest }),
)

var countsObject = newObject(true,
	integer("commits", func(c *Counts) int { return c.Commits }),
	integer("claimed", func(c *Counts) int { return c.Claimed }),
	integer("judged", func(c *Counts) int { return c.Judged }),
	integer("imported", func(c *Counts) int { return c.Imported }),
	integer("errors", func(c *Counts) int { return c.Errors }),
	integer("warnings", func(c *Counts) int { return c.Warnings }),
	integer("notes", func(c *Counts) int { return c.Notes }),
)

var commitObject = newObject(false,
	text("sha", func(c *Commit) string { return c.SHA }),
	text("subject", func(c *Commit) string { return c.Subject }),
	raw("subject_base64", func(c *Commit) string { return c.Subject }),
	texts("claims", func(c *Commit) []string { return c.Claims }),
	texts("allow", func(c *Commit) []string { return c.Allow }),
	text("status", func(c *Commit) string { return c.Status }),
	list("changes", changeObject, func(c *Commit) []Change { return c.Changes }),
)

var changeObject = newObject(true,
	text("status", func(c *Change) string { return c.Status }),
	text("path", func(c *Change) string { return c.Path }),
	raw("path_base64", func(c *Change) string { return c.Path }),
)

var fleetObject = newObject(false,
	text("name", func(f *Fleet) string { return f.Name }),
	text("path", func(f *Fleet) string { return f.Path }),
	raw("path_base64", func(f *Fleet) string { return f.Path }),
	list("steps", stepObject, func(f *Fleet) []Step { return f.Steps }),
	list("edges", edgeObject, func(f *Fleet) []Edge { return f.Edges }),
	texts("writes", (*Fleet).Writes),
	texts("violated", func(f *Fleet) []string { return f.Violated }),
)

var stepObject = newObject(true,
	text("id", func(s *Step) string { return s.ID }),
	text("kind", func(s *Step) string { return s.Kind }),
	optional("agent", func(s *Step) string { return s.Agent }),
	optional("scope", func(s *Step) string { return s.Scope }),
	texts("writes", func(s *Step) []string { return s.Writes }),
)

var edgeObject = newObject(true,
	text("from", func(e *Edge) string { return e.From }),
	text("to", func(e *Edge) string { return e.To }),
	boolean("loop", func(e *Edge) bool { return e.Loop }),
)

var diagnosticObject = newObject(false,
	text("code", func(d *diag.Diagnostic) string { return string(d.Code) }),
	text("severity", func(d *diag.Diagnostic) string { return d.Severity.String() }),
	optional("rev", func(d *diag.Diagnostic) string { return string(d.Rev) }),
	text("message", func(d *diag.Diagnostic) string { return d.Message }),
	optional("hint", func(d *diag.Diagnostic) string { return d.Hint }),
	optional("field", func(d *diag.Diagnostic) string { return d.Field }),
	optional("file", func(d *diag.Diagnostic) string { return d.Pos.File }),
	raw("file_base64", func(d *diag.Diagnostic) string { return d.Pos.File }),
	ordinal("line", func(d *diag.Diagnostic) int { return d.Pos.Line }),
	ordinal("column", func(d *diag.Diagnostic) int { return d.Pos.Column }),
	endMember,
	list("related", relatedObject, func(d *diag.Diagnostic) []diag.Related { return d.Related }),
	optional("commit", func(d *diag.Diagnostic) string { return d.Commit }),
	optional("step", func(d *diag.Diagnostic) string { return d.Step }),
	optional("path", func(d *diag.Diagnostic) string { return d.Path }),
	raw("path_base64", func(d *diag.Diagnostic) string { return d.Path }),
)

var endMember = member[diag.Diagnostic]{
	key:   "end",
	when:  func(d *diag.Diagnostic) bool { return d.End.Line > 0 },
	write: func(e *encoder, d *diag.Diagnostic) { endObject.write(e, &d.End) },
}

var endObject = newObject(true,
	ordinal("line", func(p *diag.Pos) int { return p.Line }),
	ordinal("column", func(p *diag.Pos) int { return p.Column }),
)

var relatedObject = newObject(true,
	text("message", func(r *diag.Related) string { return r.Message }),
	optional("rev", func(r *diag.Related) string { return string(r.Rev) }),
	optional("file", func(r *diag.Related) string { return r.Pos.File }),
	raw("file_base64", func(r *diag.Related) string { return r.Pos.File }),
	ordinal("line", func(r *diag.Related) int { return r.Pos.Line }),
	ordinal("column", func(r *diag.Related) int { return r.Pos.Column }),
)
