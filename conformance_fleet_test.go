package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/fleet"
	"github.com/fleetgate/fleetgate/internal/value"
)

func init() {
	conformanceKinds = append(conformanceKinds,
		conformanceKind{"fleet", checkFleet, conformanceCounts{ran: 743, passed: 742, stricter: 1}},
		conformanceKind{"commands", checkCommands, conformanceCounts{ran: 174, passed: 173, stricter: 1}},
		conformanceKind{"bind", checkBind, conformanceCounts{ran: 98, passed: 98}},
		conformanceKind{"args", checkArgs, conformanceCounts{ran: 75, passed: 75}},
		conformanceKind{"render-prompt", checkRenderPrompt, conformanceCounts{ran: 35, passed: 35}},
	)
}

// fleetCode gives our code of a recorded one. The table is one to one: of the
// codes that the corpus lets count as one refusal, none has to.
func fleetCode(recorded string) string {
	family, name, _ := strings.Cut(recorded, "/")
	if family == "boundary" {
		family = "writes"
	}
	return family + "-" + name
}

// recordedFault is one {code, at} of an expectation.
type recordedFault struct {
	Code string `json:"code"`
	At   string `json:"at"`
}

// refusal is the recorded outcome that every kind of this file has.
type refusal struct {
	OK bool `json:"ok"`
	recordedFault
	All     []recordedFault `json:"all"`
	Members []string        `json:"members"`
}

// compareRefusal holds our findings against a recorded refusal. The first must
// be the recorded one, or one of several schema faults, and then our schema
// findings must be exactly those.
func (want refusal) compare(found []diag.Diagnostic) string {
	if want.OK {
		if len(found) > 0 {
			return fmt.Sprintf("stricter: %s at %q: %s", found[0].Code, found[0].Field, found[0].Message)
		}
		return ""
	}
	if len(found) == 0 {
		return fmt.Sprintf("accepted; the reference refuses with %s at %q", want.Code, want.At)
	}
	if found[0].Code == "yaml-directive" {
		return "" // refused by both; ours by its own code (spec section 1)
	}
	faults := want.All
	if faults == nil {
		faults = []recordedFault{want.recordedFault}
	}
	first := found[0]
	if !slices.ContainsFunc(faults, func(f recordedFault) bool {
		return fleetCode(f.Code) == string(first.Code) && f.At == first.Field
	}) {
		return fmt.Sprintf("first finding is %s at %q (%s); want %s at %q", first.Code, first.Field, first.Message, want.Code, want.At)
	}
	if strings.Contains(fleetCode(want.Code), "-schema-") && want.Code != "" {
		if difference := sameSchemaFaults(faults, found); difference != "" {
			return difference
		}
	}
	if want.Members != nil && !strings.Contains(first.Message, "steps "+strings.Join(want.Members, ", ")+" ") {
		return fmt.Sprintf("message %q doesn't list %v", first.Message, want.Members)
	}
	return ""
}

// sameSchemaFaults compares code and field of every schema finding, whatever its
// place in the list. What ours refuses by name, an older version's writes say,
// counts where the recording has it as a fault of the schema.
func sameSchemaFaults(want []recordedFault, found []diag.Diagnostic) string {
	wanted, got := map[string]bool{}, map[string]bool{}
	for _, f := range want {
		wanted[fleetCode(f.Code)+" "+f.At] = true
	}
	for _, d := range found {
		if byName := "fleet-schema-unknown-key " + d.Field; d.Code == "fleet-writes-before-v4" && wanted[byName] {
			got[byName] = true
		}
		if strings.Contains(string(d.Code), "-schema-") {
			got[string(d.Code)+" "+d.Field] = true
		}
	}
	return cmp.Diff(wanted, got)
}

// jsonOf reads any JSON; a difference to it is found on plain values.
func jsonOf(text []byte) (v any) {
	if err := json.Unmarshal(text, &v); err != nil {
		return err
	}
	return v
}

func decodeCase(c conformanceCase, input, expect any) error {
	if err := json.Unmarshal(c.Input, input); err != nil {
		return err
	}
	return json.Unmarshal(c.Expect, expect)
}

