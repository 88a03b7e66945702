package cli

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/discover"
	"github.com/fleetgate/fleetgate/internal/gate"
)

// trailerKey is the trailer by which a commit claims a step.
const trailerKey = "Fleet-Step"

// step is one FLEET/POSITION of the command line.
type step struct{ fleet, position string }

// parseStep splits at the first slash, as a trailer's value is split.
func parseStep(text string) (step, error) {
	fleet, position, ok := strings.Cut(text, "/")
	if !ok || fleet == "" || position == "" || text != strings.TrimSpace(text) || strings.IndexFunc(text, unicode.IsControl) >= 0 {
		return step{}, usagef("%q is no step; write FLEET/POSITION, for example docs/write", text)
	}
	return step{fleet, position}, nil
}

func (a *app) trailerCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "trailer FLEET/POSITION",
		Short: "Print the trailer that claims a step",
		Long: `Print the trailer by which a commit claims a fleet step, and warn if the work
tree's policy has no such step.`,
		Example: `  git commit --trailer "$(fleetgate trailer docs/write)"`,
		Args:    oneArg("one FLEET/POSITION"),
		RunE: func(c *cobra.Command, args []string) error {
			options, err := a.policyOptions(&policyFlags{})
			if err != nil {
				return err
			}
			set, err := gate.Load(c.Context(), options)
			if err != nil {
				return err
			}
			return a.printTrailer(args[0], set)
		},
	}
}

func (a *app) printTrailer(text string, set *discover.Set) error {
	format, err := a.choose("text", "json")
	if err != nil {
		return err
	}
	claim, err := parseStep(text)
	if err != nil {
		return err
	}
	trailer := trailerKey + ": " + text
	found := claimProblems(set, claim)
	if format == "json" {
		return writeDocument(a.stdout, "trailer", struct {
			Trailer string `json:"trailer"`
		}{trailer}, found)
	}
	for _, d := range found {
		a.warn("%s; %s", d.Message, d.Hint)
	}
	return a.say("%s", trailer)
}

// claimProblems says, as warnings, why a check would refuse the claim if base
// were the work tree.
func claimProblems(set *discover.Set, claim step) []diag.Diagnostic {
	name := claim.fleet + "/" + claim.position
	f, ok := set.ProjectFleet(claim.fleet)
	switch {
	case !ok:
		return claimWarning("claim-unknown", "", name, fmt.Sprintf("the work tree has no fleet %q to claim", claim.fleet), "its fleets are "+listed(projectFleets(set)))
	case f.Contract == nil:
		return claimWarning("claim-unknown", f.Path, name, fmt.Sprintf("the contract of fleet %q is not valid", claim.fleet), "`fleetgate lint` says why")
	}
	switch found := f.Contract.Resolve(claim.position); {
	case found.Ambiguous:
		return claimWarning("claim-ambiguous", f.Path, name, fmt.Sprintf("%q names two positions of fleet %q", claim.position, claim.fleet), "rename one of the two steps")
	case len(found.Positions) == 0:
		return claimWarning("claim-unknown", f.Path, name, fmt.Sprintf("fleet %q has no position %q", claim.fleet, claim.position), found.Hint)
	case !found.Positions[0].Bounded:
		return claimWarning("claim-unbounded", f.Path, name, fmt.Sprintf("fleet %q is version %d, which has no write boundaries", claim.fleet, f.Contract.Version), "raise the contract to version 4")
	}
	return nil
}

func claimWarning(code diag.Code, file, claim, message, hint string) []diag.Diagnostic {
	d := diag.New(code, diag.Pos{File: file}, "", message).WithHint(hint)
	d.Severity, d.Step = diag.Warning, claim
	return []diag.Diagnostic{d}
}

func projectFleets(set *discover.Set) []string {
	var names []string
	for i := range set.Fleets {
		if _, own := set.ProjectFleet(set.Fleets[i].Name); own {
			names = append(names, set.Fleets[i].Name)
		}
	}
	return names
}

// listed joins names for a sentence; none gives a word for it.
func listed(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
