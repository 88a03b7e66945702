package policy

import (
	"testing"

	"github.com/fleetgate/fleetgate/internal/diag"
)

func TestIDFromPathTakesTheBaseNameOfAFileDirectlyInItsRoot(t *testing.T) {
	for _, c := range []struct {
		root, file, id string
		refusal        diag.Code
	}{
		{"agents", "agents/helper.md", "helper", ""},
		{"agents/", "agents/./a.b.md", "a.b", ""},
		{".", "helper.md", "helper", ""},
		{"/", "/helper.md", "helper", ""},
		{"agents", "agents/.hidden.md", ".hidden", ""},
		{"agents", "agents/.md.md", ".md", ""},
		{"agents", "agents/.md", "", "recipe-id-extension"},
		{"agents", "agents/helper.MD", "", "recipe-id-extension"},
		{"agents", "agents/helper", "", "recipe-id-extension"},
		{"agents", "agents/sub/helper.md", "", "recipe-id-nested"},
		{"agents", "agents/..helper.md", "", "recipe-id-outside-root"},
		{".", "..helper.md", "", "recipe-id-outside-root"},
		{".", "/helper.md", "", "recipe-id-outside-root"},
		{"agents", "agents2/helper.md", "", "recipe-id-outside-root"},
		{"agents", "agents", "", "recipe-id-outside-root"},
		{"agents", "agents/../helper.md", "", "recipe-id-outside-root"},
	} {
		id, refusal := IDFromPath(c.root, c.file)
		if id != c.id || refusal != c.refusal {
			t.Errorf("%s in %s: id %q, refusal %q; want %q, %q", c.file, c.root, id, refusal, c.id, c.refusal)
		}
	}
}
