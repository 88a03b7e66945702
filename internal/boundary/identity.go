package boundary

import (
	"slices"
	"strings"
)

// githubNoreply is the domain of the addresses that GitHub gives to accounts.
const githubNoreply = "@users.noreply.github.com"

// NoreplyLogin gives the account behind an e-mail address of the form
// `ID+login@users.noreply.github.com` or `login@users.noreply.github.com`, or
// "". Anybody can write such an address into a commit.
func NoreplyLogin(email string) string {
	local := len(email) - len(githubNoreply)
	if local <= 0 || !strings.EqualFold(email[local:], githubNoreply) {
		return ""
	}
	id, login, found := strings.Cut(email[:local], "+")
	if !found {
		return id
	}
	if id == "" || strings.Trim(id, "0123456789") != "" {
		return ""
	}
	return login
}

// isBot says whether a login is one that GitHub gives to apps.
func isBot(login string) bool { return strings.HasSuffix(strings.ToLower(login), "[bot]") }

// IsGitHubSquash says whether a commit calls itself a squash that GitHub made:
// committed by GitHub, its title ending in `(#N)`. Anybody can write that too.
func IsGitHubSquash(c Commit) bool {
	if c.Committer.Name != "GitHub" || c.Committer.Email != "noreply@github.com" {
		return false
	}
	title, _, _ := strings.Cut(c.Message, "\n")
	title = trimSpace(title)
	at := strings.LastIndex(title, "(#")
	if at < 0 || !strings.HasSuffix(title, ")") {
		return false
	}
	number := title[at+len("(#") : len(title)-1]
	return number != "" && strings.Trim(number, "0123456789") == ""
}

// commitTrailers reads a commit's trailers, a squash of GitHub's whole.
func commitTrailers(c Commit) []Trailer {
	if IsGitHubSquash(c) {
		return ReadAllTrailers(c.Message)
	}
	return ReadTrailers(c.Message)
}

// agentEmails are addresses that known agents sign with.
var agentEmails = []string{"clio-coder@iowarp.ai", "noreply@anthropic.com", "noreply@openai.com"}

// agentLogins are accounts of known agents, in addresses and as names.
var agentLogins = []string{"copilot", "copilot-swe-agent[bot]", "copilot-swe-agent"}

// signedByAgent says whether a commit carries the signature of an agent that
// is known, or that the gate's configuration names (design.md, Claims).
func signedByAgent(c Commit, trailers []Trailer, identities []string) bool {
	for _, who := range []Signature{c.Author, c.Committer} {
		if isAgent(who, identities) {
			return true
		}
	}
	return slices.ContainsFunc(trailers, func(t Trailer) bool {
		return isEvidence(t) || isAgent(parseIdentity(t.Value), identities)
	})
}

func isAgent(who Signature, identities []string) bool {
	email, name := strings.ToLower(who.Email), strings.TrimSpace(who.Name)
	if slices.Contains(agentEmails, email) || slices.Contains(agentLogins, strings.ToLower(NoreplyLogin(email))) {
		return true
	}
	if strings.EqualFold(name, "copilot-swe-agent[bot]") || strings.HasSuffix(name, "(aider)") {
		return true
	}
	return slices.ContainsFunc(identities, func(identity string) bool {
		return identity != "" && (strings.EqualFold(identity, who.Email) || identity == name)
	})
}

// parseIdentity reads `Name <e-mail>`, whatever follows; a value of another
// form has no identity.
func parseIdentity(value string) Signature {
	name, rest, found := strings.Cut(value, "<")
	email, _, closed := strings.Cut(rest, ">")
	if !found || !closed {
		return Signature{}
	}
	return Signature{Name: strings.TrimSpace(name), Email: strings.TrimSpace(email)}
}

// isEvidence recognises Clio Coder's receipts: `Clio-Evidence: receipt-vN/sha256:…`.
func isEvidence(t Trailer) bool {
	rest, found := strings.CutPrefix(t.Value, "receipt-v")
	if !t.Is("Clio-Evidence") || !found {
		return false
	}
	version, digest, found := strings.Cut(rest, "/sha256:")
	return found && version != "" && digest != "" && strings.Trim(version, "0123456789") == ""
}
