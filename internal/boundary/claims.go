package boundary

import (
	"strings"

	"github.com/fleetgate/fleetgate/internal/diag"
)

const (
	// TrailerKey is the trailer that claims a step: `Fleet-Step: fleet/position`.
	TrailerKey = "Fleet-Step"
	// MaxClaims is how many steps one commit may claim.
	MaxClaims = 1000
)

// ReadClaims reads the claims of every commit of the range: trailers, permit
// entries, agents' signatures (design.md, Claims). step, if not empty
// ("fleet/position"), replaces every claim, merges' too, and permit isn't
// consulted. Imported commits claim nothing.
//
// Every trailer counts as a claim here, also one that names no fleet of this
// repository; ReadClaimsKnowing tells those apart.
func ReadClaims(commits []Commit, rules Rules, actor Actor, step string) Claims {
	return ReadClaimsKnowing(commits, rules, actor, step, Known{})
}

// Known is what the reader of claims may ask about this repository's fleets.
type Known struct {
	// Fleet says whether base or head has a fleet of that name. Nil takes
	// every name for one.
	Fleet func(name string) bool
	// Position gives the own name of the position that a claim names, without
	// an attempt, or "" where base has none. Nil goes by the looks of the name.
	Position func(fleet, position string) string
}

// ReadClaimsKnowing is ReadClaims with the fleets of base and head: on a
// commit that came in by a merged line, a trailer that names none of them
// belongs to the project where the line comes from. It gives a note, claims
// nothing, and the commit is taken like any other that claims nothing.
func ReadClaimsKnowing(commits []Commit, rules Rules, actor Actor, step string, known Known) Claims {
	if step != "" {
		return claimAll(commits, rules, step)
	}
	r := claimReader{rules: rules, actor: actor, known: known, matched: entryFor(rules, actor, actor.Login)}
	claims := Claims{Fleet: r.matched != nil, Matched: r.matched, Commits: make([]Claimed, len(commits))}
	admitted, refused := 0, false
	for i, c := range commits {
		claims.Commits[i] = r.read(c)
		admitted += len(claims.Commits[i].Claims)
		refused = refused || claims.Commits[i].Refused
	}
	// What only an e-mail address or a local branch name says may refuse, never admit.
	claims.Permitted = claims.Fleet && actor.Login != "" && admitted > 0 && !refused
	return claims
}

// claimAll gives every commit the one claim of --step.
func claimAll(commits []Commit, rules Rules, step string) Claims {
	claims := Claims{Commits: make([]Claimed, len(commits))}
	for i, c := range commits {
		claims.Commits[i].Commit = c.ID
		if c.Imported {
			continue
		}
		claims.Commits[i].Claims = []Claim{ParseClaim(step, FromFlag)}
		claims.Commits[i].Signed = signedByAgent(c, commitTrailers(c), rules.Identities)
	}
	return claims
}

// ParseClaim splits a claim's value at the first slash. Without one all of it
// is the fleet, and the position is empty.
func ParseClaim(raw string, source ClaimSource) Claim {
	fleet, position, _ := strings.Cut(raw, "/")
	return Claim{Fleet: fleet, Position: position, Raw: raw, Source: source}
}

// claimReader reads the commits of one range.
type claimReader struct {
	rules   Rules
	actor   Actor
	known   Known
	matched *Permit // the entry that the whole range is held to
}

func (r *claimReader) read(c Commit) Claimed {
	claimed := Claimed{Commit: c.ID}
	if c.Imported {
		return claimed
	}
	trailers := commitTrailers(c)
	claimed.Signed = signedByAgent(c, trailers, r.rules.Identities)
	login := r.login(c)
	claimed.Entry = entryFor(r.rules, r.actor, login)
	r.readTrailers(&claimed, c, trailers)
	r.takeDefault(&claimed, c, trailers)
	r.checkPermit(&claimed, login)
	if near, found := nearMiss(c, trailers, len(claimed.Claims) > 0); found {
		claimed.Found = append(claimed.Found, near)
	}
	if len(claimed.Claims) == 0 && len(c.Parents) < 2 {
		r.unclaimed(&claimed)
	}
	return claimed
}

