package diag

import (
	"fmt"
	"strings"
)

// MaxNearestBytes is the longest word for which Nearest looks: a longer one is no misspelling.
const MaxNearestBytes = 64

// Nearest finds the known word that a misspelt one most likely meant: the
// first of those with the fewest edits, letter case aside, if that is at most
// a third of the word's bytes (and at least one). It gives "" where none is near.
func Nearest(word string, known []string) string {
	if len(word) > MaxNearestBytes {
		return ""
	}
	best, fewest := "", max(1, len(word)/3)+1
	for _, candidate := range known {
		if edits := distance(strings.ToLower(word), strings.ToLower(candidate)); edits < fewest {
			best, fewest = candidate, edits
		}
	}
	return best
}

// DidYouMean begins a hint with the nearest known word ("did you mean tools? "), or is "" where none is near.
func DidYouMean(word string, known []string) string {
	nearest := Nearest(word, known)
	if nearest == "" {
		return ""
	}
	return fmt.Sprintf("did you mean %s? ", nearest)
}

// distance is the number of insertions, deletions and replacements of bytes
// between two words, a swap of neighbours counting as one.
func distance(a, b string) int {
	var before []int
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		next := make([]int, len(b)+1)
		next[0] = i + 1
		for j := range len(b) {
			replaced := row[j]
			if a[i] != b[j] {
				replaced++
			}
			next[j+1] = min(replaced, row[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}