func checkFleet(c conformanceCase) string {
	var in struct{ Raw, Path string }
	var want struct {
		refusal
		Contract   json.RawMessage
		Boundaries json.RawMessage
		Ancestors  map[string][]string
		CodeSteps  json.RawMessage
		Loops      json.RawMessage
	}
	if err := decodeCase(c, &in, &want); err != nil {
		return err.Error()
	}
	contract, found := fleet.Parse(in.Path, []byte(in.Raw))
	if (contract == nil) != (len(found) > 0) {
		return "a contract and findings, or neither"
	}
	if difference := want.compare(found); difference != "" || !want.OK {
		return difference
	}
	return firstDifference(
		cmpDiff("contract", jsonOf(want.Contract), jsonOf([]byte(value.Stringify(contract.Normalized())))),
		cmpDiff("boundaries", jsonOf(want.Boundaries), recordedBoundaries(contract)),
		cmpDiff("ancestors", want.Ancestors, recordedAncestors(contract)),
		cmpDiff("codeSteps", jsonOf(want.CodeSteps), recordedCodeSteps(contract)),
		cmpDiff("loops", jsonOf(want.Loops), recordedLoops(contract)),
	)
}

func firstDifference(differences ...string) string {
	for _, difference := range differences {
		if difference != "" {
			return difference
		}
	}
	return ""
}

func cmpDiff(what string, want, got any) string {
	if difference := cmp.Diff(want, got); difference != "" {
		return what + " (-want +got):\n" + difference
	}
	return ""
}

func anyList[T any](list []T) []any {
	out := make([]any, len(list))
	for i, v := range list {
		out[i] = v
	}
	return out
}

func recordedBoundaries(c *fleet.Contract) any {
	out := []any{}
	for _, p := range c.Positions() {
		var writes any
		if p.Bounded {
			writes = anyList(p.Writes)
		}
		out = append(out, map[string]any{"id": p.ID, "scope": p.Scope, "writes": writes})
	}
	return out
}

// recordedAncestors leaves out a step __proto__, which a JavaScript object can't hold as a key.
func recordedAncestors(c *fleet.Contract) map[string][]string {
	out := map[string][]string{}
	for _, step := range c.Steps {
		if step.ID.Value != "__proto__" {
			out[step.ID.Value] = c.Ancestors(step.ID.Value)
		}
	}
	return out
}

func recordedCodeSteps(c *fleet.Contract) any {
	out := []any{}
	for _, use := range c.CodeSteps() {
		step := map[string]any{"id": use.Step, "command": use.Command.Value}
		if use.Args != nil {
			args := []any{}
			for _, arg := range use.Args {
				args = append(args, arg.Value)
			}
			step["args"] = args
		}
		out = append(out, step)
	}
	return out
}

func recordedLoops(c *fleet.Contract) any {
	out := []any{}
	for _, step := range c.Steps {
		if checks, repairs := c.LoopIDs(step); step.Kind == fleet.LoopStep {
			out = append(out, map[string]any{"id": step.ID.Value, "checks": anyList(checks), "repairs": anyList(repairs)})
		}
	}
	return out
}

func checkCommands(c conformanceCase) string {
	var in struct{ Raw, Path string }
	var want struct {
		refusal
		Version  float64
		Commands json.RawMessage
	}
	if err := decodeCase(c, &in, &want); err != nil {
		return err.Error()
	}
	registry, found := fleet.ParseCommands(in.Path, []byte(in.Raw))
	if (registry == nil) != (len(found) > 0) {
		return "a registry and findings, or neither"
	}
	if difference := want.compare(found); difference != "" || !want.OK {
		return difference
	}
	expected := map[string]any{"version": want.Version, "commands": jsonOf(want.Commands)}
	return cmpDiff("registry", expected, jsonOf([]byte(value.Stringify(registry.Normalized()))))
}

func checkBind(c conformanceCase) string {
	var in struct {
		Contract string
		Registry *string
		Vars     map[string]string
	}
	var want struct {
		refusal
		Step, Command string
		Registered    []string
		NeedsCommands []string
	}
	if err := decodeCase(c, &in, &want); err != nil {
		return err.Error()
	}
	contract, found := fleet.Parse("fleet.md", []byte(in.Contract))
	if contract == nil {
		return want.compare(found)
	}
	if in.Registry == nil {
		return compareUnbound(contract, want.refusal, want.NeedsCommands)
	}
	registry, found := fleet.ParseCommands("commands.yaml", []byte(*in.Registry))
	if registry == nil {
		// A contract that runs no command doesn't look at the registry.
		if want.OK && len(contract.CommandIDs()) == 0 {
			return ""
		}
		return want.compare(found)
	}
	found = fleet.Bind(contract, registry, in.Vars)
	if difference := want.compare(found); difference != "" || want.OK {
		return difference
	}
	if named := fmt.Sprintf("step %q", want.Step); !strings.HasPrefix(found[0].Message, named) {
		return fmt.Sprintf("message %q doesn't begin with %s", found[0].Message, named)
	}
	if want.Registered != nil {
		return cmpDiff("registered", want.Registered, registry.IDs())
	}
	return ""
}

