package discover

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/fleetgate/fleetgate/internal/boundary"
	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/strictyaml"
	"github.com/fleetgate/fleetgate/internal/value"
)

var (
	configKeys = []string{"version", "trusted", "permit", "identities", "severity", "ignore"}
	permitKeys = []string{"login", "branch", "steps", "default", "unclaimed"}
	ignoreKeys = []string{"code", "path", "commit", "reason", "until"}
)

// ParseConfig reads a gate configuration, strictly: unknown keys, values and
// codes are refused by name. Where there is an error among the findings, the
// configuration is the default one.
func ParseConfig(file string, text []byte) (Config, []diag.Diagnostic) {
	if strings.HasPrefix(string(text), byteOrderMark) {
		return Config{Present: true, Path: file}, []diag.Diagnostic{markFinding(file)}
	}
	root, found := strictyaml.Parse(file, text, "config-invalid-yaml")
	if diag.HasError(found) {
		return Config{Present: true, Path: file}, found
	}
	p := configParser{schema: schema{found: found}}
	p.config = Config{Present: true, Path: file, Positions: map[string]diag.Pos{}}
	p.config.Rules.ConfigPos = diag.Pos{File: file}
	if root == nil {
		root = &value.Value{Kind: value.Null, Pos: diag.Pos{File: file}}
	}
	p.root(root)
	if diag.HasError(p.found) {
		return Config{Present: true, Path: file}, p.found
	}
	return p.config, p.found
}

const byteOrderMark = "\ufeff"

// markFinding: YAML allows the mark, but a file that decides what is trusted
// begins with what one sees.
func markFinding(file string) diag.Diagnostic {
	return diag.New("config-invalid-yaml", diag.Pos{File: file, Line: 1, Column: 1}, "", "the file starts with a byte order mark (U+FEFF)").
		WithHint("save the file as UTF-8 without a byte order mark")
}

// configParser turns the document into a Config, collecting every problem.
type configParser struct {
	schema
	config Config
}

func (p *configParser) root(root *value.Value) {
	if !p.mapping(root, "the gate configuration", "", configKeys) {
		return
	}
	p.version(root)
	p.trusted(root.Get("trusted"))
	p.permits(root.Get("permit"))
	p.identities(root.Get("identities"))
	p.severities(root.Get("severity"))
	p.ignores(root.Get("ignore"))
}

func (p *configParser) version(root *value.Value) {
	v := root.Get("version")
	if v == nil {
		p.refuse("config-missing-key", root.Pos, "version", "the gate configuration has no version", "begin the file with version: 1")
		return
	}
	if v.Kind != value.Number || v.Number != 1 {
		p.refuse("config-version", v.Pos, "version", fmt.Sprintf("version must be the number 1, not %s", describe(v)), "write version: 1")
	}
}

func (p *configParser) trusted(v *value.Value) {
	for i, branch := range p.strings(v, "trusted") {
		field := fmt.Sprintf("trusted[%d]", i)
		if why := branchProblem(branch.Value); why != "" {
			p.refuse("config-value", branch.Pos, field, fmt.Sprintf("trusted branch %s %s", quote(branch.Value), why),
				"write the exact name of one branch, such as release/1")
			continue
		}
		p.config.Trusted = append(p.config.Trusted, branch.Value)
		p.config.Positions[fmt.Sprintf("trusted[%d]", len(p.config.Trusted)-1)] = branch.Pos
	}
}

func (p *configParser) identities(v *value.Value) {
	for _, identity := range p.strings(v, "identities") {
		p.config.Positions[fmt.Sprintf("identities[%d]", len(p.config.Rules.Identities))] = identity.Pos
		p.config.Rules.Identities = append(p.config.Rules.Identities, identity.Value)
	}
}

func (p *configParser) permits(v *value.Value) {
	first := map[string]diag.Pos{}
	for i, item := range p.list(v, "permit") {
		field := fmt.Sprintf("permit[%d]", i)
		if !p.mapping(item, "a permit entry", field, permitKeys) {
			continue
		}
		entry, whom := p.permit(item, field)
		if before, twice := first[whom]; twice && whom != "" {
			p.refuseTwice(item.Pos, field, "permit entry for "+whom, before)
			continue
		}
		first[whom] = item.Pos
		p.config.Rules.Permit = append(p.config.Rules.Permit, entry)
	}
}

// permit reads one entry; whom names its subject, or is empty where that is not clear.
func (p *configParser) permit(item *value.Value, field string) (entry boundary.Permit, whom string) {
	entry = boundary.Permit{Unclaimed: boundary.UnclaimedFail, Pos: item.Pos}
	switch p.oneOf(item, field, "login", "branch") {
	case "login":
		entry.Login = p.checked(item, field, "login", loginProblem, "write the account's login as GitHub shows it, such as octocat or dependabot[bot]")
		whom = "login " + strings.ToLower(entry.Login)
	case "branch":
		entry.Branch = p.checked(item, field, "branch", patternProblem, "write one branch, or a prefix that ends in *, such as fleet/*")
		whom = "branch " + entry.Branch
	}
	entry.Steps = p.steps(item, field)
	entry.Default = p.defaultStep(item, field, entry.Steps)
	if unclaimed := item.Get("unclaimed"); unclaimed != nil {
		entry.Unclaimed = boundary.Unclaimed(p.choice(unclaimed, field+".unclaimed", string(boundary.UnclaimedFail), string(boundary.UnclaimedWarn)))
	}
	return entry, whom
}

