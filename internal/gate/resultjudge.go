package gate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fleetgate/fleetgate/internal/boundary"
	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/result"
)

// resultJudge holds the reports of one run of check.
type resultJudge struct {
	run       *run
	works     map[string][]work             // by fleet/position; commits oldest first
	reports   map[string][]*heldReport      // likewise; by attempt, then by name
	trees     map[boundary.OID]*result.Tree // what citations are held against
	written   map[string]map[string]bool    // the paths that commits changed, by the list of the commits
	omittedBy map[omission]bool             // reported already
	ids       []namedCommit                 // of the range, by id; nil until one is looked up
	found     []diag.Diagnostic
}

// namedCommit is a commit of the range under its id.
type namedCommit struct {
	id     string
	commit int
}

// work is one commit that claims a position.
type work struct {
	commit  int // in the range
	attempt int // 0: none given
}

// heldReport is a result file on its way.
type heldReport struct {
	*resultFile
	seat    Seat
	answers []int      // the commits of the range that it answers for, oldest first
	held    result.Run // as it was validated last
	out     result.Outcome
	named   map[string]bool // by a mutation report; nil until names is asked
}

func (r *run) newResultJudge() *resultJudge {
	j := &resultJudge{
		run: r, works: map[string][]work{}, reports: map[string][]*heldReport{},
		trees: map[boundary.OID]*result.Tree{}, written: map[string]map[string]bool{}, omittedBy: map[omission]bool{},
	}
	for i, claimed := range r.claims.Commits {
		if r.rng.Commits[i].Imported || r.squash[r.rng.Commits[i].ID] {
			continue
		}
		for _, claim := range claimed.Claims {
			if seat, attempt, ok := r.claimedSeat(claim); ok {
				j.works[seat] = append(j.works[seat], work{i, attempt})
			}
		}
	}
	return j
}

// claimedSeat gives a claim's fleet/position, and its attempt apart.
func (r *run) claimedSeat(claim boundary.Claim) (seat string, attempt int, ok bool) {
	f, known := r.base.ProjectFleet(claim.Fleet)
	if !known || f.Contract == nil {
		return "", 0, false
	}
	found := f.Contract.Resolve(claim.Position)
	if len(found.Positions) != 1 {
		return "", 0, false
	}
	return claim.Fleet + "/" + found.Positions[0].ID, found.Attempt, true
}

// admit finds the seat and the commits of a file. A file that has none, or
// whose form is wrong, is reported and goes no further.
func (j *resultJudge) admit(f *resultFile) {
	if len(f.found) > 0 {
		j.found = append(j.found, f.found...)
		return
	}
	seat, problem := seatOf(j.run.base, f.fleet.Value, f.step.Value, f.agent.Value)
	if problem != nil {
		pos, field := f.step.Pos, "step"
		if problem.code == "result-forbidden-kind" && f.agent.Value != "" {
			pos, field = f.agent.Pos, "agent"
		}
		j.refuse(f, problem.code, pos, field, problem.hint, "%s", problem.message)
		return
	}
	h := &heldReport{resultFile: f, seat: seat}
	f.row.Step, f.row.Agent, f.row.Kind = seat.Name(), seat.Agent, string(seat.Contract.Kind)
	if j.takeAttempt(h) && j.takeCommits(h) {
		j.reports[seat.Name()] = append(j.reports[seat.Name()], h)
	}
}

// takeAttempt joins the attempt that the file gives with the one in the step's name, and bounds it.
func (j *resultJudge) takeAttempt(h *heldReport) bool {
	if h.attempt == 0 {
		h.attempt = h.seat.Attempt
	}
	if h.seat.Attempt != 0 && h.attempt != h.seat.Attempt {
		j.refuse(h.resultFile, "result-nonconforming", h.attemptPos, "attempt", "leave attempt out, or the suffix of step",
			"attempt %d disagrees with the step %q", h.attempt, h.step.Value)
		return false
	}
	if h.attempt > h.limit() {
		j.refuse(h.resultFile, "result-exhausted", h.attemptPos, "attempt", "a run that used up its attempts has failed: give the work to a person, or start the step anew",
			"step %q can't have an attempt %d; %s", h.seat.Name(), h.attempt, h.allowance())
		return false
	}
	return true
}

// isLoop says whether the report is of a loop's half, whose attempts are runs of their own.
func (h *heldReport) isLoop() bool { return h.seat.Position.Part != "" }