// compareUnbound: without a registry, a contract that runs commands needs
// them. That is a state, not a finding of this room.
func compareUnbound(contract *fleet.Contract, want refusal, needs []string) string {
	if !want.OK && want.Code != "bind/registry-missing" {
		return fmt.Sprintf("accepted; the reference refuses with %s at %q", want.Code, want.At)
	}
	return cmpDiff("needsCommands", needs, contract.CommandIDs())
}

func checkArgs(c conformanceCase) string {
	var in struct {
		Args           []string
		Vars           map[string]string
		Command        json.RawMessage
		AllowTemplates bool
	}
	var want struct {
		refusal
		Resolved []string
	}
	if err := decodeCase(c, &in, &want); err != nil {
		return err.Error()
	}
	args := in.Args
	if in.Vars != nil {
		resolved, problems := fleet.ResolveArgs(args, in.Vars)
		if difference := compareArgs(want.refusal, problems); difference != "" || problems != nil {
			return difference
		}
		if want.Resolved != nil {
			if difference := cmpDiff("resolved", want.Resolved, resolved); difference != "" {
				return difference
			}
		}
		args = resolved
	}
	if in.Command == nil {
		return ""
	}
	command, found := registeredCommand(in.Command)
	if command == nil {
		return compareSlots(want.refusal, found)
	}
	return compareArgs(want.refusal, command.CheckArgs(args, in.AllowTemplates))
}

// registeredCommand reads a recorded command by the only door there is, a
// registry of that one command. No slots are the same as none declared.
func registeredCommand(recorded json.RawMessage) (*fleet.Command, []diag.Diagnostic) {
	var command struct {
		ID            string
		ArgumentSlots []json.RawMessage
	}
	if err := json.Unmarshal(recorded, &command); err != nil {
		panic(err)
	}
	entry := map[string]any{"argv": []string{"x"}}
	if len(command.ArgumentSlots) > 0 {
		entry["argumentSlots"] = command.ArgumentSlots
	}
	text, err := json.Marshal(map[string]any{"version": 1, "commands": map[string]any{command.ID: entry}})
	if err != nil {
		panic(err)
	}
	registry, found := fleet.ParseCommands("commands.yaml", text)
	if registry == nil {
		return nil, found
	}
	only, _ := registry.Command(command.ID)
	return only, nil
}

// compareSlots: the registry refuses a bad declaration before any argument is looked at.
func compareSlots(want refusal, found []diag.Diagnostic) string {
	if want.Code != "args/slots-declaration" || !strings.Contains(found[0].Field, want.At) {
		return fmt.Sprintf("the registry refuses the command: %s at %s; want %s", found[0].Code, found[0].Field, want.Code)
	}
	return ""
}

func compareArgs(want refusal, problems []fleet.ArgProblem) string {
	switch {
	case want.OK != (len(problems) == 0):
		return fmt.Sprintf("problems are %v; want ok %v %s", problems, want.OK, want.Code)
	case want.OK:
		return ""
	}
	first := problems[0]
	if "args/"+string(first.Reason) != want.Code || first.Field() != want.At {
		return fmt.Sprintf("first problem is %s at %s; want %s at %s", first.Reason, first.Field(), want.Code, want.At)
	}
	return ""
}

func checkRenderPrompt(c conformanceCase) string {
	var in struct {
		Body string
		Vars map[string]string
	}
	var want struct {
		OK      bool
		Text    string
		Missing []string
	}
	if err := decodeCase(c, &in, &want); err != nil {
		return err.Error()
	}
	text, missing := fleet.RenderPrompt(in.Body, in.Vars)
	if want.OK != (missing == nil) {
		return fmt.Sprintf("missing %v; want ok %v", missing, want.OK)
	}
	return firstDifference(cmpDiff("missing", want.Missing, missing), cmpDiff("text", want.Text, text))
}
