package verdict

import (
	"cmp"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/fleetgate/fleetgate/internal/diag"
)

// SurveySchema is the version of a survey's JSON. It changes when a field changes meaning or goes.
const SurveySchema = "fleetgate/survey/v1"

// Survey is the audit of several repositories, or of one shard of them.
type Survey struct {
	Tool         string
	Shard        string     // "2/5"; empty: all of them
	Missing      []string   // shards that a merge lacked, in order
	Repositories []Surveyed // by name
}

// Surveyed is one repository's audit in short, or why there is none.
type Surveyed struct {
	Name        string // as the list of repositories has it
	Word        Word
	Reason      string // "unreadable" where the repository can't be read
	Summary     string
	Head        string
	Policy      string
	Digest      string // of its whole audit
	Counts      Counts
	Diagnostics []diag.Diagnostic // at most MaxSurveyedFindings, the worst first
}

// MaxSurveyedFindings is how many findings of one repository a survey lists; its counts have all.
const MaxSurveyedFindings = 1_000

// NewSurveyed takes an audit's row out of it.
func NewSurveyed(name string, v *Verdict) Surveyed {
	return Surveyed{
		Name: name, Word: v.Word, Reason: v.Reason, Summary: v.Summary, Head: v.Head, Policy: v.Policy, Digest: v.Digest, Counts: v.Counts,
		Diagnostics: slices.Clone(v.Diagnostics[:min(len(v.Diagnostics), MaxSurveyedFindings)]),
	}
}

// Unreadable is the row of a repository that can't be read.
func Unreadable(name, why string) Surveyed {
	return Surveyed{Name: name, Word: Undecided, Reason: "unreadable", Summary: why}
}

// Verdict gives the row as the audit that it is of, for reports of findings.
func (s *Surveyed) Verdict(tool string) Verdict {
	return Verdict{
		Tool: tool, Command: "audit", Word: s.Word, Reason: s.Reason, Summary: s.Summary, Repository: s.Name, Base: s.Head, Head: s.Head,
		Policy: s.Policy, Counts: s.Counts, Diagnostics: s.Diagnostics, Digest: s.Digest, Audit: &Audit{},
	}
}

// Word is failed where an audit failed, else undecided where one is or a shard
// is missing, else passed.
func (s *Survey) Word() Word {
	word := Passed
	if len(s.Missing) > 0 {
		word = Undecided
	}
	for i := range s.Repositories {
		switch s.Repositories[i].Word {
		case Failed:
			return Failed
		case Undecided:
			word = Undecided
		}
	}
	return word
}

// Summary is the survey in one sentence.
func (s *Survey) Summary() string {
	n := map[Word]int{}
	unread := 0
	for i := range s.Repositories {
		n[s.Repositories[i].Word]++
		if s.Repositories[i].Reason == "unreadable" {
			unread++
		}
	}
	text := fmt.Sprintf("%d of %d repositories failed, %d passed, %d undecided (%d unreadable)", n[Failed], len(s.Repositories), n[Passed], n[Undecided], unread)
	if len(s.Missing) > 0 {
		text += "; missing: shard " + strings.Join(s.Missing, ", ")
	}
	return text
}

// ByRisk orders the repositories from the worst: by errors, then those that
// are undecided, then by warnings and name.
func (s *Survey) ByRisk() []Surveyed {
	undecided := func(r Surveyed) int {
		if r.Word == Undecided {
			return 1
		}
		return 0
	}
	return slices.SortedStableFunc(slices.Values(s.Repositories), func(a, b Surveyed) int {
		return cmp.Or(cmp.Compare(b.Counts.Errors, a.Counts.Errors), cmp.Compare(undecided(b), undecided(a)),
			cmp.Compare(b.Counts.Warnings, a.Counts.Warnings), cmp.Compare(a.Name, b.Name))
	})
}

// Tally counts findings of one name over all repositories.
type Tally struct {
	Name         string
	Findings     int
	Repositories int
}

// MaxTallies is how many names a survey's lists of the worst have.
const MaxTallies = 20

// DriftedRecipes are the recipes that most often aren't as a lock has them.
func (s *Survey) DriftedRecipes() []Tally {
	return s.tally(func(d *diag.Diagnostic) string {
		if d.Code != "drift-recipe" && d.Code != "drift-capability" {
			return ""
		}
		return strings.TrimSuffix(path.Base(d.Pos.File), ".md")
	})
}

// WorstBoundaries are the steps whose boundary was broken most often.
func (s *Survey) WorstBoundaries() []Tally {
	return s.tally(func(d *diag.Diagnostic) string {
		if !strings.HasPrefix(string(d.Code), "boundary-") {
			return ""
		}
		return d.Step
	})
}

func (s *Survey) tally(name func(*diag.Diagnostic) string) []Tally {
	index := map[string]int{}
	var all []Tally
	for i := range s.Repositories {
		here := map[string]bool{}
		for j := range s.Repositories[i].Diagnostics {
			n := name(&s.Repositories[i].Diagnostics[j])
			if n == "" {
				continue
			}
			at, known := index[n]
			if !known {
				at = len(all)
				index[n] = at
				all = append(all, Tally{Name: n})
			}
			all[at].Findings++
			if !here[n] {
				all[at].Repositories++
			}
			here[n] = true
		}
	}
	slices.SortFunc(all, func(a, b Tally) int {
		return cmp.Or(cmp.Compare(b.Repositories, a.Repositories), cmp.Compare(b.Findings, a.Findings), cmp.Compare(a.Name, b.Name))
	})
	return all[:min(len(all), MaxTallies)]
}

// WriteJSON writes the survey as indented JSON. Surveys of the same
// repositories are the same bytes, however they were sharded. The only errors
// are w's own.
func (s *Survey) WriteJSON(w io.Writer) error {
	e := newEncoder(w, false)
	surveyObject.write(e, s)
	e.out.WriteByte('\n')
	return e.flush()
}

var surveyObject = newObject(false,
	text("schema", func(*Survey) string { return SurveySchema }),
	text("tool", func(s *Survey) string { return s.Tool }),
	text("verdict", func(s *Survey) string { return string(s.Word()) }),
	text("summary", (*Survey).Summary),
	optional("shard", func(s *Survey) string { return s.Shard }),
	texts("missing", func(s *Survey) []string { return s.Missing }),
	list("drifted_recipes", tallyObject, (*Survey).DriftedRecipes),
	list("boundaries", tallyObject, (*Survey).WorstBoundaries),
	list("repositories", surveyedObject, func(s *Survey) []Surveyed { return s.Repositories }),
)

var tallyObject = newObject(true,
	text("name", func(t *Tally) string { return t.Name }),
	integer("findings", func(t *Tally) int { return t.Findings }),
	integer("repositories", func(t *Tally) int { return t.Repositories }),
)

var surveyedObject = newObject(false,
	text("repository", func(r *Surveyed) string { return r.Name }),
	text("verdict", func(r *Surveyed) string { return string(r.Word) }),
	text("reason", func(r *Surveyed) string { return r.Reason }),
	text("summary", func(r *Surveyed) string { return r.Summary }),
	text("head", func(r *Surveyed) string { return r.Head }),
	text("policy", func(r *Surveyed) string { return r.Policy }),
	text("digest", func(r *Surveyed) string { return r.Digest }),
	nested("counts", countsObject, func(r *Surveyed) *Counts { return &r.Counts }),
	list("diagnostics", diagnosticObject, func(r *Surveyed) []diag.Diagnostic { return r.Diagnostics }),
)
