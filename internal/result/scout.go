package result

import (
	"github.com/fleetgate/fleetgate/internal/value"
)

// Finding is one claim of a scout, and the line that shows it.
type Finding struct {
	Claim string
	Path  string
	Line  int
}

// Subtask is a part of a task that a scout found too large for one run.
type Subtask struct {
	ID                     string
	Task                   string
	Dependencies           []string
	ExpectedResultContract Kind
	RequestedAuthority     string
}

// Scout is what a scout report says. A degraded one missed the strict shape and
// is accepted for its claims alone: leads, never control data (spec 7).
type Scout struct {
	Findings   []Finding // of a degraded report: those that ground
	NeedsSplit bool
	Subtasks   []Subtask

	Degraded         bool
	DegradedReason   string   // the strict failure
	UngroundedClaims []string // the uncited ones, then those whose citation doesn't ground

	evidence []evidence
}

// evidence is a citation that grounds, and the digest of what it cites.
type evidence struct {
	path   string
	line   int
	digest string
}

// scoutReport reads the strict shape and grounds every citation. A report that
// misses the shape is salvaged if it has claims.
func (run *Run) scoutReport(v *value.Value) Outcome {
	scout, wrong := readScout(v)
	if wrong != nil {
		return run.degradedScout(v, wrong)
	}
	g := newGrounder(run)
	for i, f := range scout.Findings {
		e, ungrounded := g.ground(f)
		if ungrounded != nil {
			ungrounded.at = index("findings", i)
			return run.refused(ungrounded)
		}
		scout.evidence = append(scout.evidence, e)
	}
	out := passed(QualityPass, scout.value())
	out.Scout = scout
	return out
}

// degradedScout keeps the claims of a report that misses the strict shape.
func (run *Run) degradedScout(v *value.Value, wrong *fault) Outcome {
	cited, uncited := salvage(v.Get("findings"))
	if len(cited)+len(uncited) == 0 {
		return run.refused(wrong)
	}
	scout := &Scout{Degraded: true, DegradedReason: wrong.reason + "; accepted as degraded: its claims are leads, and prove nothing", UngroundedClaims: uncited}
	g := newGrounder(run)
	for _, f := range cited {
		e, ungrounded := g.ground(f)
		if ungrounded != nil {
			scout.UngroundedClaims = append(scout.UngroundedClaims, f.Claim)
			continue
		}
		scout.Findings = append(scout.Findings, f)
		scout.evidence = append(scout.evidence, e)
	}
	out := passed(Unmeasured, scout.value())
	out.Scout, out.Code, out.Reason = scout, wrong.code, scout.DegradedReason
	return out
}

// salvage finds the claims in whatever stands under findings.
func salvage(v *value.Value) (cited []Finding, uncited []string) {
	if v == nil || v.Kind != value.List {
		return nil, nil
	}
	for _, item := range v.Items {
		claim := item.Get("claim")
		switch {
		case !isText(claim):
		case isText(item.Get("path")) && isLine(item.Get("line")):
			cited = append(cited, finding(item))
		default:
			uncited = append(uncited, claim.Text)
		}
	}
	return cited, uncited
}

func finding(v *value.Value) Finding {
	return Finding{Claim: v.Get("claim").Text, Path: v.Get("path").Text, Line: int(v.Get("line").Number)}
}

// readScout reads the strict shape. The codes tell its parts apart; the
// runtime has no field for them.
func readScout(v *value.Value) (*Scout, *fault) {
	var p probe
	p.onlyKeys(v, "", "findings", "needsSplit", "proposedSubtasks")
	if p.failed() {
		return nil, p.whole(ScoutUnknownKey, ScoutReport)
	}
	scout := &Scout{Findings: p.findings(v.Get("findings"))}
	if p.failed() {
		return nil, p.whole(ScoutFindings, ScoutReport)
	}
	scout.NeedsSplit = p.boolean(v.Get("needsSplit"), "needsSplit")
	if p.failed() {
		return nil, p.whole(ScoutNeedsSplit, ScoutReport)
	}
	scout.Subtasks = p.subtasks(v.Get("proposedSubtasks"))
	if p.failed() {
		return nil, p.whole(ScoutSubtasks, ScoutReport)
	}
	return scout, scout.agrees()
}

// agrees holds the parts of a scout report against each other.
func (s *Scout) agrees() *fault {
	var p probe
	switch {
	case s.NeedsSplit != (len(s.Subtasks) > 0):
		p.fail(ScoutSplitDisagrees, "", "scout-report: needsSplit must be true exactly when there are proposedSubtasks; it is %t, and there are %d", s.NeedsSplit, len(s.Subtasks))
	case s.NeedsSplit && len(s.Findings) > 0:
		p.fail(ScoutSplitWithFindings, "", "scout-report: a report that needsSplit must leave findings empty; it has %d", len(s.Findings))
	case !s.NeedsSplit && len(s.Findings) == 0:
		p.fail(ScoutEmpty, "", "scout-report: findings must have at least one entry, unless needsSplit is true")
	}
	return p.fault
}

func (p *probe) findings(v *value.Value) []Finding {
	var findings []Finding
	for i, item := range p.list(v, "findings", 0, "{claim, path, line}") {
		at := index("findings", i)
		p.object(item, at, partOfShape, "claim", "path", "line")
		p.text(item.Get("claim"), member(at, "claim"))
		p.text(item.Get("path"), member(at, "path"))
		p.line(item.Get("line"), member(at, "line"))
		if p.failed() {
			return nil
		}
		findings = append(findings, finding(item))
	}
	return findings
}

// line wants the number of a line.
func (p *probe) line(v *value.Value, at string) {
	if !p.failed() && !isLine(v) {
		p.fail(partOfShape, at, "%s must be a line number, 1 or more; it is %s", at, found(v))
	}
}

// value is what the digest covers: the report as read, and the evidence of its citations.
func (s *Scout) value() *value.Value {
	findings, citations, evidence := make([]*value.Value, len(s.Findings)), make([]*value.Value, len(s.Findings)), make([]*value.Value, len(s.evidence))
	for i, f := range s.Findings {
		place := citation(f.Path, f.Line)
		findings[i] = value.NewMap(append(place, value.Field("claim", value.NewString(f.Claim)))...)
		citations[i] = value.NewMap(place...)
	}
	for i, e := range s.evidence {
		evidence[i] = value.NewMap(append(citation(e.path, e.line), value.Field("contentDigest", value.NewString(e.digest)))...)
	}
	members := []value.Member{
		value.Field("findings", value.NewList(findings...)),
		value.Field("citations", value.NewList(citations...)),
		value.Field("needsSplit", value.NewBool(s.NeedsSplit)),
		value.Field("proposedSubtasks", subtasksValue(s.Subtasks)),
	}
	if s.Degraded {
		members = append(members,
			value.Field("degradedReason", value.NewString(s.DegradedReason)),
			value.Field("ungroundedClaims", value.Strings(s.UngroundedClaims)))
	}
	return value.NewMap(
		value.Field("scout", value.NewMap(members...)),
		value.Field("evidence", value.NewList(evidence...)))
}

// Digest is the validator digest of a scout report under another wording of its degraded reason.
func (s *Scout) Digest(c Contract, degradedReason string) string {
	reworded := *s
	reworded.DegradedReason = degradedReason
	return ValueDigest(c, reworded.value())
}

func citation(path string, line int) []value.Member {
	return []value.Member{value.Field("path", value.NewString(path)), value.Field("line", value.NewNumber(float64(line)))}
}
