package result

import (
	"strings"

	"github.com/fleetgate/fleetgate/internal/value"
)

// MaxBallotVerdictBytes is how long a ballot's verdict may be, in bytes of
// UTF-8, so that verdicts can be counted as equal (spec 7).
const MaxBallotVerdictBytes = 64

// councilReport is what a council's members answered, and what was made of it.
func (run *Run) councilReport(v *value.Value) Outcome {
	var p probe
	p.onlyKeys(v, "", "members", "synthesis")
	for i, m := range p.list(v.Get("members"), "members", 1, "members") {
		p.councilMember(m, index("members", i))
	}
	p.synthesis(v.Get("synthesis"))
	if f := p.whole(CouncilShape, CouncilReport); f != nil {
		return run.refused(f)
	}
	return passed(Unmeasured, value.NewMap(value.Field("council", digestible(v))))
}

// digestible leaves out what the runtime's canonical form loses: a tally of the verdict __proto__.
func digestible(v *value.Value) *value.Value {
	if _, lost := v.Get("synthesis").Get("tally").Member("__proto__"); !lost {
		return v
	}
	without := func(v *value.Value, key string, changed *value.Value) *value.Value {
		var members []value.Member
		for _, m := range v.Members {
			switch {
			case m.Key != key:
				members = append(members, m)
			case changed != nil:
				members = append(members, value.Field(key, changed))
			}
		}
		return value.NewMap(members...)
	}
	synthesis := v.Get("synthesis")
	tally := without(synthesis.Get("tally"), "__proto__", nil)
	return without(v, "synthesis", without(synthesis, "tally", tally))
}

func (p *probe) councilMember(v *value.Value, at string) {
	p.object(v, at, partOfShape, "label", "runId", "round", "answer", "verdict", "failed")
	p.text(v.Get("label"), member(at, "label"))
	p.text(v.Get("runId"), member(at, "runId"))
	p.integer(v.Get("round"), member(at, "round"), 1)
	p.anyText(v.Get("answer"), member(at, "answer"))
	p.optionalText(v.Get("verdict"), member(at, "verdict"))
	if failed := v.Get("failed"); failed != nil {
		p.object(failed, member(at, "failed"), partOfShape, "reason")
		p.text(failed.Get("reason"), member(at, "failed.reason"))
	}
}

func (p *probe) synthesis(v *value.Value) {
	p.object(v, "synthesis", partOfShape, "kind", "text", "verdict", "tally", "judgeRunId")
	p.oneOf(v.Get("kind"), "synthesis.kind", partOfShape, "none", "judge", "vote")
	p.optionalText(v.Get("text"), "synthesis.text")
	p.optionalText(v.Get("verdict"), "synthesis.verdict")
	if tally := v.Get("tally"); tally != nil {
		p.tally(tally)
	}
	p.optionalText(v.Get("judgeRunId"), "synthesis.judgeRunId")
}

// tally counts votes by verdict.
func (p *probe) tally(v *value.Value) {
	const at = "synthesis.tally"
	if p.failed() {
		return
	}
	if v.Kind != value.Map {
		p.fail(partOfShape, at, "%s must be an object that counts votes by verdict; it is %s", at, found(v))
		return
	}
	for _, m := range v.Members {
		if m.Key == "" {
			p.fail(partOfShape, at, "%s must not count an empty verdict", at)
		}
		p.integer(m.Value, member(at, m.Key), 0)
	}
}

// councilBallot is one vote: its verdict must be comparable, so it is one line and short.
func (run *Run) councilBallot(v *value.Value) Outcome {
	var p probe
	p.onlyKeys(v, "", "verdict", "text")
	verdict := value.Trim(p.text(v.Get("verdict"), "verdict"))
	if strings.Contains(verdict, "\n") || len(verdict) > MaxBallotVerdictBytes {
		p.fail(partOfShape, "verdict", "verdict must be one line of at most %d bytes; it has %d", MaxBallotVerdictBytes, len(verdict))
	}
	text := p.text(v.Get("text"), "text")
	if f := p.whole(BallotShape, CouncilBallot); f != nil {
		return run.refused(f)
	}
	return passed(Unmeasured, value.NewMap(
		value.Field("verdict", value.NewString(verdict)), value.Field("text", value.NewString(text))))
}
