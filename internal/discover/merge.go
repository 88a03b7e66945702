package discover

import (
	"fmt"
	"slices"

	"github.com/fleetgate/fleetgate/internal/policy"
)

// Reason says why the merge ignored a recipe.
type Reason string

// The reasons, by the runtime's names (spec section 3.5).
const (
	ReservedAgentID Reason = "reserved-agent-id" // worker, delegate, auto
	ReservedShadow  Reason = "reserved-shadow"   // a user recipe with the id of a builtin specialist
	ReservedBuiltin Reason = "reserved-builtin"  // a plugin's or project's recipe with a builtin's id
)

// sentence says the reason to people.
func (r Reason) sentence(source policy.Source) string {
	switch r {
	case ReservedAgentID:
		return "the runtime keeps this id for itself"
	case ReservedShadow:
		return "the id is that of a builtin specialist, which nothing may replace"
	}
	return fmt.Sprintf("the id is a builtin's, which a %s recipe may not replace", source)
}

// Action is what the merge did with a recipe.
type Action string

// The actions of a merge.
const (
	Ignored    Action = "ignored"
	Overridden Action = "overridden"
)

// Event is one line of a merge's log: recipe ID was ignored, or an earlier
// recipe of that ID overridden, by a recipe of source By.
type Event struct {
	Action Action
	ID     string
	By     policy.Source
	Reason Reason // empty where it was overridden
}

// Candidate is what the merge needs to know of a valid recipe.
type Candidate struct {
	ID       string
	Source   policy.Source
	Audience string
}

// Fate is what became of a candidate.
type Fate struct {
	By      int    // index of the candidate that its id stands for; its own where it won
	Ignored Reason // why it was ignored; empty where it wasn't
}

// reservedIDs are the runtime's own.
var reservedIDs = []string{"worker", "delegate", "auto"}

// Merge decides among valid recipes, given from the lowest precedence to the
// highest (spec section 3.5): reserved ids are ignored, builtins protected, and
// of the rest the later wins.
func Merge(candidates []Candidate) ([]Fate, []Event) {
	var log []Event
	fates := make([]Fate, len(candidates))
	winner := map[string]int{}
	builtin := map[string]string{} // audience by id
	for i, c := range candidates {
		if reason := refusal(c, builtin); reason != "" {
			fates[i].Ignored = reason
			log = append(log, Event{Action: Ignored, ID: c.ID, By: c.Source, Reason: reason})
			continue
		}
		if c.Source == policy.Builtin {
			builtin[c.ID] = c.Audience
		}
		if _, taken := winner[c.ID]; taken {
			log = append(log, Event{Action: Overridden, ID: c.ID, By: c.Source})
		}
		winner[c.ID] = i
	}
	for i, c := range candidates {
		fates[i].By = i
		if at, ok := winner[c.ID]; ok {
			fates[i].By = at
		}
	}
	return fates, log
}

// refusal says why a candidate is ignored, or is empty.
func refusal(c Candidate, builtin map[string]string) Reason {
	if c.Source == policy.Builtin {
		return ""
	}
	if slices.Contains(reservedIDs, c.ID) {
		return ReservedAgentID
	}
	audience, taken := builtin[c.ID]
	switch {
	case !taken:
		return ""
	case c.Source != policy.User:
		return ReservedBuiltin
	case audience == policy.AudienceShadow || audience == policy.AudienceInternal:
		return ReservedShadow
	}
	return ""
}
