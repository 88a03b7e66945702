package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/policy"
	"github.com/fleetgate/fleetgate/internal/result"
	"github.com/fleetgate/fleetgate/internal/value"
)

func init() {
	for _, kind := range []struct {
		name  string
		want  conformanceCounts
		check func(input, expect *value.Value) string
	}{
		{"recipe", conformanceCounts{ran: 723, passed: 719, stricter: 4}, checkRecipeCase},
		{"normalize", conformanceCounts{ran: 16, passed: 16}, checkNormalizeCase},
		{"fingerprint", conformanceCounts{ran: 28, passed: 28}, checkFingerprintCase},
		{"tool-compat", conformanceCounts{ran: 61, passed: 61}, checkToolCompatCase},
		{"catalog", conformanceCounts{ran: 56, passed: 56}, checkCatalogCase},
		{"mismatch", conformanceCounts{ran: 155, passed: 155}, checkMismatchCase},
		{"contract-decl", conformanceCounts{ran: 101, passed: 101}, checkContractCase},
		{"classify-task", conformanceCounts{ran: 86, passed: 86}, checkTaskCase},
	} {
		conformanceKinds = append(conformanceKinds, conformanceKind{
			kind:  kind.name,
			check: onValues(kind.check),
			want:  kind.want,
		})
	}
}

// onValues reads a case's two halves as values, which keep what encoding/json would lose: unpaired surrogates.
func onValues(check func(input, expect *value.Value) string) func(conformanceCase) string {
	return func(c conformanceCase) string {
		input, err := value.ParseJSON("input", c.Input)
		if err != nil {
			return err.Error()
		}
		expect, err := value.ParseJSON("expect", c.Expect)
		if err != nil {
			return err.Error()
		}
		return check(input, expect)
	}
}

func checkRecipeCase(input, expect *value.Value) string {
	r, found := parseRecipe(input)
	if len(found) > 0 || !expect.Get("ok").Bool {
		return diffRefusal(found, expect)
	}
	broken := policy.PolicyErrors(r)
	return cmp.Diff(string(value.Canonical(expect.Get("recipe"))), string(value.Canonical(r.Normalized()))) +
		cmp.Diff(textOf(expect, "fingerprint"), policy.Fingerprint(r)) +
		cmp.Diff(expect.Get("admitted").Bool, len(broken) == 0) +
		diffPolicy(broken, expect.Get("policy").Items)
}

func parseRecipe(input *value.Value) (*policy.Recipe, []diag.Diagnostic) {
	return policy.Parse(textOf(input, "path"), textOf(input, "id"), policy.Source(textOf(input, "source")), []byte(textOf(input, "raw")))
}

// diffPolicy compares the broken rules in order; a rule about a tool must name it.
func diffPolicy(broken []diag.Diagnostic, want []*value.Value) string {
	var codes, wanted []string
	for _, d := range broken {
		codes = append(codes, string(d.Code))
	}
	for i, w := range want {
		wanted = append(wanted, ourCode(textOf(w, "code")))
		if tool := textOf(w, "tool"); i < len(broken) && !strings.Contains(broken[i].Message, tool) {
			return fmt.Sprintf("%q does not name the tool %s", broken[i].Message, tool)
		}
	}
	return cmp.Diff(wanted, codes)
}

func checkContractCase(input, expect *value.Value) string {
	contract, found := result.ParseContract(input.Get("value"), "resultContract", input.Get("worker").Bool)
	if len(found) > 0 || !expect.Get("ok").Bool {
		return diffRefusal(found, expect)
	}
	return cmp.Diff(string(value.Canonical(expect.Get("contract"))), string(value.Canonical(contract.Value())))
}

// diffRefusal compares the first finding with a recorded refusal: its code and the field concerned.
func diffRefusal(found []diag.Diagnostic, expect *value.Value) string {
	if len(found) == 0 {
		return "accepted; want " + textOf(expect, "code")
	}
	first := found[0]
	if expect.Get("ok").Bool || refusedAsYAML(first, expect) {
		return "stricter: " + string(first.Code) + ": " + first.Message
	}
	return cmp.Diff([]string{ourCode(textOf(expect, "code")), textOf(expect, "at")}, []string{string(first.Code), first.Field})
}

