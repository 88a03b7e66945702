package discover

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/fleetgate/fleetgate/internal/boundary"
	"github.com/fleetgate/fleetgate/internal/diag"
)

const sha = "0123456789abcdef0123456789abcdef01234567"

func TestAWholeConfigurationIsRead(t *testing.T) {
	c, found := ParseConfig("c.yaml", []byte(`version: 1
trusted: [release/1, develop]
permit:
  - login: docs-agent[bot]
    steps: [docs/write, build/*]
    default: docs/write
  - branch: fleet/*
    steps: [build/code]
    unclaimed: warn
identities: [helper@example.org]
severity:
  tree-alias: note
  policy-shadowed: "off"
ignore:
  - code: symlink-escape
    path: docs//old/
    reason: moved soon
    until: 2030-01-31
  - {code: boundary-outside, commit: 0123456789ABCDEF0123456789abcdef01234567, reason: a repair by hand}
`))
	if len(found) > 0 {
		t.Fatalf("findings: %v", brief(found))
	}
	want := Config{
		Present: true,
		Path:    "c.yaml",
		Trusted: []string{"release/1", "develop"},
		Rules: boundary.Rules{
			Permit: []boundary.Permit{
				{Login: "docs-agent[bot]", Steps: []string{"docs/write", "build/*"}, Default: "docs/write", Unclaimed: boundary.UnclaimedFail},
				{Branch: "fleet/*", Steps: []string{"build/code"}, Unclaimed: boundary.UnclaimedWarn},
			},
			Identities: []string{"helper@example.org"},
			ConfigPos:  diag.Pos{File: "c.yaml"},
		},
		Severity: map[diag.Code]diag.Severity{"tree-alias": diag.Note, "policy-shadowed": diag.Off},
		Ignore: []Ignore{
			{Code: "symlink-escape", Path: "docs/old/", Reason: "moved soon", Until: "2030-01-31"},
			{Code: "boundary-outside", Commit: sha, Reason: "a repair by hand"},
		},
	}
	ignorePos := cmp.Options{
		cmpopts.IgnoreFields(Config{}, "Positions"),
		cmpopts.IgnoreFields(boundary.Permit{}, "Pos"),
		cmpopts.IgnoreFields(Ignore{}, "Pos"),
	}
	if diff := cmp.Diff(want, c, ignorePos); diff != "" {
		t.Errorf("configuration (-want +got):\n%s", diff)
	}
	places := map[string]string{}
	for field, pos := range c.Positions {
		places[field] = pos.String()
	}
	wantPlaces := map[string]string{
		"trusted[0]":               "c.yaml:2:11",
		"trusted[1]":               "c.yaml:2:22",
		"identities[0]":            "c.yaml:10:14",
		"severity.tree-alias":      "c.yaml:12:3",
		"severity.policy-shadowed": "c.yaml:13:3",
	}
	if diff := cmp.Diff(wantPlaces, places); diff != "" {
		t.Errorf("places (-want +got):\n%s", diff)
	}
	if got := c.Rules.Permit[1].Pos.String() + " " + c.Ignore[0].Pos.String(); got != "c.yaml:7:5 c.yaml:15:5" {
		t.Errorf("entries stand at %s", got)
	}
}