// login is the account that a commit is held to: the pull request's author,
// or, where no author is known, whom the commit's author address names.
func (r *claimReader) login(c Commit) string {
	if r.actor.Login != "" {
		return r.actor.Login
	}
	return NoreplyLogin(c.Author.Email)
}

// readTrailers collects the claims that the message makes, each once.
func (r *claimReader) readTrailers(claimed *Claimed, c Commit, trailers []Trailer) {
	seen := map[string]bool{}
	for _, t := range trailers {
		if !t.Is(TrailerKey) || seen[t.Value] {
			continue
		}
		seen[t.Value] = true
		claim := ParseClaim(t.Value, FromTrailer)
		if r.isForeign(c, claim) {
			claimed.Found = append(claimed.Found, foreignFinding(claimed.Commit, claim))
			continue
		}
		if len(claimed.Claims) == MaxClaims {
			claimed.Refused = true
			claimed.Found = append(claimed.Found, tooManyFinding(claimed.Commit))
			return
		}
		claimed.Claims = append(claimed.Claims, claim)
	}
}

// isForeign: the commit came in by a merged line, and there is no such fleet here.
func (r *claimReader) isForeign(c Commit, claim Claim) bool {
	return !c.FirstParent && r.known.Fleet != nil && !r.known.Fleet(claim.Fleet)
}

// takeDefault gives a commit without a trailer the entry's default step, if it
// is the entry's own author's and isn't a merge.
func (r *claimReader) takeDefault(claimed *Claimed, c Commit, trailers []Trailer) {
	entry := claimed.Entry
	if entry == nil || entry.Default == "" || len(c.Parents) > 1 || !r.isOwn(claimed, c) {
		return
	}
	for _, t := range trailers {
		if t.Is(TrailerKey) {
			return
		}
	}
	claimed.Claims = []Claim{ParseClaim(entry.Default, FromDefault)}
}

// isOwn says whether a commit is by the entry's own author. A branch has
// none: there it is the pull request's author, or whoever signs as an agent.
func (r *claimReader) isOwn(claimed *Claimed, c Commit) bool {
	own := claimed.Entry.Login
	if own == "" {
		if claimed.Signed {
			return true
		}
		own = r.actor.Login
	}
	return own != "" && strings.EqualFold(own, NoreplyLogin(c.Author.Email))
}

// checkPermit refuses what the commit's entry doesn't list, and everything
// that a bot without an entry claims where there are entries at all.
func (r *claimReader) checkPermit(claimed *Claimed, login string) {
	if len(r.rules.Permit) == 0 {
		return
	}
	for _, claim := range claimed.Claims {
		var finding diag.Diagnostic
		switch {
		case claimed.Entry == nil && (r.isActorBot() || isBot(login)):
			finding = botFinding(claim, login, r.rules.ConfigPos)
		case claimed.Entry != nil && !claimed.Entry.allows(claim, r.position(claim)):
			finding = notPermittedFinding(claim, claimed.Entry)
		default:
			continue
		}
		finding.Commit = claimed.Commit.String()
		claimed.Found = append(claimed.Found, finding)
		claimed.Refused = true
	}
}

// position is the own name of what a claim names, or "" where that isn't known.
func (r *claimReader) position(claim Claim) string {
	if r.known.Position == nil {
		return ""
	}
	return r.known.Position(claim.Fleet, claim.Position)
}

func (r *claimReader) isActorBot() bool { return r.actor.Login != "" && r.actor.Bot }

// unclaimed reports a commit that claims nothing and isn't a merge.
func (r *claimReader) unclaimed(claimed *Claimed) {
	switch {
	case claimed.Entry != nil:
		claimed.Found = append(claimed.Found, missingFinding(claimed.Commit, claimed.Entry))
	case claimed.Signed:
		claimed.Found = append(claimed.Found, unattributedFinding(claimed.Commit))
	}
}