func (p *configParser) steps(item *value.Value, field string) []string {
	v := item.Get("steps")
	if v == nil {
		p.refuse("config-missing-key", item.Pos, field+".steps", field+" has no steps", "list what may be claimed: steps: [fleet/step], or [fleet/*]")
		return nil
	}
	var steps []string
	listed := p.strings(v, field+".steps")
	for i, step := range listed {
		if why := stepProblem(step.Value); why != "" {
			p.refuse("config-value", step.Pos, fmt.Sprintf("%s.steps[%d]", field, i), fmt.Sprintf("step %s %s", quote(step.Value), why),
				"write fleet/step, or fleet/* for all of a fleet's steps")
		}
		steps = append(steps, step.Value)
	}
	if len(listed) == 0 && v.Kind == value.List && len(v.Items) == 0 {
		p.refuse("config-value", v.Pos, field+".steps", field+".steps is empty, so the entry permits nothing", "list at least one step, or take the entry out")
	}
	return steps
}

func (p *configParser) defaultStep(item *value.Value, field string, steps []string) string {
	v := item.Get("default")
	if v == nil {
		return ""
	}
	step := p.text(v, field+".default")
	if step == "" {
		return ""
	}
	fleet, position, _ := strings.Cut(step, "/")
	if position == "" || strings.Contains(step, "*") || !slices.Contains(steps, step) && !slices.Contains(steps, fleet+"/*") {
		p.refuse("config-value", v.Pos, field+".default", fmt.Sprintf("default %s is none of the entry's steps", quote(step)),
			"name one step, without *, that steps admits")
	}
	return step
}

func (p *configParser) severities(v *value.Value) {
	if v == nil || !p.mapping(v, "severity", "severity", nil) || !p.within(len(v.Members), v, "severity") {
		return
	}
	p.config.Severity = map[diag.Code]diag.Severity{}
	for _, m := range v.Members {
		field := "severity." + m.Key
		rule, ok := p.code(m.Key, m.KeyPos, field)
		word := p.choice(m.Value, field, "error", "warning", "note", "off")
		severity, known := diag.ParseSeverity(word)
		if !ok || !known {
			continue
		}
		if rule.Fixed && severity > rule.Severity {
			p.refuse("config-fixed-code", m.Value.Pos, field, fmt.Sprintf("the severity of %s is fixed; it can't be lowered to %s", rule.Code, word),
				"take the line out; a single commit can be ignored by its full id")
			continue
		}
		p.config.Severity[rule.Code] = severity
		p.config.Positions[field] = m.KeyPos
	}
}

func (p *configParser) ignores(v *value.Value) {
	for i, item := range p.list(v, "ignore") {
		field := fmt.Sprintf("ignore[%d]", i)
		if !p.mapping(item, "an ignore entry", field, ignoreKeys) {
			continue
		}
		p.config.Ignore = append(p.config.Ignore, p.ignore(item, field))
	}
}

func (p *configParser) ignore(item *value.Value, field string) Ignore {
	entry := Ignore{Pos: item.Pos}
	var rule diag.Rule
	if code := p.needed(item, field, "code"); code != "" {
		rule, _ = p.code(code, item.Get("code").Pos, field+".code")
		entry.Code = rule.Code
	}
	switch p.oneOf(item, field, "path", "commit") {
	case "path":
		entry.Path = p.ignoredPath(item, field, rule)
	case "commit":
		entry.Commit = strings.ToLower(p.checked(item, field, "commit", commitProblem, "write the commit's full id, as git rev-parse prints it"))
	}
	entry.Reason = p.needed(item, field, "reason")
	if until := item.Get("until"); until != nil {
		entry.Until = p.date(until, field+".until")
	}
	return entry
}

func (p *configParser) ignoredPath(item *value.Value, field string, rule diag.Rule) string {
	v := item.Get("path")
	if rule.Fixed {
		p.refuse("config-fixed-code", v.Pos, field+".path", fmt.Sprintf("%s is fixed; it can't be ignored by path", rule.Code),
			"ignore one commit by its full id instead: commit: SHA")
		return ""
	}
	raw := p.text(v, field+".path")
	if raw == "" {
		return ""
	}
	entry, refusal, bad := boundary.ParseEntry(raw)
	if refusal != "" {
		_, hint := boundary.Refusal(refusal, raw, bad)
		p.refuse("config-value", v.Pos, field+".path", fmt.Sprintf("path %s is no file and no directory of the repository (%s)", quote(raw), refusal), hint)
	}
	return entry
}

func (p *configParser) date(v *value.Value, field string) string {
	text := p.text(v, field)
	if text == "" {
		return ""
	}
	if _, err := time.Parse(time.DateOnly, text); err != nil {
		p.refuse("config-value", v.Pos, field, fmt.Sprintf("%s is no date", quote(text)), "write the last day as YYYY-MM-DD")
		return ""
	}
	return text
}

// code looks up a rule's code.
func (p *configParser) code(text string, pos diag.Pos, field string) (diag.Rule, bool) {
	rule, ok := diag.Lookup(diag.Code(text))
	if ok {
		return rule, true
	}
	var codes []string
	for _, r := range diag.Rules() {
		codes = append(codes, string(r.Code))
	}
	p.refuse("config-unknown-code", pos, field, fmt.Sprintf("there is no code %s", quote(text)),
		diag.DidYouMean(text, codes)+"`fleetgate explain --list-codes` lists them")
	return diag.Rule{}, false
}
