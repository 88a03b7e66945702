package drift

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fleetgate/fleetgate/internal/boundary"
	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/discover"
)

// config compares the gate configurations by what they let through.
func (c *comparison) config(base, head discover.Config) {
	d := configs{comparison: c, base: base, head: head}
	d.trusted()
	d.permits()
	d.identities()
	d.severities()
	d.ignores()
}

// configs is the comparison of two gate configurations.
type configs struct {
	*comparison
	base, head discover.Config
}

// widens notes that head lets more through; the place is head's.
func (d *configs) widens(field, message string) {
	d.note("policy-widened", diag.Head, whereIn(d.head, field), field, "the gate configuration "+message, widenedHint)
}

// narrows notes that head lets less through; the place is head's.
func (d *configs) narrows(field, message string) {
	d.note("policy-narrowed", diag.Head, whereIn(d.head, field), field, "the gate configuration "+message, narrowedHint)
}

// whereIn is where a configuration says something, else the file.
func whereIn(c discover.Config, field string) diag.Pos {
	if pos, ok := c.Positions[field]; ok {
		return pos
	}
	return diag.Pos{File: c.Path}
}

func (d *configs) trusted() {
	for i, branch := range d.head.Trusted {
		if !slices.Contains(d.base.Trusted, branch) {
			d.widens(fmt.Sprintf("trusted[%d]", i), fmt.Sprintf("trusts the branch %s: what is on it counts as judged, and its policy judges pull requests into it", quote(branch)))
		}
	}
	for _, branch := range d.base.Trusted {
		if !slices.Contains(d.head.Trusted, branch) {
			d.narrows("trusted", fmt.Sprintf("no longer trusts the branch %s", quote(branch)))
		}
	}
}

func (d *configs) identities() {
	for i, identity := range d.head.Rules.Identities {
		if !slices.Contains(d.base.Rules.Identities, identity) {
			d.narrows(fmt.Sprintf("identities[%d]", i), fmt.Sprintf("counts %s as an agent's signature", quote(identity)))
		}
	}
	for _, identity := range d.base.Rules.Identities {
		if !slices.Contains(d.head.Rules.Identities, identity) {
			d.widens("identities", fmt.Sprintf("no longer counts %s as an agent's signature", quote(identity)))
		}
	}
}

// severities compares what each named code weighs, in code order.
func (d *configs) severities() {
	codes := map[diag.Code]bool{}
	for code := range d.base.Severity {
		codes[code] = true
	}
	for code := range d.head.Severity {
		codes[code] = true
	}
	for _, rule := range diag.Rules() {
		if !codes[rule.Code] {
			continue
		}
		was, is := weight(d.base, rule), weight(d.head, rule)
		field := "severity." + string(rule.Code)
		switch {
		case is > was:
			d.widens(field, fmt.Sprintf("lowers %s from %s to %s", rule.Code, was, is))
		case is < was:
			d.narrows(field, fmt.Sprintf("raises %s from %s to %s", rule.Code, was, is))
		}
	}
}

func weight(c discover.Config, rule diag.Rule) diag.Severity {
	if severity, ok := c.Severity[rule.Code]; ok {
		return severity
	}
	return rule.Severity
}

// ignores compares the ignore lists by what each entry hides and until when.
func (d *configs) ignores() {
	before, atBase := byKey(d.base.Ignore, ignored)
	after, atHead := byKey(d.head.Ignore, ignored)
	for _, key := range after {
		was, known := atBase[key]
		is := atHead[key]
		switch {
		case !known || later(is.Until, was.Until):
			d.noteAt("policy-widened", is.Pos, "ignores "+describe(is), widenedHint)
		case later(was.Until, is.Until):
			d.noteAt("policy-narrowed", is.Pos, "ignores "+describe(is)+", and no longer than that", narrowedHint)
		}
	}
	for _, key := range before {
		if _, kept := atHead[key]; !kept {
			d.narrows("ignore", "no longer ignores "+describe(atBase[key]))
		}
	}
}

func (d *configs) noteAt(code diag.Code, pos diag.Pos, message, hint string) {
	d.note(code, diag.Head, pos, "", "the gate configuration "+message, hint)
}

func ignored(i discover.Ignore) string {
	return strings.Join([]string{string(i.Code), i.Path, i.Commit}, "\x00")
}

