package verdict

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/fleetgate/fleetgate/internal/diag"
)

func surveyed(name string, word Word, found ...diag.Diagnostic) Surveyed {
	row := Surveyed{Name: name, Word: word, Reason: "findings", Summary: "so " + name, Head: id(1), Policy: "5a", Digest: "6b", Diagnostics: found}
	row.Counts.Errors, row.Counts.Warnings, row.Counts.Notes = diag.Count(found)
	return row
}

func surveyText(t *testing.T, s Survey) string {
	t.Helper()
	var out bytes.Buffer
	if err := s.WriteJSON(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestASurveyIsReadBackAsItWasWritten(t *testing.T) {
	s := Survey{Tool: "0.1.0", Shard: "1/3", Missing: []string{"2/3"}, Repositories: []Surveyed{
		surveyed("a", Failed, sample().Diagnostics...), surveyed("b", Passed), Unreadable("c", "gone"),
	}}
	text := surveyText(t, s)
	got, err := ReadSurvey(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(s, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-written +read):\n%s", diff)
	}
	if again := surveyText(t, got); again != text {
		t.Errorf("written anew:\n%s", cmp.Diff(text, again))
	}
}

func TestWhatIsNoSurveyIsRefused(t *testing.T) {
	for text, want := range map[string]string{
		"":                             "it is no survey: EOF",
		"[]":                           "it is no survey: json: cannot unmarshal array into Go value of type verdict.wireSurvey",
		`{"schema": "x"}`:              `its schema is "x"; this fleetgate reads fleetgate/survey/v1`,
		`{"schema": "` + Schema + `"}`: `its schema is "fleetgate/verdict/v1"; this fleetgate reads fleetgate/survey/v1`,
		row(`"verdict": "green"`):      `the verdict "green" of "" is none`,
		row(`"verdict": "passed", "diagnostics": [{"severity": "loud"}]`): `the severity "loud" is none`,
	} {
		if _, err := ReadSurvey(strings.NewReader(text)); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

func row(members string) string {
	return fmt.Sprintf(`{"schema": %q, "repositories": [{%s}]}`, SurveySchema, members)
}

func TestMergedShardsAreTheWhole(t *testing.T) {
	whole := Survey{Tool: "1", Missing: []string{}}
	shards := make([]Part, 3)
	for i := range 10 {
		r := surveyed(fmt.Sprint("r", i), Passed)
		whole.Repositories = append(whole.Repositories, r)
		p := &shards[i%3]
		p.From, p.Survey.Tool, p.Survey.Shard = fmt.Sprint(i%3), "1", fmt.Sprintf("%d/3", i%3+1)
		p.Survey.Repositories = append(p.Survey.Repositories, r)
	}
	merged, err := Merge([]Part{shards[2], shards[0], shards[1]})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(surveyText(t, whole), surveyText(t, merged)); diff != "" {
		t.Errorf("(-whole +merged):\n%s", diff)
	}
	merged, err = Merge(shards[1:2])
	if diff := cmp.Diff([]string{"1/3", "3/3"}, merged.Missing); err != nil || diff != "" || merged.Word() != Undecided {
		t.Errorf("%v, %s, missing: %s", err, merged.Word(), diff)
	}
	shards[1].Survey.Shard = "2/4"
	if _, err := Merge(shards); err == nil {
		t.Error("shards of different counts are merged")
	}
	shards[1].Survey.Shard = "x"
	if _, err := Merge(shards); err == nil {
		t.Error("a shard that is none is merged")
	}
	if _, err := Merge([]Part{shards[0], shards[0]}); err == nil {
		t.Error("a repository is merged twice")
	}
}

func TestShards(t *testing.T) {
	for text, want := range map[string]bool{"1/1": true, "2/5": true, "256/256": true, "1/257": false, "0/2": false, "3/2": false, "1/2x": false, "01/2": false, "": false, "-1/2": false, "1": false} {
		if _, _, err := ParseShard(text); (err == nil) != want {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestTheWorstComesFirst(t *testing.T) {
	bad := func(code diag.Code, severity diag.Severity, file, step string) diag.Diagnostic {
		return diag.Diagnostic{Code: code, Severity: severity, Pos: diag.Pos{File: file}, Step: step}
	}
	s := Survey{Repositories: []Surveyed{
		surveyed("calm", Passed),
		surveyed("warned", Passed, bad("audit-reach", diag.Warning, "", "")),
		Unreadable("gone", "gone"),
		surveyed("bad", Failed, bad("drift-recipe", diag.Error, ".clio-coder/agents/x.md", "")),
		surveyed("worst", Failed, bad("drift-recipe", diag.Error, ".clio-coder/agents/x.md", ""), bad("drift-capability", diag.Error, ".clio-coder/agents/y.md", ""),
			bad("boundary-outside", diag.Error, "", "docs/write"), bad("boundary-outside", diag.Error, "", "docs/write")),
	}}
	var names []string
	for _, r := range s.ByRisk() {
		names = append(names, r.Name)
	}
	if diff := cmp.Diff([]string{"worst", "bad", "gone", "warned", "calm"}, names); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Tally{{"x", 2, 2}, {"y", 1, 1}}, s.DriftedRecipes()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Tally{{"docs/write", 2, 1}}, s.WorstBoundaries()); diff != "" {
		t.Error(diff)
	}
	if want := "2 of 5 repositories failed, 2 passed, 1 undecided (1 unreadable)"; s.Summary() != want || s.Word() != Failed {
		t.Errorf("%s: %s", s.Word(), s.Summary())
	}
}

func TestBoundsOfASurvey(t *testing.T) {
	v := Verdict{Word: Failed, Diagnostics: make([]diag.Diagnostic, MaxSurveyedFindings+1)}
	for i := range v.Diagnostics {
		v.Diagnostics[i] = diag.Diagnostic{Code: "boundary-outside", Severity: diag.Error, Step: fmt.Sprint("s", i)}
	}
	r := NewSurveyed("x", &v)
	if len(r.Diagnostics) != MaxSurveyedFindings {
		t.Errorf("%d findings, want %d", len(r.Diagnostics), MaxSurveyedFindings)
	}
	s := Survey{Repositories: []Surveyed{r}}
	if n := len(s.WorstBoundaries()); n != MaxTallies {
		t.Errorf("%d tallies, want %d", n, MaxTallies)
	}
}
