package report

import (
	"fmt"

	"github.com/fleetgate/fleetgate/internal/verdict"
)

// audited says in one sentence what an audit looked at, names shown by code.
func audited(v verdict.Verdict, code func(string) string) string {
	text := "the policy at " + code(short(v.Head))
	if since := sinceWhat(v, code); since != "" {
		text += fmt.Sprintf(", and %s that landed %s, each by its first parent's policy (%d of them claimed)",
			counted(v.Counts.Commits, "commit"), since, v.Counts.Judged)
	}
	return text
}

// sinceWhat is the commit or the date that an audit looked back to.
func sinceWhat(v verdict.Verdict, code func(string) string) string {
	switch {
	case v.Audit.SinceDate != "":
		return "since " + code(v.Audit.SinceDate)
	case v.Audit.Since != "":
		return "since " + code(short(v.Audit.Since))
	}
	return ""
}

func (t *text) audited(v verdict.Verdict) {
	t.blank()
	t.row("audited", audited(v, item))
	if v.Policy != "" {
		t.row("policy", policy(v))
	}
	if v.Word == verdict.Failed && len(v.Diagnostics) > 0 {
		t.row("more", "fleetgate explain "+string(v.Diagnostics[0].Code))
	}
	t.row("digest", v.Digest)
}

func (p *page) audited(v verdict.Verdict) {
	p.add(p.limit, fmt.Sprintf("Looked at %s.\nDigest of the verdict: `%s`\n\n", audited(v, mdCode), v.Digest))
}
