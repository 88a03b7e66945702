package gitrepo

import (
	"fmt"
	"maps"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

// model is a small history held as plain maps, over which design.md's rules
// are worked out by brute force, path by path and commit by commit.
type model struct {
	commits []modelCommit
	first   int            // mark of the first commit
	ids     []boundary.OID // by mark, once loaded
}

type modelCommit struct {
	parents []int
	files   map[string]string // mode and content by path
	reach   uint64            // the commits it reaches, itself included
}

// modelOptions say what a random history holds.
type modelOptions struct {
	parents int  // at most so many to a merge
	swaps   bool // files become directories and the other way round
	modes   bool // executables and symbolic links
}

var (
	modelNames = []string{"a", "b", "c", "d/a", "d/b", "d/e/a", "d/e/b", "f"}
	swapNames  = []string{"a/x", "d", "d/e", "f/g/h"}
)

func newModel(rnd *rand.Rand, size int, o modelOptions) *model {
	m := &model{}
	root := map[string]string{}
	for _, name := range modelNames {
		if rnd.IntN(4) > 0 {
			root[name] = m.content(rnd, name, o)
		}
	}
	m.add(nil, root)
	heads := []int{0}
	for len(m.commits) < size {
		switch at := rnd.IntN(len(heads)); {
		case len(heads) < 4 && rnd.IntN(4) == 0:
			heads = append(heads, m.edit(rnd, heads[at], heads, o))
		case len(heads) > 1 && rnd.IntN(3) == 0:
			m.join(rnd, heads, at, o)
		case len(heads) > 1 && rnd.IntN(12) == 0:
			heads = slices.Delete(heads, at, at+1)
		default:
			heads[at] = m.edit(rnd, heads[at], heads, o)
		}
	}
	return m
}

func (m *model) add(parents []int, files map[string]string) int {
	at := len(m.commits)
	reach := uint64(1) << at
	for _, p := range parents {
		reach |= m.commits[p].reach
	}
	m.commits = append(m.commits, modelCommit{parents: parents, files: files, reach: reach})
	return at
}

// content gives a content that no other commit writes.
func (m *model) content(rnd *rand.Rand, name string, o modelOptions) string {
	mode := "100644"
	if o.modes {
		mode = []string{"100644", "100644", "100755", "120000"}[rnd.IntN(4)]
	}
	return fmt.Sprintf("%s %d.%d %s\n", mode, len(m.commits), rnd.IntN(1000), name)
}

// edit makes a commit that changes, adds or deletes a few files, or takes a
// file as another head has it.
func (m *model) edit(rnd *rand.Rand, from int, heads []int, o modelOptions) int {
	files := maps.Clone(m.commits[from].files)
	for range 1 + rnd.IntN(3) {
		name := m.name(rnd, o)
		other := m.commits[heads[rnd.IntN(len(heads))]].files[name]
		switch {
		case rnd.IntN(6) == 0:
			delete(files, name)
		case rnd.IntN(8) == 0 && other != "":
			set(files, name, other)
		default:
			set(files, name, m.content(rnd, name, o))
		}
	}
	return m.add([]int{from}, files)
}

func (m *model) name(rnd *rand.Rand, o modelOptions) string {
	if o.swaps && rnd.IntN(6) == 0 {
		return swapNames[rnd.IntN(len(swapNames))]
	}
	return modelNames[rnd.IntN(len(modelNames))]
}

// set writes a file and drops what can't stand beside it.
func set(files map[string]string, name, content string) {
	maps.DeleteFunc(files, func(other, _ string) bool {
		return strings.HasPrefix(other, name+"/") || strings.HasPrefix(name, other+"/")
	})
	files[name] = content
}

// join merges a head with others, and half of the time crosswise: another head
// is merged with what the first was before.
func (m *model) join(rnd *rand.Rand, heads []int, at int, o modelOptions) {
	merged, ok := m.merge(rnd, heads, at, o)
	if !ok {
		return
	}
	other := slices.Index(heads, m.commits[merged].parents[1])
	if rnd.IntN(2) == 0 {
		if crossed, ok := m.merge(rnd, []int{heads[other], heads[at]}, 0, o); ok {
			heads[other] = crossed
		}
	}
	heads[at] = merged
}

// merge joins a head with others: what the rule gives, with each conflict
// settled somehow, and now and then something else on top.
func (m *model) merge(rnd *rand.Rand, heads []int, at int, o modelOptions) (int, bool) {
	parents := []int{heads[at]}
	for _, i := range rnd.Perm(len(heads)) {
		known := slices.ContainsFunc(parents, func(p int) bool { return m.contains(p, heads[i]) || m.contains(heads[i], p) })
		if !known && len(parents) < o.parents {
			parents = append(parents, heads[i])
		}
	}
	if len(parents) < 2 {
		return 0, false
	}
	files := map[string]string{}
	for _, path := range m.paths(parents) {
		content, decided := m.fold(parents, path)
		if decided {
			content = m.commits[parents[rnd.IntN(len(parents))]].files[path]
		}
		if content != "" {
			set(files, path, content)
		}
	}
	for rnd.IntN(3) == 0 {
		path := m.name(rnd, o)
		content := m.commits[parents[rnd.IntN(len(parents))]].files[path]
		switch {
		case rnd.IntN(4) == 0:
			set(files, path, m.content(rnd, path, o))
		case content == "":
			delete(files, path)
		default:
			set(files, path, content)
		}
	}
	return m.add(parents, files), true
}

func (m *model) contains(one, other int) bool { return m.commits[one].reach>>other&1 == 1 }

func (m *model) paths(commits []int) []string {
	all := map[string]bool{}
	for _, c := range commits {
		for path := range m.commits[c].files {
			all[path] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// fold is the three-way rule at one path. Absence is the empty string.
func (m *model) fold(commits []int, path string) (content string, decided bool) {
	if len(commits) == 0 {
		return "", false
	}
	folded := m.commits[commits[0]].files[path]
	for i, c := range commits[1:] {
		next := m.commits[c].files[path]
		if next == folded {
			continue
		}
		base, undecided := m.fold(m.bases(c, commits[:i+1]), path)
		switch {
		case undecided:
			return "", true
		case base == folded:
			folded = next
		case base != next:
			return "", true
		}
	}
	return folded, false
}

// bases gives the best common ancestors, in order of their ids once loaded.
func (m *model) bases(one int, others []int) []int {
	var theirs uint64
	for _, o := range others {
		theirs |= m.commits[o].reach
	}
	shared := m.commits[one].reach & theirs
	best := shared
	for rest := shared; rest != 0; rest &= rest - 1 {
		at := bits.TrailingZeros64(rest)
		best &^= m.commits[at].reach &^ (1 << at)
	}
	var found []int
	for ; best != 0; best &= best - 1 {
		found = append(found, bits.TrailingZeros64(best))
	}
	if m.ids != nil {
		slices.SortFunc(found, func(a, b int) int { return compareIDs(m.id(a), m.id(b)) })
	}
	return found
}

func (m *model) id(commit int) boundary.OID { return m.ids[m.first+commit] }

func (m *model) write(s *stream) {
	m.first = s.marks + 1
	for i, c := range m.commits {
		st := step{date: int64(1_000_000 + i), message: fmt.Sprintf("%d/%d", m.first, i), edits: []string{"deleteall"}}
		for _, p := range c.parents {
			st.parents = append(st.parents, m.first+p)
		}
		for _, path := range slices.Sorted(maps.Keys(c.files)) {
			mode, content, _ := strings.Cut(c.files[path], " ")
			st.edits = append(st.edits, inline(mode, path, content))
		}
		s.commit(st)
	}
}

// merges lists the model's merges.
func (m *model) merges() []int {
	var found []int
	for i, c := range m.commits {
		if len(c.parents) > 1 {
			found = append(found, i)
		}
	}
	return found
}

// decided lists the paths that a merge decides by the model.
func (m *model) decided(merge int) []string {
	var found []string
	c := m.commits[merge]
	for _, path := range m.paths(append([]int{merge}, c.parents...)) {
		content, undecided := m.fold(c.parents, path)
		if undecided || content != c.files[path] {
			found = append(found, path)
		}
	}
	return found
}

// loadModels makes random histories in one repository.
func loadModels(tb testing.TB, git *gitDir, seed uint64, count int, o modelOptions) []*model {
	tb.Helper()
	rnd := rand.New(rand.NewPCG(seed, seed))
	var s stream
	models := make([]*model, count)
	for i := range models {
		models[i] = newModel(rnd, 6+rnd.IntN(20), o)
		models[i].write(&s)
	}
	ids := git.load(&s)
	for _, m := range models {
		m.ids = ids
	}
	return models
}
