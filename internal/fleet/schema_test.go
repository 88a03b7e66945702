package fleet

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/fleetgate/fleetgate/internal/value"
)

// sample makes a value that a schema admits, with every key that version knows.
func sample(s *schema, version int) *value.Value {
	switch s.kind {
	case value.Bool:
		return value.NewBool(true)
	case value.Number:
		return value.NewNumber(max(s.min, 1))
	case value.String:
		if s.oneOf != nil {
			return value.NewString(s.oneOf[len(s.oneOf)-1])
		}
		return value.NewString("x")
	case value.List:
		return value.NewList(sample(s.item, version))
	}
	if s.each != nil {
		return value.NewMap(value.Field("x", sample(s.each, version)))
	}
	if s.kinds != nil {
		return sampleOf(s.kinds[0], version)
	}
	m := members{}
	for _, k := range s.keys {
		if k.since <= version && k.name != "kind" {
			m.add(k.name, sample(k.schema, version))
		}
	}
	return value.NewMap(m...)
}

func sampleOf(v variant, version int) *value.Value {
	s := sample(v.schema, version)
	return value.NewMap(append(members{value.Field("kind", value.NewString(v.kind))}, s.Members...)...)
}

// place is one mapping of the contract's schema: how to put another in its place.
type place struct {
	name   string
	schema *schema
	whole  *value.Value
	embed  func(*value.Value) *value.Value
	field  string
}

// places lists every kind of mapping that a contract of a version may hold.
func places(version int) []place {
	contract := sample(contractSchema, version)
	contract.Members[0].Value = value.NewNumber(float64(version))
	embed := func(step *value.Value) *value.Value { return with(contract, "steps", value.NewList(step)) }
	list := []place{{"the contract", contractSchema, contract, func(v *value.Value) *value.Value { return v }, ""}}
	for _, v := range stepSchema.kinds {
		if v.since <= version {
			list = append(list, place{"step " + v.kind, v.schema, sampleOf(v, version), embed, "steps[0]."})
		}
	}
	if version < commitSince {
		return list
	}
	loop := sampleOf(stepSchema.kinds[2], version)
	for _, v := range checkSchema.kinds {
		if v.since <= version {
			inLoop := func(half *value.Value) *value.Value { return embed(with(loop, "check", half)) }
			list = append(list, place{"check " + v.kind, v.schema, sampleOf(v, version), inLoop, "steps[0].check."})
		}
	}
	inLoop := func(half *value.Value) *value.Value { return embed(with(loop, "repair", half)) }
	return append(list, place{"repair", repairSchema, sample(repairSchema, version), inLoop, "steps[0].repair."})
}

// with gives a mapping with one key's value replaced, or the key taken out.
func with(m *value.Value, key string, v *value.Value) *value.Value {
	out := slices.Clone(m.Members)
	i := slices.IndexFunc(out, func(m value.Member) bool { return m.Key == key })
	if v == nil {
		return value.NewMap(slices.Delete(out, i, i+1)...)
	}
	out[i].Value = v
	return value.NewMap(out...)
}

// schemaFields parses a contract given as a value and gives the fields of its schema's findings.
func schemaFields(t *testing.T, contract *value.Value) (fields, hints []string) {
	t.Helper()
	_, found := Parse("demo.md", []byte("---\n"+value.Stringify(contract)+"\n---\nx\n"))
	for _, d := range found {
		if strings.HasPrefix(string(d.Code), "fleet-schema-") {
			fields, hints = append(fields, d.Field), append(hints, d.Hint)
		}
	}
	return fields, hints
}

// eachPlace runs check for every kind of mapping of every version.
func eachPlace(t *testing.T, check func(t *testing.T, version int, p place)) {
	for version := MinVersion; version <= MaxVersion; version++ {
		for _, p := range places(version) {
			t.Run(fmt.Sprintf("version %d/%s", version, p.name), func(t *testing.T) { check(t, version, p) })
		}
	}
}

func TestTheSamplesSatisfyTheSchema(t *testing.T) {
	eachPlace(t, func(t *testing.T, version int, p place) {
		if fields, _ := schemaFields(t, p.embed(p.whole)); fields != nil {
			t.Errorf("faults at %v in %s", fields, value.Stringify(p.whole))
		}
	})
}

func TestEveryMisspeltKeyIsRefusedByName(t *testing.T) {
	eachPlace(t, func(t *testing.T, version int, p place) {
		for i, m := range p.whole.Members {
			if m.Key == "kind" || m.Key == "version" {
				continue // what they say decides the schema
			}
			changed := slices.Clone(p.whole.Members)
			changed[i].Key = m.Key + "x"
			fields, hints := schemaFields(t, p.embed(value.NewMap(changed...)))
			at := slices.Index(fields, p.field+m.Key+"x")
			if at < 0 || !strings.HasPrefix(hints[at], "did you mean "+m.Key+"? ") {
				t.Errorf("%sx: fields %v, hints %q", m.Key, fields, hints)
			}
		}
	})
}

