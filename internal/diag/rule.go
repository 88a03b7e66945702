package diag

import (
	"cmp"
	"embed"
	"fmt"
	"slices"
	"sync"
)

// Rule is what the project says about one code. The registry is the one
// source of `explain`, of docs/checks.md and of the SARIF rules.
type Rule struct {
	Code     Code
	Title    string   // one line, no full stop
	Severity Severity // what a finding of this rule weighs by default
	Fixed    bool     // configuration cannot lower it, nor ignore it by path
	Why      string   // one or two sentences: what goes wrong if it is let through
	Fix      string   // one or two sentences: the way out
	Since    string   // the version that brought it
}

// examples holds, for each code, CODE.bad.txtar (a script whose run raises the
// code) and CODE.good.txtar (one that nearly does). The tests run both.
//
//go:embed examples/*.txtar
var examples embed.FS

// families are the rule tables of the rooms, one file each.
var families = [][]Rule{
	frontMatterRules,
	fleetRules,
	commandRules,
	writesRules,
	boundaryRules,
	recipeRules,
	discoverRules,
	driftRules,
	lockRules,
	auditRules,
	gateRules,
	resultRules,
}

// registry is made when a rule is first asked for.
var registry = sync.OnceValue(func() map[Code]Rule { return index(families) })

func index(families [][]Rule) map[Code]Rule {
	all := map[Code]Rule{}
	for _, family := range families {
		for _, rule := range family {
			if _, twice := all[rule.Code]; twice {
				panic(fmt.Sprintf("diag: code %s registered twice", rule.Code))
			}
			all[rule.Code] = rule
		}
	}
	return all
}

// Lookup finds the rule of a code.
func Lookup(code Code) (Rule, bool) {
	rule, ok := registry()[code]
	return rule, ok
}

// Rules lists every registered rule by code.
func Rules() []Rule {
	all := make([]Rule, 0, len(registry()))
	for _, rule := range registry() {
		all = append(all, rule)
	}
	slices.SortFunc(all, func(a, b Rule) int { return cmp.Compare(a.Code, b.Code) })
	return all
}

// Example gives the script that raises a code (bad) or one that nearly does,
// as txtar text: commands first, then the files they run on.
func Example(code Code, bad bool) (string, error) {
	kind := "good"
	if bad {
		kind = "bad"
	}
	text, err := examples.ReadFile(fmt.Sprintf("examples/%s.%s.txtar", code, kind))
	if err != nil {
		return "", fmt.Errorf("no %s example of %s: %w", kind, code, err)
	}
	return string(text), nil
}
