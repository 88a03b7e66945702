package policy

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"github.com/fleetgate/fleetgate/internal/value"
)

// Fingerprint is the SHA-256, in hexadecimal, of what changes a recipe's meaning (spec 3.4).
func Fingerprint(r *Recipe) string { return r.Spec.Fingerprint() }

// Fingerprint is the SHA-256, in hexadecimal, of what changes an agent's
// meaning: all but its name, description, category, tags, source, path and
// product, and the order in which tools and skills are written (spec 3.4).
func (s Spec) Fingerprint() string {
	return digest(value.Stringify(value.NewMap(
		value.Field("id", value.NewString(s.ID)),
		value.Field("tools", sortedList(s.Tools)),
		value.Field("required", sortedList(requiredTexts(s.Required))),
		value.Field("optional", sortedList(s.Optional)),
		value.Field("capabilityClass", value.NewString(s.CapabilityClass)),
		value.Field("latencyClass", value.NewString(s.LatencyClass)),
		value.Field("projectContextTier", value.NewString(s.ProjectContextTier)),
		value.Field("audience", value.NewString(s.Audience)),
		value.Field("skills", sortedList(s.Skills)),
		value.Field("resultContract", s.ResultContract.Value()),
		value.Field("budget", s.Budget.Value()),
		value.Field("body", value.NewString(digest(s.Body))),
	)))
}

// requiredTexts writes each required entry with its group's names sorted.
func requiredTexts(required []Requirement) []string {
	list := make([]string, len(required))
	for i, r := range required {
		list[i] = groupText(r, sorted(r.AnyOf))
	}
	return list
}

func sortedList(list []string) *value.Value { return value.Strings(sorted(list)) }

// sorted gives a copy in the order of UTF-16 code units.
func sorted(list []string) []string {
	list = slices.Clone(list)
	value.SortUTF16(list)
	return list
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
