package verdict

import "github.com/fleetgate/fleetgate/internal/diag"

// Audit is what an audit has beside a verdict: since when it looked, and how
// the policy came to be what it is.
type Audit struct {
	Since     string   // full commit id; what landed after it was looked at. Empty: nothing did, or all
	SinceDate string   // the date that was asked for, as it was given
	Timeline  []Moment // newest first
}

// Moment is one commit of the first-parent line that changed what the policy means.
type Moment struct {
	Commit  string // full commit id
	Subject string
	Author  string
	Date    string            // of the committer, YYYY-MM-DD in UTC
	Changes []diag.Diagnostic // policy-* and drift-* notes; base is the commit's first parent
}

var auditObject = newObject(false,
	text("since", func(a *Audit) string { return a.Since }),
	optional("since_date", func(a *Audit) string { return a.SinceDate }),
	list("timeline", momentObject, func(a *Audit) []Moment { return a.Timeline }),
)

var momentObject = newObject(false,
	text("commit", func(m *Moment) string { return m.Commit }),
	text("subject", func(m *Moment) string { return m.Subject }),
	raw("subject_base64", func(m *Moment) string { return m.Subject }),
	text("author", func(m *Moment) string { return m.Author }),
	raw("author_base64", func(m *Moment) string { return m.Author }),
	text("date", func(m *Moment) string { return m.Date }),
	list("changes", diagnosticObject, func(m *Moment) []diag.Diagnostic { return m.Changes }),
)

var auditMember = member[Verdict]{
	key:   "audit",
	when:  func(v *Verdict) bool { return v.Audit != nil },
	write: func(e *encoder, v *Verdict) { auditObject.write(e, v.Audit) },
}
