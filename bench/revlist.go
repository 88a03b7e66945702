package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"github.com/fleetgate/fleetgate/internal/boundary"
	"github.com/fleetgate/fleetgate/internal/gitrepo"
)

// revlist holds the commits of random ranges of a clone against those that git
// rev-list gives. It fails where the gate's are wrong.
func revlist(args []string) error {
	flags := flag.NewFlagSet("revlist", flag.ContinueOnError)
	pairs := flags.Int("n", 2000, "how many ranges")
	seed := flags.Uint64("seed", 1, "the same seed gives the same ranges")
	if err := flags.Parse(args); err != nil {
		return err
	}
	clones, err := named(flags.Args())
	if err != nil {
		return err
	}
	return noDifferences(clones, func(c clone) (int, error) {
		w := walks{dir: c.dir, random: rand.New(rand.NewPCG(*seed, 0))}
		if err := w.run(context.Background(), *pairs); err != nil {
			return 0, err
		}
		fmt.Fprintf(os.Stdout, "%s: %d ranges (%d of them not empty), %d commits, %d differences", c.name, *pairs, w.filled, w.listed, w.differences)
		if w.misdated > 0 {
			fmt.Fprintf(os.Stdout, "; in %d ranges git rev-list itself was misled by dates, and the gate was right", w.misdated)
		}
		fmt.Fprintln(os.Stdout)
		return w.differences, nil
	})
}

// walks is the comparison of one repository's ranges.
type walks struct {
	dir                         string
	repo                        *gitrepo.Repo
	random                      *rand.Rand
	all                         []string // the repository's commits, the newest first
	filled, listed, differences int
	misdated                    int // ranges in which git rev-list itself is wrong
}

func (w *walks) run(ctx context.Context, pairs int) error {
	var err error
	if w.repo, err = gitrepo.Open(w.dir); err != nil {
		return err
	}
	defer w.repo.Close()
	out, err := gitOutput(w.dir, "--no-replace-objects", "rev-list", "--all")
	if err != nil {
		return err
	}
	if w.all = strings.Fields(string(out)); len(w.all) == 0 {
		return fmt.Errorf("no commit")
	}
	for range pairs {
		head, tips := w.choose()
		if err := w.compare(ctx, head, tips); err != nil {
			return err
		}
	}
	return nil
}

// choose gives a head and up to three tips, of which three in four lie near
// the head in time, as a pull request's do.
func (w *walks) choose() (head string, tips []string) {
	const most, newer, older, far = 3, 50, 200, 4
	at := w.random.IntN(len(w.all))
	for range 1 + w.random.IntN(most) {
		tip := w.random.IntN(len(w.all))
		if w.random.IntN(far) > 0 {
			tip = min(max(at-newer+w.random.IntN(newer+older), 0), len(w.all)-1)
		}
		tips = append(tips, w.all[tip])
	}
	return w.all[at], tips
}

func (w *walks) compare(ctx context.Context, head string, tips []string) error {
	ours, err := w.ours(ctx, head, tips)
	if err != nil {
		return err
	}
	theirs, err := w.git(append([]string{head, "--not"}, tips...))
	if err != nil {
		return err
	}
	w.listed += len(ours)
	if len(ours) > 0 {
		w.filled++
	}
	if slices.Equal(ours, theirs) {
		return nil
	}
	return w.judge(head, tips, ours, theirs)
}

// ours asks the gate.
func (w *walks) ours(ctx context.Context, head string, tips []string) ([]string, error) {
	from, _ := boundary.ParseOID(head)
	var to []boundary.OID
	for _, tip := range tips {
		id, _ := boundary.ParseOID(tip)
		to = append(to, id)
	}
	rng, err := w.repo.Range(ctx, from, to)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, c := range rng.Commits {
		ids = append(ids, c.ID.String())
	}
	slices.Sort(ids)
	return ids, nil
}

// git gives what git rev-list lists, in order of the ids.
func (w *walks) git(revisions []string) ([]string, error) {
	out, err := gitOutput(w.dir, append([]string{"--no-replace-objects", "rev-list"}, revisions...)...)
	ids := strings.Fields(string(out))
	slices.Sort(ids)
	return ids, err
}

// judge finds out who is right where the two differ. Where commits are dated
// before their parents, git may stop its walk from the tips too early, and list
// commits that they reach. Its whole lists of what head reaches, and of what
// the tips reach, need no such guess: their difference is the answer.
func (w *walks) judge(head string, tips, ours, theirs []string) error {
	whole, err := w.git([]string{head})
	if err != nil {
		return err
	}
	reached, err := w.git(tips)
	if err != nil {
		return err
	}
	truth := slices.DeleteFunc(whole, func(id string) bool {
		_, found := slices.BinarySearch(reached, id)
		return found
	})
	if slices.Equal(ours, truth) {
		w.misdated++
		return nil
	}
	w.differences++
	fmt.Fprintf(os.Stderr, "%s --not %s: the gate lists %d commits, git %d, and %d are right\n", head, strings.Join(tips, " "), len(ours), len(theirs), len(truth))
	return nil
}