// later says whether one last day is after another; no day is the latest.
func later(a, b string) bool { return b != "" && (a == "" || a > b) }

func describe(i discover.Ignore) string {
	subject := quote(i.Path)
	if i.Commit != "" {
		subject = "commit " + i.Commit
	}
	if i.Until != "" {
		subject += " until " + i.Until
	}
	return fmt.Sprintf("%s for %s", i.Code, subject)
}

// permits compares the permit lists entry by entry. The first entry turns the
// list on: from then on a bot without an entry may claim nothing.
func (d *configs) permits() {
	was, is := d.base.Rules.Permit, d.head.Rules.Permit
	switch {
	case len(was) == 0 && len(is) > 0:
		d.noteAt("policy-narrowed", is[0].Pos, "now says who may claim what; a bot without an entry may claim nothing", narrowedHint)
	case len(was) > 0 && len(is) == 0:
		d.widens("permit", "no longer says who may claim what; every claim is the commit's own word")
		return
	}
	before, atBase := byKey(was, whom)
	after, atHead := byKey(is, whom)
	for _, key := range after {
		d.permit(key, atBase[key], atHead[key])
	}
	for _, key := range before {
		if _, kept := atHead[key]; !kept {
			d.unlisted(key, atBase[key])
		}
	}
	d.order(before, after, atHead)
}

// unlisted notes an entry that is gone. A bot without one may claim nothing;
// a person without one may claim anything, or nothing and be no fleet's.
func (d *configs) unlisted(key string, was boundary.Permit) {
	if strings.HasSuffix(strings.ToLower(was.Login), "[bot]") {
		d.narrows("permit", "no longer has an entry for "+key)
		return
	}
	d.widens("permit", "no longer has an entry for "+key+": a person may claim any step there, or none")
}

// whom names an entry's subject.
func whom(p boundary.Permit) string {
	if p.Login != "" {
		return "login " + strings.ToLower(p.Login)
	}
	return "branch " + p.Branch
}

func (d *configs) permit(key string, was, is boundary.Permit) {
	if more := admitted(was.Steps, is.Steps); len(more) > 0 {
		d.noteAt("policy-widened", is.Pos, fmt.Sprintf("permits %s to claim %s", key, list(more)), widenedHint)
	}
	if less := admitted(is.Steps, was.Steps); len(less) > 0 {
		d.noteAt("policy-narrowed", is.Pos, fmt.Sprintf("no longer permits %s to claim %s", key, list(less)), narrowedHint)
	}
	if was.Default != is.Default && is.Default != "" {
		d.noteAt("policy-widened", is.Pos, fmt.Sprintf("takes unclaimed commits of %s for %s", key, quote(is.Default)), widenedHint)
	}
	if was.Default != "" && is.Default == "" {
		d.noteAt("policy-narrowed", is.Pos, fmt.Sprintf("no longer takes unclaimed commits of %s for %s", key, quote(was.Default)), narrowedHint)
	}
	if was.Unclaimed == boundary.UnclaimedFail && is.Unclaimed == boundary.UnclaimedWarn {
		d.noteAt("policy-widened", is.Pos, "only warns about unclaimed commits of "+key, widenedHint)
	}
	if was.Unclaimed == boundary.UnclaimedWarn && is.Unclaimed == boundary.UnclaimedFail {
		d.noteAt("policy-narrowed", is.Pos, "fails for unclaimed commits of "+key, narrowedHint)
	}
}

// admitted lists the steps of to that from doesn't admit.
func admitted(from, to []string) []string {
	var more []string
	for _, step := range to {
		fleet, _, _ := strings.Cut(step, "/")
		if !slices.Contains(from, step) && !slices.Contains(from, fleet+"/*") {
			more = append(more, quote(step))
		}
	}
	return more
}

// order notes that entries which both lists have changed places: the first that matches wins.
func (d *configs) order(before, after []string, atHead map[string]boundary.Permit) {
	kept := slices.DeleteFunc(slices.Clone(before), func(key string) bool { return !slices.Contains(after, key) })
	now := slices.DeleteFunc(slices.Clone(after), func(key string) bool { return !slices.Contains(before, key) })
	for i := range now {
		if now[i] != kept[i] {
			d.noteAt("policy-widened", atHead[now[i]].Pos, fmt.Sprintf("looks at the entry for %s before that for %s; the first that matches wins", now[i], kept[i]), widenedHint)
			return
		}
	}
}
