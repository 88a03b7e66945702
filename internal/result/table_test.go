package result

import (
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/fleetgate/fleetgate/internal/value"
)

// This file says once more, as a table, what each kind of report looks like
// (spec 7). It shares no code with Validate but the JSON parser and JavaScript's
// idea of white space, so that the two can be held against each other.

// form is what a value must look like.
type form struct {
	name   string
	is     func(v *value.Value) bool
	sample func(r *random) *value.Value
	fields []field // of an object
	item   *form   // of a list
	rule   func(v *value.Value) bool
}

// field is one key of an object.
type field struct {
	key      string
	form     form
	optional bool
}

func (f form) accepts(v *value.Value) bool {
	if v == nil || !f.is(v) || f.item != nil && !all(v.Items, f.item.accepts) {
		return false
	}
	for _, field := range f.fields {
		if value := v.Get(field.key); (value != nil || !field.optional) && !field.form.accepts(value) {
			return false
		}
	}
	return f.rule == nil || f.rule(v)
}

func (f form) where(rule func(v *value.Value) bool) form {
	f.rule = rule
	return f
}

func all(items []*value.Value, holds func(*value.Value) bool) bool {
	return !slices.ContainsFunc(items, func(v *value.Value) bool { return !holds(v) })
}

var (
	aText    = form{name: "text", is: func(v *value.Value) bool { return v.Kind == value.String && value.Trim(v.Text) != "" }, sample: (*random).text}
	aString  = form{name: "string", is: func(v *value.Value) bool { return v.Kind == value.String }, sample: (*random).string}
	aBoolean = form{name: "boolean", is: func(v *value.Value) bool { return v.Kind == value.Bool }, sample: (*random).boolean}
	aLine    = aNumber(1, 1<<53-1)
	aSafe    = aNumber(-(1<<53 - 1), 1<<53-1)
)

func aNumber(least, most float64) form {
	return form{
		name: "number",
		is: func(v *value.Value) bool {
			return v.Kind == value.Number && v.Number >= least && v.Number <= most && math.Floor(v.Number) == v.Number && !math.IsInf(v.Number, 0)
		},
		sample: func(r *random) *value.Value { return value.NewNumber(math.Max(least, float64(r.IntN(4)))) },
	}
}

func aWord(words ...string) form {
	return form{
		name:   "word",
		is:     func(v *value.Value) bool { return v.Kind == value.String && slices.Contains(words, v.Text) },
		sample: func(r *random) *value.Value { return value.NewString(words[r.IntN(len(words))]) },
	}
}

func aList(least, most int, of form) form {
	return form{
		name: "list", item: &of,
		is: func(v *value.Value) bool {
			return v.Kind == value.List && len(v.Items) >= least && len(v.Items) <= most
		},
		sample: func(r *random) *value.Value { return r.list(max(least, r.IntN(3)), of) },
	}
}

func anObject(fields ...field) form {
	return form{
		name: "object", fields: fields,
		is: func(v *value.Value) bool {
			return v.Kind == value.Map && !slices.ContainsFunc(v.Members, func(m value.Member) bool {
				return !slices.ContainsFunc(fields, func(f field) bool { return f.key == m.Key })
			})
		},
		sample: func(r *random) *value.Value { return r.object(fields) },
	}
}

// aCount is an object of counters.
var aCount = form{
	name: "count",
	is: func(v *value.Value) bool {
		return v.Kind == value.Map && !slices.ContainsFunc(v.Members, func(m value.Member) bool {
			return m.Key == "" || !aNumber(0, math.MaxFloat64).accepts(m.Value)
		})
	},
	sample: func(r *random) *value.Value {
		return value.NewMap(value.Field(pick(r, "yes", "no", " ", ""), value.NewNumber(float64(r.IntN(3)))))
	},
}

func needs(key string, f form) field { return field{key: key, form: f} }
func may(key string, f form) field   { return field{key: key, form: f, optional: true} }

