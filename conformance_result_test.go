package main

import (
	"bytes"
	stdcmp "cmp"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/result"
	"github.com/fleetgate/fleetgate/internal/value"
)

func init() {
	for _, kind := range []struct {
		name  string
		count int
		check func(input, expect *value.Value) string
	}{
		{"json-payload", 78, checkPayloadCase},
		{"result", 1186, checkResultCase},
		{"recipe-result", 43, checkRecipeResultCase},
		{"output-bytes", 14, checkOutputBytesCase},
		{"source-id", 17, checkSourceIDCase},
		{"authorship", 36, checkAuthorshipCase},
		{"shape", 17, checkShapeCase},
		{"repair", 37, checkRepairCase},
	} {
		conformanceKinds = append(conformanceKinds, conformanceKind{
			kind:  kind.name,
			check: onValues(kind.check),
			want:  conformanceCounts{ran: kind.count, passed: kind.count},
		})
	}
}

func checkPayloadCase(input, expect *value.Value) string {
	got, code := result.FindObject(textOf(input, "text"))
	if !expect.Get("ok").Bool {
		// The reader of the payload alone has its own names for the two failures.
		return cmp.Diff(textOf(expect, "code"), strings.Replace(string(code), "result/", "payload/", 1))
	}
	return diffValues(expect.Get("value"), marked(got))
}

func diffValues(want, got *value.Value) string {
	if got == nil {
		got = value.NewNull()
	}
	return cmp.Diff(value.Stringify(want), value.Stringify(got))
}

// recordedContract reads the contract of a case, at the worker's door. The
// recorded paths of architect plans include some that a declaration may not have.
func recordedContract(v *value.Value) result.Contract {
	c := result.Contract{Kind: result.Kind(textOf(v, "kind")), Path: textOf(v, "path")}
	if bytes := v.Get("maxSummaryBytes"); bytes != nil {
		c.MaxSummaryBytes = int(bytes.Number)
	}
	return c
}

// recordedRun reads the run of a case.
func recordedRun(input *value.Value) result.Run {
	dir := textOf(input, "cwd")
	run := result.Run{
		Contract: recordedContract(input.Get("contract")),
		Output:   textOf(input, "output"),
		Dir:      dir,
		Network:  input.Get("networkAllowed").Bool,
		Files:    recordedFiles(input, dir),
		Reads:    recordedReads(input.Get("observedReadRanges")),
	}
	if effects := input.Get("observedRunEffects"); effects != nil {
		run.Effects = &result.Effects{
			Written:     textsOf(effects, "mutatedPaths"),
			Refused:     textsOf(effects, "failedMutationPaths"),
			Validations: textsOf(effects, "validationCommands"),
		}
	}
	return run
}

func recordedReads(v *value.Value) result.Reads {
	if v == nil {
		return nil
	}
	reads := result.Reads{}
	for _, m := range v.Members {
		reads[m.Key] = []result.Span{}
		for _, span := range m.Value.Items {
			reads[m.Key] = append(reads[m.Key], result.Span{First: int(span.Items[0].Number), Last: int(span.Items[1].Number)})
		}
	}
	return reads
}

// recordedFS is the file system of a case; without a question that it can't be asked.
type recordedFS struct {
	files map[string]string
	dirs  map[string]bool
}

func (f recordedFS) ReadFile(name string) (string, bool) { text, ok := f.files[name]; return text, ok }

type (
	recordedPresence    struct{ recordedFS }
	recordedDirectories struct{ recordedFS }
	recordedBoth        struct{ recordedFS }
)

func (f recordedFS) exists(name string) bool {
	_, isFile := f.files[name]
	return isFile || f.dirs[name]
}

func (f recordedPresence) PathExists(name string) bool     { return f.exists(name) }
func (f recordedDirectories) IsDirectory(name string) bool { return f.dirs[name] }
func (f recordedBoth) PathExists(name string) bool         { return f.exists(name) }
func (f recordedBoth) IsDirectory(name string) bool        { return f.dirs[name] }

