package discover

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/policy"
)

func TestMerge(t *testing.T) {
	c := func(id string, source policy.Source, audience string) Candidate {
		return Candidate{ID: id, Source: source, Audience: audience}
	}
	for _, test := range []struct {
		name string
		in   []Candidate
		want []Fate
		log  []Event
	}{
		{
			"nothing", nil, []Fate{}, nil,
		},
		{
			"a builtin may have a reserved id, nobody else",
			[]Candidate{c("worker", policy.Builtin, "base"), c("delegate", policy.Plugin, "custom"), c("auto", policy.Project, "custom"), c("worker", policy.User, "custom")},
			[]Fate{{By: 0}, {By: 1, Ignored: ReservedAgentID}, {By: 2, Ignored: ReservedAgentID}, {By: 0, Ignored: ReservedAgentID}},
			[]Event{
				{Ignored, "delegate", policy.Plugin, ReservedAgentID},
				{Ignored, "auto", policy.Project, ReservedAgentID},
				{Ignored, "worker", policy.User, ReservedAgentID},
			},
		},
		{
			"the user may replace a public builtin, and nobody else then",
			[]Candidate{c("a", policy.Builtin, "base"), c("a", policy.User, "custom"), c("a", policy.Project, "custom")},
			[]Fate{{By: 1}, {By: 1}, {By: 1, Ignored: ReservedBuiltin}},
			[]Event{{Overridden, "a", policy.User, ""}, {Ignored, "a", policy.Project, ReservedBuiltin}},
		},
		{
			"the user may not replace a specialist",
			[]Candidate{c("s", policy.Builtin, "shadow"), c("i", policy.Builtin, "internal"), c("s", policy.User, "custom"), c("i", policy.User, "custom")},
			[]Fate{{By: 0}, {By: 1}, {By: 0, Ignored: ReservedShadow}, {By: 1, Ignored: ReservedShadow}},
			[]Event{{Ignored, "s", policy.User, ReservedShadow}, {Ignored, "i", policy.User, ReservedShadow}},
		},
		{
			"of the rest the later wins",
			[]Candidate{c("x", policy.Plugin, "custom"), c("x", policy.Plugin, "custom"), c("x", policy.User, "custom"), c("x", policy.Project, "custom")},
			[]Fate{{By: 3}, {By: 3}, {By: 3}, {By: 3}},
			[]Event{{Overridden, "x", policy.Plugin, ""}, {Overridden, "x", policy.User, ""}, {Overridden, "x", policy.Project, ""}},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, log := Merge(test.in)
			if diff := cmp.Diff(test.want, got) + cmp.Diff(test.log, log); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
