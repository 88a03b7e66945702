package verdict

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/diag"
)

// schema is the part of JSON Schema that docs/verdict.schema.json uses. Any
// other keyword in it is refused by readSchema.
type schema struct {
	Schema      string             `json:"$schema"`
	ID          string             `json:"$id"`
	Title       string             `json:"title"`
	Description string             `json:"description"`
	Ref         string             `json:"$ref"`
	Defs        map[string]*schema `json:"$defs"`
	Type        string             `json:"type"`
	Const       any                `json:"const"`
	Enum        []any              `json:"enum"`
	Pattern     string             `json:"pattern"`
	Minimum     *float64           `json:"minimum"`
	Required    []string           `json:"required"`
	Properties  map[string]*schema `json:"properties"`
	Items       *schema            `json:"items"`
}

func readSchema(t *testing.T) *schema {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "docs", "verdict.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in := json.NewDecoder(f)
	in.DisallowUnknownFields()
	var s schema
	if err := in.Decode(&s); err != nil {
		t.Fatal(err)
	}
	return &s
}

// breaks lists where v is not what s says. It is stricter than the schema in
// one thing: readers must allow for new members, ours must be named.
func (s *schema) breaks(root *schema, at string, v any) []string {
	if name, ok := strings.CutPrefix(s.Ref, "#/$defs/"); ok {
		return root.Defs[name].breaks(root, at, v)
	}
	var wrong []string
	fail := func(format string, args ...any) { wrong = append(wrong, at+": "+fmt.Sprintf(format, args...)) }
	if s.Const != nil && s.Const != v {
		fail("%v is not %v", v, s.Const)
	}
	if s.Enum != nil && !slices.Contains(s.Enum, v) {
		fail("%v is none of %v", v, s.Enum)
	}
	switch v := v.(type) {
	case string:
		if s.Type != "" && s.Type != "string" || s.Pattern != "" && !regexp.MustCompile(s.Pattern).MatchString(v) {
			fail("%q is no %s %s", v, s.Type, s.Pattern)
		}
	case float64:
		if s.Type != "integer" || s.Minimum != nil && v < *s.Minimum {
			fail("%v is no %s", v, s.Type)
		}
	case bool:
		if s.Type != "boolean" {
			fail("%v is no %s", v, s.Type)
		}
	case []any:
		if s.Type != "array" {
			fail("a list is no %s", s.Type)
			break
		}
		for i, item := range v {
			wrong = append(wrong, s.Items.breaks(root, fmt.Sprintf("%s[%d]", at, i), item)...)
		}
	case map[string]any:
		wrong = append(wrong, s.objectBreaks(root, at, v)...)
	default:
		fail("%v has no type", v)
	}
	return wrong
}

func (s *schema) objectBreaks(root *schema, at string, v map[string]any) []string {
	var wrong []string
	for _, key := range s.Required {
		if _, ok := v[key]; !ok {
			wrong = append(wrong, at+" lacks "+key)
		}
	}
	for key, item := range v {
		property, ok := s.Properties[key]
		if !ok {
			wrong = append(wrong, at+" has "+key)
			continue
		}
		wrong = append(wrong, property.breaks(root, at+"."+key, item)...)
	}
	return wrong
}

func TestVerdictsKeepTheSchema(t *testing.T) {
	s := readSchema(t)
	for name, v := range map[string]Verdict{
		"full": sample(),
		"lint": {Word: Passed, Command: "lint", Assurance: SelfDeclared, Reason: "clean"},
	} {
		if wrong := s.breaks(s, name, decoded(t, written(t, sealed(t, v)))); len(wrong) > 0 {
			t.Error(strings.Join(wrong, "\n"))
		}
	}
}

func TestSchemaRefusesWhatIsNoVerdict(t *testing.T) {
	s := readSchema(t)
	for name, spoil := range map[string]func(document map[string]any){
		"a missing member": func(d map[string]any) { delete(d, "counts") },
		"another member":   func(d map[string]any) { d["extra"] = true },
		"another word":     func(d map[string]any) { d["verdict"] = "green" },
		"a null list":      func(d map[string]any) { d["trusted"] = nil },
		"a short id":       func(d map[string]any) { d["head"] = "abc" },
		"a deep one": func(d map[string]any) {
			d["diagnostics"].([]any)[0].(map[string]any)["related"].([]any)[0].(map[string]any)["line"] = 0.0
		},
	} {
		document := decoded(t, written(t, sealed(t, sample())))
		spoil(document)
		if len(s.breaks(s, "", document)) != 1 {
			t.Errorf("%s: %v", name, s.breaks(s, "", document))
		}
	}
}

// The schema names exactly the members that the wire format can have.
func TestSchemaNamesEveryMember(t *testing.T) {
	s := readSchema(t)
	checkMembers(t, s, "verdict", verdictObject)
	checkMembers(t, s.Properties["counts"], "counts", countsObject)
	checkMembers(t, s.Defs["commit"], "commit", commitObject)
	checkMembers(t, s.Defs["change"], "change", changeObject)
	checkMembers(t, s.Defs["fleet"], "fleet", fleetObject)
	checkMembers(t, s.Defs["step"], "step", stepObject)
	checkMembers(t, s.Defs["edge"], "edge", edgeObject)
	checkMembers(t, s.Properties["audit"], "audit", auditObject)
	checkMembers(t, s.Properties["results"], "results", resultsObject)
	checkMembers(t, s.Defs["resultFile"], "resultFile", resultFileObject)
	checkMembers(t, s.Defs["moment"], "moment", momentObject)
	checkMembers(t, s.Defs["diagnostic"], "diagnostic", diagnosticObject)
	checkMembers(t, s.Defs["related"], "related", relatedObject)
	checkMembers(t, s.Defs["end"], "end", endObject)
}

func checkMembers[T any](t *testing.T, s *schema, name string, o *object[T]) {
	t.Helper()
	var keys, required []string
	for _, m := range o.members {
		keys = append(keys, m.key)
		if m.when == nil || m.key == "digest" {
			required = append(required, m.key)
		}
	}
	named := []string{}
	for key := range s.Properties {
		named = append(named, key)
	}
	slices.Sort(named)
	slices.Sort(keys)
	if diff := cmp.Diff(keys, named); diff != "" {
		t.Errorf("properties of %s: %s", name, diff)
	}
	if diff := cmp.Diff(required, s.Required); diff != "" {
		t.Errorf("required of %s: %s", name, diff)
	}
}

// A field that is added to a finding must be added to its wire format too.
func TestEveryFieldOfAFindingIsOnTheWire(t *testing.T) {
	const known = "Code Severity Rev Pos End Field Message Hint Related Commit Path Step"
	fields := reflect.TypeFor[diag.Diagnostic]()
	for i := range fields.NumField() {
		if !slices.Contains(strings.Fields(known), fields.Field(i).Name) {
			t.Errorf("diag.Diagnostic has the new field %s", fields.Field(i).Name)
		}
	}
}
