package boundary

import (
	"fmt"
	"strings"
)

// matches says whether the entry speaks for an account or a branch; an empty
// login or branch matches nothing.
func (p Permit) matches(login, branch string) bool {
	if p.Login != "" {
		return strings.EqualFold(p.Login, login)
	}
	if prefix, found := strings.CutSuffix(p.Branch, "*"); found {
		return branch != "" && strings.HasPrefix(branch, prefix)
	}
	return branch != "" && p.Branch == branch
}

// allows says whether the entry lists a claim's step: the position that it is
// known to name, or, where that is "", one that reads like it.
func (p Permit) allows(claim Claim, known string) bool {
	for _, step := range p.Steps {
		fleet, position, _ := strings.Cut(step, "/")
		if fleet == claim.Fleet && (position == "*" || position == known || known == "" && samePosition(position, claim.Position)) {
			return true
		}
	}
	return false
}

// maxAttempts is the runtime's bound on the attempts of a loop.
const maxAttempts = 5

// samePosition: an attempt of a loop's half, `l.check.2`, is the half `l.check`.
func samePosition(listed, claimed string) bool {
	if listed == claimed {
		return true
	}
	if !strings.HasSuffix(listed, ".check") && !strings.HasSuffix(listed, ".repair") {
		return false
	}
	attempt, found := strings.CutPrefix(claimed, listed+".")
	return found && len(attempt) == 1 && attempt[0] >= '1' && attempt[0] <= '0'+maxAttempts
}

// entryFor gives the first permit entry that speaks for an account, or for the
// head branch where that is a branch of base's repository.
func entryFor(rules Rules, actor Actor, login string) *Permit {
	branch := ""
	if actor.SameRepository {
		branch = actor.Branch
	}
	for i := range rules.Permit {
		if rules.Permit[i].matches(login, branch) {
			return &rules.Permit[i]
		}
	}
	return nil
}

// describe names the entry in a sentence.
func (p Permit) describe() string {
	if p.Login != "" {
		return "the permit entry of " + Quote(p.Login)
	}
	return fmt.Sprintf("the permit entry of branch %s", Quote(p.Branch))
}
