package boundary

import (
	"fmt"
	"strings"

	"github.com/fleetgate/fleetgate/internal/diag"
)

// about makes a finding about a commit, without a place in a file.
func about(code diag.Code, commit OID, message string) diag.Diagnostic {
	d := diag.New(code, diag.Pos{}, "", message)
	d.Commit = commit.String()
	return d
}

// nearMiss reports the first line that reads like a claim where git reads no
// trailer: a warning where the commit has no claim, else a note.
func nearMiss(c Commit, trailers []Trailer, hasClaim bool) (diag.Diagnostic, bool) {
	read := map[int]bool{}
	for _, t := range trailers {
		read[t.Line] = true
	}
	first, line, others := 0, "", 0
	for i, text := range splitLines(c.Message) {
		switch {
		case read[i+1] || !looksLikeClaim(text):
		case first == 0:
			first, line = i+1, strings.TrimSpace(text)
		default:
			others++
		}
	}
	if first == 0 {
		return diag.Diagnostic{}, false
	}
	d := about("claim-near-miss", c.ID, nearMissMessage(first, line, others)).
		WithHint("put it into the last paragraph of the message, with nothing but trailers around it")
	if !hasClaim {
		d.Severity = diag.Warning
	}
	return d, true
}

func nearMissMessage(first int, line string, others int) string {
	message := fmt.Sprintf("line %d of the message, %s, is no claim: git doesn't read it as a trailer", first, Quote(diag.Clip(line)))
	if others > 0 {
		message += fmt.Sprintf(" (nor %d more like it)", others)
	}
	return message
}

// looksLikeClaim: the key, perhaps indented or in a list, and a colon.
func looksLikeClaim(line string) bool {
	line = strings.TrimLeft(line, " \t>*-")
	if len(line) < len(TrailerKey) || !strings.EqualFold(line[:len(TrailerKey)], TrailerKey) {
		return false
	}
	return strings.HasPrefix(strings.TrimLeft(line[len(TrailerKey):], " \t"), ":")
}

func foreignFinding(commit OID, claim Claim) diag.Diagnostic {
	d := about("claim-near-miss", commit, fmt.Sprintf(
		"claim %s names no fleet of this repository; the commit came in by a merged line, so it counts as another project's", Quote(diag.Clip(claim.Raw))))
	d.Severity, d.Step = diag.Note, claim.Raw
	return d.WithHint("if the claim was meant for this repository, correct the fleet's name")
}

func tooManyFinding(commit OID) diag.Diagnostic {
	return about("claim-too-many", commit, fmt.Sprintf("the commit claims more than %d steps; the rest wasn't read", MaxClaims)).
		WithHint("claim the steps that the commit was made for, each once")
}

func notPermittedFinding(claim Claim, entry *Permit) diag.Diagnostic {
	d := diag.New("claim-not-permitted", entry.Pos, "", fmt.Sprintf("claim %s isn't permitted: %s lists %s",
		Quote(diag.Clip(claim.Raw)), entry.describe(), listOr(entry.Steps, "no step")))
	d.Rev, d.Step = diag.Base, claim.Raw
	return d.WithHint("claim a step that the entry lists, or extend the entry in a pull request of its own on the base branch")
}

func botFinding(claim Claim, login string, config diag.Pos) diag.Diagnostic {
	d := diag.New("claim-not-permitted", config, "", fmt.Sprintf("claim %s isn't permitted: %s is a bot, and no permit entry speaks for it",
		Quote(diag.Clip(claim.Raw)), Quote(login)))
	d.Rev, d.Step = diag.Base, claim.Raw
	return d.WithHint(fmt.Sprintf("add a permit entry with login: %q on the base branch, or drop the claim", login))
}

func missingFinding(commit OID, entry *Permit) diag.Diagnostic {
	d := about("claim-missing", commit, fmt.Sprintf("the commit claims no step, but %s makes this a fleet's work", entry.describe()))
	d.Pos, d.Rev = entry.Pos, diag.Base
	if entry.Unclaimed == UnclaimedWarn {
		d.Severity = diag.Warning
	}
	return d.WithHint("add a trailer, Fleet-Step: " + example(entry))
}

// example is a claim that the entry permits, for a hint.
func example(entry *Permit) string {
	if len(entry.Steps) == 0 {
		return "fleet/step"
	}
	return strings.Replace(entry.Steps[0], "*", "<position>", 1)
}

func unattributedFinding(commit OID) diag.Diagnostic {
	return about("commit-unattributed", commit, "the commit carries an agent's signature and claims no step").
		WithHint("claim the step with a trailer, Fleet-Step: fleet/step, if it was a fleet's work")
}

// maxShownItems is how many items of a list a message repeats.
const maxShownItems = 12

// listOr joins a list for a message: its first items, and how many more there are.
func listOr(items []string, none string) string {
	if len(items) == 0 {
		return none
	}
	shown := make([]string, 0, maxShownItems)
	for _, item := range items[:min(len(items), maxShownItems)] {
		shown = append(shown, diag.ClipItem(item))
	}
	if more := len(items) - maxShownItems; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(shown, ", "), more)
	}
	return strings.Join(shown, ", ")
}
