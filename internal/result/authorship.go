package result

import (
	"strings"

	"github.com/fleetgate/fleetgate/internal/value"
)

// Authorship is the words that a run authored for its commit. Empty is none.
type Authorship struct {
	CommitMessage string
	Summary       string
}

// ReadAuthorship reads the authored words out of a final text, whether or not
// the report conforms otherwise. Only mutation reports and architect plans have
// any; a bad field makes both none (spec 7).
func ReadAuthorship(c Contract, output string) Authorship {
	if c.Kind != MutationReport && c.Kind != ArchitectPlan {
		return Authorship{}
	}
	v, _ := FindObject(output)
	var p probe
	words := Authorship{
		CommitMessage: p.authored(v.Get("commitMessage"), "commitMessage", MaxCommitMessageBytes),
		Summary:       p.authored(v.Get("summary"), "summary", c.SummaryBytes()),
	}
	if p.failed() {
		return Authorship{}
	}
	return words
}

// lineEnds turns the line ends of all systems into one.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// authored reads an authored field: absent, null and blank are none; limit is in bytes of UTF-8.
func (p *probe) authored(v *value.Value, at string, limit int) string {
	if p.failed() || v == nil || v.Kind == value.Null {
		return ""
	}
	if v.Kind != value.String {
		p.fail(AuthoredType, at, "%s must be a string, null or left out; it is %s", at, found(v))
		return ""
	}
	words := value.Trim(lineEnds.Replace(v.Text))
	if i := strings.IndexFunc(words, isControl); i >= 0 {
		p.fail(AuthoredControl, at, "%s must have no control character but line ends and tabs; it has 0x%02X", at, words[i])
		return ""
	}
	if len(words) > limit {
		p.fail(AuthoredBytes, at, "%s must have at most %d bytes of UTF-8; it has %d", at, limit, len(words))
		return ""
	}
	return words
}

func isControl(r rune) bool {
	return r < ' ' && r != '\n' && r != '\t' || r == 0x7F
}
