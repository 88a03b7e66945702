package diag

import "testing"

func TestFindingsListsNoMoreThanMaxFindingsAndSaysSo(t *testing.T) {
	var f Findings
	for line := range MaxFindings + 5 {
		if over := line > MaxFindings; f.Overflowed() != over {
			t.Fatalf("overflowed is %v before finding %d", f.Overflowed(), line)
		}
		f.Add(Diagnostic{Pos: Pos{Line: line + 1}})
	}
	if len(f.List) != MaxFindings {
		t.Errorf("%d findings are listed", len(f.List))
	}
	last := f.List[MaxFindings-1]
	if last.Pos.Line != MaxFindings || len(last.Related) != 1 || last.Related[0].Pos.Line != MaxFindings+1 {
		t.Errorf("the last finding is at line %d, with %v", last.Pos.Line, last.Related)
	}
}