// refusedAsYAML says whether ours refuses as YAML what the reference reads, and then refuses by its schema.
func refusedAsYAML(first diag.Diagnostic, expect *value.Value) bool {
	return first.Code == "frontmatter-invalid-yaml" && !strings.HasPrefix(textOf(expect, "code"), "frontmatter/")
}

// ourCode renames a recorded code of the recipe's families.
func ourCode(code string) string {
	family, rest, _ := strings.Cut(code, "/")
	if family == "policy" {
		family = "capability"
	}
	return family + "-" + rest
}

func checkNormalizeCase(input, expect *value.Value) string {
	requirements := &policy.Requirements{Required: requirementsOf(input), Optional: textsOf(input, "optional")}
	tools, err := policy.Normalize(textOf(input, "id"), textsOf(input, "tools"), requirements)
	var refused *policy.NormalizeError
	if errors.As(err, &refused) {
		want := []string{textOf(expect, "code"), textOf(expect, "at"), textOf(expect, "tool")}
		return cmp.Diff(want, []string{"spec/" + string(refused.Reason), refused.Field, refused.Tool})
	}
	if !expect.Get("ok").Bool {
		return "accepted; want " + textOf(expect, "code")
	}
	return cmp.Diff(textsOf(expect, "tools"), tools) +
		cmp.Diff(requirementsOf(expect), requirements.Required) +
		cmp.Diff(textsOf(expect, "optional"), requirements.Optional)
}

func checkFingerprintCase(input, expect *value.Value) string {
	var got [2]string
	for i, half := range []string{"a", "b"} {
		r, found := parseRecipe(input.Get(half))
		if len(found) > 0 {
			return "stricter: " + found[0].Message
		}
		got[i] = policy.Fingerprint(r)
	}
	return cmp.Diff([2]string{textOf(expect, "a"), textOf(expect, "b")}, got) +
		cmp.Diff(expect.Get("same").Bool, got[0] == got[1])
}

func checkToolCompatCase(input, expect *value.Value) string {
	spec := policy.Spec{Required: requirementsOf(input), Optional: textsOf(input, "optional")}
	got := policy.Compatibility(spec, textsOf(input, "available"), input.Get("mediatesDispatch").Bool)
	return cmp.Diff(policy.ToolCompatibility{
		Compatible:      expect.Get("compatible").Bool,
		MissingRequired: textsOf(expect, "missingRequired"),
		LostOptional:    textsOf(expect, "lostOptional"),
	}, got)
}

// rosterCase is what is recorded of one catalog: the ids by group, and each id's line.
type rosterCase struct {
	Empty         bool
	Public        []string
	Shadow        []string
	Lines         map[string]string
	SameReversed  bool
	GroupsAreSaid bool // the section has the lines of both groups, in order
}

func checkCatalogCase(input, expect *value.Value) string {
	specs := specsOf(input)
	section := policy.CatalogSection(specs)
	want := rosterCase{
		Empty:  expect.Get("empty").Bool,
		Public: textsOf(expect, "public"), Shadow: textsOf(expect, "shadow"),
		Lines: map[string]string{}, SameReversed: true, GroupsAreSaid: true,
	}
	if roster := expect.Get("roster"); roster != nil {
		for _, m := range roster.Members {
			want.Lines[m.Key] = wantedLine(m)
		}
	}
	roster := policy.NewRoster(specs)
	got := rosterCase{Empty: section == "", Public: idsOf(roster.Public), Shadow: idsOf(roster.Specialists), Lines: map[string]string{}}
	var lines []string
	for _, spec := range slices.Concat(roster.Public, roster.Specialists) {
		got.Lines[spec.ID] = policy.RosterLine(spec)
		lines = append(lines, policy.RosterLine(spec))
	}
	got.GroupsAreSaid = slices.Equal(lines, rosterLines(section))
	slices.Reverse(specs)
	got.SameReversed = policy.CatalogSection(specs) == section
	return cmp.Diff(want, got)
}

func wantedLine(m value.Member) string {
	line := fmt.Sprintf("- %s (%s, %s)", m.Key, textOf(m.Value, "capabilityClass"), textOf(m.Value, "budget"))
	if purpose := textOf(m.Value, "purpose"); purpose != "" {
		line += ": " + purpose
	}
	return line
}

