package cli

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/report"
)

func (a *app) explainCommand() *cobra.Command {
	var list bool
	c := &cobra.Command{
		Use:     "explain CODE",
		Short:   "Say what a finding's code means and how to get rid of it",
		Example: "  fleetgate explain boundary-outside\n  fleetgate explain --list-codes",
		RunE: func(c *cobra.Command, args []string) error {
			if list {
				if err := noArgs(c, args); err != nil {
					return err
				}
				return a.listCodes()
			}
			if err := oneArg("one code, or --list-codes")(c, args); err != nil {
				return err
			}
			return a.explain(args[0])
		},
	}
	c.Flags().BoolVar(&list, "list-codes", false, "list every code")
	return c
}

// codeData is one rule as JSON; the texts are only in explain.
type codeData struct {
	Code     string `json:"code"`
	Severity string `json:"severity"`
	Fixed    bool   `json:"fixed"`
	Title    string `json:"title"`
	Since    string `json:"since"`
	Why      string `json:"why,omitempty"`
	Fix      string `json:"fix,omitempty"`
	Bad      string `json:"bad,omitempty"`  // the script that raises it
	Good     string `json:"good,omitempty"` // the script that nearly does
}

func newCodeData(rule diag.Rule) codeData {
	return codeData{Code: string(rule.Code), Severity: rule.Severity.String(), Fixed: rule.Fixed, Title: rule.Title, Since: rule.Since}
}

func lookUpCode(code string) (diag.Rule, error) {
	rule, ok := diag.Lookup(diag.Code(code))
	if ok {
		return rule, nil
	}
	var known []string
	for _, rule := range diag.Rules() {
		known = append(known, string(rule.Code))
	}
	return diag.Rule{}, usagef("unknown code %q; %s`fleetgate --list-codes` lists them all", code, diag.DidYouMean(code, known))
}

func (a *app) explain(code string) error {
	format, err := a.choose("text", "json")
	if err != nil {
		return err
	}
	rule, err := lookUpCode(code)
	if err != nil {
		return err
	}
	if format == "text" {
		return report.Explain(a.stdout, rule)
	}
	data := newCodeData(rule)
	data.Why, data.Fix = rule.Why, rule.Fix
	if data.Bad, err = diag.Example(rule.Code, true); err != nil {
		return err
	}
	if data.Good, err = diag.Example(rule.Code, false); err != nil {
		return err
	}
	return writeDocument(a.stdout, "explain", data, nil)
}

func (a *app) listCodes() error {
	format, err := a.choose("text", "json")
	if err != nil {
		return err
	}
	codes := []codeData{}
	for _, rule := range diag.Rules() {
		codes = append(codes, newCodeData(rule))
	}
	if format == "json" {
		return writeDocument(a.stdout, "list-codes", struct {
			Codes []codeData `json:"codes"`
		}{codes}, nil)
	}
	table := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	for _, c := range codes {
		fmt.Fprintf(table, "%s\t%s\t%s\n", c.Code, c.Severity, c.Title)
	}
	return table.Flush()
}
