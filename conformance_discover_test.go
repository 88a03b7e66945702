package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/builtins"
	"github.com/fleetgate/fleetgate/internal/discover"
	"github.com/fleetgate/fleetgate/internal/fleet"
	"github.com/fleetgate/fleetgate/internal/policy"
	"github.com/fleetgate/fleetgate/internal/value"
)

func init() {
	conformanceKinds = append(conformanceKinds,
		conformanceKind{kind: "merge", check: checkMerge, want: conformanceCounts{ran: 46, passed: 46}},
		conformanceKind{kind: "discover", check: checkDiscover, want: conformanceCounts{ran: 23, passed: 23}},
		conformanceKind{kind: "fleet-list", check: checkFleetList, want: conformanceCounts{ran: 13, passed: 13}},
		conformanceKind{kind: "recipe-id", check: checkRecipeID, want: conformanceCounts{ran: 30, passed: 30}},
	)
}

// discoveredCode renames a recorded code of any family that discovery meets.
func discoveredCode(recorded string) string {
	family, word, _ := strings.Cut(recorded, "/")
	switch family {
	case "boundary":
		family = "writes"
	case "policy":
		family = "capability"
	}
	if recorded == "" {
		return ""
	}
	return family + "-" + word
}

type (
	listedAgent struct {
		ID     string `json:"id"`
		Source string `json:"source"`
		Name   string `json:"name,omitempty"`
	}
	mergeEvent struct {
		Action string `json:"action"`
		ID     string `json:"id"`
		By     string `json:"by"`
		Reason string `json:"reason,omitempty"`
	}
	quarantined struct {
		Source      string   `json:"source"`
		File        string   `json:"file"`
		Code        string   `json:"code"`
		At          string   `json:"at"`
		PolicyCodes []string `json:"policyCodes,omitempty"`
	}
	listedFleet struct {
		Name          string   `json:"name"`
		Source        string   `json:"source"`
		OK            bool     `json:"ok"`
		Code          string   `json:"code,omitempty"`
		At            string   `json:"at,omitempty"`
		NeedsCommands []string `json:"needsCommands,omitempty"`
	}
	discoveryExpect struct {
		OK          bool          `json:"ok"`
		Code        string        `json:"code"`
		At          string        `json:"at"`
		File        string        `json:"file"`
		ID          string        `json:"id"`
		Agents      []listedAgent `json:"agents"`
		Log         []mergeEvent  `json:"log"`
		Diagnostics []quarantined `json:"diagnostics"`
		Fleets      []listedFleet `json:"fleets"`
	}
	discoveryInput struct {
		Builtin map[string]string `json:"builtin"`
		Plugins []struct {
			Name  string            `json:"name"`
			Files map[string]string `json:"files"`
		} `json:"plugins"`
		User     map[string]string `json:"user"`
		Project  map[string]string `json:"project"`
		Registry *string           `json:"registry"`
	}
)

func decodeDiscovery(c conformanceCase, input any) (expect discoveryExpect, err error) {
	return expect, errors.Join(json.Unmarshal(c.Input, input), json.Unmarshal(c.Expect, &expect))
}

func checkMerge(c conformanceCase) string {
	var input struct {
		Groups [][]struct {
			ID       string `json:"id"`
			Source   string `json:"source"`
			Audience string `json:"audience"`
		} `json:"groups"`
	}
	want, err := decodeDiscovery(c, &input)
	if err != nil {
		return err.Error()
	}
	var candidates []discover.Candidate
	for _, group := range input.Groups {
		for _, r := range group {
			candidates = append(candidates, discover.Candidate{ID: r.ID, Source: policy.Source(r.Source), Audience: r.Audience})
		}
	}
	fates, log := discover.Merge(candidates)
	agents := []listedAgent{}
	for i, fate := range fates {
		if fate.By == i && fate.Ignored == "" {
			agents = append(agents, listedAgent{ID: candidates[i].ID, Source: string(candidates[i].Source)})
		}
	}
	slices.SortFunc(agents, func(a, b listedAgent) int { return value.CompareIDs(a.ID, b.ID) })
	return cmp.Diff(want.Agents, agents) + cmp.Diff(want.Log, eventsOf(log))
}