const unbounded = 1 << 30

var (
	texts  = aList(0, unbounded, aText)
	aCheck = anObject(needs("name", aText), needs("passed", aBoolean), needs("evidence", aText))
	checks = aList(1, unbounded, aCheck)
)

// authored is an optional string without control characters, of so many bytes.
func authored(limit int) form {
	bad := regexp.MustCompile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
	return form{
		name: "authored",
		is: func(v *value.Value) bool {
			if v.Kind == value.Null {
				return true
			}
			words := value.Trim(strings.ReplaceAll(v.Text, "\r\n", "\n"))
			return v.Kind == value.String && len(words) <= limit && !bad.MatchString(words)
		},
		sample: func(r *random) *value.Value {
			switch r.IntN(40) {
			case 0:
				return value.NewString(strings.Repeat("w", limit-1+r.IntN(3)))
			case 1:
				return value.NewString("a" + pick(r, "\x00", "\t", "\n", "\r", "\x1f", "\x7f", "\u0085") + "b")
			}
			return r.text()
		},
	}
}

var idPattern = regexp.MustCompile(`\A[A-Za-z0-9][A-Za-z0-9._-]{0,63}\z`)

var subtask = anObject(
	needs("id", aText), needs("task", aTask), needs("dependencies", texts),
	needs("expectedResultContract", aWord("architect-plan", "scout-report", "verifier-report", "council-report",
		"debugger-report", "research-report", "mutation-report", "provenance-report", "external-delegation")),
	needs("requestedAuthority", aWord("read-only", "verification", "artifact-write", "workspace-edit")),
).where(func(v *value.Value) bool {
	return idPattern.MatchString(v.Get("id").Text) &&
		len(v.Get("dependencies").Items) <= 4
})

// aTask is a text of at most 4,096 bytes.
var aTask = form{
	name: "task",
	is:   func(v *value.Value) bool { return aText.is(v) && len(v.Text) <= 4096 },
	sample: func(r *random) *value.Value {
		if r.one(10) {
			return value.NewString(strings.Repeat("t", 4095+r.IntN(3)))
		}
		return r.text()
	},
}