func TestEveryRequiredKeyIsMissedAndNoOther(t *testing.T) {
	eachPlace(t, func(t *testing.T, version int, p place) {
		for _, k := range p.schema.keys {
			if k.name == "kind" || k.name == "version" || p.whole.Get(k.name) == nil {
				continue
			}
			fields, hints := schemaFields(t, p.embed(with(p.whole, k.name, nil)))
			if missed := slices.Contains(fields, p.field+k.name); missed != k.required {
				t.Errorf("%s: missed %v, required %v", k.name, missed, k.required)
			}
			if k.required && hints[0] != "add "+k.example {
				t.Errorf("%s: the hint %q doesn't say what to write", k.name, hints[0])
			}
		}
	})
}

// admits says whether a schema takes a value of this sort at all.
func admits(s *schema, v *value.Value) bool {
	if v.Kind == value.Number && (s.whole || s.only) {
		return false // the sample number has a fraction
	}
	return v.Kind == s.kind
}

func TestEveryValueOfAnotherTypeIsRefused(t *testing.T) {
	others := []*value.Value{
		value.NewNull(), value.NewBool(false), value.NewNumber(1.5), value.NewString("q"),
		value.NewList(value.NewNull()), value.NewMap(value.Field("q", value.NewNull())),
	}
	eachPlace(t, func(t *testing.T, version int, p place) {
		for _, k := range p.schema.keys {
			if k.name == "version" || p.whole.Get(k.name) == nil {
				continue
			}
			for _, other := range others {
				if admits(k.schema, other) {
					continue
				}
				fields, _ := schemaFields(t, p.embed(with(p.whole, k.name, other)))
				if !slices.Contains(fields, p.field+k.name) {
					t.Errorf("%s: %s is admitted; faults at %v", k.name, value.Stringify(other), fields)
				}
			}
		}
	})
}

func TestKeysOfLaterVersionsAreRefusedAndTheVersionIsNamed(t *testing.T) {
	eachPlace(t, func(t *testing.T, version int, p place) {
		for _, k := range p.schema.keys {
			if k.since <= version {
				continue
			}
			added := value.NewMap(append(slices.Clone(p.whole.Members), value.Field(k.name, sample(k.schema, k.since)))...)
			_, found := Parse("demo.md", []byte("---\n"+value.Stringify(p.embed(added))+"\n---\nx\n"))
			needs := fmt.Sprintf("needs contract version %d", k.since)
			if len(found) == 0 || found[0].Field != p.field+k.name || !strings.Contains(found[0].Message+found[0].Hint, needs) {
				t.Errorf("%s: %v", k.name, worded(found))
			}
		}
	})
}

func TestCountsAndLengthsAreBounded(t *testing.T) {
	list := func(n int) string { return "[" + strings.TrimSuffix(strings.Repeat("x,", n), ",") + "]" }
	agents := func(n int) string {
		var names []string
		for i := range n {
			names = append(names, fmt.Sprintf("a%d", i))
		}
		return "[" + strings.Join(names, ",") + "]"
	}
	code := func(args string) string {
		return "{kind: code, id: t, command: c, scope: readonly, dependencies: [], args: " + args + "}"
	}
	plan := func(roster string, tasks int) string {
		return fmt.Sprintf("{kind: plan, id: p, roster: %s, maxTasks: %d, scope: readonly, dependencies: []}", roster, tasks)
	}
	loop := func(attempts int) string {
		return fmt.Sprintf("{kind: loop, id: l, maxAttempts: %d, dependencies: [], check: {kind: agent, agent: v, scope: readonly}, repair: {agent: w, scope: readonly}}", attempts)
	}
	writes := func(n int) string {
		return "{id: a, agent: x, scope: workspace, dependencies: [], writes: " + list(n) + "}"
	}
	for _, c := range []struct {
		name  string
		step  string
		field string // empty: admitted
	}{
		{"32 writes", writes(32), ""},
		{"33 writes, duplicates counted", writes(33), "steps[0].writes"},
		{"64 args", code(list(MaxArgs)), ""},
		{"65 args", code(list(MaxArgs + 1)), "steps[0].args"},
		{"8,192 units of an arg", code("[" + strings.Repeat("é", MaxArgUnits) + "]"), ""},
		{"8,193 units of an arg", code("[" + strings.Repeat("x", MaxArgUnits+1) + "]"), "steps[0].args[0]"},
		{"4,097 characters of two units each", code("[" + strings.Repeat("😀", MaxArgUnits/2+1) + "]"), "steps[0].args[0]"},
		{"a NUL in an arg", code(`["a\0"]`), "steps[0].args[0]"},
		{"an empty arg", code("['']"), ""},
		{"16 agents", plan(agents(MaxRoster), 1), ""},
		{"17 agents", plan(agents(MaxRoster+1), 1), "steps[0].roster"},
		{"no agent", plan("[]", 1), "steps[0].roster"},
		{"16 tasks", plan("[a]", MaxPlanTasks), ""},
		{"17 tasks", plan("[a]", MaxPlanTasks+1), "steps[0].maxTasks"},
		{"no task", plan("[a]", 0), "steps[0].maxTasks"},
		{"5 attempts", loop(MaxLoopAttempts), ""},
		{"6 attempts", loop(MaxLoopAttempts + 1), "steps[0].maxAttempts"},
		{"no attempt", loop(0), "steps[0].maxAttempts"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, found := Parse("demo.md", []byte(doc(5, c.step)))
			got := ""
			if len(found) > 0 {
				got = found[0].Field
			}
			if got != c.field {
				t.Errorf("first fault at %q, want %q: %v", got, c.field, brief(found))
			}
		})
	}
}
