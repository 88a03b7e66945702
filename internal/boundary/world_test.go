package boundary

import (
	"crypto/sha1"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/fleetgate/fleetgate/internal/diag"
)

// world is a history in memory, in the plain values that a judgement is made
// from. Commits are named by words; contents are given as text.
type world struct {
	t       *testing.T
	trees   map[OID]map[string]Entry
	blobs   map[OID]string
	commits map[string]Commit // of the range and outside it
	rng     Range
	history History
	missing map[string]bool // paths whose lookup fails
}

func newWorld(t *testing.T, base string) *world {
	w := &world{t: t, trees: map[OID]map[string]Entry{}, blobs: map[OID]string{}, commits: map[string]Commit{}, missing: map[string]bool{}}
	w.outside("base", base)
	w.rng.MergeBases = []OID{id("base")}
	return w
}

// id is the object id that a word stands for.
func id(word string) OID { return sha1.Sum([]byte(word)) }

// outside adds a commit that is not in the range, with the whole tree that
// text gives: one `path=content` a word.
func (w *world) outside(name, text string, parents ...string) {
	c := Commit{ID: id(name), Tree: id("tree of " + name), FirstParent: true}
	w.trees[c.Tree] = w.edit(nil, text)
	for _, p := range parents {
		c.Parents = append(c.Parents, id(p))
	}
	w.commits[name] = c
}

// edit applies `path=content` words to a tree. Contents: `-` deletes,
// `->target` is a link, `@id` a submodule, `*text` an executable.
func (w *world) edit(tree map[string]Entry, text string) map[string]Entry {
	edited := maps.Clone(tree)
	if edited == nil {
		edited = map[string]Entry{}
	}
	for _, word := range strings.Fields(text) {
		path, content, _ := strings.Cut(word, "=")
		if content == "-" {
			delete(edited, path)
			continue
		}
		edited[path] = w.entry(content)
	}
	return edited
}

func (w *world) entry(content string) Entry {
	mode, text := Regular, content
	if target, found := strings.CutPrefix(content, "->"); found {
		mode, text = Symlink, target
	} else if sub, found := strings.CutPrefix(content, "@"); found {
		return Entry{Mode: Gitlink, OID: id("commit " + sub)}
	} else if script, found := strings.CutPrefix(content, "*"); found {
		mode, text = Executable, script
	}
	oid := id("blob " + text)
	w.blobs[oid] = text
	return Entry{Mode: mode, OID: oid}
}

// commit adds a commit to the range: a message, and what it changes against its parent.
func (w *world) commit(name, parent, message, changes string) *Commit {
	c := Commit{ID: id(name), Tree: id("tree of " + name), Parents: []OID{id(parent)}, Lines: []OID{id(parent)}, Message: message, FirstParent: true}
	before := w.trees[w.commits[parent].Tree]
	w.trees[c.Tree] = w.edit(before, changes)
	return w.add(name, c, Delta{Changes: diffTrees(before, w.trees[c.Tree])})
}

// merge adds a merge of two lines to the range. Its tree is the automatic
// merge from base where that is possible, then changed as given.
func (w *world) merge(name, first, second, base, message, changes string) *Commit {
	c := Commit{ID: id(name), Tree: id("tree of " + name), Parents: []OID{id(first), id(second)}, Message: message, FirstParent: true}
	c.Lines = c.Parents
	ours, theirs, old := w.trees[w.commits[first].Tree], w.trees[w.commits[second].Tree], w.trees[w.commits[base].Tree]
	merged := map[string]Entry{}
	for _, path := range paths(ours, theirs, old) {
		if expected, ok := fold(ours[path], theirs[path], old[path]); ok && expected.Mode != Absent {
			merged[path] = expected
		}
	}
	merged = w.edit(merged, changes)
	w.trees[c.Tree] = merged
	return w.add(name, c, Delta{Decisions: decide(ours, theirs, old, merged)})
}

func (w *world) add(name string, c Commit, delta Delta) *Commit {
	w.commits[name] = c
	w.rng.Commits = append(w.rng.Commits, c)
	w.history.Deltas = append(w.history.Deltas, delta)
	w.rng.Head = c.ID
	return &w.rng.Commits[len(w.rng.Commits)-1]
}

// delta gives the last commit's delta, for what a tree map can't express.
func (w *world) delta() *Delta { return &w.history.Deltas[len(w.history.Deltas)-1] }

