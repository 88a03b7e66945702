package result

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/value"
)

// The bounds of a mutation report's authored words, in bytes of UTF-8 (spec 3.1 and 7).
const (
	DefaultSummaryBytes   = 16_384 // where the contract declares no maxSummaryBytes
	MaxSummaryBytes       = 65_536 // the largest maxSummaryBytes that a contract may declare
	MaxCommitMessageBytes = 1_000  // the longest commit message that a report may author
)

// Contract is a declared result contract.
type Contract struct {
	Kind            Kind
	Path            string   // architect-plan
	MaxSummaryBytes int      // mutation-report; 0 when not declared
	Pos             diag.Pos // of the declaration
}

// SummaryBytes is how many bytes of UTF-8 a mutation report's summary may have.
func (c Contract) SummaryBytes() int {
	if c.MaxSummaryBytes == 0 {
		return DefaultSummaryBytes
	}
	return c.MaxSummaryBytes
}

// Value gives the contract as it is written: the kind first, then the key that its kind may carry.
func (c Contract) Value() *value.Value {
	members := []value.Member{value.Field("kind", value.NewString(string(c.Kind)))}
	if c.Kind == ArchitectPlan {
		members = append(members, value.Field("path", value.NewString(c.Path)))
	}
	if c.MaxSummaryBytes != 0 {
		members = append(members, value.Field("maxSummaryBytes", value.NewNumber(float64(c.MaxSummaryBytes))))
	}
	return value.NewMap(members...)
}

// ParseContract reads a resultContract value (spec 3.1). worker admits the kinds
// that only a coordinator may author. Findings are contract-*, the first one the
// runtime's; field is the value's path in its document ("resultContract"). The
// contract is zero where there are findings.
func ParseContract(v *value.Value, field string, worker bool) (Contract, []diag.Diagnostic) {
	if v == nil {
		v = value.NewNull()
	}
	d := declaration{value: v, field: field, worker: worker}
	c := d.parse()
	if len(d.found.List) > 0 {
		return Contract{}, d.found.List
	}
	return c, nil
}

// declaration is one contract being read.
type declaration struct {
	value  *value.Value
	field  string
	worker bool
	found  diag.Findings
}

func (d *declaration) parse() Contract {
	if d.value.Kind != value.Map {
		d.refuse("contract-not-object", d.value.Pos, "",
			fmt.Sprintf("%s must be a mapping with a kind, not a %s", d.field, d.value.Kind),
			"write "+d.field+": {kind: KIND}; KIND is one of "+d.listKinds())
		return Contract{}
	}
	kind := d.kind()
	switch kind {
	case "":
		return Contract{}
	case ArchitectPlan:
		return Contract{Kind: kind, Path: d.path(), Pos: d.value.Pos}
	case MutationReport:
		return Contract{Kind: kind, MaxSummaryBytes: d.summaryBytes(), Pos: d.value.Pos}
	}
	d.admitOnly("contract-unknown-key", d.of(kind), "kind")
	return Contract{Kind: kind, Pos: d.value.Pos}
}

// kind gives the declared kind, or "" where it is none or may not be declared here.
func (d *declaration) kind() Kind {
	v := d.value.Get("kind")
	if v == nil {
		d.refuse("contract-missing-kind", d.value.Pos, ".kind", d.field+" has no kind", "the kinds are "+d.listKinds())
		d.admitOnly("contract-unknown-key", d.field, "kind", "path", "maxSummaryBytes")
		return ""
	}
	if v.Kind != value.String {
		d.refuse("contract-missing-kind", v.Pos, ".kind",
			fmt.Sprintf("%s.kind must be a string, not a %s", d.field, v.Kind), "the kinds are "+d.listKinds())
		return ""
	}
	kind := Kind(v.Text)
	if slices.Contains(declarable, kind) || d.worker && slices.Contains(coordinated, kind) {
		return kind
	}
	message := fmt.Sprintf("%s.kind %q is no kind of result contract", d.field, diag.Clip(v.Text))
	hint := diag.DidYouMean(v.Text, d.kinds())
	if slices.Contains(coordinated, kind) {
		message = fmt.Sprintf("%s.kind %s is set by a coordinator for one dispatch; a recipe may not declare it", d.field, kind)
		hint = ""
	}
	d.refuse("contract-unsupported-kind", v.Pos, ".kind", message, hint+"the kinds are "+d.listKinds())
	return ""
}

