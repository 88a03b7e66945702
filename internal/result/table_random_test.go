package result

import (
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/fleetgate/fleetgate/internal/value"
)

// random makes texts that are reports of a kind, or nearly.
type random struct{ *rand.Rand }

func newRandom(seed uint64) *random { return &random{rand.New(rand.NewPCG(seed, 7))} }

func (r *random) one(percent int) bool { return r.IntN(100) < percent }

func pick[T any](r *random, from ...T) T { return from[r.IntN(len(from))] }

func (r *random) text() *value.Value {
	return value.NewString(pick(r, "a", "b", "a b", " c ", "é😀", "src/a.go", "x\ny", "\"\\", "s1", "s2", "s3", "```{}```"))
}

func (r *random) string() *value.Value  { return value.NewString(pick(r, "", " ", "ok", "\u00a0")) }
func (r *random) boolean() *value.Value { return value.NewBool(r.one(70)) }

func (r *random) list(n int, of form) *value.Value {
	items := make([]*value.Value, n)
	for i := range items {
		items[i] = of.sample(r)
	}
	return value.NewList(items...)
}

func (r *random) object(fields []field) *value.Value {
	var members []value.Member
	for _, f := range fields {
		if !f.optional || r.one(50) {
			members = append(members, value.Field(f.key, f.form.sample(r)))
		}
	}
	return value.NewMap(members...)
}

// anything is a value of any kind.
func (r *random) anything() *value.Value {
	switch r.IntN(10) {
	case 0:
		return value.NewNull()
	case 1:
		return r.boolean()
	case 2:
		return value.NewNumber(pick(r, 0, -1, 1, 1.5, 2, 1e16, 1<<53, 1e300))
	case 3:
		return value.NewList()
	case 4:
		return value.NewList(r.anything())
	case 5:
		return value.NewMap(value.Field(pick(r, "", "a", "kind", "__proto__"), r.anything()))
	case 6:
		return r.string()
	case 7:
		return value.NewString(strings.Repeat("x", pick(r, 64, 65, 1000, 1001, 4096, 4097)))
	}
	return r.text()
}

// report makes a text for a kind: a report out of the table, mostly spoilt in one or two places.
func (r *random) report(kind Kind) string {
	v := r.coherent(kind, table[kind].sample(r))
	for r.one(55) {
		v = r.spoil(v)
	}
	text := value.Stringify(v)
	if r.one(15) {
		text = r.mangle(text)
	}
	return r.wrap(text)
}

// coherent makes the fields of a report agree, most of the time.
func (r *random) coherent(kind Kind, v *value.Value) *value.Value {
	if r.one(15) {
		return v
	}
	switch kind {
	case ScoutReport:
		if r.one(60) {
			v = with(with(v, "needsSplit", value.NewBool(false)), "proposedSubtasks", value.NewList())
		} else {
			v = with(with(with(v, "findings", value.NewList()), "needsSplit", value.NewBool(true)), "proposedSubtasks", r.chain())
		}
	case VerifierReport:
		v = with(v, "verdict", value.NewString(map[bool]string{true: "pass", false: "fail"}[allHold(v.Get("checks"))]))
	case CodeReport:
		passed := allHold(v.Get("checks"))
		v = with(with(v, "passed", value.NewBool(passed)), "exitCode", value.NewNumber(map[bool]float64{true: 0, false: 3}[passed]))
	case ResearchReport:
		v = with(v, "source", value.NewString("local"))
	}
	return v
}

// chain makes subtasks that depend on each other, mostly in an order.
func (r *random) chain() *value.Value {
	ids := []string{"s1", "s2", "s3", "s4"}[:1+r.IntN(4)]
	var items []*value.Value
	for i, id := range ids {
		s := with(subtask.sample(r), "id", value.NewString(id))
		var dependencies []*value.Value
		for j, other := range ids {
			if j < i && r.one(40) || r.one(5) {
				dependencies = append(dependencies, value.NewString(other))
			}
		}
		items = append(items, with(s, "dependencies", value.NewList(dependencies...)))
	}
	return value.NewList(items...)
}

func with(v *value.Value, key string, changed *value.Value) *value.Value {
	members := slices.Clone(v.Members)
	for i, m := range members {
		if m.Key == key {
			members[i].Value = changed
		}
	}
	return value.NewMap(members...)
}

// spoil changes one place somewhere in a value.
func (r *random) spoil(v *value.Value) *value.Value {
	if r.one(25) {
		return r.anything()
	}
	switch {
	case v.Kind == value.List && len(v.Items) > 0:
		return r.spoilList(v)
	case v.Kind == value.Map && len(v.Members) > 0:
		return r.spoilMap(v)
	}
	return r.anything()
}

func (r *random) spoilList(v *value.Value) *value.Value {
	items := slices.Clone(v.Items)
	i := r.IntN(len(items))
	switch r.IntN(4) {
	case 0:
		items = slices.Delete(items, i, i+1)
	case 1:
		items = append(items, items[i])
	default:
		items[i] = r.spoil(items[i])
	}
	return value.NewList(items...)
}

func (r *random) spoilMap(v *value.Value) *value.Value {
	members := slices.Clone(v.Members)
	i := r.IntN(len(members))
	switch r.IntN(6) {
	case 0:
		members = slices.Delete(members, i, i+1)
	case 1:
		members = append(members, value.Field(pick(r, "extra", "7", "__proto__", "constructor"), r.anything()))
	case 2:
		members[i].Key = pick(r, strings.ToUpper(members[i].Key), members[i].Key+"s", "x")
	default:
		members[i].Value = r.spoil(members[i].Value)
	}
	return value.NewMap(members...)
}

// mangle breaks a text as text.
func (r *random) mangle(text string) string {
	i := r.IntN(len(text) + 1)
	switch r.IntN(4) {
	case 0:
		return text[:i]
	case 1:
		return text[:i] + pick(r, "`", "```", "{", "}", "\"", "\x00", "\xff", ",", "\\u", "\\ud800", " ", "1e400") + text[i:]
	case 2:
		return text + text[:i]
	}
	j := min(len(text), i+r.IntN(8))
	return text[:i] + text[j:]
}

// wrap puts a report into the prose that workers put around one.
func (r *random) wrap(text string) string {
	switch r.IntN(12) {
	case 0:
		return "```json\n" + text + "\n```"
	case 1:
		return "Done.\n```\n" + text + "\n``` and more {}"
	case 2:
		return "\ufeff " + text + "\u2028"
	case 3:
		return "The report: " + text + " That is all."
	case 4:
		return "```\n```\n```json " + text + "``` {}"
	case 5:
		return "[" + text + "]"
	}
	return text
}
