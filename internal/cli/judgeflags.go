package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/gate"
)

// judgeFlags are the flags of every command that ends in a verdict.
type judgeFlags struct {
	policy  policyFlags
	failOn  string
	raise   []string
	output  string
	observe bool
}

func (f *judgeFlags) add(c *cobra.Command) {
	f.policy.add(c)
	c.Flags().StringVar(&f.failOn, "fail-on", "error", "the lightest `SEVERITY` that fails: error or warning")
	c.Flags().StringArrayVar(&f.raise, "raise", nil, "raise the severity of a code: `CODE=SEVERITY` (repeatable)")
	c.Flags().StringVar(&f.output, "output", "", "write the report to this `FILE`, and one line to standard output")
}

func (a *app) judgeOptions(f *judgeFlags) (gate.Options, error) {
	options, err := a.policyOptions(&f.policy)
	if err != nil {
		return gate.Options{}, err
	}
	if options.FailOn, err = parseFailOn(f.failOn); err != nil {
		return gate.Options{}, err
	}
	if options.Raise, err = parseRaise(f.raise); err != nil {
		return gate.Options{}, err
	}
	options.Observe = f.observe
	return options, nil
}

func parseFailOn(word string) (diag.Severity, error) {
	severity, ok := diag.ParseSeverity(word)
	if !ok || severity > diag.Warning {
		return 0, usagef("--fail-on %q: it is error or warning", word)
	}
	return severity, nil
}

// parseRaise reads CODE=SEVERITY pairs; a flag never lowers a severity.
func parseRaise(pairs []string) (map[diag.Code]diag.Severity, error) {
	raise := map[diag.Code]diag.Severity{}
	for _, pair := range pairs {
		code, word, _ := strings.Cut(pair, "=")
		severity, ok := diag.ParseSeverity(word)
		if !ok || severity > diag.Warning {
			return nil, usagef("--raise %q: write CODE=error or CODE=warning", pair)
		}
		rule, err := lookUpCode(code)
		if err != nil {
			return nil, fmt.Errorf("--raise: %w", err)
		}
		if severity > rule.Severity {
			return nil, usagef("--raise %s would lower it: %s is %s by default", pair, code, rule.Severity)
		}
		raise[rule.Code] = severity
	}
	return raise, nil
}
