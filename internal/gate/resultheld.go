package gate

import (
	"fmt"

	"github.com/fleetgate/fleetgate/internal/boundary"
	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/fleet"
	"github.com/fleetgate/fleetgate/internal/result"
	"github.com/fleetgate/fleetgate/internal/value"
)

// validate holds a report against its contract: its citations against the tree
// that the step left and, where they don't ground there, against the one that
// the range began with, which an early step read. A mutation report is held
// against the paths that the step's commits changed.
func (j *resultJudge) validate(h *heldReport) error {
	if h.output.Kind == value.Null {
		h.out = result.Unreached(h.seat.Contract)
		return nil
	}
	left, began := j.treesOf(h)
	out, err := j.validateIn(h, left)
	if err != nil {
		return err
	}
	if h.out = out; !missesFile(out) || left == began {
		return nil
	}
	out, err = j.validateIn(h, began)
	if err == nil && (!missesFile(out) || firstBad(out) > firstBad(h.out)) {
		h.out = out
	}
	return err
}

// firstBad is the finding of a scout report that doesn't ground. Of two trees,
// the one in which more of a report grounds is the one that its run read.
func firstBad(out result.Outcome) (finding int) {
	_, err := fmt.Sscanf(out.At, "findings[%d]", &finding)
	if err != nil {
		return -1
	}
	return finding
}

// missesFile says whether a report fails for what a tree doesn't hold.
func missesFile(out result.Outcome) bool {
	return out.Code.IsCitation() || out.Code == result.ArtifactMissing
}

// treesOf gives the commit that a report's step left, and the one that the range began with.
func (j *resultJudge) treesOf(h *heldReport) (left, began boundary.OID) {
	r := j.run
	left, began = r.at.head, r.at.base
	if len(h.answers) > 0 {
		left = r.rng.Commits[h.answers[len(h.answers)-1]].ID
	}
	if len(r.rng.MergeBases) > 0 {
		began = r.rng.MergeBases[0]
	}
	return left, began
}

func (j *resultJudge) validateIn(h *heldReport, commit boundary.OID) (result.Outcome, error) {
	files, known := j.trees[commit]
	if !known {
		tree, err := j.run.repo.Tree(commit)
		if err != nil {
			return result.Outcome{}, err
		}
		files = result.NewTree(".", tree)
		j.trees[commit] = files
	}
	h.held = result.Run{Contract: h.seat.Contract, Output: h.output.Text, Dir: ".", Files: files, Network: h.seat.Network, Reads: h.reads}
	out := result.Validate(h.held)
	if err := files.Err(); err != nil {
		return result.Outcome{}, fmt.Errorf("ground the report %s: %w", h.name, err)
	}
	return out, nil
}

// fact is the outcome as a receipt has it: what was observed of a mutation
// report's run are the changes of the commits that it answers for.
func (j *resultJudge) fact(h *heldReport) result.Fact {
	if h.out.Mutation == nil {
		return h.out.Fact()
	}
	seen := &result.Effects{}
	for _, i := range h.answers {
		seen.Written = append(seen.Written, j.changedBy(i)...)
	}
	h.held.Effects = seen
	return result.Validate(h.held).Fact()
}

// hold turns a report's outcome into findings. final tells the attempt that decides.
func (j *resultJudge) hold(h *heldReport, final bool) {
	switch out := h.out; {
	case out.Conformance == result.Pass:
		j.unwritten(h)
	case final && !h.isLoop() && h.attempt == h.limit():
		j.add(h, "result-exhausted", "no round is left: the run ends as "+result.Exhausted+"; give the work to a person, or start the step anew",
			"its attempt %d, the last, misses the contract: %s", h.attempt, out.Reason)
	case out.Code.IsCitation():
		j.add(h, "result-ungrounded", "cite lines that are there, and that the run read", "%s", out.Reason)
	default:
		j.add(h, "result-nonconforming", fmt.Sprintf("`fleetgate result --shape %s` prints what is asked for", h.seat.Contract.Kind), "%s", out.Reason)
	}
	if failed := FailedChecks(h.out); final && len(failed) > 0 {
		j.failing(h, listSome(failed))
	}
}

// FailedChecks names the checks of a conforming report that say themselves that they failed.
func FailedChecks(out result.Outcome) []string {
	var failed []string
	for _, c := range out.Checks {
		if !c.Passed {
			failed = append(failed, diag.Clip(c.Name))
		}
	}
	return failed
}

// maxListed is how many names a message lists.
const maxListed = 5

func listSome(names []string) string {
	if len(names) > maxListed {
		return list(names[:maxListed]) + fmt.Sprintf(" and %d more", len(names)-maxListed)
	}
	return list(names)
}

func (j *resultJudge) failing(h *heldReport, failed string) {
	if h.seat.Position.Part == fleet.CheckPart && h.attempt == h.limit() {
		j.add(h, "result-exhausted", "the loop has no attempt left; give the work to a person, or start the loop anew",
			"attempt %d, the loop's last check, failed: %s", h.attempt, failed)
		return
	}
	j.add(h, "result-failing", "mend the work, and let the step report anew", "its own checks failed: %s", failed)
}

// who names a report: whose, of which step.
func (h *heldReport) who() string {
	who := "the command's"
	if h.seat.Agent != "" {
		who = h.seat.Agent + "'s"
	}
	return fmt.Sprintf("%s report of step %q", who, h.seat.Name())
}

// add adds a finding about the whole of a report.
func (j *resultJudge) add(h *heldReport, code diag.Code, hint, format string, args ...any) {
	j.addAt(h, code, diag.Clip(h.out.At), hint, "%s (%s): %s", h.who(), h.seat.Contract.Kind, fmt.Sprintf(format, args...))
}

// addAt adds a finding about one field of a report.
func (j *resultJudge) addAt(h *heldReport, code diag.Code, field, hint, format string, args ...any) {
	d := diag.New(code, h.output.Pos, field, fmt.Sprintf(format, args...)).WithHint(hint)
	d.Step = h.seat.Name()
	j.found = append(j.found, d)
}
