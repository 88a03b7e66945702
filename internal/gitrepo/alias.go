package gitrepo

import (
	"slices"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

// aliasesOf lists the entries that were added to a directory although another
// entry is the same file on some file system. The other is one that was there
// before, if there is one, else the first of the added ones.
func aliasesOf(dir string, before, after *tree, added []treeEntry) []boundary.Alias {
	if len(added) == 0 {
		return nil
	}
	groups := aliasGroups(after, added)
	var found []boundary.Alias
	for _, group := range groups {
		isNew := func(e treeEntry) bool { return !contains(before, e.name) }
		first := max(slices.IndexFunc(group, func(e treeEntry) bool { return !isNew(e) }), 0)
		for i, e := range group {
			if i != first && isNew(e) {
				found = append(found, boundary.Alias{Path: dir + string(e.name), Other: dir + string(group[first].name)})
			}
		}
	}
	return found
}

// aliasGroups gives each set of two or more of a tree's names that fold to the
// same and include one of the added entries, in the tree's order.
func aliasGroups(t *tree, added []treeEntry) [][]treeEntry {
	groups := make(map[string][]treeEntry, len(added))
	seen := map[string]bool{} // doubled names are malformed, not aliases
	var keys []string
	for _, e := range added {
		key := foldEntry(e)
		if _, ok := groups[key]; !ok {
			groups[key] = nil
			keys = append(keys, key)
		}
	}
	for e := range t.entries() {
		if _, wanted := groups[string(e.name)]; !wanted && plain(e.name) {
			continue // it folds to itself; looked up so, it makes no string
		}
		key := foldEntry(e)
		if group, ok := groups[key]; ok && !seen[string(e.name)] {
			groups[key] = append(group, e)
			seen[string(e.name)] = true
		}
	}
	var found [][]treeEntry
	for _, key := range keys {
		if len(groups[key]) > 1 {
			found = append(found, groups[key])
		}
	}
	return found
}

func foldEntry(e treeEntry) string { return boundary.FoldName(string(e.name)) }

// plain says whether a name folds to itself, as most do: lower-case letters,
// digits, and dots, dashes and underscores inside.
func plain(name []byte) bool {
	for _, c := range name {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '.' && c != '-' && c != '_' {
			return false
		}
	}
	return len(name) > 0 && name[len(name)-1] != '.'
}

// contains says whether a tree has an entry of a name, of whatever kind.
func contains(t *tree, name []byte) bool {
	return t.find(name, false) != boundary.Entry{} || t.find(name, true) != boundary.Entry{}
}
