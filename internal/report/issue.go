package report

import (
	"io"

	"github.com/fleetgate/fleetgate/internal/verdict"
)

const issueFoot = "\nThis issue is edited in place: it is closed when nothing is found any more, and reopened when something is.\n"

// IssueWithin gives the format of an audit's issue, of at most limit bytes: its
// findings, and nothing that changes where they don't. So it names neither the
// commit that was looked at nor the digest, and an audit of the same findings
// is the same text.
func IssueWithin(limit int) Format {
	return func(w io.Writer, v verdict.Verdict) error {
		p := &page{limit: limit - len(issueFoot)}
		p.issueHead(v)
		if !IssueIsClean(v) {
			p.findings(layOut(v), p.limit)
		}
		_, err := io.WriteString(w, p.out.String()+issueFoot)
		return err
	}
}

// IssueIsClean says whether an audit found nothing that an issue is to be open
// for. Notes, such as a change of the policy, aren't: they never go away.
func IssueIsClean(v verdict.Verdict) bool {
	return v.Word != verdict.Undecided && !v.Incomplete && v.Counts.Errors+v.Counts.Warnings == 0
}

func (p *page) issueHead(v verdict.Verdict) {
	switch {
	case IssueIsClean(v):
		p.add(p.limit, "The audit finds nothing that needs a person.\n")
	case v.Word == verdict.Undecided:
		p.add(p.limit, "**This is no pass:** what the audit needs could not be read: "+mdProse(v.Summary)+".\n\n"+mdWayOut(v))
	case v.Incomplete:
		p.add(p.limit, "Not everything could be read: what is listed here was found, and there may be more.\n\n"+mdWayOut(v))
	default:
		p.add(p.limit, "This is what the audit of the agent fleets' policy finds.\n\n")
	}
}
