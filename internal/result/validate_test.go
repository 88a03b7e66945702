package result

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

var workspaceFiles = fstest.MapFS{
	"src/a.go":  {Data: []byte("one\ntwo\nthree\n")},
	"docs/p.md": {Data: []byte("1. the parser\n")},
	"blank.md":  {Data: []byte(" \n")},
}

// validate gives an outcome in one line: conformance quality code at.
func validate(run Run) (line string, out Outcome) {
	if run.Files == nil {
		run.Files = NewTree("/ws", workspaceFiles)
	}
	if run.Dir == "" {
		run.Dir = "/ws"
	}
	out = Validate(run)
	return strings.TrimSpace(strings.Join([]string{string(out.Conformance), string(out.Quality), string(out.Code), out.At}, " ")), out
}

func TestAReasonNamesTheFieldAndTheLegalValues(t *testing.T) {
	for _, c := range []struct {
		kind           Kind
		text, want     string
		reasonIncludes []string
	}{
		{VerifierReport, ``, "fail fail result/missing", []string{"no final text"}},
		{VerifierReport, `no`, "fail fail result/not-json", []string{"between the first { and the last }"}},
		{VerifierReport, `[1]`, "fail fail result/not-object", []string{"one JSON object"}},
		{VerifierReport, `{"verdict":"maybe"}`, "fail fail result/verdict verdict", []string{"verdict must be one of pass, fail", `it is "maybe"`}},
		{VerifierReport, `{"verdict":"pass","checks":[{"name":"t"}]}`, "fail fail result/boolean checks[0].passed", []string{"true or false", "it is absent"}},
		{VerifierReport, `{"verdict":"pass","check":[]}`, "fail fail result/unknown-key check", []string{"check is no field", "verdict and checks"}},
		{VerifierReport, `{"verdict":"pass","checks":[{"name":"t","passed":false,"evidence":"e"}]}`, "fail fail result/verdict-disagrees verdict", []string{"else fail"}},
		{DebuggerReport, `{"diagnosis":"d","reproduction":"no","evidence":[]}`, "fail unmeasured result/reproduction reproduction", []string{"reproduced, not-reproduced, unknown"}},
		{ResearchReport, `{"source":"external","findings":[]}`, "fail unmeasured result/external-without-network source", []string{"must be local"}},
		{OracleReport, `{"verdict":"v","challenge":"c","changesMyMind":" ","citedDecisions":[]}`, "fail unmeasured result/oracle-shape", []string{"changesMyMind must be a non-blank string", "it is a blank string"}},
		{WorldKnowledgeReport, `{"discovery":"none"}`, "fail unmeasured result/world-knowledge-shape", []string{"performed, caller-supplied-only, unavailable"}},
		{CouncilReport, `nothing`, "fail fail result/council-shape", []string{"JSON"}},
		{CouncilReport, `{"members":[{"label":"a","runId":"r","round":0,"answer":""}]}`, "fail fail result/council-shape", []string{"members[0].round must be a whole number of at least 1", "it is 0"}},
		{CouncilBallot, `{"verdict":"a\nb","text":"t"}`, "fail unmeasured result/ballot-shape", []string{"one line of at most 64 bytes"}},
		{CodeReport, `{"passed":true,"exitCode":1.5,"checks":[],"artifactPaths":[],"outputExcerpt":""}`, "fail unmeasured result/code-shape", []string{"exitCode must be a whole number"}},
		{CodeReport, `{"passed":true,"exitCode":1,"checks":[{"name":"t","passed":true,"evidence":"e"}],"artifactPaths":[],"outputExcerpt":""}`, "fail unmeasured result/passed-disagrees passed", []string{"exitCode is 0", "exitCode is 1"}},
		{DelegationPlan, `{"tasks":[]}`, "fail fail result/delegation-shape", []string{"tasks must have at least 1"}},
		{ContextHandbook, `{"projectName":"p","identity":"i","conventions":[],"invariants":[],"sections":[{"title":"t"}]}`, "fail fail result/handbook-shape", []string{"sections[0].body"}},
		{MutationReport, `{"mutatedPaths":[1],"validations":[]}`, "fail unmeasured result/mutation-shape", []string{"mutatedPaths[0] must be a non-blank string", "it is 1"}},
		{MutationReport, `{"mutatedPaths":[],"validations":[]}`, "fail unmeasured result/validations-empty validations", []string{"at least one check"}},
		{MutationReport, `{"mutatedPaths":[],"validations":[{}]}`, "fail unmeasured result/validations-shape validations", []string{"validations[0].name"}},
		{MutationReport, `{"mutatedPaths":[],"validations":[],"summary":"a\u0007"}`, "fail unmeasured result/authored-control summary", []string{"control character", "0x07"}},
		{ScoutReport, `{"findings":[],"needsSplit":false,"proposedSubtasks":[]}`, "fail fail result/scout-empty", []string{"findings must have at least one entry"}},
		{ScoutReport, `{"findings":[],"needsSplit":true,"proposedSubtasks":[]}`, "fail fail result/scout-split-disagrees", []string{"needsSplit must be true exactly when"}},
		{ScoutReport, `{"findings":[{"claim":"c","path":"src/a.go","line":5}],"needsSplit":false,"proposedSubtasks":[]}`, "fail fail result/citation-past-end findings[0]", []string{"src/a.go:5", "has 4 lines"}},
		{ScoutReport, `{"findings":[{"claim":"c","path":"../x","line":5}],"needsSplit":false,"proposedSubtasks":[]}`, "fail fail result/citation-escapes findings[0]", []string{"../x:5", "inside the workspace"}},
		{"scout", `{}`, "fail unmeasured result/unknown-key kind", []string{"no result contract of kind scout"}},
	} {
		line, out := validate(Run{Contract: Contract{Kind: c.kind}, Output: c.text})
		if line != c.want {
			t.Errorf("%s %s gives %q, want %q (%s)", c.kind, c.text, line, c.want, out.Reason)
		}
		for _, part := range c.reasonIncludes {
			if !strings.Contains(out.Reason, part) {
				t.Errorf("%s %s: the reason %q does not say %q", c.kind, c.text, out.Reason, part)
			}
		}
		if out.Digest != ReasonDigest(Contract{Kind: c.kind}, out.Reason) {
			t.Errorf("%s %s: the digest does not cover the reason", c.kind, c.text)
		}
	}
}