func paths(trees ...map[string]Entry) []string {
	all := map[string]bool{}
	for _, tree := range trees {
		for path := range tree {
			all[path] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

func diffTrees(before, after map[string]Entry) []Change {
	var changes []Change
	for _, path := range paths(before, after) {
		if before[path] != after[path] {
			changes = append(changes, Change{Path: path, Old: before[path], New: after[path]})
		}
	}
	return changes
}

// fold gives the expected entry of a merge; ok is false where the parents conflict.
func fold(ours, theirs, old Entry) (Entry, bool) {
	switch {
	case ours == theirs, theirs == old:
		return ours, true
	case ours == old:
		return theirs, true
	}
	return Entry{}, false
}

func decide(ours, theirs, old, got map[string]Entry) []Decision {
	var decisions []Decision
	for _, path := range paths(ours, theirs, old, got) {
		a, b, base, g := ours[path], theirs[path], old[path], got[path]
		expected, ok := fold(a, b, base)
		if ok && expected == g {
			continue
		}
		d := Decision{Path: path, Conflict: !ok, Expected: expected, Got: g, Parents: []Entry{a, b}, Bases: []Entry{base}}
		d.Dropped = ok && a != b && g == base && (g == a || g == b)
		decisions = append(decisions, d)
	}
	return decisions
}

var errMissing = errors.New("object is missing")

// Entry implements Trees.
func (w *world) Entry(tree OID, path string) (Entry, error) {
	if w.missing[path] {
		return Entry{}, errMissing
	}
	if entry, found := w.trees[tree][path]; found {
		return entry, nil
	}
	for other := range w.trees[tree] {
		if strings.HasPrefix(other, path+"/") {
			return Entry{Mode: Dir, OID: id("dir " + path)}, nil
		}
	}
	return Entry{}, nil
}

// Blob implements Trees.
func (w *world) Blob(id OID, limit int64) ([]byte, error) {
	text, found := w.blobs[id]
	if !found || int64(len(text)) > limit {
		return nil, errMissing
	}
	return []byte(text), nil
}

// Submodules implements Trees: a .gitmodules holds one path.
func (w *world) Submodules(tree OID) (map[string]bool, error) {
	return map[string]bool{w.blobs[w.trees[tree][".gitmodules"].OID]: true}, nil
}

func (w *world) treeOf(commit OID) (OID, error) {
	for _, c := range w.commits {
		if c.ID == commit {
			return c.Tree, nil
		}
	}
	return OID{}, errMissing
}

// testPolicy is what the claimed steps of these tests may write.
var testPolicy = map[string][]string{
	"docs/write":   {"README.md", "docs/"},
	"docs/exact":   {".github/workflows/ci.yml", "CODEOWNERS", "docs/.gitattributes", "docs/link", "docs/sub"},
	"docs/review":  {},
	"src/write":    {"src/"},
	"docs/nothing": {},
}

// input resolves the claims as the gate does, and gives what Judge takes.
func (w *world) input(rules Rules, actor Actor, step string) Input {
	claims := ReadClaims(w.rng.Commits, rules, actor, step)
	windows := make([]Window, len(claims.Commits))
	for i, claimed := range claims.Commits {
		for _, claim := range claimed.Claims {
			allow, known := testPolicy[claim.Raw]
			if !known {
				windows[i].Refused = true
				continue
			}
			windows[i].Positions = append(windows[i].Positions, Position{
				Name: claim.Raw, Allow: allow, ReadOnly: len(allow) == 0,
				Pos: diag.Pos{File: ".clio-coder/fleets/" + claim.Fleet + ".md", Line: 7},
			})
			windows[i].Allow = Normalize(append(windows[i].Allow, allow...))
		}
	}
	return Input{Range: w.rng, Claims: claims, Windows: windows, History: w.history, Rules: rules, BaseTip: id("base"), Trees: w, TreeOf: w.treeOf}
}

// told prints findings as `severity code commit path`, one a line.
func (w *world) told(found []diag.Diagnostic) []string {
	names := map[string]string{"": "-"}
	for name, c := range w.commits {
		names[c.ID.String()] = name
	}
	lines := []string{}
	for _, d := range found {
		lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s %s %s %s", d.Severity, d.Code, names[d.Commit], d.Path)))
	}
	return lines
}