// limit is the last attempt that the seat can have: a loop's half has the
// loop's, any other step one report and the rounds that repair it.
func (h *heldReport) limit() int {
	if h.isLoop() {
		return h.seat.Position.Attempts
	}
	return 1 + result.RepairLimit
}

func (h *heldReport) allowance() string {
	if h.isLoop() {
		return fmt.Sprintf("its loop allows %d", h.limit())
	}
	return fmt.Sprintf("a report is repaired at most %d times", result.RepairLimit)
}

// takeCommits finds the commits that a report answers for: those that it
// names, which must claim its step, or else all that claim it.
func (j *resultJudge) takeCommits(h *heldReport) bool {
	var candidates []int
	for _, w := range j.works[h.seat.Name()] {
		if !h.isLoop() || w.attempt == 0 || h.attempt == 0 || w.attempt == h.attempt {
			candidates = append(candidates, w.commit)
		}
	}
	if len(h.commits) == 0 {
		h.answers = candidates
		return true
	}
	for i, id := range h.commits {
		commit, known := j.commitNamed(id.Value)
		if _, claims := slices.BinarySearch(candidates, commit); !known || !claims {
			j.refuse(h.resultFile, "result-nonconforming", id.Pos, fmt.Sprintf("commits[%d]", i), "name commits of the range that claim the step, or leave commits out",
				"commit %s is none of the range that claims step %q", id.Value, h.seat.Name())
			return false
		}
		h.answers = append(h.answers, commit)
	}
	slices.Sort(h.answers)
	h.answers = slices.Compact(h.answers)
	return true
}

// commitNamed finds the one commit of the range whose id begins so.
func (j *resultJudge) commitNamed(prefix string) (commit int, ok bool) {
	if j.ids == nil {
		for i, c := range j.run.rng.Commits {
			j.ids = append(j.ids, namedCommit{c.ID.String(), i})
		}
		slices.SortFunc(j.ids, func(a, b namedCommit) int { return strings.Compare(a.id, b.id) })
	}
	at, _ := slices.BinarySearchFunc(j.ids, prefix, func(c namedCommit, prefix string) int { return strings.Compare(c.id, prefix) })
	matches := func(i int) bool { return i < len(j.ids) && strings.HasPrefix(j.ids[i].id, prefix) }
	if !matches(at) || matches(at+1) {
		return 0, false
	}
	return j.ids[at].commit, true
}

// judge holds every report, step by step. Of a plain step only the last attempt
// speaks: the earlier ones were sent back. The attempts of a loop are runs of
// their own, of which the last decides how the loop ended.
func (j *resultJudge) judge() error {
	for _, seat := range sortedNames(j.reports) {
		reports := j.reports[seat]
		slices.SortFunc(reports, func(a, b *heldReport) int { return compareFiles(a.resultFile, b.resultFile) })
		final := reports[len(reports)-1].attempt
		for _, h := range reports {
			if h.attempt < final && !h.isLoop() {
				continue
			}
			if err := j.validate(h); err != nil {
				return err
			}
			j.hold(h, h.attempt == final)
			fact := j.fact(h)
			h.row.Conformance, h.row.Quality, h.row.Digest = string(fact.Conformance), string(fact.Quality), fact.Digest
		}
	}
	j.omissions()
	return nil
}

// missing finds the claimed steps of agents for which there is no report.
func (j *resultJudge) missing() {
	for _, seat := range sortedNames(j.works) {
		name, position, _ := strings.Cut(seat, "/")
		f, _ := j.run.base.ProjectFleet(name)
		if len(j.reports[seat]) > 0 || len(agentsOf(f.Contract, position)) == 0 {
			continue
		}
		works := j.works[seat]
		newest := j.run.rng.Commits[works[len(works)-1].commit]
		d := diag.New("result-missing", f.Contract.Resolve(position).Positions[0].Pos, "",
			fmt.Sprintf("commit %.12s claims step %q, and no result file answers for that step", newest.ID, seat)).
			WithHint("have the fleet's runner write the step's final report where --results looks")
		d.Rev, d.Step = diag.Base, seat
		j.found = append(j.found, d)
	}
}

// refuse adds a finding about a result file itself.
func (j *resultJudge) refuse(f *resultFile, code diag.Code, pos diag.Pos, field, hint, format string, args ...any) {
	if pos.File == "" {
		pos.File = f.name
	}
	j.found = append(j.found, diag.New(code, pos, field, "result file "+f.name+": "+fmt.Sprintf(format, args...)).WithHint(hint))
}
