package boundary

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fleetgate/fleetgate/internal/diag"
)

// Input is everything that a judgement is made from.
type Input struct {
	Range   Range
	Claims  Claims
	Windows []Window // parallel to Range.Commits
	History History
	Rules   Rules
	BaseTip OID   // the policy commit (base tip)
	Trees   Trees // commit trees
	// TreeOf gives the tree of a commit outside the range (base tip, merge bases).
	TreeOf func(commit OID) (OID, error)
	// QueueSquash lists commits that a merge queue squashed: listed, not judged.
	QueueSquash map[OID]bool
}

// Judge holds every commit of the range against its window (design.md,
// Changes). Findings come in range order, then by path and code, at most one
// for each commit, path and code; what Claims.Found holds isn't repeated.
//
// Where a claim was refused there is no boundary to hold the commit to: its
// paths aren't reported one by one, but protected paths still are.
//
// An error means that a needed object was missing. The other commits are
// judged all the same, so that what is found can be reported beside it.
func Judge(in Input) ([]diag.Diagnostic, error) {
	if n := len(in.Range.Commits); len(in.Claims.Commits) != n || len(in.Windows) != n || len(in.History.Deltas) != n {
		return nil, fmt.Errorf("judging %d commits needs as many claims, windows and deltas, not %d, %d and %d",
			n, len(in.Claims.Commits), len(in.Windows), len(in.History.Deltas))
	}
	j := newJudge(in)
	var found []diag.Diagnostic
	for i := range in.Range.Commits {
		found = append(found, j.commit(i)...)
	}
	found = append(found, j.malformedNet(found)...)
	found = append(found, j.policyLinks()...)
	return found, j.err
}

// judge is one judgement on its way.
type judge struct {
	in      Input
	index   map[OID]int          // of the range's commits
	lists   map[string]Allowlist // compiled, by their entries
	windows windowSet            // the distinct windows
	touched map[string][]int     // which commits set a path, ascending; built when first needed
	trees   map[OID]OID          // trees of commits
	seen    paint                // scratch of the walk over joined commits
	err     error                // the first object that was missing
}

func newJudge(in Input) *judge {
	j := &judge{
		in:    in,
		index: make(map[OID]int, len(in.Range.Commits)),
		lists: map[string]Allowlist{},
		trees: map[OID]OID{},
	}
	j.windows = distinctWindows(in)
	for i, c := range in.Range.Commits {
		j.index[c.ID] = i
		j.trees[c.ID] = c.Tree
	}
	return j
}

// fail remembers the first error, and gives whether there is one now.
func (j *judge) fail(err error) bool {
	if err != nil && j.err == nil {
		j.err = err
	}
	return err != nil
}

// compile gives the compiled form of a list, each distinct list once.
func (j *judge) compile(entries []string) Allowlist {
	key := strings.Join(entries, "\x00")
	list, known := j.lists[key]
	if !known {
		list = Compile(entries)
		j.lists[key] = list
	}
	return list
}

// work is one commit under judgement.
type work struct {
	*judge
	i       int
	commit  Commit
	claimed bool // it claims a step
	refused bool // one of its claims was refused
	fleet   bool // it belongs to a fleet's pull request
	signed  bool // an agent signed it
	merge   bool // it has several parents, imported lines counted
	judged  bool // what it changes is held against a boundary

	positions []Position // whose union the boundary is
	allow     []string
	list      Allowlist
	joined    []int    // for a judged merge that decides something: the range commits that it joins
	lines     []uint64 // parallel to joined: on which of the merge's lines each lies

	found []diag.Diagnostic
}

