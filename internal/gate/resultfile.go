package gate

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/result"
	"github.com/fleetgate/fleetgate/internal/value"
	"github.com/fleetgate/fleetgate/internal/verdict"
)

// resultFile is one run's report as a file: {fleet, step, agent?, attempt?,
// output, reads?, commits?}.
type resultFile struct {
	name       string
	fleet      value.Str
	step       value.Str
	agent      value.Str // empty: the step's
	attempt    int       // 0: not given
	attemptPos diag.Pos
	output     *value.Value // the final text; null: the run never reached its end
	reads      result.Reads // nil: not known
	commits    []value.Str  // empty: every commit that claims the step
	found      []diag.Diagnostic
	row        verdict.ResultFile // as the verdict lists it
}

var resultKeys = []string{"fleet", "step", "agent", "attempt", "output", "reads", "commits"}

const resultForm = "a result file is a JSON object {fleet, step, agent?, attempt?, output, reads?, commits?}"

func (f *resultFile) refuse(pos diag.Pos, field, format string, args ...any) {
	f.found = append(f.found, diag.New("result-nonconforming", pos, field, "result file "+f.name+": "+fmt.Sprintf(format, args...)).WithHint(resultForm))
}

// parse reads the file strictly: what is misspelt must not be left out in silence.
func (f *resultFile) parse(text []byte) {
	if len(text) > MaxResultBytes {
		f.refuse(diag.Pos{File: f.name}, "", "it has more than %d bytes", MaxResultBytes)
		return
	}
	f.row.SHA256 = fmt.Sprintf("%x", sha256.Sum256(text))
	v, err := value.ParseJSON(f.name, text)
	var syntax *value.SyntaxError
	switch {
	case errors.As(err, &syntax):
		f.refuse(syntax.Pos, "", "it is not JSON: %s", syntax.Message)
		return
	case v.Kind != value.Map:
		f.refuse(v.Pos, "", "it must be an object, not a %s", v.Kind)
		return
	}
	for _, m := range v.Members {
		if !slices.Contains(resultKeys, m.Key) {
			f.refuse(m.KeyPos, diag.Clip(m.Key), "it has no key %q; %sits keys are %s", diag.Clip(m.Key), diag.DidYouMean(m.Key, resultKeys), strings.Join(resultKeys, ", "))
		}
	}
	f.fleet, f.step = f.text(v, "fleet", true), f.text(v, "step", true)
	f.agent = f.text(v, "agent", false)
	f.readAttempt(v)
	f.readOutput(v)
	f.readReads(v.Get("reads"))
	f.readCommits(v.Get("commits"))
}

func (f *resultFile) text(v *value.Value, key string, required bool) value.Str {
	got := v.Get(key)
	switch {
	case got == nil && !required:
		return value.Str{}
	case got == nil:
		f.refuse(v.Pos, key, "it has no %s", key)
		return value.Str{}
	case got.Kind != value.String || value.IsBlank(got.Text):
		f.refuse(got.Pos, key, "%s must be a non-blank string", key)
		return value.Str{}
	}
	return value.Str{Value: got.Text, Pos: got.Pos}
}

func (f *resultFile) readAttempt(v *value.Value) {
	got := v.Get("attempt")
	if got == nil {
		return
	}
	f.attemptPos = got.Pos
	if got.Kind != value.Number || !value.IsSafeInteger(got.Number) || got.Number < 1 {
		f.refuse(got.Pos, "attempt", "attempt must be a whole number, 1 or more")
		return
	}
	f.attempt = int(got.Number)
}

func (f *resultFile) readOutput(v *value.Value) {
	f.output = v.Get("output")
	switch {
	case f.output == nil:
		f.refuse(v.Pos, "output", "it has no output: the run's final text, or null where the run never reached its end")
	case f.output.Kind != value.String && f.output.Kind != value.Null:
		f.refuse(f.output.Pos, "output", "output must be a string, the run's final text, or null where the run never reached its end")
	}
}

func (f *resultFile) readReads(v *value.Value) {
	if v == nil {
		return
	}
	reads, err := result.ParseReads(v)
	if err != nil {
		f.refuse(v.Pos, "reads", "%v", err)
		return
	}
	f.reads = reads
}

func (f *resultFile) readCommits(v *value.Value) {
	if v == nil {
		return
	}
	if v.Kind != value.List || len(v.Items) == 0 {
		f.refuse(v.Pos, "commits", "commits must be a list of at least one commit id")
		return
	}
	if len(v.Items) > MaxResultCommits {
		f.refuse(v.Pos, "commits", "commits names %d commits; at most %d are read", len(v.Items), MaxResultCommits)
		return
	}
	for i, item := range v.Items {
		if item.Kind != value.String || !isCommitID(item.Text) {
			f.refuse(item.Pos, fmt.Sprintf("commits[%d]", i), "commits[%d] must be a commit id of %d to 40 hexadecimal digits", i, minCommitDigits)
			continue
		}
		f.commits = append(f.commits, value.Str{Value: strings.ToLower(item.Text), Pos: item.Pos})
	}
}

// minCommitDigits is how short a commit id in a result file may be.
const minCommitDigits = 7

func isCommitID(text string) bool {
	return len(text) >= minCommitDigits && len(text) <= 40 && strings.Trim(text, "0123456789abcdefABCDEF") == ""
}

// compareFiles orders the files of one step by attempt, then by name.
func compareFiles(a, b *resultFile) int {
	return cmp.Or(cmp.Compare(a.attempt, b.attempt), strings.Compare(a.name, b.name))
}
