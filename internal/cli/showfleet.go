package cli

import (
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/discover"
	"github.com/fleetgate/fleetgate/internal/fleet"
	"github.com/fleetgate/fleetgate/internal/gate"
	"github.com/fleetgate/fleetgate/internal/value"
)

// fleetData is the JSON of show fleet/NAME.
type fleetData struct {
	fleetRow
	Contract  json.RawMessage `json:"contract"` // normalized; null where the file is invalid
	Positions []positionData  `json:"positions"`
	Prompt    *string         `json:"prompt,omitempty"` // rendered, where --var was given

	unrendered bool // --var was given, and a placeholder has no value
}

// positionData is one position that a commit can claim.
type positionData struct {
	Position   string   `json:"position"`
	Kind       string   `json:"kind"`
	Agent      string   `json:"agent,omitempty"`
	Scope      string   `json:"scope"`
	Bounded    bool     `json:"bounded"`
	Writes     []string `json:"writes"` // what a claim of it allows; a commit step's sources included
	CommitStep bool     `json:"commit_step"`
	Attempts   int      `json:"attempts,omitempty"`
	Line       int      `json:"line"`
	Column     int      `json:"column"`
}

func (a *app) showFleet(set *discover.Set, name string, render bool, f *showFlags) error {
	format, err := a.choose("text", "json", "mermaid", "dot", "svg")
	if err != nil {
		return err
	}
	found, ok := set.Fleet(name)
	if !ok {
		return noSuchFleet(set, name)
	}
	findings := found.Found
	data := fleetData{fleetRow: fleetRows(&discover.Set{Fleets: []discover.Fleet{*found}})[0], Contract: json.RawMessage("null"), Positions: []positionData{}}
	if found.Contract != nil {
		data.Contract = json.RawMessage(value.Stringify(found.Contract.Normalized()))
		data.Positions = positionsOf(name, found.Contract)
	}
	if render && found.Contract != nil {
		bound, err := a.render(&data, found.Contract, set.Registry, f.vars)
		if err != nil {
			return err
		}
		findings = append(findings, bound...)
	}
	if err := a.writeFleet(format, &data, found, findings); err != nil {
		return err
	}
	if found.Contract == nil || diag.HasError(findings) {
		return exitCode(ExitFailed)
	}
	return nil
}

func (a *app) writeFleet(format string, data *fleetData, f *discover.Fleet, findings []diag.Diagnostic) error {
	switch {
	case format == "json":
		return writeDocument(a.stdout, "show", data, findings)
	case f.Contract == nil, data.unrendered && format == "text":
		return a.fleetFindings(findings)
	case format != "text":
		return writePicture(a.stdout, gate.Picture(f.Name, f.Contract), format)
	case data.Prompt != nil:
		_, err := fmt.Fprintln(a.stdout, *data.Prompt)
		return err
	}
	return a.fleetText(data, f.Contract)
}

func noSuchFleet(set *discover.Set, name string) error {
	var known []string
	for i := range set.Fleets {
		known = append(known, set.Fleets[i].Name)
	}
	return usagef("there is no fleet %q in %s/fleets or %s/playbooks; %sthe fleets are %s",
		name, discover.Dir, discover.Dir, diag.DidYouMean(name, known), listed(known))
}

func positionsOf(name string, c *fleet.Contract) []positionData {
	picture := gate.Picture(name, c)
	list := []positionData{}
	for i, p := range c.Positions() {
		allow, commitStep := c.Allow(p)
		list = append(list, positionData{
			Position: p.ID, Kind: picture.Steps[i].Kind, Agent: picture.Steps[i].Agent, Scope: p.Scope, Bounded: p.Bounded,
			Writes: append([]string{}, allow...), CommitStep: commitStep, Attempts: p.Attempts,
			Line: p.Pos.Line, Column: p.Pos.Column,
		})
	}
	return list
}

// render fills in the prompt with the variables, and binds the arguments of
// the contract's commands with them.
func (a *app) render(data *fleetData, c *fleet.Contract, registry *fleet.Registry, pairs []string) ([]diag.Diagnostic, error) {
	vars := map[string]string{}
	for _, pair := range pairs {
		name, text, ok := strings.Cut(pair, "=")
		if !ok || name == "" {
			return nil, usagef("--var %q: write NAME=VALUE", pair)
		}
		vars[name] = text
	}
	prompt, found := c.Render(registry, vars)
	data.Prompt, data.unrendered = prompt, prompt == nil
	return found, nil
}

func (a *app) fleetText(data *fleetData, c *fleet.Contract) error {
	writers := ""
	if c.Writers {
		writers = ", one writer at a time"
	}
	if err := a.say("fleet %s, version %d, %s (%s)\nat most %s workers%s; on failure: %s", plain(data.Name), data.Version, plain(data.Path),
		stateText(data.State, plain(data.Why)), value.FormatNumber(c.MaxWorkers), writers, c.OnFailure); err != nil {
		return err
	}
	table := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "\nPOSITION\tKIND\tAGENT\tSCOPE\tMAY WRITE")
	for _, p := range data.Positions {
		row(table, p.Position, p.Kind, p.Agent, p.Scope, writesText(p))
	}
	return table.Flush()
}

// writesText prints a boundary as the specification does (section 6).
func writesText(p positionData) string {
	switch {
	case !p.Bounded:
		return "(no boundary below version 4)"
	case len(p.Writes) == 0:
		return "(nothing: readonly)"
	}
	return strings.Join(p.Writes, ", ")
}

func (a *app) fleetFindings(findings []diag.Diagnostic) error {
	for _, d := range findings {
		if err := a.say("%s: %s: %s [%s]", plain(d.Pos.String()), d.Severity, plain(d.Message), d.Code); err != nil {
			return err
		}
	}
	return nil
}
