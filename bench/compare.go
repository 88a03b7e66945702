package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
)

// answer is what is compared of the gate's verdict.
type answer struct {
	Counts struct {
		Commits int `json:"commits"`
	} `json:"counts"`
	Commits []struct {
		SHA     string   `json:"sha"`
		Status  string   `json:"status"`
		Changes []change `json:"changes"`
	} `json:"commits"`
}

type change struct {
	Status string `json:"status"`
	Path   string `json:"path"`
	Base64 string `json:"path_base64"` // of a path that isn't UTF-8
}

// counts holds the number of commits that the gate read against git's.
func (a answer) counts(commits int) error {
	if a.Counts.Commits != commits {
		return fmt.Errorf("the gate read %d commits, git lists %d", a.Counts.Commits, commits)
	}
	return nil
}

// compare holds the gate's answer about a range against git's: as many
// commits, and of each that is judged and isn't a merge the very same changes.
// It gives the digest of what both say, or "" where they are all merges.
func compare(gate call, dir, base string, commits int) (string, error) {
	said, err := ask(gate)
	if err != nil {
		return "", err
	}
	if err := said.counts(commits); err != nil {
		return "", err
	}
	log, err := gitOutput(dir, "log", "--raw", "-z", "--no-renames", "--no-abbrev", "--no-merges", "--format=%H", base+"..HEAD")
	if err != nil {
		return "", err
	}
	theirs := readLog(log)
	ours := map[string][]string{}
	for _, c := range said.Commits {
		switch _, single := theirs[c.SHA]; {
		case c.Status == "imported": // another history's, which isn't judged
			delete(theirs, c.SHA)
		case single:
			ours[c.SHA] = lines(c.Changes)
		}
	}
	if len(ours)+len(theirs) == 0 {
		return "", nil
	}
	one, other := digest(ours), digest(theirs)
	if one != other {
		return "", fmt.Errorf("the gate and git list other changes: %s and %s", one, other)
	}
	return one, nil
}

func lines(changes []change) []string {
	var all []string
	for _, c := range changes {
		path := c.Path
		if c.Base64 != "" {
			raw, err := base64.StdEncoding.DecodeString(c.Base64)
			if err == nil {
				path = string(raw)
			}
		}
		all = append(all, c.Status+" "+path)
	}
	return all
}

// readLog reads what git log prints with --raw -z: a commit's id, then its
// changes, each as modes, ids and a letter, and a path.
func readLog(log []byte) map[string][]string {
	const digits = 40
	found := map[string][]string{}
	commit, status := "", ""
	for field := range bytes.SplitSeq(log, []byte{0}) {
		text := strings.TrimPrefix(string(field), "\n")
		switch {
		case status != "":
			found[commit] = append(found[commit], status+" "+string(field))
			status = ""
		case strings.HasPrefix(text, ":"):
			status = text[len(text)-1:]
		case len(text) == digits:
			commit = text
			found[commit] = nil
		}
	}
	return found
}

// digest is of all commits by id, each with its changes in order.
func digest(changes map[string][]string) string {
	var ids []string
	for id := range changes {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	sum := sha256.New()
	for _, id := range ids {
		slices.Sort(changes[id])
		fmt.Fprintf(sum, "%s\n%q\n", id, changes[id])
	}
	return fmt.Sprintf("%x", sum.Sum(nil))
}