func TestCitationsAreHeldAgainstWhatTheRunRead(t *testing.T) {
	report := `{"findings":[{"claim":"c","path":"src/a.go","line":2}],"needsSplit":false,"proposedSubtasks":[]}`
	for _, c := range []struct {
		name  string
		reads Reads
		want  string
		says  string
	}{
		{"unknown", nil, "pass pass", ""},
		{"nothing", Reads{}, "fail fail result/citation-never-read findings[0]", "it never read that file"},
		{"another file", Reads{"docs/p.md": {{1, 9}}}, "fail fail result/citation-never-read findings[0]", "src/a.go:2"},
		{"other lines", Reads{"src/a.go": {{1, 1}, {3, 4}}}, "fail fail result/citation-outside-reads findings[0]", "of that file it read 1-1, 3-4"},
		{"the line", Reads{"./src/../src/a.go": {{2, 2}}}, "pass pass", ""},
		{"the line, by two names", Reads{"src/a.go": {{9, 9}}, "/ws/src/a.go": {{1, 3}}}, "pass pass", ""},
	} {
		line, out := validate(Run{Contract: Contract{Kind: ScoutReport}, Output: report, Reads: c.reads})
		if line != c.want || !strings.Contains(out.Reason, c.says) {
			t.Errorf("where the run read %s: %q (%s), want %q saying %q", c.name, line, out.Reason, c.want, c.says)
		}
	}
}

func TestADegradedScoutKeepsWhatGroundsAndListsTheRest(t *testing.T) {
	_, out := validate(Run{Contract: Contract{Kind: ScoutReport}, Output: `{"findings":[
		{"claim":"no place"},{"claim":"past the end","path":"src/a.go","line":99},{"claim":"grounded","path":"src/a.go","line":1,"note":"x"},{"path":"src/a.go"}]}`})
	want := &Scout{
		Findings: []Finding{{"grounded", "src/a.go", 1}}, Degraded: true, DegradedReason: out.Reason,
		UngroundedClaims: []string{"no place", "past the end"},
	}
	if diff := cmp.Diff(want, out.Scout, cmp.FilterPath(func(p cmp.Path) bool { return p.String() == "evidence" }, cmp.Ignore())); diff != "" {
		t.Error(diff)
	}
	if out.Conformance != Pass || out.Quality != Unmeasured || out.Code != ScoutFindings || !strings.Contains(out.Reason, "findings[0].path") {
		t.Errorf("got %+v", out)
	}
}

