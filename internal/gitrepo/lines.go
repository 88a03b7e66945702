package gitrepo

import (
	"fmt"
	"slices"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

// rootSet is a set of the range's root commits, a bit for each. Sets are
// shared between commits and never changed.
type rootSet []uint64

func (s rootSet) union(other rootSet) rootSet {
	if s == nil {
		return other
	}
	if other == nil || slices.Equal(s, other) {
		return s
	}
	sum := slices.Clone(s)
	for i, word := range other {
		sum[i] |= word
	}
	return sum
}

// meets says whether two sets share a root.
func (s rootSet) meets(other rootSet) bool {
	for i := range min(len(s), len(other)) {
		if s[i]&other[i] != 0 {
			return true
		}
	}
	return false
}

// reachedOnce gives the roots that are in exactly one of the sets.
func reachedOnce(sets []rootSet) rootSet {
	var once, twice rootSet
	for _, set := range sets {
		if set == nil {
			continue
		}
		if once == nil {
			once, twice = make(rootSet, len(set)), make(rootSet, len(set))
		}
		for i, word := range set {
			twice[i] |= once[i] & word
			once[i] |= word
		}
	}
	for i := range once {
		once[i] &^= twice[i]
	}
	return once
}

// markLines fills Lines and Imported (design.md, Merges).
//
// A parent line of a merge is imported if it has a root of its own: a root
// commit of the range that this parent reaches and no other parent of the
// merge does. Where another line reaches no root at all, each that reaches one
// is imported: two lines of one foreign history, joined at once, are as foreign
// as one of them alone. What is reached only through an imported line doesn't count: so a
// line isn't imported because of a root that was imported into it before, and a
// second pull of an imported history, in the same range, is imported too. If
// all lines of a merge would be imported, the first isn't. So the root of a
// repository's first history, which no merge joins to anything, is judged
// against the empty tree like any commit.
//
// A commit is imported if every path from head to it goes through an imported
// line. Each such path begins with a merge that isn't imported and that is
// judged as if the line weren't there, so that nothing comes in unjudged.
func markLines(rng *boundary.Range) error {
	roots, err := rootBits(rng)
	if err != nil {
		return err
	}
	if len(roots) == 0 {
		return nil
	}
	reached := make(map[boundary.OID]rootSet, len(rng.Commits))
	for i := range rng.Commits {
		commit := &rng.Commits[i]
		if root, ok := roots[commit.ID]; ok {
			reached[commit.ID] = root
			continue
		}
		commit.Lines = ownLines(commit.Parents, reached)
		var union rootSet
		for _, line := range commit.Lines {
			union = union.union(reached[line])
		}
		reached[commit.ID] = union
	}
	markImported(rng)
	return nil
}

// rootBits gives each root commit of the range a set of its own.
func rootBits(rng *boundary.Range) (map[boundary.OID]rootSet, error) {
	var ids []boundary.OID
	for _, commit := range rng.Commits {
		if len(commit.Parents) == 0 {
			ids = append(ids, commit.ID)
		}
	}
	if len(ids) > MaxRoots {
		return nil, &LimitError{What: fmt.Sprintf("the range of %s with %d root commits", rng.Head, len(ids)), Name: "MaxRoots", Limit: MaxRoots}
	}
	const word = 64
	roots := make(map[boundary.OID]rootSet, len(ids))
	for i, id := range ids {
		set := make(rootSet, (len(ids)+word-1)/word)
		set[i/word] = 1 << (i % word)
		roots[id] = set
	}
	return roots, nil
}

// ownLines gives the parents whose lines reach no root of the range at all; if
// there is none, those that have no root of their own; and if there is none of
// these either, the first parent.
func ownLines(parents []boundary.OID, reached map[boundary.OID]rootSet) []boundary.OID {
	if len(parents) < 2 {
		return parents
	}
	own := slices.DeleteFunc(slices.Clone(parents), func(parent boundary.OID) bool { return reached[parent] != nil })
	if len(own) > 0 {
		return own
	}
	sets := make([]rootSet, len(parents))
	for i, parent := range parents {
		sets[i] = reached[parent]
	}
	once := reachedOnce(sets)
	var lines []boundary.OID
	for _, parent := range parents {
		if !reached[parent].meets(once) {
			lines = append(lines, parent)
		}
	}
	if len(lines) == 0 {
		return parents[:1]
	}
	return lines
}

// markImported marks the commits that head reaches through imported lines only.
func markImported(rng *boundary.Range) {
	kept := map[boundary.OID]bool{rng.Head: true}
	for i := len(rng.Commits) - 1; i >= 0; i-- {
		commit := &rng.Commits[i]
		if !kept[commit.ID] {
			commit.Imported = true
			continue
		}
		for _, parent := range commit.Lines {
			kept[parent] = true
		}
	}
}

// markFirstParents marks head's first-parent line.
func markFirstParents(rng *boundary.Range) {
	next := rng.Head
	for i := len(rng.Commits) - 1; i >= 0; i-- {
		commit := &rng.Commits[i]
		if commit.ID != next {
			continue
		}
		commit.FirstParent = true
		if len(commit.Parents) == 0 {
			return
		}
		next = commit.Parents[0]
	}
}
