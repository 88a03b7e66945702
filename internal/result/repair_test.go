package result

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestARepairRoundQuotesReasonShapeAndTheLastAnchors(t *testing.T) {
	var anchors []string
	for i := range 2 * MaxAnchors {
		anchors = append(anchors, fmt.Sprintf("src/f%d.go:%d", i, i))
	}
	c := Contract{Kind: MutationReport, MaxSummaryBytes: 2048}
	for round, last := range map[int]bool{1: false, 2: true} {
		for _, tools := range []bool{false, true} {
			e := Repair(c, "mutatedPaths must be a list", round, anchors, tools)
			text := e.Answer.Content[0].Text
			for _, part := range []string{"mutatedPaths must be a list", Shape(c), anchors[MaxAnchors], anchors[len(anchors)-1]} {
				if !strings.Contains(text, part) {
					t.Errorf("round %d does not say %q", round, part)
				}
			}
			if strings.Contains(text, anchors[MaxAnchors-1]+",") {
				t.Errorf("round %d names an anchor too many", round)
			}
			if e.Last != last || strings.Contains(text, "last round") != last || strings.Contains(text, "closed") == tools {
				t.Errorf("round %d, tools %t: last %t: %s", round, tools, e.Last, text)
			}
		}
	}
}

func TestTheTwoHalvesOfAnExchangeShareItsID(t *testing.T) {
	e := Repair(Contract{Kind: ScoutReport}, "r", 2, nil, false)
	got, err := json.Marshal([]any{e.Call, e.Answer.ToolCallID, e.Answer.ToolName, e.Answer.Role, e.Answer.IsError, e.Anchors})
	if err != nil {
		t.Fatal(err)
	}
	want := `[{"role":"assistant","content":[{"type":"toolCall","id":"clio-result-contract-repair-2","name":"result_contract","arguments":{}}],"stopReason":"toolUse",` +
		`"usage":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"totalTokens":0,"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0}}},` +
		`"clio-result-contract-repair-2","result_contract","toolResult",true,[]]`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
}