func (j *judge) begin(i int) *work {
	c, claims, window := j.in.Range.Commits[i], j.in.Claims.Commits[i], j.in.Windows[i]
	w := &work{
		judge:   j,
		i:       i,
		commit:  c,
		claimed: len(claims.Claims) > 0,
		refused: claims.Refused || window.Refused,
		fleet:   j.in.Claims.Fleet || claims.Entry != nil,
		signed:  claims.Signed,
		merge:   len(c.Parents) > 1,
	}
	w.judged = w.claimed || w.merge && (w.signed || w.fleet)
	if w.claimed && !w.refused {
		w.positions, w.allow = window.Positions, window.Allow
	}
	if w.merge && w.judged && len(j.in.History.Deltas[i].Decisions) > 0 {
		w.join()
	}
	w.list = j.compile(w.allow)
	return w
}

// commit judges one commit of the range.
func (j *judge) commit(i int) []diag.Diagnostic {
	delta := j.in.History.Deltas[i]
	w := j.begin(i)
	w.malformed(delta.Malformed)
	if w.commit.Imported || j.in.QueueSquash[w.commit.ID] {
		return w.sorted()
	}
	for _, c := range delta.Changes {
		w.change(c.Path, c.Old, c.New, nil)
	}
	for k := range delta.Decisions {
		d := &delta.Decisions[k]
		w.change(d.Path, oldEntry(d), d.Got, d)
	}
	for _, alias := range delta.Aliases {
		w.alias(alias)
	}
	return w.sorted()
}

// oldEntry gives what a merge's parents have at a path, for questions of its
// kind: a submodule if one of them has one, else the first parent's entry.
func oldEntry(d *Decision) Entry {
	for _, parent := range d.Parents {
		if parent.Mode == Gitlink {
			return parent
		}
	}
	if len(d.Parents) == 0 {
		return Entry{}
	}
	return d.Parents[0]
}

// change judges one changed or decided path; d is nil but for a decision.
func (w *work) change(path string, before, after Entry, d *Decision) {
	escape, err := w.escape(path, after)
	if w.fail(err) {
		return
	}
	w.boundary(path, before, after, escape, d)
	if escape != "" {
		w.add(w.escapeFinding(path, escape))
	}
	if after.Mode == Gitlink {
		w.gitlink(path)
	}
}

// boundary decides whether the commit may change the path.
func (w *work) boundary(path string, before, after Entry, escape string, d *Decision) {
	if w.editsPolicy(path) {
		w.add(w.policyFinding(path, d))
		return
	}
	if !w.judged || w.refused {
		if d != nil && d.Dropped {
			w.add(w.droppedFinding(path, diag.Warning))
		}
		return
	}
	why, covered := w.covers(path, before, after, escape)
	if covered {
		if d != nil && d.Dropped {
			w.add(w.droppedFinding(path, diag.Warning))
		}
		return
	}
	w.outside(path, why, d)
}

// outside reports a path that the boundary doesn't cover, by what became of it.
func (w *work) outside(path, why string, d *Decision) {
	restored, err := w.restored(path)
	switch {
	case w.fail(err):
	case restored:
		w.add(w.restoredFinding(path))
	case d != nil && d.Dropped:
		w.add(w.droppedFinding(path, w.severity(path, d)))
	default:
		w.add(w.outsideFinding(path, why, d, w.severity(path, d)))
	}
}

// editsPolicy says whether the commit changes a protected path that is not open to it.
func (w *work) editsPolicy(path string) bool {
	switch ProtectionOf(path) {
	case Closed:
		return w.claimed || w.fleet || w.signed
	case Openable:
		return (w.claimed || w.fleet) && !w.list.Names(path)
	}
	return false
}

// sorted orders the commit's findings by path and code, and drops what names
// the same path and code again.
func (w *work) sorted() []diag.Diagnostic {
	slices.SortStableFunc(w.found, comparePathCode)
	return slices.CompactFunc(w.found, func(a, b diag.Diagnostic) bool { return comparePathCode(a, b) == 0 })
}

func comparePathCode(a, b diag.Diagnostic) int {
	if a.Path != b.Path {
		return strings.Compare(a.Path, b.Path)
	}
	return strings.Compare(string(a.Code), string(b.Code))
}

func (w *work) add(d diag.Diagnostic) { w.found = append(w.found, d) }
