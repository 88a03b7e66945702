package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/fleetgate/fleetgate/internal/boundary"
	"github.com/fleetgate/fleetgate/internal/gitrepo"
)

// equal holds the gate's list of changes of every commit that a clone has
// against git's: a commit against each of its parents, a root against the empty
// tree. It fails where one differs.
func equal(args []string) error {
	clones, err := named(args)
	if err != nil {
		return err
	}
	return noDifferences(clones, func(c clone) (int, error) {
		e := equality{dir: c.dir, ours: sha256.New(), theirs: sha256.New()}
		if err := e.run(context.Background()); err != nil {
			return 0, err
		}
		fmt.Fprintf(os.Stdout, "%s: %d commits, %d comparisons, %d changes, %d differences\n  the gate %x\n  git      %x\n",
			c.name, e.commits, e.comparisons, e.changes, e.differences, e.ours.Sum(nil), e.theirs.Sum(nil))
		return e.differences, nil
	})
}

// noDifferences fails where a comparison of one of the clones gives any.
func noDifferences(clones []clone, compare func(clone) (differences int, err error)) error {
	all := 0
	for _, c := range clones {
		n, err := compare(c)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		all += n
	}
	if all > 0 {
		return fmt.Errorf("%d differences", all)
	}
	return nil
}

// equality is the comparison of one repository's whole history.
type equality struct {
	dir                                        string
	repo                                       *gitrepo.Repo
	commits, comparisons, changes, differences int
	ours, theirs                               hash.Hash // of all lists, each behind the line that it answers
}

// comparison is a commit and one of its parents; of a root, none.
type comparison struct {
	commit boundary.Commit
	line   string // as git diff-tree reads it
}

// batchSize is how many comparisons are asked for at once.
const batchSize = 2_000

func (e *equality) run(ctx context.Context) error {
	var err error
	if e.repo, err = gitrepo.Open(e.dir); err != nil {
		return err
	}
	defer e.repo.Close()
	all, err := e.list()
	if err != nil {
		return err
	}
	for batch := range slices.Chunk(all, batchSize) {
		if err := e.compare(ctx, batch); err != nil {
			return err
		}
	}
	return nil
}

// list gives all comparisons, the newest commit first. What git and the gate
// say of a commit's parents must be the same, too.
func (e *equality) list() ([]comparison, error) {
	out, err := gitOutput(e.dir, "--no-replace-objects", "rev-list", "--all", "--parents")
	if err != nil {
		return nil, err
	}
	var all []comparison
	for line := range strings.Lines(string(out)) {
		ids := strings.Fields(line)
		id, _ := boundary.ParseOID(ids[0])
		commit, err := e.repo.Commit(id)
		if err != nil {
			return nil, err
		}
		e.commits++
		if ours := idsOf(commit.Parents); !slices.Equal(ours, ids[1:]) {
			e.differ("the parents of "+ids[0], fmt.Sprint(ours), fmt.Sprint(ids[1:]))
		}
		all = append(all, comparisonsOf(commit)...)
	}
	return all, nil
}

func comparisonsOf(commit boundary.Commit) []comparison {
	if len(commit.Parents) == 0 {
		return []comparison{{commit, commit.ID.String()}}
	}
	var all []comparison
	for _, parent := range commit.Parents {
		single := commit
		single.Lines = []boundary.OID{parent}
		all = append(all, comparison{single, commit.ID.String() + " " + parent.String()})
	}
	return all
}

// compare compares the lists of some comparisons.
func (e *equality) compare(ctx context.Context, batch []comparison) error {
	deltas, err := e.deltas(ctx, batch)
	if err != nil {
		return err
	}
	blocks, err := e.diffTree(batch)
	if err != nil {
		return err
	}
	for i, c := range batch {
		ours := rawList(deltas[i].Changes)
		fmt.Fprintf(e.ours, "%s\n%s\n", c.line, ours)
		fmt.Fprintf(e.theirs, "%s\n%s\n", c.line, blocks[i])
		e.comparisons++
		e.changes += len(deltas[i].Changes)
		if !bytes.Equal(ours, blocks[i]) {
			e.differ(c.line, string(ours), string(blocks[i]))
		}
	}
	return nil
}

// deltas asks the gate. A range of such commits has no net difference: its
// head is its own merge base. Where a batch is more than one call may list, its
// halves are asked for.
func (e *equality) deltas(ctx context.Context, batch []comparison) ([]boundary.Delta, error) {
	head := batch[0].commit.ID
	rng := boundary.Range{Head: head, MergeBases: []boundary.OID{head}}
	for _, c := range batch {
		rng.Commits = append(rng.Commits, c.commit)
	}
	found, err := e.repo.Changes(ctx, rng)
	var limit *gitrepo.LimitError
	if half := len(batch) / 2; half > 0 && errors.As(err, &limit) {
		one, err := e.deltas(ctx, batch[:half])
		if err != nil {
			return nil, err
		}
		other, err := e.deltas(ctx, batch[half:])
		return append(one, other...), err
	}
	return found.Deltas, err
}

// diffTree asks git, and gives what it prints of each comparison.
func (e *equality) diffTree(batch []comparison) ([][]byte, error) {
	var in strings.Builder
	for _, c := range batch {
		in.WriteString(c.line + "\n")
	}
	command := exec.Command("git", "--no-replace-objects", "-C", e.dir, "diff-tree",
		"-r", "--raw", "-z", "--no-renames", "--no-abbrev", "--root", "--always", "--stdin")
	command.Stdin, command.Stderr = strings.NewReader(in.String()), os.Stderr
	out, err := command.Output()
	if err != nil {
		return nil, err
	}
	blocks := splitBlocks(out)
	if len(blocks) != len(batch) {
		return nil, fmt.Errorf("git diff-tree gives %d lists for %d comparisons", len(blocks), len(batch))
	}
	return blocks, nil
}

// splitBlocks cuts what git diff-tree prints at the ids of commits, each of
// which stands alone between two NULs, where no path can stand.
func splitBlocks(out []byte) [][]byte {
	var blocks [][]byte
	begin, path := 0, false
	for at := 0; at < len(out); {
		end := at + bytes.IndexByte(out[at:], 0) + 1
		switch {
		case path:
			path = false
		case out[at] == ':':
			path = true
		default:
			if at > 0 {
				blocks = append(blocks, out[begin:at])
			}
			begin = end
		}
		at = end
	}
	if len(out) > 0 {
		blocks = append(blocks, out[begin:])
	}
	return blocks
}

// rawList writes changes as git diff-tree --raw -z does.
func rawList(changes []boundary.Change) []byte {
	var out []byte
	for _, c := range changes {
		out = fmt.Appendf(out, ":%06o %06o %s %s %s\x00%s\x00", c.Old.Mode, c.New.Mode, c.Old.OID, c.New.OID, letter(c), c.Path)
	}
	return out
}

// letter is git's: a mode's kind is in its upper bits.
func letter(c boundary.Change) string {
	const kind = 0o170000
	switch {
	case c.Old.Mode == boundary.Absent:
		return "A"
	case c.New.Mode == boundary.Absent:
		return "D"
	case c.Old.Mode&kind != c.New.Mode&kind:
		return "T"
	}
	return "M"
}

// differ counts a difference, and shows the first ones.
func (e *equality) differ(what, ours, theirs string) {
	const shown, most = 10, 1000
	if e.differences++; e.differences <= shown {
		fmt.Fprintf(os.Stderr, "%s:\n  the gate: %.*q\n  git:      %.*q\n", what, most, ours, most, theirs)
	}
}

func idsOf(ids []boundary.OID) []string {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = id.String()
	}
	return texts
}
