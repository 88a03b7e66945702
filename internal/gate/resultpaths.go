package gate

import (
	"fmt"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/fleetgate/fleetgate/internal/boundary"
	"github.com/fleetgate/fleetgate/internal/diag"
)

// changedBy lists the paths that a commit changed, deletions and what a merge
// decides included, in order.
func (j *resultJudge) changedBy(commit int) []string {
	var paths []string
	for _, c := range j.run.history.Deltas[commit].Changes {
		paths = append(paths, c.Path)
	}
	for _, d := range j.run.history.Deltas[commit].Decisions {
		paths = append(paths, d.Path)
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// writtenBy gives what commits changed, and the directories that hold it.
func (j *resultJudge) writtenBy(commits []int) map[string]bool {
	key := fmt.Sprint(commits)
	if written, known := j.written[key]; known {
		return written
	}
	written := map[string]bool{}
	for _, i := range commits {
		for _, changed := range j.changedBy(i) {
			for name := range upwards(changed) {
				written[name] = true
			}
		}
	}
	j.written[key] = written
	return written
}

// reportedName gives a reported path in the form in which changed ones are compared.
func reportedName(reported string) string { return path.Clean(reported) }

// names says whether a mutation report names a changed path: as it is, or as a directory that holds it.
func (h *heldReport) names(changed string) bool {
	if h.named == nil {
		h.named = map[string]bool{}
		for _, reported := range h.out.Mutation.Paths {
			h.named[reportedName(reported)] = true
		}
	}
	for name := range upwards(changed) {
		if h.named[name] {
			return true
		}
	}
	return false
}

// upwards gives a path, and the directories that hold it but for the root. A
// report is text: a path that isn't UTF-8 counts as what a report can say of it, too.
func upwards(changed string) iter.Seq[string] {
	return func(yield func(string) bool) {
		if !yield(changed) {
			return
		}
		for name := strings.ToValidUTF8(changed, "\uFFFD"); name != "." && name != "/"; name = path.Dir(name) {
			if !yield(name) {
				return
			}
		}
	}
}

// omissions finds what commits changed and no mutation report that answers for them names.
func (j *resultJudge) omissions() {
	answering := map[int][]*heldReport{}
	for _, seat := range sortedNames(j.reports) {
		for _, h := range j.reports[seat] {
			if h.out.Mutation == nil {
				continue
			}
			for _, i := range h.answers {
				answering[i] = append(answering[i], h)
			}
		}
	}
	for i := range j.run.rng.Commits {
		if reports := answering[i]; len(reports) > 0 {
			j.omitted(i, reports)
		}
	}
}

// omission is a path that a report should name, and doesn't.
type omission struct {
	report *heldReport
	path   string
}

// omitted finds the paths of one commit that none of its reports names.
func (j *resultJudge) omitted(commit int, reports []*heldReport) {
	for _, changed := range j.changedBy(commit) {
		known := omission{reports[0], changed}
		if j.omittedBy[known] || slices.ContainsFunc(reports, func(h *heldReport) bool { return h.names(changed) }) {
			continue
		}
		j.omittedBy[known] = true
		j.addAt(reports[0], "result-omits-written", "mutatedPaths", "name every path that the run changed",
			"%s does not name %s, which commit %.12s changed", reports[0].who(), boundary.Quote(changed), j.run.rng.Commits[commit].ID)
	}
}

// unwritten finds the paths that a mutation report claims and no commit that it answers for changed.
func (j *resultJudge) unwritten(h *heldReport) {
	if h.out.Mutation == nil {
		return
	}
	written := j.writtenBy(h.answers)
	for i, reported := range h.out.Mutation.Paths {
		if !written[reportedName(reported)] {
			j.addAt(h, "result-claims-unwritten", fmt.Sprintf("mutatedPaths[%d]", i), "take the path out of the report, or commit the change under the step's claim",
				"%s claims to have changed %s; %s", h.who(), boundary.Quote(diag.Clip(reported)), h.noCommit())
		}
	}
}

func (h *heldReport) noCommit() string {
	switch {
	case len(h.commits) > 0:
		return "none of the commits that it names did"
	case len(h.answers) == 0:
		return "no commit claims the step"
	}
	return "no commit that claims the step did"
}