// path reads an architect plan's path, which must stay in the workspace.
func (d *declaration) path() string {
	d.admitOnly("contract-architect-keys", d.of(ArchitectPlan), "kind", "path")
	v := d.value.Get("path")
	const hint = "name the plan's file relative to the repository's root, such as docs/PLAN.md"
	switch {
	case v == nil:
		d.refuse("contract-architect-keys", d.value.Pos, ".path", d.field+" of kind architect-plan has no path", hint)
		return ""
	case v.Kind != value.String:
		d.refuse("contract-architect-keys", v.Pos, ".path", fmt.Sprintf("%s.path must be a string, not a %s", d.field, v.Kind), hint)
		return ""
	case value.IsBlank(v.Text):
		d.refuse("contract-architect-keys", v.Pos, ".path", d.field+".path must not be blank", hint)
		return ""
	case escapes(v.Text):
		d.refuse("contract-architect-path-escape", v.Pos, ".path", fmt.Sprintf("%s.path %q leaves the workspace", d.field, diag.Clip(v.Text)), hint)
	}
	return v.Text
}

// escapes says whether a path is absolute, or has a ".." segment between slashes of either kind.
func escapes(path string) bool {
	if strings.HasPrefix(path, "/") {
		return true
	}
	segments := strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == '\\' })
	return slices.Contains(segments, "..")
}

// summaryBytes reads a mutation report's bound, 0 where there is none.
func (d *declaration) summaryBytes() int {
	d.admitOnly("contract-unknown-key", d.of(MutationReport), "kind", "maxSummaryBytes")
	v := d.value.Get("maxSummaryBytes")
	if v == nil {
		return 0
	}
	if v.Kind == value.Number && value.IsInteger(v.Number) && v.Number >= 1 && v.Number <= MaxSummaryBytes {
		return int(v.Number)
	}
	d.refuse("contract-summary-bytes", v.Pos, ".maxSummaryBytes",
		fmt.Sprintf("%s.maxSummaryBytes must be an integer from 1 to %d", d.field, MaxSummaryBytes),
		fmt.Sprintf("leave it out for the default, %d", DefaultSummaryBytes))
	return 0
}

// admitOnly refuses every key but the given ones.
func (d *declaration) admitOnly(code diag.Code, what string, keys ...string) {
	for _, m := range d.value.Members {
		if d.found.Overflowed() {
			return
		}
		if slices.Contains(keys, m.Key) {
			continue
		}
		d.refuse(code, m.KeyPos, "."+m.Key, fmt.Sprintf("%s has no key %q", what, diag.Clip(m.Key)),
			diag.DidYouMean(m.Key, keys)+"its keys are "+strings.Join(keys, ", "))
	}
}

// of names the declaration by its kind.
func (d *declaration) of(kind Kind) string { return d.field + " of kind " + string(kind) }

// kinds are what may be declared at this door.
func (d *declaration) kinds() []string {
	legal := declarable
	if d.worker {
		legal = Kinds()
	}
	names := make([]string, len(legal))
	for i, kind := range legal {
		names[i] = string(kind)
	}
	return names
}

func (d *declaration) listKinds() string { return strings.Join(d.kinds(), ", ") }

func (d *declaration) refuse(code diag.Code, pos diag.Pos, at, message, hint string) {
	d.found.Add(diag.New(code, pos, d.field+at, message).WithHint(hint))
}