func TestDefaultsServeWithoutAConfiguration(t *testing.T) {
	set := load(t, files(map[string]string{".clio-coder/fleets/docs.md": contract(docsStep)}))
	if diff := cmp.Diff(Config{Path: ConfigPath}, set.Config); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAConfigurationIsRefusedByNameAndPlace(t *testing.T) {
	permit := func(entry string) string { return "version: 1\npermit:\n  - " + entry + "\n" }
	ignore := func(entry string) string { return "version: 1\nignore:\n  - " + entry + "\n" }
	for _, c := range []struct {
		name string
		text string
		want []string // code, place, field
		says string   // a part of the first message or hint
	}{
		{"empty", "", []string{"config-type c.yaml:1:1"}, "must be a mapping"},
		{"a list", "- 1\n", []string{"config-type c.yaml:1:1"}, "not a list"},
		{"no YAML", "version: [1\n", []string{"config-invalid-yaml"}, ""},
		{"a byte order mark", "\ufeffversion: 1\n", []string{"config-invalid-yaml"}, "byte order mark"},
		{"two documents", "version: 1\n---\nversion: 1\n", []string{"config-invalid-yaml"}, ""},
		{"a key given twice", "version: 1\nversion: 1\n", []string{"config-invalid-yaml"}, ""},
		{"no version", "trusted: []\n", []string{"config-missing-key c.yaml:1:1 version"}, "version: 1"},
		{"another version", "version: 2\n", []string{"config-version c.yaml:1:10 version"}, "not the number 2"},
		{"a quoted version", "version: \"1\"\n", []string{"config-version c.yaml:1:10 version"}, `not "1"`},
		{"an unknown key", "version: 1\ntrustd: []\n", []string{"config-unknown-key c.yaml:2:1 trustd"}, "did you mean trusted?"},
		{"a null list", "version: 1\ntrusted:\n", []string{"config-type c.yaml:2:9 trusted"}, "not null"},
		{"trusted as a text", "version: 1\ntrusted: main\n", []string{"config-type c.yaml:2:10 trusted"}, `not "main"`},
		{"a trusted number", "version: 1\ntrusted: [1]\n", []string{"config-type c.yaml:2:11 trusted[0]"}, "not the number 1"},
		{"a blank trusted branch", "version: 1\ntrusted: [' ']\n", []string{"config-value c.yaml:2:11 trusted[0]"}, "blank"},
		{"a trusted wildcard", "version: 1\ntrusted: [release/*]\n", []string{"config-value c.yaml:2:11 trusted[0]"}, "only exact names"},
		{"a trusted full reference", "version: 1\ntrusted: [refs/heads/main]\n", []string{"config-value c.yaml:2:11 trusted[0]"}, "full reference"},
		{"a branch that git refuses", "version: 1\ntrusted: [a..b]\n", []string{"config-value c.yaml:2:11 trusted[0]"}, "no branch name"},
		{"a branch trusted twice", "version: 1\ntrusted: [main, main]\n", []string{"config-duplicate c.yaml:2:17 trusted[1]"}, "never reached"},
		{"an entry that is a text", permit("bot"), []string{"config-type c.yaml:3:5 permit[0]"}, "must be a mapping"},
		{"an unknown key of an entry", permit("{login: a, steps: [f/s], defaults: f/s}"), []string{"config-unknown-key c.yaml:3:30 permit[0].defaults"}, "did you mean default?"},
		{"neither login nor branch", permit("{steps: [f/s]}"), []string{"config-choice c.yaml:3:5 permit[0]"}, "neither login nor branch"},
		{"login and branch", permit("{login: a, branch: b, steps: [f/s]}"), []string{"config-choice c.yaml:3:5 permit[0]"}, "both login and branch"},
		{"a login with @", permit("{login: '@a', steps: [f/s]}"), []string{"config-value c.yaml:3:13 permit[0].login"}, "begins with @"},
		{"a login with a space", permit("{login: a b, steps: [f/s]}"), []string{"config-value c.yaml:3:13 permit[0].login"}, "is no login"},
		{"a branch with a star within", permit("{branch: a*b, steps: [f/s]}"), []string{"config-value c.yaml:3:14 permit[0].branch"}, "other than a * at its end"},
		{"a branch prefix with two stars", permit("{branch: '*/*', steps: [f/s]}"), []string{"config-value c.yaml:3:14 permit[0].branch"}, "other than a * at its end"},
		{"no steps", permit("{login: a}"), []string{"config-missing-key c.yaml:3:5 permit[0].steps"}, "fleet/*"},
		{"empty steps", permit("{login: a, steps: []}"), []string{"config-value c.yaml:3:23 permit[0].steps"}, "permits nothing"},
		{"a step without a fleet", permit("{login: a, steps: [write]}"), []string{"config-value c.yaml:3:24 permit[0].steps[0]"}, "joined by a slash"},
		{"any fleet", permit("{login: a, steps: ['*/write']}"), []string{"config-value c.yaml:3:24 permit[0].steps[0]"}, "in place of the fleet"},
		{"a part of a step", permit("{login: a, steps: [f/wr*]}"), []string{"config-value c.yaml:3:24 permit[0].steps[0]"}, "within the step"},
		{"a default that isn't permitted", permit("{login: a, steps: [f/s], default: f/t}"), []string{"config-value c.yaml:3:39 permit[0].default"}, "none of the entry's steps"},
		{"a default with a star", permit("{login: a, steps: ['f/*'], default: 'f/*'}"), []string{"config-value c.yaml:3:41 permit[0].default"}, "none of the entry's steps"},
		{"an unknown word for unclaimed", permit("{login: a, steps: [f/s], unclaimed: warning}"), []string{"config-value c.yaml:3:41 permit[0].unclaimed"}, "must be fail or warn"},
		{"two entries for one login", permit("{login: A, steps: [f/s]}\n  - {login: a, steps: [f/t]}"), []string{"config-duplicate c.yaml:4:5 permit[1]"}, "never reached"},
		{"two entries for one branch", permit("{branch: a, steps: [f/s]}\n  - {branch: a, steps: [f/t]}"), []string{"config-duplicate c.yaml:4:5 permit[1]"}, "never reached"},
		{"identities as a mapping", "version: 1\nidentities: {a: b}\n", []string{"config-type c.yaml:2:13 identities"}, "must be a list"},
		{"severity as a list", "version: 1\nseverity: [tree-alias]\n", []string{"config-type c.yaml:2:11 severity"}, "must be a mapping"},
		{"an unknown code", "version: 1\nseverity: {tree-alia: off}\n", []string{"config-unknown-code c.yaml:2:12 severity.tree-alia"}, "did you mean tree-alias?"},
		{"an unknown severity", "version: 1\nseverity: {tree-alias: warn}\n", []string{"config-value c.yaml:2:24 severity.tree-alias"}, "error, warning, note or off"},
		{"a severity that is a boolean", "version: 1\nseverity: {tree-alias: false}\n", []string{"config-value c.yaml:2:24 severity.tree-alias"}, "the boolean false"},
		{"a fixed code lowered", "version: 1\nseverity: {boundary-policy-edit: warning}\n", []string{"config-fixed-code c.yaml:2:34 severity.boundary-policy-edit"}, "can't be lowered"},
		{"a configuration that silences itself", "version: 1\nseverity: {config-type: \"off\"}\n", []string{"config-fixed-code c.yaml:2:25 severity.config-type"}, "can't be lowered"},
		{"an entry without a code", ignore("{path: a, reason: b}"), []string{"config-missing-key c.yaml:3:5 ignore[0].code"}, "has no code"},
		{"an entry with an unknown code", ignore("{code: no-such, path: a, reason: b}"), []string{"config-unknown-code c.yaml:3:12 ignore[0].code"}, "there is no code"},
		{"an entry without a reason", ignore("{code: tree-alias, path: a}"), []string{"config-missing-key c.yaml:3:5 ignore[0].reason"}, "has no reason"},
		{"an entry with a blank reason", ignore("{code: tree-alias, path: a, reason: ' '}"), []string{"config-value c.yaml:3:41 ignore[0].reason"}, "blank"},
		{"neither path nor commit", ignore("{code: tree-alias, reason: b}"), []string{"config-choice c.yaml:3:5 ignore[0]"}, "neither path nor commit"},
		{"path and commit", ignore("{code: tree-alias, path: a, commit: " + sha + ", reason: b}"), []string{"config-choice c.yaml:3:5 ignore[0]"}, "both"},
		{"a path with a star", ignore("{code: tree-alias, path: docs/*, reason: b}"), []string{"config-value c.yaml:3:30 ignore[0].path"}, "writes-glob"},
		{"a path that climbs", ignore("{code: tree-alias, path: ../a, reason: b}"), []string{"config-value c.yaml:3:30 ignore[0].path"}, "writes-parent"},
		{"a fixed code ignored by path", ignore("{code: claim-unknown, path: docs/, reason: b}"), []string{"config-fixed-code c.yaml:3:33 ignore[0].path"}, "can't be ignored by path"},
		{"a short commit id", ignore("{code: claim-unknown, commit: 01234ab, reason: b}"), []string{"config-value c.yaml:3:35 ignore[0].commit"}, "40 hexadecimal digits"},
		{"a commit id that YAML reads as a number", ignore("{code: claim-unknown, commit: 0123456, reason: b}"), []string{"config-type c.yaml:3:35 ignore[0].commit"}, "must be a string"},
		{"no date", ignore("{code: tree-alias, path: a, reason: b, until: soon}"), []string{"config-value c.yaml:3:51 ignore[0].until"}, "is no date"},
		{"a day that there isn't", ignore("{code: tree-alias, path: a, reason: b, until: 2030-02-30}"), []string{"config-value c.yaml:3:51 ignore[0].until"}, "is no date"},
		{"a date with a time", ignore("{code: tree-alias, path: a, reason: b, until: 2030-02-03T00:00:00Z}"), []string{"config-value c.yaml:3:51 ignore[0].until"}, "is no date"},
		{"several at once", "version: 2\ntrusted: main\nfoo: 1\n", []string{"config-unknown-key c.yaml:3:1 foo", "config-version c.yaml:1:10 version", "config-type c.yaml:2:10 trusted"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			config, found := ParseConfig("c.yaml", []byte(c.text))
			got := brief(found)
			if c.want[0] == "config-invalid-yaml" { // the place is strictyaml's matter
				got = []string{string(found[0].Code)}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Fatalf("findings (-want +got):\n%s", diff)
			}
			if first := found[0]; !strings.Contains(first.Message+" "+first.Hint, c.says) || first.Hint == "" && first.Code != "config-invalid-yaml" {
				t.Errorf("%q, hint %q: want %q", first.Message, first.Hint, c.says)
			}
			if diff := cmp.Diff(Config{Present: true, Path: "c.yaml"}, config); diff != "" {
				t.Errorf("a broken configuration must give the default one (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEveryMisspeltKeyIsRefusedByName(t *testing.T) {
	tables := map[string]struct {
		keys []string
		text func(key string) string
	}{
		"top":    {configKeys, func(key string) string { return "version: 1\n" + key + ": x\n" }},
		"permit": {permitKeys, func(key string) string { return "version: 1\npermit:\n  - {" + key + ": x}\n" }},
		"ignore": {ignoreKeys, func(key string) string { return "version: 1\nignore:\n  - {" + key + ": x}\n" }},
	}
	for name, table := range tables {
		for _, key := range table.keys {
			for _, misspelt := range []string{key + "x", strings.ToUpper(key[:1]) + key[1:], key[1:]} {
				t.Run(name+"/"+misspelt, func(t *testing.T) {
					_, found := ParseConfig("c.yaml", []byte(table.text(misspelt)))
					for _, d := range found {
						if d.Code == "config-unknown-key" && strings.Contains(d.Message, `"`+misspelt+`"`) && strings.Contains(d.Hint, key) {
							return
						}
					}
					t.Errorf("no finding names %q: %v", misspelt, brief(found))
				})
			}
		}
	}
}

func TestListsOfTheConfigurationAreBounded(t *testing.T) {
	entries := map[string]func(i int) string{
		"trusted":    func(i int) string { return fmt.Sprintf("b%d", i) },
		"identities": func(i int) string { return fmt.Sprintf("a%d@example.org", i) },
		"permit":     func(i int) string { return fmt.Sprintf("{login: a%d, steps: [f/s]}", i) },
		"ignore":     func(i int) string { return fmt.Sprintf("{code: tree-alias, path: p%d, reason: r}", i) },
	}
	for key, entry := range entries {
		for n, want := range map[int][]string{MaxConfigEntries: nil, MaxConfigEntries + 1: {"config-too-many c.yaml:2:" + fmt.Sprint(len(key)+3) + " " + key}} {
			t.Run(fmt.Sprintf("%s/%d", key, n), func(t *testing.T) {
				var list []string
				for i := range n {
					list = append(list, entry(i))
				}
				_, found := ParseConfig("c.yaml", []byte("version: 1\n"+key+": ["+strings.Join(list, ", ")+"]\n"))
				if diff := cmp.Diff(want, brief(found)); diff != "" {
					t.Errorf("findings (-want +got):\n%s", diff)
				}
			})
		}
	}
}

func TestSeveritiesAndFindingsOfAConfigurationAreBounded(t *testing.T) {
	var severities, unknown strings.Builder
	for i := range MaxConfigEntries + 1 {
		fmt.Fprintf(&severities, "  code-%d: error\n", i)
		fmt.Fprintf(&unknown, "key-%d: 1\n", i)
	}
	_, found := ParseConfig("c.yaml", []byte("version: 1\nseverity:\n"+severities.String()))
	if diff := cmp.Diff([]string{"config-too-many c.yaml:3:3 severity"}, brief(found)); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	if _, found := ParseConfig("c.yaml", []byte("version: 1\n"+unknown.String())); len(found) != diag.MaxFindings {
		t.Errorf("%d findings, want %d", len(found), diag.MaxFindings)
	}
}

func TestApplyWeighsAndIgnores(t *testing.T) {
	c, found := ParseConfig("c.yaml", []byte(`version: 1
severity:
  tree-alias: error
  recipe-reserved: "off"
  claim-missing: error
ignore:
  - {code: boundary-outside, path: docs/, reason: r}
  - {code: boundary-outside, path: one, reason: r}
  - {code: claim-unknown, commit: `+sha+`, reason: r}
  - {code: policy-shadowed, path: .clio-coder/fleets/old.md, reason: r}
  - {code: symlink-escape, path: link, reason: r, until: 2026-05-31}
`))
	if len(found) > 0 {
		t.Fatal(brief(found))
	}
	at := func(code diag.Code, path, commit string) diag.Diagnostic {
		d := diag.New(code, diag.Pos{}, "", "")
		d.Path, d.Commit = path, commit
		return d
	}
	lowered := at("claim-missing", "", "")
	lowered.Severity = diag.Warning
	for _, c2 := range []struct {
		name  string
		in    diag.Diagnostic
		today string
		want  []string // code and severity
	}{
		{"raised", at("tree-alias", "a", ""), "", []string{"tree-alias error"}},
		{"turned off", at("recipe-reserved", "", ""), "", nil},
		{"a fixed code may be raised", lowered, "", []string{"claim-missing error"}},
		{"ignored below a directory", at("boundary-outside", "docs/a", sha), "", nil},
		{"the directory itself isn't below it", at("boundary-outside", "docs", sha), "", []string{"boundary-outside error"}},
		{"ignored as a file", at("boundary-outside", "one", sha), "", nil},
		{"another file", at("boundary-outside", "one/two", sha), "", []string{"boundary-outside error"}},
		{"another code", at("boundary-restored", "docs/a", sha), "", []string{"boundary-restored warning"}},
		{"ignored for one commit", at("claim-unknown", "", sha), "", nil},
		{"another commit", at("claim-unknown", "", strings.Repeat("f", 40)), "", []string{"claim-unknown error"}},
		{"a policy file is ignored by its own path", diag.New("policy-shadowed", diag.Pos{File: ".clio-coder/fleets/old.md"}, "", ""), "", nil},
		{"on its last day", at("symlink-escape", "link", ""), "2026-05-31", nil},
		{"a day later", at("symlink-escape", "link", ""), "2026-06-01", []string{"symlink-escape warning", "ignore-expired warning"}},
	} {
		t.Run(c2.name, func(t *testing.T) {
			var got []string
			for _, d := range c.Apply([]diag.Diagnostic{c2.in}, c2.today) {
				got = append(got, string(d.Code)+" "+d.Severity.String())
			}
			if diff := cmp.Diff(c2.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestApplyNeverWeakensAFixedCode(t *testing.T) {
	forged := Config{
		Severity: map[diag.Code]diag.Severity{"boundary-policy-edit": diag.Off},
		Ignore:   []Ignore{{Code: "boundary-policy-edit", Path: "docs/"}},
	}
	d := diag.New("boundary-policy-edit", diag.Pos{}, "", "")
	d.Path = "docs/CODEOWNERS"
	got := forged.Apply([]diag.Diagnostic{d}, "")
	if len(got) != 1 || got[0].Severity != diag.Error {
		t.Errorf("got %v", got)
	}
}

func TestTheConfigurationIsReadAlone(t *testing.T) {
	tree := files(map[string]string{".clio-coder/fleetgate.yaml": "version: 1\ntrusted: [develop]\n", ".clio-coder/fleets/docs.md": "broken"})
	c, found, broken, err := ReadConfig(tree)
	if err != nil || broken || len(found) > 0 {
		t.Fatalf("%v %v %v", found, broken, err)
	}
	if diff := cmp.Diff([]string{"develop"}, c.Trusted); diff != "" {
		t.Errorf("trusted (-want +got):\n%s", diff)
	}
	if c, _, broken, err := ReadConfig(os.DirFS(t.TempDir())); err != nil || broken || c.Present {
		t.Errorf("without a policy: %+v %v %v", c, broken, err)
	}
	if _, _, _, err := ReadConfig(refusing{tree, ConfigPath, errMissing, false}); !errors.Is(err, errMissing) {
		t.Errorf("a missing object must be an error, got %v", err)
	}
}

// FuzzConfig holds a configuration against what must hold of any text: no
// panic, the same answer twice, findings with a place in the file, and nothing
// weakened that is fixed.
func FuzzConfig(f *testing.F) {
	f.Add("version: 1\ntrusted: [main]\npermit:\n  - {login: a, steps: [f/s], default: f/s, unclaimed: warn}\n")
	f.Add("version: 1\nseverity: {tree-alias: off}\nignore:\n  - {code: tree-alias, path: docs/, reason: r, until: 2030-01-01}\n")
	f.Add("version: 1\nidentities: [&a x, *a]\n")
	f.Fuzz(func(t *testing.T, text string) {
		c, found := ParseConfig("c.yaml", []byte(text))
		again, repeated := ParseConfig("c.yaml", []byte(text))
		if diff := cmp.Diff(c, again) + cmp.Diff(found, repeated); diff != "" {
			t.Fatalf("two runs differ:\n%s", diff)
		}
		for _, d := range found {
			if d.Pos.File != "c.yaml" || d.Message == "" {
				t.Errorf("a finding without a place or words: %+v", d)
			}
		}
		if diag.HasError(found) && (len(c.Trusted) > 0 || len(c.Rules.Permit) > 0 || len(c.Ignore) > 0 || len(c.Severity) > 0) {
			t.Errorf("a broken configuration gave %+v", c)
		}
		for code, severity := range c.Severity {
			if rule, ok := diag.Lookup(code); !ok || rule.Fixed && severity > rule.Severity {
				t.Errorf("%s was lowered to %s", code, severity)
			}
		}
	})
}