func recordedFiles(input *value.Value, cwd string) result.Filesystem {
	in := func(name string) string {
		if path.IsAbs(name) {
			return path.Clean(name)
		}
		return path.Join(cwd, name)
	}
	f := recordedFS{files: map[string]string{}, dirs: map[string]bool{}}
	if files := input.Get("files"); files != nil {
		for _, m := range files.Members {
			f.files[in(m.Key)] = m.Value.Text
		}
	}
	if input.Get("dirs") != nil {
		for _, name := range textsOf(input, "dirs") {
			f.dirs[in(name)] = true
		}
	}
	can := func(question string) bool {
		caps := input.Get("caps")
		return caps == nil || caps.Get(question).Bool
	}
	switch {
	case can("pathExists") && can("isDirectory"):
		return recordedBoth{f}
	case can("pathExists"):
		return recordedPresence{f}
	case can("isDirectory"):
		return recordedDirectories{f}
	}
	return f
}

func checkResultCase(input, expect *value.Value) string {
	run := recordedRun(input)
	got := result.Validate(run)
	differences := cmp.Diff(textOf(expect, "conformance"), string(got.Conformance)) +
		cmp.Diff(textOf(expect, "quality"), string(got.Quality)) +
		cmp.Diff(textOf(expect, "sourceId"), got.SourceID) +
		cmp.Diff(textOf(expect, "code"), string(got.Code)) +
		cmp.Diff(textOf(expect, "at"), got.At) +
		diffReported(expect, got)
	if want := expect.Get("validatorDigest"); want != nil {
		differences += cmp.Diff(want.Text, digestUnder(run.Contract, got, textOf(expect, "reason")))
	}
	if got.Conformance == result.Fail && !saysEnough(got) {
		differences += fmt.Sprintf("the reason %q does not name the field %s", got.Reason, got.At)
	}
	return differences
}

// digestUnder is our validator digest with the reference's wording of the reason.
func digestUnder(c result.Contract, got result.Outcome, reason string) string {
	switch {
	case got.Conformance == result.Fail:
		if got.Digest != result.ReasonDigest(c, got.Reason) {
			return "our own digest does not cover our own reason"
		}
		return result.ReasonDigest(c, reason)
	case got.Scout != nil && got.Scout.Degraded:
		return got.Scout.Digest(c, reason)
	}
	return got.Digest
}

// saysEnough: a reason names the field concerned, or the citation where that is what failed.
func saysEnough(got result.Outcome) bool {
	return got.Code.IsCitation() || got.Reason != "" && strings.Contains(got.Reason, got.At)
}

// diffReported compares what the reference read out of a report.
func diffReported(expect *value.Value, got result.Outcome) string {
	var differences string
	if verifier := expect.Get("verifier"); verifier != nil {
		differences += diffValues(verifier, got.Value)
	}
	if plan := expect.Get("delegationPlan"); plan != nil {
		differences += diffValues(plan, got.Value)
	}
	if expect.Get("degraded") == nil {
		return differences
	}
	if got.Scout == nil {
		return differences + "no scout report was read"
	}
	scout := got.Value.Get("scout")
	for _, key := range []string{"findings", "needsSplit", "proposedSubtasks", "ungroundedClaims"} {
		want := expect.Get(key)
		if want == nil {
			continue
		}
		differences += cmp.Diff(string(value.Canonical(want)), string(value.Canonical(scout.Get(key))))
	}
	return differences + cmp.Diff(expect.Get("degraded").Bool, got.Scout.Degraded)
}

func checkRecipeResultCase(input, expect *value.Value) string {
	run := recordedRun(input)
	var contract *result.Contract
	if input.Get("contract").Kind != value.Null {
		contract = &run.Contract
	}
	got := result.Recipe(run, contract, input.Get("reachedTerminalResult").Bool)
	want := expect.Get("outcome")
	if got == nil || want.Kind == value.Null {
		return cmp.Diff(want.Kind == value.Null, got == nil)
	}
	fact := want.Get("fact")
	differences := cmp.Diff(want.Get("applicable").Bool, got.Applicable) +
		cmp.Diff(textOf(fact, "conformance"), string(got.Fact.Conformance)) +
		cmp.Diff(textOf(fact, "quality"), string(got.Fact.Quality)) +
		cmp.Diff(textOf(fact, "sourceId"), got.Fact.SourceID)
	if got.Fact.Conformance != result.Fail {
		return differences + cmp.Diff(textOf(fact, "validatorDigest"), got.Fact.Digest)
	}
	for _, reason := range recordedReasons() {
		for _, wording := range []string{reason, endingWith(reason, "missing final result"), endingWith(reason, contract.Path)} {
			if result.ReasonDigest(*contract, wording) == textOf(fact, "validatorDigest") {
				return differences
			}
		}
	}
	return differences + "no recorded reason has the recorded digest"
}

