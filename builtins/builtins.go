// Package builtins embeds the agent recipes and fleet contracts that come with
// the gate. Their ids, audiences and capability classes are the runtime's, so
// that names in a repository's fleets resolve as they do there; the texts are
// this project's own, and serve as examples.
package builtins

import "embed"

// FS holds agents/*.md and fleets/*.md, directly below its root.
//
//go:embed agents/*.md fleets/*.md
var FS embed.FS

// Path is what findings show in front of the paths of builtins.
const Path = "builtins"
