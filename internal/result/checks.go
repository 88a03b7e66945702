package result

import "github.com/fleetgate/fleetgate/internal/value"

// Check is one thing that a run checked, and what it saw.
type Check struct {
	Name     string
	Passed   bool
	Evidence string
}

// allPassed says whether every check passed.
func allPassed(checks []Check) bool {
	for _, c := range checks {
		if !c.Passed {
			return false
		}
	}
	return true
}

// check reads one check.
func (p *probe) check(v *value.Value, at string) Check {
	p.object(v, at, CheckShape, "name", "passed", "evidence")
	return Check{
		Name:     p.text(v.Get("name"), member(at, "name")),
		Passed:   p.boolean(v.Get("passed"), member(at, "passed")),
		Evidence: p.text(v.Get("evidence"), member(at, "evidence")),
	}
}

// checks reads a list of at least one check.
func (p *probe) checks(v *value.Value, at string) []Check {
	if p.failed() {
		return nil
	}
	if v == nil || v.Kind != value.List || len(v.Items) == 0 {
		p.fail(NoChecks, at, "%s must be a list of at least one check {name, passed, evidence}, where passed is true or false; it is %s", at, found(v))
		return nil
	}
	checks := make([]Check, 0, len(v.Items))
	for i, item := range v.Items {
		checks = append(checks, p.check(item, index(at, i)))
	}
	return checks
}

// checksValue writes checks as they are reported.
func checksValue(checks []Check) *value.Value {
	return value.ListOf(checks, func(c Check) *value.Value {
		return value.NewMap(
			value.Field("name", value.NewString(c.Name)),
			value.Field("passed", value.NewBool(c.Passed)),
			value.Field("evidence", value.NewString(c.Evidence)))
	})
}

// verifierReport: the verdict is pass exactly when every check passed.
func (run *Run) verifierReport(v *value.Value) Outcome {
	var p probe
	p.onlyKeys(v, "", "verdict", "checks")
	verdict := p.oneOf(v.Get("verdict"), "verdict", Verdict, "pass", "fail")
	checks := p.checks(v.Get("checks"), "checks")
	if !p.failed() && (verdict == "pass") != allPassed(checks) {
		p.fail(VerdictDisagrees, "verdict", "verdict must be pass when every checks[].passed is true, else fail; it is %s", verdict)
	}
	if p.failed() {
		return run.refused(p.fault)
	}
	out := passed(Quality(verdict), value.NewMap(
		value.Field("verdict", value.NewString(verdict)), value.Field("checks", checksValue(checks))))
	out.Checks = checks
	return out
}

// codeReport is a coordinator's own: what a command did.
func (run *Run) codeReport(v *value.Value) Outcome {
	var p probe
	p.onlyKeys(v, "", "passed", "exitCode", "checks", "artifactPaths", "outputExcerpt")
	claimed := p.boolean(v.Get("passed"), "passed")
	p.safeInteger(v.Get("exitCode"), "exitCode")
	p.texts(v.Get("artifactPaths"), "artifactPaths")
	p.anyText(v.Get("outputExcerpt"), "outputExcerpt")
	if p.failed() {
		return run.refused(p.whole(CodeShape, CodeReport))
	}
	checks := p.checks(v.Get("checks"), "checks")
	if p.failed() {
		return run.refused(&fault{code: NoChecks, at: "checks", reason: p.fault.reason})
	}
	if exit := v.Get("exitCode").Number; claimed != (exit == 0) || claimed != allPassed(checks) {
		p.fail(PassedDisagrees, "passed", "passed must be true exactly when exitCode is 0 and every checks[].passed is true; it is %t, exitCode is %s", claimed, value.FormatNumber(exit))
		return run.refused(p.fault)
	}
	out := passed(Unmeasured, v)
	out.Checks = checks
	return out
}

// safeInteger wants a whole number that a double holds exactly.
func (p *probe) safeInteger(v *value.Value, at string) {
	if p.failed() {
		return
	}
	if v == nil || v.Kind != value.Number || !value.IsSafeInteger(v.Number) {
		p.fail(partOfShape, at, "%s must be a whole number within 2^53; it is %s", at, found(v))
	}
}