// endingWith is a recorded reason with another end after its last colon: a
// failure of the same kind that the result cases don't have word for word.
func endingWith(reason, end string) string {
	if colon := strings.LastIndex(reason, ": "); colon >= 0 {
		return reason[:colon+2] + end
	}
	return reason
}

// recordedReasons are the reference's reasons in the result cases: a receipt
// carries the digest of one of them, and not its words.
var recordedReasons = sync.OnceValue(func() []string {
	dir := stdcmp.Or(os.Getenv("CONFORMANCE_DIR"), defaultConformanceDir)
	text, err := os.ReadFile(filepath.Join(dir, "result.jsonl"))
	if err != nil {
		return nil // every digest of a failure then differs
	}
	var reasons []string
	for line := range bytes.Lines(text) {
		var c struct{ Expect struct{ Reason string } }
		if json.Unmarshal(line, &c) == nil && c.Expect.Reason != "" {
			reasons = append(reasons, c.Expect.Reason)
		}
	}
	slices.Sort(reasons)
	return slices.Compact(reasons)
})

func checkOutputBytesCase(input, expect *value.Value) string {
	got := value.NewNull()
	if limit, bounded := recordedContract(input.Get("contract")).OutputBytes(); bounded {
		got = value.NewNumber(float64(limit))
	}
	return diffValues(expect.Get("bytes"), got)
}

func checkSourceIDCase(input, expect *value.Value) string {
	c := recordedContract(input.Get("contract"))
	return cmp.Diff(textOf(expect, "sourceId"), c.SourceID()) + cmp.Diff(textOf(expect, "digest"), c.Digest())
}

func checkAuthorshipCase(input, expect *value.Value) string {
	got := result.ReadAuthorship(recordedContract(input.Get("contract")), textOf(input, "output"))
	return cmp.Diff(textOf(expect, "commitMessage"), got.CommitMessage) + cmp.Diff(textOf(expect, "summary"), got.Summary)
}

// checkShapeCase holds our own shape text against our validator: the example in it passes for its kind.
func checkShapeCase(input, expect *value.Value) string {
	c := recordedContract(input.Get("contract"))
	shape := result.Shape(c)
	if shape == "" {
		return "there is no shape text"
	}
	files := recordedFS{
		files: map[string]string{path.Join("/ws", c.Path): "1. the parser", "/ws/src/retry.go": strings.Repeat("\n", 50)},
	}
	got := result.Validate(result.Run{Contract: c, Output: shape, Dir: "/ws", Files: files})
	if got.Conformance != result.Pass || got.Code != "" {
		return fmt.Sprintf("the example of its own shape gives %s: %s", got.Conformance, got.Reason)
	}
	return ""
}

func checkRepairCase(input, expect *value.Value) string {
	c, reason := recordedContract(input.Get("contract")), textOf(input, "reason")
	tools := input.Get("toolsAvailable")
	e := result.Repair(c, reason, int(input.Get("attempt").Number), textsOf(input, "anchors"), tools != nil && tools.Bool)
	text := e.Answer.Content[0].Text
	usage, err := json.Marshal(e.Call.Usage)
	if err != nil {
		return err.Error()
	}
	got := map[string]any{
		"ok": true, "id": e.ID, "toolName": e.Call.Content[0].Name, "toolCallId": e.Answer.ToolCallID, "resultToolName": e.Answer.ToolName,
		"assistantRole": e.Call.Role, "resultRole": e.Answer.Role, "stopReason": e.Call.StopReason, "isError": e.Answer.IsError,
		"usage": json.RawMessage(usage), "containsReason": strings.Contains(text, reason), "containsShape": strings.Contains(text, result.Shape(c)),
		"anchors": e.Anchors, "last": e.Last,
	}
	canonical, err := value.CanonicalGo(got)
	if err != nil {
		return err.Error()
	}
	for _, anchor := range e.Anchors {
		if !strings.Contains(text, anchor) {
			return "the text does not name the anchor " + anchor
		}
	}
	return cmp.Diff(string(value.Canonical(expect)), string(canonical)) +
		cmp.Diff(e.ID, e.Call.Content[0].ID)
}
