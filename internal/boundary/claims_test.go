package boundary

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/diag"
)

// plain is a commit by a person, without a claim.
func plain(message string) Commit {
	return Commit{
		ID: id("c"), Parents: []OID{id("base")}, Lines: []OID{id("base")}, Message: message, FirstParent: true,
		Author:    Signature{Name: "Ann", Email: "ann@example.com"},
		Committer: Signature{Name: "Ann", Email: "ann@example.com"},
	}
}

func by(email, message string) Commit {
	c := plain(message)
	c.Author.Email = email
	return c
}

// read tells what one commit claims, and what is found about it.
func read(c Commit, rules Rules, actor Actor, fleets func(string) bool) (claims, found []string, all Claims) {
	all = ReadClaimsKnowing([]Commit{c}, rules, actor, "", Known{Fleet: fleets})
	claims, found = []string{}, []string{}
	for _, claim := range all.Commits[0].Claims {
		claims = append(claims, string(claim.Source)+" "+claim.Raw)
	}
	for _, d := range all.Commits[0].Found {
		found = append(found, d.Severity.String()+" "+string(d.Code))
	}
	return claims, found, all
}

func TestReadClaimsOfMessages(t *testing.T) {
	squash := func(message string) Commit {
		c := plain(message)
		c.Committer = Signature{Name: "GitHub", Email: "noreply@github.com"}
		return c
	}
	imported := plain(docs)
	imported.Imported = true
	merge := plain(signed)
	merge.Parents = []OID{id("a"), id("b")}
	tests := []struct {
		name   string
		commit Commit
		claims []string
		found  []string
	}{
		{"one claim", plain(docs), []string{"trailer docs/write"}, nil},
		{"several claims, each once", plain("t\n\nFleet-Step: a/b\nFleet-Step: c/d\nFleet-Step: a/b\n"), []string{"trailer a/b", "trailer c/d"}, nil},
		{"the value splits at the first slash, and is exact", plain("t\n\nfleet-step : A/b/C \n"), []string{"trailer A/b/C"}, nil},
		{"a value without a slash claims too", plain("t\n\nFleet-Step: docs\n"), []string{"trailer docs"}, nil},
		{"no claim", plain(human), nil, nil},
		{"T1 in two paragraphs", plain("t\n\nFleet-Step: a/b\n\nFleet-Step: c/d\n"), []string{"trailer c/d"}, []string{"note claim-near-miss"}},
		{"T1 A12 in two paragraphs of a squash that GitHub made", squash("t (#12)\n\nFleet-Step: a/b\n\nFleet-Step: c/d\n"), []string{"trailer a/b", "trailer c/d"}, nil},
		{"a squash needs a number in its title", squash("t (#x)\n\nFleet-Step: a/b\n\nFleet-Step: c/d\n"), []string{"trailer c/d"}, []string{"note claim-near-miss"}},
		{"T2 a lost claim", plain("t\n\nFleet-Step: a/b\n\n(cherry picked from commit 1234)\n"), nil, []string{"warning claim-near-miss"}},
		{"a claim in a list", plain("t\n\n* Fleet-Step : a/b\n* text\n"), nil, []string{"warning claim-near-miss"}},
		{"a sentence about the trailer is no near miss", plain("t\n\nThe Fleet-Step: trailer is new.\n"), nil, nil},
		{"T4 an agent's signature", plain("t\n\nCo-Authored-By: Claude <noreply@anthropic.com>\n"), nil, []string{"warning commit-unattributed"}},
		{"an agent's merge needs no claim", merge, nil, nil},
		{"an imported commit claims nothing", imported, nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			claims, found, _ := read(tt.commit, Rules{}, Actor{}, nil)
			if diff := cmp.Diff(append([]string{}, tt.claims...), claims); diff != "" {
				t.Errorf("claims differ (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(append([]string{}, tt.found...), found); diff != "" {
				t.Errorf("findings differ (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReadClaimsByPermit(t *testing.T) {
	const (
		botMail = "77+bot[bot]@users.noreply.github.com"
		annMail = "ann@users.noreply.github.com"
	)
	rules := Rules{Permit: []Permit{
		{Login: "bot[bot]", Steps: []string{"docs/write", "docs/l.check"}, Default: "docs/write", Unclaimed: UnclaimedFail},
		{Branch: "agent/docs", Steps: []string{"docs/write"}, Default: "docs/write", Unclaimed: UnclaimedWarn},
		{Branch: "agent/*", Steps: []string{"src/*"}, Unclaimed: UnclaimedWarn},
	}}
	bot := Actor{Login: "Bot[bot]", Bot: true, PullRequest: true}
	ann := Actor{Login: "ann", PullRequest: true}
	branch := func(name string) Actor {
		return Actor{Login: "ann", Branch: name, SameRepository: true, PullRequest: true}
	}
	local := Actor{Branch: "topic", SameRepository: true}
	claim := func(step string) string { return "t\n\nFleet-Step: " + step + "\n" }
	merge := by(botMail, human)
	merge.Parents = []OID{id("a"), id("b")}
	tests := []struct {
		name      string
		commit    Commit
		actor     Actor
		claims    string
		found     string
		permitted bool
	}{
		{"a listed step", by(botMail, claim("docs/write")), bot, "trailer docs/write", "", true},
		{"an attempt of a listed half", by(botMail, claim("docs/l.check.2")), bot, "trailer docs/l.check.2", "", true},
		{"no attempt beyond the bound", by(botMail, claim("docs/l.check.6")), bot, "trailer docs/l.check.6", "error claim-not-permitted", false},
		{"A7 a step that isn't listed", by(botMail, claim("infra/deploy")), bot, "trailer infra/deploy", "error claim-not-permitted", false},
		{"the default for the entry's own author", by(botMail, human), bot, "default docs/write", "", true},
		{"no default for somebody else's commit", by(annMail, human), bot, "", "error claim-missing", false},
		{"no default beside a trailer", by(botMail, claim("docs/l.check")), bot, "trailer docs/l.check", "", true},
		{"no default for a merge", merge, bot, "", "", false},
		{"a person without an entry claims as before", by(annMail, claim("x/y")), ann, "trailer x/y", "", false},
		{"a person without an entry needn't claim", by(annMail, human), ann, "", "", false},
		{"a bot's address in a person's pull request says nothing", by(botMail, claim("x/y")), ann, "trailer x/y", "", false},
		{"a bot without an entry may claim nothing", plain(claim("docs/write")), Actor{Login: "other[bot]", Bot: true, PullRequest: true}, "trailer docs/write", "error claim-not-permitted", false},
		{"a bot without an entry may work unclaimed (H4)", plain(human), Actor{Login: "dependabot[bot]", Bot: true, PullRequest: true}, "", "", false},
		{"the first matching entry wins", plain(claim("src/write")), branch("agent/docs"), "trailer src/write", "error claim-not-permitted", false},
		{"a branch by prefix, a whole fleet", plain(claim("src/write")), branch("agent/x"), "trailer src/write", "", true},
		{"a prefix ends at the star", plain(claim("x/y")), branch("agents/x"), "trailer x/y", "", false},
		{"H7 a fix-up on a branch that lets it pass", plain(human), branch("agent/x"), "", "warning claim-missing", false},
		{"the default on a branch, signed by an agent", plain(signed), branch("agent/docs"), "default docs/write", "", true},
		{"the default on a branch, by the pull request's author", by(annMail, human), branch("agent/docs"), "default docs/write", "", true},
		{"A7 a fork's branch of the same name matches nothing", plain(claim("src/write")), Actor{Login: "ann", Branch: "agent/x", PullRequest: true}, "trailer src/write", "", false},
		{"an address may refuse where no author is known", by(botMail, claim("infra/deploy")), local, "trailer infra/deploy", "error claim-not-permitted", false},
		{"an address never admits", by(botMail, claim("docs/write")), local, "trailer docs/write", "", false},
		{"an address makes a commit a fleet's", by(botMail, human), local, "default docs/write", "", false},
		{"the address of an unknown bot", by("1+x[bot]@users.noreply.github.com", claim("docs/write")), local, "trailer docs/write", "error claim-not-permitted", false},
		{"an address of another form says nothing", by("bot[bot]@example.com", claim("infra/deploy")), local, "trailer infra/deploy", "", false},
		{"a branch matches by its ref", plain(claim("x/y")), Actor{Branch: "agent/x", SameRepository: true}, "trailer x/y", "error claim-not-permitted", false},
		{"a ref never admits", plain(claim("src/write")), Actor{Branch: "agent/x", SameRepository: true}, "trailer src/write", "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			claims, found, all := read(tt.commit, rules, tt.actor, nil)
			if got := strings.Join(claims, ", "); got != tt.claims {
				t.Errorf("claims are %q, want %q", got, tt.claims)
			}
			if got := strings.Join(found, ", "); got != tt.found {
				t.Errorf("found %q, want %q", got, tt.found)
			}
			if all.Permitted != tt.permitted {
				t.Errorf("permitted is %v, want %v", all.Permitted, tt.permitted)
			}
			if refused := strings.Contains(tt.found, "not-permitted"); all.Commits[0].Refused != refused {
				t.Errorf("refused is %v, want %v", all.Commits[0].Refused, refused)
			}
		})
	}
}

func TestPermittedNeedsEveryClaimAdmitted(t *testing.T) {
	rules, actor := fleetRules(UnclaimedWarn)
	good, bad := plain(docs), plain("t\n\nFleet-Step: other/x\n")
	if !ReadClaims([]Commit{good, good}, rules, actor, "").Permitted {
		t.Error("two admitted claims are not permitted")
	}
	if ReadClaims([]Commit{good, bad}, rules, actor, "").Permitted {
		t.Error("permitted beside a claim that was refused")
	}
	claims := ReadClaims([]Commit{good}, rules, actor, "other/x")
	if claims.Permitted || claims.Fleet || len(claims.Commits[0].Found) != 0 {
		t.Errorf("--step consults permit: %+v", claims)
	}
}

func TestStepReplacesEveryClaim(t *testing.T) {
	merge := plain("t\n\nFleet-Step: a/b\n")
	merge.Parents = []OID{id("a"), id("b")}
	imported := plain(docs)
	imported.Imported = true
	claims := ReadClaims([]Commit{plain(docs), plain(human), merge, imported}, Rules{}, Actor{}, "src/write")
	want := []Claim{{Fleet: "src", Position: "write", Raw: "src/write", Source: FromFlag}}
	for i, claimed := range claims.Commits[:3] {
		if diff := cmp.Diff(want, claimed.Claims); diff != "" {
			t.Errorf("commit %d (-want +got):\n%s", i, diff)
		}
	}
	if len(claims.Commits[3].Claims) != 0 {
		t.Error("an imported commit claims the step")
	}
}

func TestForeignTrailersCountForNothing(t *testing.T) {
	known := func(fleet string) bool { return fleet == "docs" }
	side := plain("t\n\nFleet-Step: theirs/x\n")
	side.FirstParent = false
	rules, actor := fleetRules(UnclaimedFail)

	claims, found, all := read(side, Rules{}, Actor{}, known)
	if len(claims) != 0 || strings.Join(found, ", ") != "note claim-near-miss" || all.Commits[0].Refused {
		t.Errorf("a foreign trailer on a merged line claims %q, found %q", claims, found)
	}
	if _, found, _ = read(side, rules, actor, known); strings.Join(found, ", ") != "note claim-near-miss, error claim-missing" {
		t.Errorf("in a fleet's pull request it must not be a way around the claim: %q", found)
	}
	own := side
	own.FirstParent = true
	if claims, _, _ = read(own, Rules{}, Actor{}, known); len(claims) != 1 {
		t.Errorf("on the first-parent line the claim counts, to be refused as unknown: %q", claims)
	}
}

// An entry that lists a loop's half admits its attempts, and not another step
// that is only named like one.
func TestAnEntryAdmitsAttemptsOfWhatItLists(t *testing.T) {
	known := Known{Position: func(_, position string) string {
		if position == "fix.check.3" { // a step of its own
			return position
		}
		return "fix.check"
	}}
	rules := Rules{Permit: []Permit{{Login: "bot", Steps: []string{"infra/fix.check"}}}}
	for position, want := range map[string]bool{"fix.check": true, "fix.check.2": true, "fix.check.3": false} {
		c := plain("t\n\nFleet-Step: infra/" + position + "\n")
		claims := ReadClaimsKnowing([]Commit{c}, rules, Actor{Login: "bot", PullRequest: true}, "", known)
		if claims.Permitted != want || claims.Commits[0].Refused == want {
			t.Errorf("%s: permitted is %v, want %v", position, claims.Permitted, want)
		}
	}
}

func TestTooManyClaimsAreRefused(t *testing.T) {
	message := func(n int) string {
		var text strings.Builder
		text.WriteString("t\n\n")
		for i := range n {
			fmt.Fprintf(&text, "Fleet-Step: docs/s%d\n", i)
		}
		return text.String()
	}
	at := ReadClaims([]Commit{plain(message(MaxClaims))}, Rules{}, Actor{}, "").Commits[0]
	if len(at.Claims) != MaxClaims || at.Refused || len(at.Found) != 0 {
		t.Errorf("%d claims: %d read, refused %v, %d findings", MaxClaims, len(at.Claims), at.Refused, len(at.Found))
	}
	over := ReadClaims([]Commit{plain(message(MaxClaims + 1))}, Rules{}, Actor{}, "").Commits[0]
	if len(over.Claims) != MaxClaims || !over.Refused || len(over.Found) != 1 || over.Found[0].Code != "claim-too-many" {
		t.Errorf("%d claims: %d read, refused %v, found %v", MaxClaims+1, len(over.Claims), over.Refused, over.Found)
	}
}

func TestSignaturesOfAgents(t *testing.T) {
	trailer := func(text string) Commit { return plain("t\n\n" + text + "\n") }
	named := func(name string) Commit {
		c := plain(human)
		c.Author.Name = name
		return c
	}
	identities := []string{"robot@example.com", "Our Robot"}
	for _, c := range []Commit{
		trailer("Co-authored-by: Clio Coder <clio-coder@iowarp.ai>"),
		trailer("Generated-by: Clio Coder <clio-coder@iowarp.ai>"),
		trailer("Clio-Evidence: receipt-v1/sha256:0123abcd"),
		trailer("Co-authored-by: Codex <noreply@openai.com>"),
		trailer("Co-authored-by: Copilot <175728472+Copilot@users.noreply.github.com>"),
		trailer("Co-authored-by: R <Robot@Example.com>"),
		by("NOREPLY@anthropic.com", human),
		by("198982749+Copilot@users.noreply.github.com", human),
		by("robot@example.com", human),
		named("copilot-swe-agent[bot]"),
		named("Ann (aider)"),
		named("Our Robot"),
	} {
		if !signedByAgent(c, commitTrailers(c), identities) {
			t.Errorf("not recognised: %v %q", c.Author, c.Message)
		}
	}
	for _, c := range []Commit{
		plain(human),
		trailer("Co-authored-by: Ann <ann@example.com>"),
		trailer("Clio-Evidence: none"),
		trailer("Clio-Evidence: receipt-vx/sha256:01"),
		plain("t\n\nI asked noreply@anthropic.com about it.\n"),
		named("aider"),
		named("our robot"),
		by("copilot@example.com", human),
	} {
		if signedByAgent(c, commitTrailers(c), identities) {
			t.Errorf("taken for an agent's: %v %q", c.Author, c.Message)
		}
	}
}

func TestNoreplyLogin(t *testing.T) {
	for email, want := range map[string]string{
		"12+ann@users.noreply.github.com":       "ann",
		"ann@users.noreply.github.com":          "ann",
		"12+x[bot]@USERS.noreply.github.com":    "x[bot]",
		"+ann@users.noreply.github.com":         "",
		"a+b@users.noreply.github.com":          "",
		"@users.noreply.github.com":             "",
		"ann@users.noreply.github.com.evil.org": "",
		"ann@example.com":                       "",
		"":                                      "",
	} {
		if got := NoreplyLogin(email); got != want {
			t.Errorf("NoreplyLogin(%q) = %q, want %q", email, got, want)
		}
	}
}

func TestNearMissesAreCounted(t *testing.T) {
	found := ReadClaims([]Commit{plain("t\n\nFleet-Step: a/b\ntext\nFleet-Step: c/d\n> fleet-step: e/f\n")}, Rules{}, Actor{}, "").Commits[0].Found
	want := `line 3 of the message, "Fleet-Step: a/b", is no claim: git doesn't read it as a trailer (nor 2 more like it)`
	if len(found) != 1 || found[0].Message != want {
		t.Errorf("found %v", found)
	}
}

func TestParseOID(t *testing.T) {
	text := strings.Repeat("0a", 20)
	if oid, ok := ParseOID(strings.ToUpper(text)); !ok || oid.String() != text || oid.IsZero() {
		t.Errorf("ParseOID(%q) = %v, %v", text, oid, ok)
	}
	for _, bad := range []string{"", text[1:], text + "0", strings.Repeat("g", 40)} {
		if _, ok := ParseOID(bad); ok {
			t.Errorf("ParseOID accepts %q", bad)
		}
	}
	if oid, ok := ParseOID(strings.Repeat("0", 40)); !ok || !oid.IsZero() {
		t.Error("forty zeros aren't the zero id")
	}
}

func TestClaimFindingsNameThingAndWayOut(t *testing.T) {
	rules, actor := fleetRules(UnclaimedFail)
	rules.Permit[0].Pos = diag.Pos{File: ".clio-coder/fleetgate.yaml", Line: 4}
	all := ReadClaims([]Commit{plain("t\n\nFleet-Step: a/b\n\ntext\n"), plain("t\n\nFleet-Step: infra/deploy\n")}, rules, actor, "")
	var got []string
	for _, claimed := range all.Commits {
		for _, d := range claimed.Found {
			got = append(got, d.Message)
			if d.Hint == "" || d.Commit != id("c").String() {
				t.Errorf("no way out or no commit: %+v", d)
			}
		}
	}
	want := []string{
		`line 3 of the message, "Fleet-Step: a/b", is no claim: git doesn't read it as a trailer`,
		`the commit claims no step, but the permit entry of "bot" makes this a fleet's work`,
		`claim "infra/deploy" isn't permitted: the permit entry of "bot" lists docs/*, src/*`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("messages differ (-want +got):\n%s", diff)
	}
}
