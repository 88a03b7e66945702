package result

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/fleetgate/fleetgate/internal/value"
)

// Digest is the identity of the contract: SHA-256, in hex, of its canonical JSON.
func (c Contract) Digest() string { return digest(c.Value()) }

// SourceID names the contract in a receipt: agent-result-contract:<kind>:<digest> (spec 7).
func (c Contract) SourceID() string {
	return "agent-result-contract:" + string(c.Kind) + ":" + c.Digest()
}

// ValueDigest is the validator digest of a report that passes, over what the
// validator read out of it (spec 7).
func ValueDigest(c Contract, v *value.Value) string { return contractDigest(c, "value", v) }

// ReasonDigest is the validator digest of a report that fails, over the reason (spec 7).
func ReasonDigest(c Contract, reason string) string {
	return contractDigest(c, "reason", value.NewString(reason))
}

// notReachedDigest is the validator digest of a run that never reached its end (spec 7).
func notReachedDigest(c Contract) string { return contractDigest(c, "reached", value.NewBool(false)) }

func contractDigest(c Contract, key string, v *value.Value) string {
	return digest(value.NewMap(value.Field("contract", c.Value()), value.Field(key, v)))
}

func digest(v *value.Value) string {
	return textDigest(string(value.Canonical(v)))
}

func textDigest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
