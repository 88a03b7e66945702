package gitrepo

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

func TestLimitsOfTheWalkAreErrors(t *testing.T) {
	git := newGit(t)
	base := git.put("a", "a")
	blob := git.id("HEAD:a")
	nested := func(levels int, name string) boundary.OID {
		at := git.tree(entryOf(boundary.Regular, "x", blob))
		for range levels {
			at = git.tree(entryOf(boundary.Dir, name, at))
		}
		return git.commitTree(at, base)
	}
	long := func(n int) boundary.OID {
		return git.commitTree(git.tree(entryOf(boundary.Regular, strings.Repeat("n", n), blob)), base)
	}
	bomb := func(leaf boundary.OID, levels int) boundary.OID {
		at := leaf
		for range levels {
			var level []treeEntry
			for i := range 10 {
				level = append(level, entryOf(boundary.Dir, fmt.Sprint(i), at))
			}
			at = git.tree(level...)
		}
		return git.commitTree(at, base)
	}
	var files []treeEntry
	for i := range 200 {
		files = append(files, entryOf(boundary.Regular, fmt.Sprintf("%03d", i), blob))
	}
	cases := map[string]struct {
		head  boundary.OID
		limit string
	}{
		"the longest path":      {long(MaxPath), ""},
		"a longer path":         {long(MaxPath + 1), "MaxPath"},
		"the deepest directory": {nested(MaxDepth, "d"), ""},
		"a deeper directory":    {nested(MaxDepth+1, "d"), "MaxDepth"},
		"a longer directory":    {nested(1, strings.Repeat("n", MaxPath+1)), "MaxPath"},
		"a bomb of files":       {bomb(git.tree(files...), 4), "MaxSteps"},
		"a bomb of directories": {bomb(emptyTree, 9), "MaxSteps"},
		"a bomb of both":        {bomb(git.tree(files...), 7), "MaxSteps"},
	}
	repo := git.open()
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if strings.Contains(name, "bomb") && testing.Short() {
				t.Skip("takes seconds")
			}
			_, _, err := changesOf(t, repo, c.head, base)
			switch {
			case c.limit == "" && err != nil:
				t.Error(err)
			case c.limit != "" && (!isError[*LimitError](err) || !strings.Contains(err.Error(), c.limit)):
				t.Errorf("gives %v, want a LimitError", err)
			}
		})
	}
}

func TestATreeOfTooManyBytesIsRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("writes a large object")
	}
	git := newGit(t)
	base := git.put("a", "a")
	raw := bytesOfLargeTree(git.id("HEAD:a"))
	head := git.commitTree(git.object("tree", raw), base)
	if _, _, err := changesOf(t, git.open(), head, base); !isError[*LimitError](err) {
		t.Errorf("gives %v, want a LimitError", err)
	}
}

func bytesOfLargeTree(blob boundary.OID) []byte {
	var raw []byte
	name := strings.Repeat("n", 1<<20)
	for i := 0; len(raw) <= MaxTreeBytes; i++ {
		raw = appendEntry(raw, entryOf(boundary.Regular, fmt.Sprintf("%06d%s", i, name), blob))
	}
	return raw
}

func TestALimitCountsBeforeAMissingTree(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	git := newGit(t)
	base := git.put("a", "a")
	blob := git.id("HEAD:a")
	var files []treeEntry
	for i := range 1100 {
		files = append(files, entryOf(boundary.Regular, fmt.Sprintf("%04d", i), blob))
	}
	full := git.tree(files...)
	var dirs []treeEntry
	for i := range 1000 {
		dirs = append(dirs, entryOf(boundary.Dir, fmt.Sprintf("%03d", i), full))
	}
	many := git.commitTree(git.tree(dirs...), base)
	gone := git.tree(entryOf(boundary.Regular, "only here", blob))
	head := git.commitTree(git.tree(append(dirs, entryOf(boundary.Dir, "x", gone))...), many)
	git.remove(gone)
	repo := git.open()
	for _, processors := range []int{1, 2, 8} {
		before := runtime.GOMAXPROCS(processors)
		_, _, err := changesOf(t, repo, head, base)
		runtime.GOMAXPROCS(before)
		if !isError[*LimitError](err) || !strings.Contains(err.Error(), "MaxSteps") {
			t.Errorf("on %d processors: %v", processors, err)
		}
	}
}
