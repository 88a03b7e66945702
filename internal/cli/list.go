package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/discover"
	"github.com/fleetgate/fleetgate/internal/gate"
	"github.com/fleetgate/fleetgate/internal/policy"
)

func (a *app) listCommand() *cobra.Command {
	var f policyFlags
	var catalog bool
	c := &cobra.Command{
		Use:   "list",
		Short: "List the agents and fleets that the work tree's policy gives",
		Long: `List every agent and fleet of the work tree's policy and the builtins: where it
comes from, what it may do, and why it doesn't count where it doesn't.`,
		Example: "  fleetgate list\n  fleetgate list --catalog   # the part of a session's prompt that introduces the agents",
		Args:    noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			options, err := a.policyOptions(&f)
			if err != nil {
				return err
			}
			set, err := gate.Load(c.Context(), options)
			if err != nil {
				return err
			}
			if catalog {
				return a.printCatalog(set)
			}
			return a.printList(set)
		},
	}
	f.add(c)
	c.Flags().BoolVar(&catalog, "catalog", false, "print the catalog section of a session's prompt")
	return c
}

func (a *app) printCatalog(set *discover.Set) error {
	format, err := a.choose("text", "json")
	if err != nil {
		return err
	}
	catalog := discover.NewCatalog(*set)
	section := policy.CatalogSection(catalog.ListSpecs())
	if format == "json" {
		return writeDocument(a.stdout, "list", struct {
			Catalog  string `json:"catalog"`
			Revision int    `json:"revision"`
		}{section, catalog.Revision()}, set.Found)
	}
	_, err = io.WriteString(a.stdout, section)
	return err
}

// agentRow is one agent in the list.
type agentRow struct {
	ID          string   `json:"id"`
	Source      string   `json:"source"`
	Path        string   `json:"path"`
	State       string   `json:"state"` // effective, overridden, ignored, quarantined, external
	Why         string   `json:"why,omitempty"`
	Class       string   `json:"class,omitempty"`
	Audience    string   `json:"audience,omitempty"`
	Category    string   `json:"category,omitempty"`
	Tools       []string `json:"tools"`
	Fingerprint string   `json:"fingerprint,omitempty"`
}

// fleetRow is one fleet in the list.
type fleetRow struct {
	Name          string   `json:"name"`
	Source        string   `json:"source"`
	Path          string   `json:"path"`
	State         string   `json:"state"` // valid, invalid, needs-commands
	Why           string   `json:"why,omitempty"`
	Version       int      `json:"version,omitempty"`
	Steps         int      `json:"steps"`
	NeedsCommands []string `json:"needs_commands,omitempty"`
	Shadows       []string `json:"shadows,omitempty"`
}

func (a *app) printList(set *discover.Set) error {
	format, err := a.choose("text", "json")
	if err != nil {
		return err
	}
	agents, fleets := agentRows(set), fleetRows(set)
	if format == "json" {
		return writeDocument(a.stdout, "list", struct {
			Agents []agentRow `json:"agents"`
			Fleets []fleetRow `json:"fleets"`
		}{agents, fleets}, set.Found)
	}
	if err := listAgents(a.stdout, agents); err != nil {
		return err
	}
	if err := a.say(""); err != nil {
		return err
	}
	return listFleets(a.stdout, fleets)
}

func agentRows(set *discover.Set) []agentRow {
	rows := []agentRow{}
	for i := range set.Agents {
		agent := &set.Agents[i]
		row := agentRow{ID: agent.ID, Source: string(agent.Source), Path: agent.Path, Tools: []string{}, Fingerprint: agent.Fingerprint}
		row.State, row.Why = agentState(agent)
		if r := agent.Recipe; r != nil {
			row.Class, row.Audience, row.Category = r.CapabilityClass, r.Audience, r.Category
			row.Tools = append(row.Tools, r.Tools...)
		}
		rows = append(rows, row)
	}
	for _, external := range set.External {
		spec := external.Spec()
		rows = append(rows, agentRow{
			ID: external.ID, Source: string(spec.Source), State: "external", Class: spec.CapabilityClass,
			Audience: spec.Audience, Category: spec.Category, Tools: []string{}, Why: spec.Description,
		})
	}
	return rows
}

func agentState(agent *discover.Agent) (state, why string) {
	switch {
	case agent.Quarantined():
		return "quarantined", firstFinding(agent.Found)
	case agent.Ignored != "":
		return "ignored", string(agent.Ignored)
	case !agent.Effective():
		return "overridden", "by " + agent.ShadowedBy
	}
	return "effective", ""
}

func fleetRows(set *discover.Set) []fleetRow {
	rows := []fleetRow{}
	for i := range set.Fleets {
		f := &set.Fleets[i]
		row := fleetRow{Name: f.Name, Source: string(f.Source), Path: f.Path, NeedsCommands: lacking(f), Shadows: f.Shadows}
		row.State, row.Why = fleetState(f)
		if c := cmp.Or(f.Contract, f.Parsed); c != nil {
			row.Version, row.Steps = c.Version, len(c.Steps)
		}
		rows = append(rows, row)
	}
	return rows
}

// lacking are the commands that this repository doesn't register for a fleet:
// all of them without a registry, and of another root's fleet those that the
// registry doesn't have.
func lacking(f *discover.Fleet) []string {
	return append(slices.Clip(f.NeedsCommands), f.Unregistered...)
}

func fleetState(f *discover.Fleet) (state, why string) {
	commands := lacking(f)
	switch {
	case len(commands) > 0:
		return "needs-commands", strings.Join(commands, ", ")
	case f.Contract == nil:
		return "invalid", firstFinding(f.Found)
	case len(f.Shadows) > 0:
		return "valid", "shadows " + strings.Join(f.Shadows, ", ")
	}
	return "valid", ""
}

// firstFinding is the defect that the runtime would report.
func firstFinding(found []diag.Diagnostic) string {
	if len(found) == 0 {
		return ""
	}
	return found[0].Pos.String() + ": " + found[0].Message
}

// shortFingerprint is enough of a fingerprint to tell two apart by eye.
const shortFingerprint = 12

func listAgents(w io.Writer, rows []agentRow) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "AGENT\tSOURCE\tCLASS\tTOOLS\tFINGERPRINT\tSTATE")
	for _, r := range rows {
		printed := r.Fingerprint[:min(len(r.Fingerprint), shortFingerprint)]
		row(table, r.ID, r.Source, r.Class, strings.Join(r.Tools, ","), printed, stateText(r.State, r.Why))
	}
	return table.Flush()
}

func listFleets(w io.Writer, rows []fleetRow) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "FLEET\tSOURCE\tVERSION\tSTEPS\tSTATE")
	for _, r := range rows {
		version, steps := "", ""
		if r.Version > 0 {
			version, steps = fmt.Sprint(r.Version), fmt.Sprint(r.Steps)
		}
		row(table, r.Name, r.Source, version, steps, stateText(r.State, r.Why))
	}
	return table.Flush()
}

func stateText(state, why string) string {
	if why == "" {
		return state
	}
	return state + ": " + why
}

// row writes one line of a table; an empty cell shows as a dash.
func row(w io.Writer, cells ...string) {
	for i, cell := range cells {
		cells[i] = cmp.Or(plain(cell), "-")
	}
	fmt.Fprintln(w, strings.Join(cells, "\t"))
}
