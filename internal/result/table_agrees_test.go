package result

import (
	"flag"
	"testing"
)

var tableTexts = flag.Int("result.n", 0, "how many generated texts the table and Validate are compared on (0: 200,000, or 20,000 with -short)")

// jsonKinds are the kinds that the table has, sorted.
func jsonKinds() []Kind {
	var kinds []Kind
	for _, kind := range Kinds() {
		if _, ok := table[kind]; ok {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// everywhere is a file system in which every path is a directory, so that every citation grounds.
type everywhere struct{}

func (everywhere) ReadFile(string) (string, bool) { return "", false }
func (everywhere) IsDirectory(string) bool        { return true }

// strictly says whether Validate accepts a text, and not only as degraded.
func strictly(kind Kind, text string) (accepted bool, out Outcome) {
	out = Validate(Run{Contract: Contract{Kind: kind}, Output: text, Dir: "/", Files: everywhere{}})
	return out.Conformance == Pass && (out.Scout == nil || !out.Scout.Degraded), out
}

func TestTableAgreesWithValidate(t *testing.T) {
	n := *tableTexts
	switch {
	case n == 0 && testing.Short():
		n = 20_000
	case n == 0:
		n = 200_000
	}
	r, kinds := newRandom(20260101), jsonKinds()
	accepted, degraded := map[Kind]int{}, 0
	for i := range n {
		kind := kinds[i%len(kinds)]
		text := r.report(kind)
		got, out := strictly(kind, text)
		if want := tableAccepts(kind, text); got != want {
			t.Fatalf("text %d, a %s: the table says %t, Validate says %t (%s %s)\n%q", i, kind, want, got, out.Code, out.Reason, text)
		}
		switch {
		case got:
			accepted[kind]++
		case out.Conformance == Pass:
			degraded++
		}
	}
	for _, kind := range kinds {
		share := 100 * accepted[kind] / (n / len(kinds))
		if share < 5 || share > 80 {
			t.Errorf("%d%% of the texts for %s are accepted: the generator no longer tests much", share, kind)
		}
		t.Logf("%-22s %d of %d accepted", kind, accepted[kind], n/len(kinds))
	}
	t.Logf("%d texts, 0 differences; %d scout reports more were accepted as degraded", n, degraded)
}

func FuzzValidate(f *testing.F) {
	r := newRandom(1)
	for i, kind := range jsonKinds() {
		f.Add(uint8(i), Shape(Contract{Kind: kind}))
		f.Add(uint8(i), r.report(kind))
	}
	f.Fuzz(func(t *testing.T, which uint8, text string) {
		kinds := jsonKinds()
		kind := kinds[int(which)%len(kinds)]
		got, out := strictly(kind, text)
		if want := tableAccepts(kind, text); got != want {
			t.Errorf("a %s: the table says %t, Validate says %t (%s %s)", kind, want, got, out.Code, out.Reason)
		}
		if out.Conformance == Fail && (out.Reason == "" || out.Code == "") {
			t.Errorf("a failure without a reason: %+v", out)
		}
		ReadAuthorship(Contract{Kind: MutationReport}, text)
	})
}