// table is what each kind that is read as JSON looks like.
var table = map[Kind]form{
	ScoutReport: anObject(
		needs("findings", aList(0, unbounded, anObject(needs("claim", aText), needs("path", aText), needs("line", aLine)))),
		needs("needsSplit", aBoolean),
		needs("proposedSubtasks", aList(0, 4, subtask).where(orderable)),
	).where(func(v *value.Value) bool {
		split, findings := len(v.Get("proposedSubtasks").Items) > 0, len(v.Get("findings").Items) > 0
		return v.Get("needsSplit").Bool == split && split != findings
	}),
	VerifierReport: anObject(needs("verdict", aWord("pass", "fail")), needs("checks", checks)).where(func(v *value.Value) bool {
		return (v.Get("verdict").Text == "pass") == allHold(v.Get("checks"))
	}),
	MutationReport: anObject(
		needs("mutatedPaths", texts), needs("validations", checks), may("commitMessage", authored(1000)), may("summary", authored(16384))),
	CodeReport: anObject(
		needs("passed", aBoolean), needs("exitCode", aSafe), needs("checks", checks), needs("artifactPaths", texts), needs("outputExcerpt", aString),
	).where(func(v *value.Value) bool {
		passed := v.Get("passed").Bool
		return passed == (v.Get("exitCode").Number == 0) && passed == allHold(v.Get("checks"))
	}),
	CouncilReport: anObject(
		needs("members", aList(1, unbounded, anObject(
			needs("label", aText), needs("runId", aText), needs("round", aNumber(1, math.MaxFloat64)), needs("answer", aString),
			may("verdict", aText), may("failed", anObject(needs("reason", aText)))))),
		needs("synthesis", anObject(
			needs("kind", aWord("none", "judge", "vote")), may("text", aText), may("verdict", aText), may("tally", aCount), may("judgeRunId", aText)))),
	CouncilBallot: anObject(needs("verdict", aText), needs("text", aText)).where(func(v *value.Value) bool {
		verdict := value.Trim(v.Get("verdict").Text)
		return len(verdict) <= 64 && !strings.Contains(verdict, "\n")
	}),
	DebuggerReport: anObject(
		needs("diagnosis", aText), needs("reproduction", aWord("reproduced", "not-reproduced", "unknown")), needs("evidence", texts)),
	ResearchReport: anObject(
		needs("source", aWord("local", "external")), needs("findings", aList(0, unbounded, anObject(needs("claim", aText), needs("evidence", aText)))),
	).where(func(v *value.Value) bool { return v.Get("source").Text == "local" }), // no network
	WorldKnowledgeReport: anObject(
		needs("discovery", aWord("performed", "caller-supplied-only", "unavailable")),
		needs("facts", aList(0, unbounded, anObject(needs("claim", aText), needs("evidence", aText), needs("sources", texts)))),
		needs("synthesis", texts), needs("uncertainties", texts), needs("followUpVerification", texts)),
	ProvenanceReport: anObject(needs("confirmedFacts", texts), needs("missingEvidence", texts), needs("nextInspections", texts)),
	OracleReport:     anObject(needs("verdict", aText), needs("challenge", aText), needs("changesMyMind", aText), needs("citedDecisions", texts)),
	DelegationPlan: anObject(needs("tasks", aList(1, unbounded, anObject(
		needs("id", aText), needs("agent", aText), needs("description", aText), needs("depends_on", texts), needs("writes", texts),
		may("mode", aWord("sequential", "parallel")))))),
	ContextHandbook: anObject(
		needs("projectName", aText), needs("identity", aText), needs("conventions", texts), needs("invariants", texts),
		needs("sections", aList(0, unbounded, anObject(needs("title", aText), needs("body", aText))))),
}

func allHold(checks *value.Value) bool {
	return all(checks.Items, func(c *value.Value) bool { return c.Get("passed").Bool })
}

// orderable says whether subtasks can be put in an order in which each comes
// after those that it depends on: of at most four, all orders are tried.
func orderable(v *value.Value) bool {
	var try func(done []string, left []*value.Value) bool
	try = func(done []string, left []*value.Value) bool {
		for i, s := range left {
			if ready(s, done) && try(append(done[:len(done):len(done)], s.Get("id").Text), slices.Delete(slices.Clone(left), i, i+1)) {
				return true
			}
		}
		return len(left) == 0
	}
	return try(nil, v.Items)
}

func ready(s *value.Value, done []string) bool {
	var seen []string
	for _, d := range s.Get("dependencies").Items {
		if !slices.Contains(done, d.Text) || slices.Contains(seen, d.Text) {
			return false
		}
		seen = append(seen, d.Text)
	}
	return !slices.Contains(done, s.Get("id").Text)
}

var (
	fencedPattern = regexp.MustCompile("(?s)```[A-Za-z0-9_-]*(.*?)```")
	bracedPattern = regexp.MustCompile(`(?s)\{.*\}`)
)

// tableAccepts says whether a text is a report of a kind, by the table.
func tableAccepts(kind Kind, text string) bool {
	trimmed := value.Trim(text)
	fenced := func() string {
		for _, block := range fencedPattern.FindAllStringSubmatch(trimmed, -1) {
			if content := value.Trim(block[1]); content != "" {
				return content
			}
		}
		return ""
	}
	whole, braced := func() string { return trimmed }, func() string { return bracedPattern.FindString(trimmed) }
	for _, candidate := range []func() string{whole, fenced, braced} {
		if v, err := value.ParseJSON("", []byte(candidate())); err == nil && v.Kind == value.Map {
			return table[kind].accepts(v)
		}
	}
	return false
}
