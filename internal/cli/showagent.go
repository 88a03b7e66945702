package cli

import (
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/discover"
	"github.com/fleetgate/fleetgate/internal/policy"
	"github.com/fleetgate/fleetgate/internal/value"
)

// agentData is the JSON of show agent/ID.
type agentData struct {
	agentRow
	Spec          json.RawMessage    `json:"spec"`          // normalized; null where the recipe is quarantined
	Compatibility *compatibilityData `json:"compatibility"` // with --tools
	Mismatch      *mismatchData      `json:"mismatch"`      // with --task
}

// compatibilityData says how the agent fares with the tools at hand (spec section 3.6).
type compatibilityData struct {
	Compatible      bool     `json:"compatible"`
	MissingRequired []string `json:"missing_required"`
	LostOptional    []string `json:"lost_optional"`
}

// mismatchData says how the agent's capability fits a task (spec section 3.8).
type mismatchData struct {
	Task    string `json:"task_type"`
	Verdict string `json:"verdict"` // fits, flagged, refused
	Suggest string `json:"suggest,omitempty"`
}

func (a *app) showAgent(set *discover.Set, id string, withTools bool, f *showFlags) error {
	format, err := a.choose("text", "json")
	if err != nil {
		return err
	}
	catalog := discover.NewCatalog(*set)
	data, findings, ok := agentOf(set, catalog, id)
	if !ok {
		return noSuchAgent(set, id)
	}
	if spec, ok := catalog.GetSpec(id); ok {
		data.Spec = json.RawMessage(value.Stringify(spec.Value()))
		if withTools {
			data.Compatibility = compatibility(spec, f)
		}
		if f.task != "" {
			data.Mismatch = mismatch(spec, f.task, catalog.ListSpecs())
		}
	}
	if format == "json" {
		err = writeDocument(a.stdout, "show", data, findings)
	} else {
		err = a.agentText(data, catalog, findings)
	}
	if err == nil && diag.HasError(findings) {
		return exitCode(ExitFailed)
	}
	return err
}

// agentOf finds the row of an id: the effective one, else the first that stands aside.
func agentOf(set *discover.Set, catalog *discover.Catalog, id string) (*agentData, []diag.Diagnostic, bool) {
	rows := agentRows(set)
	_, dispatchable := catalog.GetSpec(id)
	for i, r := range rows {
		if r.ID != id || dispatchable && r.State != "effective" && r.State != "external" {
			continue
		}
		data := &agentData{agentRow: r, Spec: json.RawMessage("null")}
		if i < len(set.Agents) {
			return data, set.Agents[i].Found, true
		}
		return data, nil, true
	}
	return nil, nil, false
}

func noSuchAgent(set *discover.Set, id string) error {
	var known []string
	for _, r := range agentRows(set) {
		known = append(known, r.ID)
	}
	return usagef("there is no agent %q in %s/agents; %sthe agents are %s", id, discover.Dir, diag.DidYouMean(id, known), listed(known))
}

func compatibility(spec policy.Spec, f *showFlags) *compatibilityData {
	c := policy.Compatibility(spec, f.tools, f.mediatesDispatch)
	return &compatibilityData{
		Compatible:      c.Compatible,
		MissingRequired: append([]string{}, c.MissingRequired...),
		LostOptional:    append([]string{}, c.LostOptional...),
	}
}

// mismatch judges as if the caller had named the agent: then it can be refused.
func mismatch(spec policy.Spec, task string, available []policy.Spec) *mismatchData {
	m, wrong := policy.Mismatch(policy.Assignment{
		CapabilityClass: spec.CapabilityClass, Contract: spec.ResultContract.Kind, Task: task, Available: available,
	})
	data := &mismatchData{Task: string(policy.ClassifyTask(task)), Verdict: "fits", Suggest: m.Suggest}
	switch {
	case wrong && m.Refused:
		data.Verdict = "refused"
	case wrong:
		data.Verdict = "flagged"
	}
	return data
}

func (a *app) agentText(data *agentData, catalog *discover.Catalog, findings []diag.Diagnostic) error {
	if err := a.say("agent %s, %s %s (%s)", plain(data.ID), data.Source, plain(data.Path), stateText(data.State, plain(data.Why))); err != nil {
		return err
	}
	if spec, ok := catalog.GetSpec(data.ID); ok {
		if err := a.specText(spec); err != nil {
			return err
		}
	}
	if c := data.Compatibility; c != nil {
		if err := a.say("with these tools: %s", compatibilityText(c)); err != nil {
			return err
		}
	}
	if m := data.Mismatch; m != nil {
		if err := a.say("this task (%s): %s", m.Task, mismatchText(m)); err != nil {
			return err
		}
	}
	return a.fleetFindings(findings)
}

func (a *app) specText(s policy.Spec) error {
	required := make([]string, len(s.Required))
	for i, r := range s.Required {
		required[i] = r.String()
	}
	table := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	row(table, "  class", s.CapabilityClass)
	row(table, "  audience", s.Audience)
	row(table, "  category", s.Category)
	row(table, "  budget", policy.BudgetText(s.Budget))
	row(table, "  required tools", strings.Join(required, ", "))
	row(table, "  optional tools", strings.Join(s.Optional, ", "))
	row(table, "  skills", strings.Join(s.Skills, ", "))
	row(table, "  result", string(s.ResultContract.Kind))
	if s.Source != policy.Custom {
		row(table, "  fingerprint", s.Fingerprint())
	}
	return table.Flush()
}

func compatibilityText(c *compatibilityData) string {
	parts := []string{"compatible"}
	if !c.Compatible {
		parts[0] = "not compatible: missing " + strings.Join(c.MissingRequired, ", ")
	}
	if len(c.LostOptional) > 0 {
		parts = append(parts, "without its optional "+strings.Join(c.LostOptional, ", "))
	}
	return plain(strings.Join(parts, "; "))
}

func mismatchText(m *mismatchData) string {
	switch {
	case m.Verdict == "fits":
		return "fits"
	case m.Suggest == "":
		return m.Verdict + ": the agent may not change the workspace, and no agent here may"
	}
	return fmt.Sprintf("%s: the agent may not change the workspace; ask %s", m.Verdict, plain(m.Suggest))
}