func TestMutatedPathsAreHeldAgainstTheEffects(t *testing.T) {
	report := func(passed, paths string) string {
		return `{"mutatedPaths":[` + paths + `],"validations":[{"name":"t","passed":` + passed + `,"evidence":"e"}]}`
	}
	seen := &Effects{Written: []string{"src/new.go", "/ws/src/a.go"}, Refused: []string{"src/refused.go", "src/new.go"}, Validations: []string{"go test"}}
	for _, c := range []struct {
		name, text string
		effects    *Effects
		want, says string
	}{
		{"not watched", report("true", `"ghost"`), nil, "pass pass", ""},
		{"not watched, a check failed", report("false", ``), nil, "pass fail", ""},
		{"written", report("true", `"src/a.go","./src/new.go"`), seen, "pass pass", ""},
		{"written, a check failed", report("false", `"src/a.go"`), seen, "pass fail", ""},
		{"no validation command ran", report("true", `"src/a.go"`), &Effects{Written: []string{"src/a.go"}}, "pass unmeasured", ""},
		{"present, not written", report("true", `"docs/p.md"`), seen, "pass unmeasured", ""},
		{"refused", report("true", `"src/a.go","src/refused.go"`), seen, "fail unmeasured result/mutation-refused mutatedPaths[1]", "the run wrote src/a.go, src/new.go"},
		{"neither", report("true", `"ghost"`), &Effects{}, "fail unmeasured result/mutation-fabricated mutatedPaths[0]", "the run wrote nothing"},
	} {
		line, out := validate(Run{Contract: Contract{Kind: MutationReport}, Output: c.text, Effects: c.effects})
		if line != c.want || !strings.Contains(out.Reason, c.says) {
			t.Errorf("%s: %q (%s), want %q saying %q", c.name, line, out.Reason, c.want, c.says)
		}
	}
}

func TestAnArchitectPlanIsItsFile(t *testing.T) {
	for path, want := range map[string]string{
		"docs/p.md": "pass unmeasured", "./docs/../docs/p.md": "pass unmeasured",
		"blank.md": "fail unmeasured result/artifact-missing", "docs": "fail unmeasured result/artifact-missing", "/etc/passwd": "fail unmeasured result/artifact-missing",
	} {
		line, out := validate(Run{Contract: Contract{Kind: ArchitectPlan, Path: path}, Output: "never read"})
		if line != want || out.Conformance == Fail && !strings.Contains(out.Reason, path) {
			t.Errorf("%s: %q (%s), want %q", path, line, out.Reason, want)
		}
	}
}

func TestEveryShapePassesForItsKind(t *testing.T) {
	files := fstest.MapFS{"src/retry.go": {Data: []byte(strings.Repeat("\n", 50))}, "docs/PLAN.md": {Data: []byte("plan")}}
	for _, kind := range Kinds() {
		c := Contract{Kind: kind, Path: "docs/PLAN.md"}
		line, out := validate(Run{Contract: c, Output: Shape(c), Files: NewTree("/ws", files)})
		if out.Conformance != Pass || out.Code != "" {
			t.Errorf("%s: %s: %s", kind, line, out.Reason)
		}
	}
}

func TestARunWithoutFilesReadsNothing(t *testing.T) {
	for _, c := range []Contract{{Kind: ScoutReport}, {Kind: ArchitectPlan, Path: "p"}} {
		out := Validate(Run{Contract: c, Output: Shape(c), Dir: "."})
		if out.Conformance != Fail {
			t.Errorf("%s passes: %+v", c.Kind, out)
		}
	}
}

func TestARunThatNeverEndedHasNoReport(t *testing.T) {
	c := Contract{Kind: OracleReport}
	if got := Recipe(Run{Output: "x"}, nil, true); got != nil {
		t.Errorf("without a contract: %+v", got)
	}
	got := Recipe(Run{Output: Shape(c)}, &c, false)
	if got.Applicable || got.Fact.Conformance != NotReached || got.Fact.Quality != Unmeasured || got.Fact.Digest == "" {
		t.Errorf("not reached: %+v", got)
	}
	if got := Recipe(Run{Output: Shape(c)}, &c, true); !got.Applicable || got.Fact != Validate(Run{Contract: c, Output: Shape(c)}).Fact() {
		t.Errorf("reached: %+v", got)
	}
}

func TestLongListsInReasonsAreCut(t *testing.T) {
	spans, written := []Span{}, []string{}
	for i := range 100 {
		spans = append(spans, Span{10 * i, 10 * i})
		written = append(written, "w"+strings.Repeat("x", i))
	}
	_, out := validate(Run{
		Contract: Contract{Kind: ScoutReport}, Reads: Reads{"src/a.go": spans},
		Output: `{"findings":[{"claim":"c","path":"src/a.go","line":2}],"needsSplit":false,"proposedSubtasks":[]}`,
	})
	if !strings.HasSuffix(out.Reason, "and more") || len(out.Reason) > 400 {
		t.Errorf("spans: %q", out.Reason)
	}
	_, out = validate(Run{
		Contract: Contract{Kind: MutationReport}, Effects: &Effects{Written: written},
		Output: `{"mutatedPaths":["ghost"],"validations":[{"name":"t","passed":true,"evidence":"e"}]}`,
	})
	if !strings.HasSuffix(out.Reason, "and more") || len(out.Reason) > 400 {
		t.Errorf("paths: %q", out.Reason)
	}
}
