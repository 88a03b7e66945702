package cli

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/discover"
	"github.com/fleetgate/fleetgate/internal/gate"
	"github.com/fleetgate/fleetgate/internal/result"
	"github.com/fleetgate/fleetgate/internal/value"
)

// MaxReportBytes is the largest report, or file of reads, that result reads.
const MaxReportBytes = value.MaxJSONBytes

// resultData is the JSON of result.
type resultData struct {
	Conformance     string   `json:"conformance"` // pass, fail, not-reached
	Quality         string   `json:"quality"`     // pass, fail, unmeasured
	Reason          string   `json:"reason"`      // empty where there is nothing to say
	Code            string   `json:"code"`
	At              string   `json:"at"` // the field concerned
	Kind            string   `json:"kind"`
	SourceID        string   `json:"source_id"`
	ContractDigest  string   `json:"contract_digest"`
	ValidatorDigest string   `json:"validator_digest"`
	Degraded        bool     `json:"degraded"`
	Ungrounded      []string `json:"ungrounded_claims"` // of a degraded scout report
	CommitMessage   string   `json:"commit_message"`    // as authored; empty: none
	Summary         string   `json:"summary"`           // likewise
	OutputBytes     *int     `json:"output_bytes"`      // the bound of the sealed output; null: none
}

// printResult validates the report in a file, "-" or none being standard input.
func (a *app) printResult(ctx context.Context, f *resultFlags, file string) error {
	format, err := a.choose("text", "json")
	if err != nil {
		return err
	}
	options, err := a.policyOptions(&f.policy)
	if err != nil {
		return err
	}
	place, err := gate.OpenPlace(options, f.at)
	if err != nil {
		return err
	}
	defer place.Close()
	s, err := f.seat(func() (*discover.Set, error) { return place.Policy(ctx) })
	if err != nil {
		return err
	}
	name, text, err := a.readReport(f, file)
	if err != nil {
		return err
	}
	out, err := f.validate(s, text, place)
	if err != nil {
		return err
	}
	found := resultFindings(s, out, name)
	data := describeResult(s.contract, out, text)
	if format == "json" {
		err = writeDocument(a.stdout, "result", data, found)
	} else {
		err = a.resultText(s, data, out)
	}
	if err == nil && diag.HasError(found) {
		return exitCode(ExitFailed)
	}
	return err
}

// readReport reads the final text. A run that never reached its end has none.
func (a *app) readReport(f *resultFlags, file string) (name, text string, err error) {
	if f.notReached {
		if file != "" {
			return "", "", usagef("--not-reached says that there is no report, but got %q", file)
		}
		return "", "", nil
	}
	var content []byte
	if file == "" || file == "-" {
		name = "-"
		content, err = io.ReadAll(io.LimitReader(a.stdin, MaxReportBytes+1))
	} else {
		name = filepath.ToSlash(file)
		content, err = readBounded(file, MaxReportBytes)
	}
	if err != nil {
		return "", "", usagef("the report %s can't be read: %v", name, reasonOf(err))
	}
	if len(content) > MaxReportBytes {
		return "", "", usagef("the report %s has more than %d bytes", name, MaxReportBytes)
	}
	return name, string(content), nil
}

func (f *resultFlags) validate(s seat, text string, place *gate.Place) (result.Outcome, error) {
	if f.notReached {
		return result.Unreached(s.contract), nil
	}
	reads, err := readReads(f.reads)
	if err != nil {
		return result.Outcome{}, err
	}
	files := result.NewTree(place.Dir, place.Files)
	out := result.Validate(result.Run{Contract: s.contract, Output: text, Dir: place.Dir, Files: files, Network: s.network, Reads: reads})
	return out, files.Err()
}

// readReads reads what the run read; without a file that isn't known.
func readReads(file string) (result.Reads, error) {
	if file == "" {
		return nil, nil
	}
	content, err := readBounded(file, MaxReportBytes)
	if err != nil {
		return nil, usagef("--reads %s can't be read: %v", file, reasonOf(err))
	}
	v, err := value.ParseJSON(filepath.ToSlash(file), content)
	if err != nil {
		return nil, usagef("--reads: %v", err)
	}
	reads, err := result.ParseReads(v)
	if err != nil {
		return nil, usagef("--reads %s: %v", file, err)
	}
	return reads, nil
}

