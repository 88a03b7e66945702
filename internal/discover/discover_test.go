package discover

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/policy"
)

func TestAnEmptyRepositoryHasNoPolicyAndNoDigest(t *testing.T) {
	set := load(t, files(map[string]string{"README.md": "hello"}))
	if set.HasPolicy || set.Digest != "" || len(set.Found) > 0 || set.ConfigBroken {
		t.Errorf("got %+v", set)
	}
}

func TestFilesAreFoundDirectlyInTheirDirectories(t *testing.T) {
	set := load(t, files(map[string]string{
		".clio-coder/agents/a.md":              reader1,
		".clio-coder/agents/b.MD":              "not looked at",
		".clio-coder/agents/notes.txt":         "not looked at",
		".clio-coder/agents/sub/c.md":          "not looked at",
		".clio-coder/agents/d.md/README":       "a directory named like a recipe",
		".clio-coder/fleets/docs.md":           contract(docsStep),
		".clio-coder/fleets/deep/other.md":     "not looked at",
		".clio-coder/playbooks/play.md":        contract(docsStep),
		".CLIO-CODER/fleets/shout.md":          "another directory for git",
		".clio-coder/artifacts/fleets/plan.md": "not policy",
	}))
	if diff := cmp.Diff([]string(nil), brief(set.Found)); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	var agents, fleets []string
	for _, a := range set.Agents {
		agents = append(agents, a.Path)
	}
	for _, f := range set.Fleets {
		fleets = append(fleets, f.Path)
	}
	if diff := cmp.Diff([]string{".clio-coder/agents/a.md"}, agents); diff != "" {
		t.Errorf("agents (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{".clio-coder/fleets/docs.md", ".clio-coder/playbooks/play.md"}, fleets); diff != "" {
		t.Errorf("fleets (-want +got):\n%s", diff)
	}
}

func TestOneDefectQuarantinesOneFile(t *testing.T) {
	set := load(t, files(map[string]string{
		".clio-coder/agents/bad.md":  "no front matter",
		".clio-coder/agents/good.md": reader1,
		".clio-coder/agents/raw.md":  recipe("custom", "verification", "read"),
	}))
	got := map[string]bool{}
	for _, a := range set.Agents {
		got[a.ID] = a.Quarantined()
	}
	if diff := cmp.Diff(map[string]bool{"bad": true, "good": false, "raw": true}, got); diff != "" {
		t.Errorf("quarantined (-want +got):\n%s", diff)
	}
	if set.Agents[0].ID != "good" {
		t.Errorf("the effective recipe comes first, got %q", set.Agents[0].ID)
	}
}

func TestABuiltinDefectAborts(t *testing.T) {
	_, err := Load(t.Context(), files(nil), Options{Roots: []Root{builtin(map[string]string{"coder": "no front matter"})}})
	var defect *BuiltinError
	if !errors.As(err, &defect) {
		t.Fatalf("got %v, want a BuiltinError", err)
	}
	if defect.Path != "builtins/agents/coder.md" || len(defect.Found) == 0 {
		t.Errorf("got %+v", defect)
	}
}

func TestRootsAreMergedByPrecedenceWhateverTheirOrder(t *testing.T) {
	plugin := func(name string) Root {
		return Root{Source: policy.Plugin, Name: name, Path: "plugin-" + name, FS: files(map[string]string{"agents/x.md": reader1})}
	}
	user := Root{Source: policy.User, Path: "user", FS: files(map[string]string{"agents/y.md": reader1, "agents/coder.md": writer1, "agents/scout.md": reader1})}
	built := builtin(map[string]string{
		"coder": recipe("base", "workspace-edit", "read, write"),
		"scout": recipe("shadow", "read-only", "read"),
	})
	project := files(map[string]string{
		".clio-coder/agents/y.md":     reader1,
		".clio-coder/agents/coder.md": writer1,
		".clio-coder/agents/auto.md":  reader1,
	})
	set := load(t, project, user, plugin("b"), built, plugin("a"))
	got := map[string]string{}
	for _, a := range set.Agents {
		got[a.Path] = a.ShadowedBy
	}
	want := map[string]string{
		"builtins/agents/coder.md":    "user/agents/coder.md",
		"builtins/agents/scout.md":    "",
		"plugin-a/agents/x.md":        "plugin-b/agents/x.md",
		"plugin-b/agents/x.md":        "",
		"user/agents/coder.md":        "",
		"user/agents/scout.md":        "reserved-shadow",
		"user/agents/y.md":            ".clio-coder/agents/y.md",
		".clio-coder/agents/y.md":     "",
		".clio-coder/agents/coder.md": "reserved-builtin",
		".clio-coder/agents/auto.md":  "reserved-agent-id",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("shadowed by (-want +got):\n%s", diff)
	}
	reserved := []string{"recipe-reserved .clio-coder/agents/auto.md", "recipe-reserved .clio-coder/agents/coder.md", "recipe-reserved user/agents/scout.md"}
	if diff := cmp.Diff(reserved, brief(set.Found)); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	if a, ok := set.Agent("coder"); !ok || a.Path != "user/agents/coder.md" {
		t.Errorf("coder is %+v", a)
	}
}

func TestAPlaybookShadowsAFleetAndItsRegistryWins(t *testing.T) {
	set := load(t, files(map[string]string{
		".clio-coder/fleets/docs.md":           contract(docsStep),
		".clio-coder/fleets/commands.yaml":     "version: 1\ncommands:\n  other: {argv: [make]}\n",
		".clio-coder/playbooks/docs.md":        contract(docsStep, testStep),
		".clio-coder/playbooks/commands.yaml":  commands,
		".clio-coder/playbooks/deploy.md":      "broken",
		".clio-coder/fleets/deploy.md":         contract(docsStep),
		".clio-coder/fleets/playbooks/docs.md": "not looked at",
	}))
	docs, ok := set.ProjectFleet("docs")
	if !ok || docs.Path != ".clio-coder/playbooks/docs.md" || !docs.OK() {
		t.Errorf("docs is %+v", docs)
	}
	if diff := cmp.Diff([]string{".clio-coder/fleets/docs.md"}, docs.Shadows); diff != "" {
		t.Errorf("shadows (-want +got):\n%s", diff)
	}
	if deploy, _ := set.ProjectFleet("deploy"); deploy.Contract != nil {
		t.Errorf("a broken playbook must shadow a sound fleet, got %+v", deploy)
	}
	if set.RegistryPath != ".clio-coder/playbooks/commands.yaml" {
		t.Errorf("the registry is %s", set.RegistryPath)
	}
	want := []string{
		"policy-shadowed .clio-coder/fleets/commands.yaml",
		"frontmatter-missing-open .clio-coder/playbooks/deploy.md:1:1",
		"policy-shadowed .clio-coder/fleets/deploy.md",
		"policy-shadowed .clio-coder/fleets/docs.md",
	}
	if diff := cmp.Diff(want, brief(set.Found)); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

func TestCommandStepsNeedASoundRegistry(t *testing.T) {
	for _, c := range []struct {
		name     string
		registry string // empty: none
		ok       bool
		valid    bool
		needs    []string
		found    []string // of the set, code and file
	}{
		{
			name: "no registry: the fleet needs commands", valid: true, needs: []string{"test"},
			found: []string{"bind-registry-missing .clio-coder/fleets/run.md:4:1"},
		},
		{
			name: "a broken registry makes the contract invalid", registry: "version: 2\ncommands: {}\n",
			found: []string{"commands-schema-value .clio-coder/fleets/commands.yaml:1:10 version", "commands-schema-range .clio-coder/fleets/commands.yaml:2:11 commands"},
		},
		{
			name: "a command that isn't registered makes the contract invalid", registry: "version: 1\ncommands:\n  other: {argv: [make]}\n",
			found: []string{"bind-unknown-command .clio-coder/fleets/run.md:5:38"},
		},
		{name: "a registered command is fine", registry: commands, ok: true, valid: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			project := files(map[string]string{".clio-coder/fleets/run.md": contract(testStep), ".clio-coder/fleets/plain.md": contract(docsStep)})
			if c.registry != "" {
				project[".clio-coder/fleets/commands.yaml"] = files(map[string]string{"x": c.registry})["x"]
			}
			set := load(t, project)
			run, _ := set.Fleet("run")
			if run.OK() != c.ok || (run.Contract != nil) != c.valid || run.Parsed == nil {
				t.Errorf("ok %t, valid %t", run.OK(), run.Contract != nil)
			}
			if diff := cmp.Diff(c.needs, run.NeedsCommands); diff != "" {
				t.Errorf("needs (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.found, brief(set.Found)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
			if !run.OK() && len(run.Found) == 0 {
				t.Error("a fleet that can't run must say why")
			}
			if plain, _ := set.Fleet("plain"); !plain.OK() {
				t.Error("a fleet without command steps needs no registry")
			}
		})
	}
}

func TestABuiltinFleetsCommandsAreNoFindingsHere(t *testing.T) {
	set := load(t, files(map[string]string{".clio-coder/fleets/commands.yaml": "version: 1\ncommands:\n  other: {argv: [make]}\n"}),
		Root{Source: policy.Builtin, Path: "builtins", FS: files(map[string]string{"fleets/run.md": contract(testStep)})})
	run, ok := set.Fleet("run")
	if !ok || run.OK() {
		t.Errorf("run is %+v", run)
	}
	if diff := cmp.Diff([]string(nil), brief(set.Found)); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

func TestOnlyTheProjectsOwnFleetIsAProjectFleet(t *testing.T) {
	set := load(t, files(nil), Root{Source: policy.Builtin, Path: "builtins", FS: files(map[string]string{"fleets/docs.md": contract(docsStep)})})
	if _, ok := set.Fleet("docs"); !ok {
		t.Error("a builtin fleet must be found")
	}
	if _, ok := set.ProjectFleet("docs"); ok {
		t.Error("a builtin fleet must not be claimable")
	}
	if set.HasPolicy {
		t.Error("a builtin fleet is no policy of the project")
	}
}

func TestAnInvalidFleetIsAPolicy(t *testing.T) {
	if set := load(t, files(map[string]string{".clio-coder/fleets/docs.md": "broken"})); !set.HasPolicy {
		t.Error("a repository with a broken contract has a policy")
	}
	if set := load(t, files(map[string]string{".clio-coder/agents/a.md": reader1})); set.HasPolicy {
		t.Error("recipes alone are no policy")
	}
}

func TestAFileWithoutANameIsNoFleet(t *testing.T) {
	set := load(t, files(map[string]string{".clio-coder/fleets/.md": contract(docsStep)}))
	if diff := cmp.Diff([]string{"fleet-file-name .clio-coder/fleets/.md"}, brief(set.Found)); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

func TestTheDigestIsThatOfTheProjectsPolicyFiles(t *testing.T) {
	base := map[string]string{
		".clio-coder/agents/a.md":      reader1,
		".clio-coder/fleets/docs.md":   contract(docsStep),
		".clio-coder/fleetgate.yaml":   "version: 1\n",
		".clio-coder/artifacts/log.md": "not policy",
	}
	digest := func(change map[string]string, roots ...Root) string {
		texts := map[string]string{}
		for name, text := range base {
			texts[name] = text
		}
		for name, text := range change {
			texts[name] = text
		}
		return load(t, files(texts), roots...).Digest
	}
	same := digest(nil)
	if len(same) != 64 {
		t.Fatalf("got %q", same)
	}
	for _, c := range []struct {
		name   string
		change map[string]string
		roots  []Root
		equal  bool
	}{
		{name: "again", equal: true},
		{name: "another root", roots: []Root{builtin(map[string]string{"x": recipe("base", "read-only", "read")})}, equal: true},
		{name: "a file that is no policy", change: map[string]string{".clio-coder/artifacts/log.md": "other"}, equal: true},
		{name: "a byte of a contract", change: map[string]string{".clio-coder/fleets/docs.md": contract(docsStep) + "x"}},
		{name: "one more file", change: map[string]string{".clio-coder/agents/b.md": reader1}},
		{name: "the configuration", change: map[string]string{".clio-coder/fleetgate.yaml": "version: 1\n\n"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := digest(c.change, c.roots...); (got == same) != c.equal {
				t.Errorf("equal %t, want %t", got == same, c.equal)
			}
		})
	}
}
