// Package drift compares a policy with another one, or with the lock. Between
// base and head it judges nothing: all of it is a note, for people to weigh.
// The lock holds what was agreed on, and what differs from it weighs.
package drift

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fleetgate/fleetgate/internal/boundary"
	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/discover"
	"github.com/fleetgate/fleetgate/internal/policy"
)

// Compare reports what changed between base's policy and head's, of the
// project's own files: allowlists and the configuration (policy-widened,
// policy-narrowed), contracts (drift-fleet), recipes (drift-recipe,
// drift-capability) and commands (drift-command). Findings point at head's
// files, those about what head no longer has at base's. They come in a fixed
// order: fleets, recipes, commands, configuration.
func Compare(base, head *discover.Set) []diag.Diagnostic {
	var c comparison
	c.fleets(base, head)
	c.recipes(base, head)
	c.commands(base, head)
	c.config(base.Config, head.Config)
	return c.found
}

// comparison collects the notes.
type comparison struct {
	found []diag.Diagnostic
}

// note adds a finding about head, or about base where what it is about is gone.
func (c *comparison) note(code diag.Code, side diag.Side, pos diag.Pos, field, message, hint string) {
	d := diag.New(code, pos, field, message).WithHint(hint)
	d.Severity, d.Rev = diag.Note, side // against a lock it weighs what its rule says
	c.found = append(c.found, d)
}

// related adds base's place to the last finding.
func (c *comparison) related(pos diag.Pos, message string) {
	last := &c.found[len(c.found)-1]
	last.Related = append(last.Related, diag.Related{Pos: pos, Rev: diag.Base, Message: message})
}

const (
	widenedHint  = "review it as a change of who may write what; this pull request itself is judged by base's policy"
	narrowedHint = "commits that need it can claim it no longer once this is merged"
)

// brings lists the entries of to that open something which from does not. A
// directory doesn't cover files like workflows, which must be named exactly.
func brings(from, to []string) []string {
	covered := boundary.Compile(from)
	var more []string
	for _, entry := range to {
		inside := covered.Dir(entry) != "" && (strings.HasSuffix(entry, "/") || !boundary.NeedsExactEntry(entry))
		if !inside && !covered.Names(entry) {
			more = append(more, entry)
		}
	}
	return more
}

func quote(text string) string { return boundary.Quote(diag.Clip(text)) }

// union lists the keys of two lists, each once, base's first and then what head adds.
func union(base, head []string) []string {
	keys, _ := byKey(slices.Concat(base, head), func(key string) string { return key })
	return keys
}

// projects are the items of a set that come from the project itself.
func projects[T any](all []T, source func(*T) policy.Source) []*T {
	return slices.DeleteFunc(pointers(all), func(item *T) bool { return source(item) != policy.Project })
}

func pointers[T any](list []T) []*T {
	at := make([]*T, len(list))
	for i := range list {
		at[i] = &list[i]
	}
	return at
}

// pairs hands out what two lists have by key, key by key in an order; nil
// stands for what a list doesn't have.
func pairs[T any](base, head []*T, key func(*T) string, order func(a, b string) int, take func(base, head *T)) {
	before, atBase := byKey(base, key)
	after, atHead := byKey(head, key)
	for _, k := range slices.SortedFunc(slices.Values(union(before, after)), order) {
		take(atBase[k], atHead[k])
	}
}

// byKey indexes items; the first of equal keys counts.
func byKey[T any](items []T, key func(T) string) (keys []string, index map[string]T) {
	index = map[string]T{}
	for _, item := range items {
		k := key(item)
		if _, known := index[k]; known {
			continue
		}
		keys = append(keys, k)
		index[k] = item
	}
	return keys, index
}

// list joins names for a message, which shows a few of many.
func list(names []string) string {
	const shown = 8
	if len(names) == 0 {
		return "nothing"
	}
	items := make([]string, 0, shown)
	for _, name := range names[:min(len(names), shown)] {
		items = append(items, diag.ClipItem(name))
	}
	if len(names) <= shown {
		return strings.Join(items, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(items, ", "), len(names)-shown)
}