// resultFindings are what check would say of the report by itself.
func resultFindings(s seat, out result.Outcome, file string) []diag.Diagnostic {
	hint := fmt.Sprintf("`fleetgate result --shape %s` prints what is asked for", s.contract.Kind)
	code, message := diag.Code("result-nonconforming"), out.Reason
	switch failed := gate.FailedChecks(out); {
	case out.Conformance == result.Pass && len(failed) == 0:
		return nil
	case out.Conformance == result.Pass:
		code, message, hint = "result-failing", "its own checks failed: "+listed(failed), "mend the work, and report anew"
	case out.Code.IsCitation():
		code, hint = "result-ungrounded", "cite lines that are there, and that the run read"
	}
	return []diag.Diagnostic{diag.New(code, diag.Pos{File: file}, diag.Clip(out.At), s.who+": "+message).WithHint(hint)}
}

func describeResult(c result.Contract, out result.Outcome, text string) resultData {
	words := result.ReadAuthorship(c, text)
	data := resultData{
		Conformance: string(out.Conformance), Quality: string(out.Quality), Reason: out.Reason, Code: string(out.Code), At: out.At,
		Kind: string(c.Kind), SourceID: out.SourceID, ContractDigest: c.Digest(), ValidatorDigest: out.Digest,
		Ungrounded: []string{}, CommitMessage: words.CommitMessage, Summary: words.Summary,
	}
	if out.Scout != nil && out.Scout.Degraded {
		data.Degraded, data.Ungrounded = true, append(data.Ungrounded, out.Scout.UngroundedClaims...)
	}
	if limit, bounded := c.OutputBytes(); bounded {
		data.OutputBytes = &limit
	}
	return data
}

func (a *app) resultText(s seat, data resultData, out result.Outcome) error {
	if err := a.say("%s: conformance %s, quality %s", plain(s.who), data.Conformance, data.Quality); err != nil {
		return err
	}
	lines := []string{}
	if data.Reason != "" {
		lines = append(lines, "reason: "+plain(data.Reason))
	}
	for _, claim := range data.Ungrounded {
		lines = append(lines, "not grounded: "+plain(claim))
	}
	if failed := gate.FailedChecks(out); len(failed) > 0 {
		lines = append(lines, "failed checks: "+plain(listed(failed)))
	}
	for _, line := range append(lines, "contract: "+data.SourceID, "validator digest: "+data.ValidatorDigest) {
		if err := a.say("  %s", line); err != nil {
			return err
		}
	}
	return nil
}

// printShape prints the one text that says what a report of a kind looks like.
func (a *app) printShape(f *resultFlags) error {
	format, err := a.choose("text", "json")
	if err != nil {
		return err
	}
	if f.shape == string(result.ArchitectPlan) && f.path == "" {
		f.path = "PATH" // of whatever the contract names
	}
	c, err := f.contract(f.shape)
	if err != nil {
		return err
	}
	if format == "text" {
		return a.say("%s", result.Shape(c))
	}
	return writeDocument(a.stdout, "result", struct {
		Kind  string `json:"kind"`
		Shape string `json:"shape"`
	}{f.shape, result.Shape(c)}, nil)
}

// printRepair prints the exchange that asks a worker for its report once more.
func (a *app) printRepair(ctx context.Context, f *resultFlags) error {
	format, err := a.choose("text", "json")
	if err != nil {
		return err
	}
	switch {
	case f.repair < 1 || f.repair > result.RepairLimit:
		return usagef("--repair %d: the rounds are 1 to %d; after them the run ends as %s", f.repair, result.RepairLimit, result.Exhausted)
	case f.reason == "":
		return usagef("--repair needs --reason, the validator's text")
	}
	s, err := f.seat(func() (*discover.Set, error) { return a.workTreePolicy(ctx, &f.policy) })
	if err != nil {
		return err
	}
	e := result.Repair(s.contract, f.reason, f.repair, f.anchors, f.tools)
	if format == "text" {
		return a.say("%s", e.Answer.Content[0].Text)
	}
	return writeDocument(a.stdout, "result", struct {
		ID       string   `json:"id"`
		Kind     string   `json:"kind"`
		Last     bool     `json:"last"`
		Anchors  []string `json:"anchors"`
		Messages []any    `json:"messages"`
	}{e.ID, string(s.contract.Kind), e.Last, e.Anchors, []any{e.Call, e.Answer}}, nil)
}

func (a *app) workTreePolicy(ctx context.Context, f *policyFlags) (*discover.Set, error) {
	options, err := a.policyOptions(f)
	if err != nil {
		return nil, err
	}
	place, err := gate.OpenPlace(options, "")
	if err != nil {
		return nil, err
	}
	defer place.Close()
	return place.Policy(ctx)
}
