package main

import (
	"fmt"
	"sort"
	"strings"
)

// baseOf gives the commit from which the range to HEAD comes nearest to so many
// commits: one of the first parents' line, or another parent of HEAD. A merge
// brings many commits at once, so that it can't always be just as many. It
// gives "" where the history is shorter.
func baseOf(dir string, commits int) (string, error) {
	if all, err := count(dir, "HEAD"); err != nil || all <= commits {
		return "", err
	}
	out, err := gitOutput(dir, "rev-list", "--first-parent", fmt.Sprintf("--max-count=%d", commits+1), "HEAD")
	if err != nil {
		return "", err
	}
	line := strings.Fields(string(out))[1:]
	lengths := lengths{dir: dir}
	at := sort.Search(len(line), func(i int) bool { return lengths.of(line[i]) > commits })
	candidates := line[max(at-1, 0):min(at+1, len(line))]
	if other, ok := first(dir, "HEAD^2"); ok {
		candidates = append(candidates[:len(candidates):len(candidates)], other)
	}
	return lengths.nearest(candidates, commits), lengths.err
}

// lengths asks how long ranges to HEAD are, until something fails.
type lengths struct {
	dir string
	err error
}

func (l *lengths) of(base string) int {
	if l.err != nil {
		return 0
	}
	var n int
	n, l.err = count(l.dir, base+"..HEAD")
	return n
}

func (l *lengths) nearest(bases []string, commits int) string {
	best, least := "", 0
	for _, base := range bases {
		n := l.of(base)
		if off := max(n-commits, commits-n); n > 0 && (best == "" || off < least) {
			best, least = base, off
		}
	}
	return best
}