// rosterLines are the lines of a catalog section from its first group on.
func rosterLines(section string) []string {
	_, groups, _ := strings.Cut(section, "\n## ")
	var lines []string
	for line := range strings.Lines(groups) {
		if strings.HasPrefix(line, "- ") {
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
	}
	return lines
}

func idsOf(specs []policy.Spec) []string {
	ids := []string{}
	for _, spec := range specs {
		ids = append(ids, spec.ID)
	}
	return ids
}

func checkMismatchCase(input, expect *value.Value) string {
	assignment := policy.Assignment{
		CapabilityClass: textOf(input, "capabilityClass"),
		Contract:        result.Kind(textOf(input, "resultContractKind")),
		Task:            textOf(input, "task"),
		AutoSelected:    input.Get("autoSelected").Bool,
		Available:       specsOf(input),
	}
	if intent := input.Get("intent"); intent != nil {
		assignment.Intent = &policy.Intent{WriteRoots: textsOf(intent, "writeRoots"), ExpectedOutputs: textsOf(intent, "expectedOutputs")}
	}
	got, mismatched := policy.Mismatch(assignment)
	difference := cmp.Diff(expect.Get("admitted").Bool, !got.Refused)
	if want := expect.Get("mismatch"); want != nil {
		difference += cmp.Diff(string(value.Canonical(want)), string(value.Canonical(mismatchValue(got, mismatched))))
	}
	return difference
}

func mismatchValue(m policy.Mismatched, mismatched bool) *value.Value {
	if !mismatched {
		return value.NewNull()
	}
	verdict, suggested := "flag", value.NewNull()
	if m.Refused {
		verdict = "refuse"
	}
	if m.Suggest != "" {
		suggested = value.NewString(m.Suggest)
	}
	return value.NewMap(
		value.Field("verdict", value.NewString(verdict)),
		value.Field("taskType", value.NewString(string(m.Task))),
		value.Field("suggestedAgentId", suggested),
	)
}

func checkTaskCase(input, expect *value.Value) string {
	return cmp.Diff(textOf(expect, "taskType"), string(policy.ClassifyTask(textOf(input, "task"))))
}

// textOf gives a string member, "" where it is none.
func textOf(v *value.Value, key string) string {
	if member := v.Get(key); member != nil && member.Kind == value.String {
		return member.Text
	}
	return ""
}

// textsOf gives a list of strings, never nil.
func textsOf(v *value.Value, key string) []string {
	texts := []string{}
	if list := v.Get(key); list != nil {
		for _, item := range list.Items {
			texts = append(texts, item.Text)
		}
	}
	return texts
}

// requirementsOf gives the required entries of a case, without positions.
func requirementsOf(v *value.Value) []policy.Requirement {
	var list []policy.Requirement
	for _, item := range v.Get("required").Items {
		if item.Kind == value.Map {
			list = append(list, policy.Requirement{AnyOf: textsOf(item, "anyOf")})
			continue
		}
		list = append(list, policy.Requirement{Tool: item.Text})
	}
	return list
}

// specsOf gives the agents of a case, with what it says of them.
func specsOf(input *value.Value) []policy.Spec {
	var specs []policy.Spec
	for _, item := range input.Get("specs").Items {
		spec := policy.Spec{
			ID: textOf(item, "id"), Audience: textOf(item, "audience"), Category: textOf(item, "category"),
			CapabilityClass: textOf(item, "capabilityClass"), Description: textOf(item, "description"),
		}
		if budget := item.Get("budget"); budget != nil {
			spec.Budget = budgetOf(budget)
		}
		specs = append(specs, spec)
	}
	return specs
}

func budgetOf(v *value.Value) policy.Budget {
	budget := policy.Budget{Figures: figuresOf(v), Synthesis: v.Get("synthesis").Bool}
	if maximum := v.Get("maximum"); maximum != nil {
		figures := figuresOf(maximum)
		budget.Maximum = &figures
	}
	return budget
}

func figuresOf(v *value.Value) policy.Figures {
	return policy.Figures{ToolCalls: v.Get("toolCalls").Number, ReadReserve: v.Get("readReserve").Number}
}
