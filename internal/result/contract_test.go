package result

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/value"
)

func parse(t *testing.T, text string, worker bool) (Contract, []diag.Diagnostic) {
	t.Helper()
	v, err := value.ParseJSON("recipe.md", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return ParseContract(v, "resultContract", worker)
}

func TestEachDoorAdmitsItsKinds(t *testing.T) {
	for _, kind := range Kinds() {
		text := `{"kind":"` + string(kind) + `"}`
		want := Contract{Kind: kind}
		if kind == ArchitectPlan {
			text, want.Path = `{"kind":"architect-plan","path":"docs/PLAN.md"}`, "docs/PLAN.md"
		}
		for _, worker := range []bool{false, true} {
			got, found := parse(t, text, worker)
			if admitted := worker || slices.Contains(Declarable(), kind); admitted != (len(found) == 0) {
				t.Errorf("%s at the worker's door %v: admitted should be %v; found %v", kind, worker, admitted, found)
				continue
			}
			if len(found) > 0 {
				want = Contract{}
			}
			if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(Contract{}, "Pos")); diff != "" {
				t.Error(diff)
			}
			want.Kind = kind
		}
	}
}

func TestOnlyTheTwoCoordinatorKindsAreNotDeclarable(t *testing.T) {
	if len(Declarable()) != 14 || len(Kinds()) != 16 {
		t.Errorf("%d declarable kinds of %d, want 14 of 16", len(Declarable()), len(Kinds()))
	}
	for _, kind := range []Kind{CouncilBallot, CodeReport} {
		if slices.Contains(Declarable(), kind) {
			t.Errorf("a recipe may declare %s", kind)
		}
	}
	if !slices.IsSorted(Declarable()) || !slices.IsSorted(Kinds()) {
		t.Error("the lists are not sorted")
	}
}

func TestParseContractReportsEveryProblemWithTheRuntimesFirst(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string // code field line:column
	}{
		{"a bare name", `"scout-report"`, []string{"contract-not-object resultContract 1:1"}},
		{"no kind, and a misspelt one", `{"knid":"scout-report"}`, []string{
			"contract-missing-kind resultContract.kind 1:1", "contract-unknown-key resultContract.knid 1:2",
		}},
		{"a kind that is no string", `{"kind":7}`, []string{"contract-missing-kind resultContract.kind 1:9"}},
		{"an unknown kind hides its keys", `{"kind":"scout","x":1}`, []string{"contract-unsupported-kind resultContract.kind 1:9"}},
		{"a key too many", `{"kind":"scout-report","path":"x"}`, []string{"contract-unknown-key resultContract.path 1:24"}},
		{"a bad bound and a key too many", `{"kind":"mutation-report","maxSummaryBytes":0,"x":1}`, []string{
			"contract-unknown-key resultContract.x 1:47", "contract-summary-bytes resultContract.maxSummaryBytes 1:45",
		}},
		{"a plan with a wrong key and no path", `{"kind":"architect-plan","file":"x"}`, []string{
			"contract-architect-keys resultContract.file 1:26", "contract-architect-keys resultContract.path 1:1",
		}},
		{"a plan outside", `{"kind":"architect-plan","path":"a\\..\\b"}`, []string{"contract-architect-path-escape resultContract.path 1:33"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, found := parse(t, c.text, false)
			var got []string
			for _, d := range found {
				got = append(got, strings.Join([]string{string(d.Code), d.Field, strings.TrimPrefix(d.Pos.String(), "recipe.md:")}, " "))
				if d.Hint == "" {
					t.Errorf("%s shows no way out", d.Code)
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAnAbsentContractIsNoMapping(t *testing.T) {
	_, found := ParseContract(nil, "resultContract", true)
	if len(found) != 1 || found[0].Code != "contract-not-object" {
		t.Errorf("found %v", found)
	}
}

func TestTheRefusalOfAKindListsThoseOfItsDoor(t *testing.T) {
	_, found := parse(t, `{"kind":"scout-raport"}`, false)
	if hint := found[0].Hint; !strings.HasPrefix(hint, "did you mean scout-report? ") || strings.Contains(hint, string(CodeReport)) {
		t.Errorf("at the recipe's door the hint is %q", hint)
	}
	_, found = parse(t, `{"kind":"scout-raport"}`, true)
	if hint := found[0].Hint; !strings.Contains(hint, string(CodeReport)) {
		t.Errorf("at the worker's door the hint is %q", hint)
	}
}

func TestTheSummaryBoundIsTheDeclaredOneOrTheDefault(t *testing.T) {
	for _, c := range []struct {
		text string
		want int
	}{
		{`{"kind":"mutation-report"}`, DefaultSummaryBytes},
		{`{"kind":"mutation-report","maxSummaryBytes":1}`, 1},
		{`{"kind":"mutation-report","maxSummaryBytes":65536}`, MaxSummaryBytes},
	} {
		contract, found := parse(t, c.text, false)
		if len(found) > 0 || contract.SummaryBytes() != c.want {
			t.Errorf("%s allows %d bytes, want %d; found %v", c.text, contract.SummaryBytes(), c.want, found)
		}
		if got := value.Stringify(contract.Value()); got != c.text {
			t.Errorf("written again it is %s, want %s", got, c.text)
		}
	}
	if _, found := parse(t, `{"kind":"mutation-report","maxSummaryBytes":65537}`, false); len(found) != 1 {
		t.Errorf("one byte over the ceiling: found %v", found)
	}
}
