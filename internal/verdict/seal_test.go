package verdict

import (
	"crypto/sha256"
	"encoding/hex"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/value"
)

func TestSealedVerdictDoesNotDependOnTheOrderOfDiscovery(t *testing.T) {
	other := sample()
	slices.Reverse(other.Diagnostics)
	slices.Reverse(other.MergeBases)
	slices.Reverse(other.Trusted)
	if diff := cmp.Diff(string(written(t, sealed(t, sample()))), string(written(t, sealed(t, other)))); diff != "" {
		t.Error(diff)
	}
}

func TestSealingTwiceChangesNothing(t *testing.T) {
	once := sealed(t, sample())
	if diff := cmp.Diff(once, sealed(t, once)); diff != "" {
		t.Error(diff)
	}
}

func TestDigestIsOfTheCanonicalDocumentWithoutIt(t *testing.T) {
	for name, v := range map[string]Verdict{"full": sample(), "empty": {Word: Passed}} {
		v := sealed(t, v)
		document, err := value.ParseJSON("", written(t, v))
		if err != nil {
			t.Fatal(err)
		}
		document.Members = slices.DeleteFunc(document.Members, func(m value.Member) bool { return m.Key == "digest" })
		sum := sha256.Sum256(value.Canonical(document))
		if got := hex.EncodeToString(sum[:]); got != v.Digest {
			t.Errorf("%s: digest is %s, but the document's is %s", name, v.Digest, got)
		}
	}
}

// Every field is part of the digest, but for the digest itself and observe mode.
func TestEveryFieldChangesTheDigest(t *testing.T) {
	want := sealed(t, sample()).Digest
	fields := reflect.TypeFor[Verdict]()
	for i := range fields.NumField() {
		name := fields.Field(i).Name
		v := sample()
		reflect.ValueOf(&v).Elem().Field(i).Set(changed(t, reflect.ValueOf(v).Field(i)))
		if v.Word == Passed {
			v.Word = Undecided
			v.Diagnostics = nil
		}
		got := sealed(t, v).Digest
		if free := name == "Digest" || name == "Observe"; (got == want) != free {
			t.Errorf("%s: digest changed: %v", name, got != want)
		}
	}
}

// changed gives another value of a field.
func changed(t *testing.T, field reflect.Value) reflect.Value {
	t.Helper()
	other := reflect.New(field.Type()).Elem()
	switch x := field.Interface().(type) {
	case string:
		other.SetString(x + "x")
	case Word:
		other.Set(reflect.ValueOf(Passed))
	case Assurance:
		other.Set(reflect.ValueOf(SelfDeclared))
	case bool:
		other.SetBool(!x)
	case *Audit:
		other.Set(reflect.ValueOf(&Audit{Since: x.Since, SinceDate: x.SinceDate}))
	case *Results:
		other.Set(reflect.ValueOf(&Results{Pattern: x.Pattern, Required: x.Required, Files: x.Files[1:]}))
	case Counts:
		other.Set(reflect.ValueOf(Counts{Judged: x.Judged + 1}))
	default:
		if field.Kind() != reflect.Slice || field.Len() == 0 {
			t.Fatalf("no other value of %s", field.Type())
		}
		other.Set(field.Slice(1, field.Len()))
	}
	return other
}

func TestSealCounts(t *testing.T) {
	want := Counts{Commits: 3, Claimed: 2, Judged: 2, Imported: 1, Errors: 1, Notes: 1}
	if diff := cmp.Diff(want, sealed(t, sample()).Counts); diff != "" {
		t.Error(diff)
	}
}

func TestSealRefusesAContradiction(t *testing.T) {
	wrong := []diag.Diagnostic{{Code: "boundary-outside", Severity: diag.Error}}
	for name, v := range map[string]Verdict{
		"passed with an error":      {Word: Passed, Diagnostics: wrong},
		"passed with a part unread": {Word: Passed, Incomplete: true},
		"undecided with an error":   {Word: Undecided, Diagnostics: wrong},
		"no word":                   {},
		"another word":              {Word: "green"},
	} {
		if err := v.Seal(); err == nil {
			t.Errorf("%s is sealed", name)
		}
	}
}

func TestDecide(t *testing.T) {
	note, warning, failure := []diag.Diagnostic{{Severity: diag.Note}}, []diag.Diagnostic{{Severity: diag.Warning}}, []diag.Diagnostic{{Severity: diag.Note}, {Severity: diag.Error}}
	for _, c := range []struct {
		name       string
		found      []diag.Diagnostic
		complete   bool
		failOn     diag.Severity
		want       Word
		incomplete bool
	}{
		{"nothing found, all read", nil, true, 0, Passed, false},
		{"nothing found, not all read", nil, false, 0, Undecided, true},
		{"an error beats what was not read", failure, false, 0, Failed, true},
		{"an error", failure, true, diag.Error, Failed, false},
		{"a warning passes", warning, true, diag.Error, Passed, false},
		{"a warning fails where it shall", warning, true, diag.Warning, Failed, false},
		{"a note never fails", note, true, diag.Warning, Passed, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			word, incomplete := Decide(c.found, c.complete, c.failOn)
			if word != c.want || incomplete != c.incomplete {
				t.Errorf("%s, incomplete %v; want %s, incomplete %v", word, incomplete, c.want, c.incomplete)
			}
		})
	}
}

func TestFleetWritesAreTheUnionOfItsSteps(t *testing.T) {
	if diff := cmp.Diff([]string{"README.md", "docs/"}, sample().Fleets[0].Writes()); diff != "" {
		t.Error(diff)
	}
}