func eventsOf(log []discover.Event) []mergeEvent {
	events := []mergeEvent{}
	for _, e := range log {
		events = append(events, mergeEvent{Action: string(e.Action), ID: e.ID, By: string(e.By), Reason: string(e.Reason)})
	}
	return events
}

// load discovers a recorded tree; dir is agents or fleets.
func (in discoveryInput) load(dir string) (discover.Set, error) {
	roots := []discover.Root{{Source: policy.Builtin, FS: tree(dir+"/", in.Builtin), Path: "builtin"}}
	for _, p := range in.Plugins {
		roots = append(roots, discover.Root{Source: policy.Plugin, Name: p.Name, FS: tree(dir+"/", p.Files), Path: "plugin"})
	}
	roots = append(roots, discover.Root{Source: policy.User, FS: tree(dir+"/", in.User), Path: "user"})
	project := tree(discover.Dir+"/"+dir+"/", in.Project)
	if in.Registry != nil {
		project[discover.Dir+"/fleets/commands.yaml"] = &fstest.MapFile{Data: []byte(*in.Registry)}
	}
	return discover.Load(context.Background(), project, discover.Options{Roots: roots})
}

func tree(prefix string, files map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[prefix+name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

func checkDiscover(c conformanceCase) string {
	var input discoveryInput
	want, err := decodeDiscovery(c, &input)
	if err != nil {
		return err.Error()
	}
	set, err := input.load("agents")
	var builtin *discover.BuiltinError
	if errors.As(err, &builtin) {
		first := builtin.Found[0]
		got := discoveryExpect{Code: string(first.Code), At: first.Field, File: strings.TrimPrefix(builtin.Path, "builtin/agents/")}
		return cmp.Diff(discoveryExpect{OK: want.OK, Code: discoveredCode(want.Code), At: want.At, File: want.File}, got)
	}
	if err != nil || !want.OK {
		return fmt.Sprintf("error %v, want ok %t", err, want.OK)
	}
	agents, stand := []listedAgent{}, map[string]quarantined{}
	for _, a := range set.Agents {
		if a.Effective() {
			agents = append(agents, listedAgent{ID: a.ID, Source: string(a.Source), Name: a.Recipe.Name})
		}
		if a.Quarantined() {
			stand[a.Path] = quarantineOf(a)
		}
	}
	wanted := map[string]quarantined{}
	for _, q := range want.Diagnostics {
		q.Code = discoveredCode(q.Code)
		for i := range q.PolicyCodes {
			q.PolicyCodes[i] = discoveredCode(q.PolicyCodes[i])
		}
		wanted[pathOf(q.Source, q.File)] = q
	}
	return cmp.Diff(want.Agents, agents) + cmp.Diff(want.Log, eventsOf(set.Log)) + cmp.Diff(wanted, stand)
}

func pathOf(source, file string) string {
	if source == "project" {
		return discover.Dir + "/agents/" + file
	}
	return source + "/agents/" + file
}

// quarantineOf gives a quarantine as it is recorded: one code for the whole
// capability policy, with the rules that it breaks beside it.
func quarantineOf(a discover.Agent) quarantined {
	q := quarantined{Source: string(a.Source), File: a.Path[strings.LastIndex(a.Path, "/")+1:]}
	first := a.Found[0]
	if !strings.HasPrefix(string(first.Code), "capability-") {
		q.Code, q.At = string(first.Code), first.Field
		return q
	}
	q.Code = "recipe-policy"
	for _, d := range a.Found {
		q.PolicyCodes = append(q.PolicyCodes, string(d.Code))
	}
	return q
}

func checkFleetList(c conformanceCase) string {
	var input discoveryInput
	want, err := decodeDiscovery(c, &input)
	if err != nil {
		return err.Error()
	}
	set, err := input.load("fleets")
	if err != nil {
		return err.Error()
	}
	fleets := []listedFleet{}
	for i, f := range set.Fleets {
		entry := listedFleet{Name: f.Name, Source: string(f.Source), OK: f.OK(), NeedsCommands: f.NeedsCommands}
		if i < len(want.Fleets) {
			want.Fleets[i].Code = discoveredCode(want.Fleets[i].Code)
			entry.Code, entry.At = refusalOf(f, want.Fleets[i])
		}
		fleets = append(fleets, entry)
	}
	return cmp.Diff(want.Fleets, fleets)
}

// refusalOf gives the class and place of a refused fleet's first finding. Of
// several schema faults of one document any is right, and for a refusal to
// bind the reference names no place.
func refusalOf(f discover.Fleet, want listedFleet) (code, at string) {
	if f.OK() || len(f.Found) == 0 {
		return "", ""
	}
	for _, d := range f.Found {
		if strings.Contains(want.Code, "-schema-") && string(d.Code) == want.Code && d.Field == want.At {
			return want.Code, want.At
		}
	}
	if first := f.Found[0]; strings.HasPrefix(string(first.Code), "bind-") {
		return string(first.Code), ""
	}
	return string(f.Found[0].Code), f.Found[0].Field
}

func checkRecipeID(c conformanceCase) string {
	var input struct {
		Path string `json:"path"`
		Root string `json:"root"`
	}
	want, err := decodeDiscovery(c, &input)
	if err != nil {
		return err.Error()
	}
	id, refusal := policy.IDFromPath(input.Root, input.Path)
	return cmp.Diff(map[string]string{"id": want.ID, "code": discoveredCode(want.Code)},
		map[string]string{"id": id, "code": string(refusal)})
}

// The builtins' ids, audiences and capability classes are the reference's; no
// line of their texts is.
func TestBuiltinsShareTheReferencesFactsAndNoneOfItsTexts(t *testing.T) {
	var files []string
	for _, dir := range []string{"builtins", "builtins-newer", "fleets"} {
		found, err := filepath.Glob(filepath.Join(upstreamBuiltins, dir, "*.md"))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	if len(files) == 0 && !required("corpus") {
		t.Skipf("the reference's builtins are absent from %s", upstreamBuiltins)
	}
	theirs := map[string]bool{}
	want := map[string][2]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		id := strings.TrimSuffix(filepath.Base(file), ".md")
		if r, _ := policy.Parse(file, id, policy.Builtin, text); r != nil {
			want[id] = [2]string{r.Audience, r.CapabilityClass}
			addProse(theirs, r.Description, r.Body)
		}
		if c, _ := fleet.Parse(file, text); c != nil {
			addProse(theirs, c.Description, c.Body)
		}
	}
	set, err := discover.Load(t.Context(), fstest.MapFS{}, discover.Options{Roots: []discover.Root{{Source: policy.Builtin, FS: builtins.FS, Path: builtins.Path}}})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][2]string{}
	ours := map[string]bool{}
	for _, a := range set.Agents {
		got[a.ID] = [2]string{a.Recipe.Audience, a.Recipe.CapabilityClass}
		addProse(ours, a.Recipe.Description, a.Recipe.Body)
	}
	for _, f := range set.Fleets {
		addProse(ours, f.Parsed.Description, f.Parsed.Body)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("audience and class by id (-reference +ours):\n%s", diff)
	}
	for text := range ours {
		if theirs[text] {
			t.Errorf("this text is the reference's: %q", text)
		}
	}
}

const upstreamBuiltins = "../shared/upstream"

// addProse notes every run of seven words, which no two authors write alike by chance.
func addProse(runs map[string]bool, texts ...string) {
	const length = 7
	for _, text := range texts {
		words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) })
		for i := range len(words) - length + 1 {
			runs[strings.Join(words[i:i+length], " ")] = true
		}
	}
}
