package strictyaml

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/value"
)

// A reading leaves its room to the next one: neither what it found nor where
// it broke off may show there.
func TestARoomThatWasUsedBeforeChangesNothing(t *testing.T) {
	texts := []string{
		"a: 1\nb: [x, {c: d}, e: f]\n",
		"a: 1\na: 2\n",
		"{a: 1, 1: a, '1': b, true: c}",
		"? [a, b]\n: |\n  text\n",
		"a: [1, 2\nb: 3\n",
		"- &x a\n- *x\n- {k: *x}\n",
		"a:\n  b:\n    c: [[[]]]\n  b: 1\n",
		numberedKeys(few + 1), numberedKeys(maxRoom / 2), numberedKeys(few) + "k1: again\n",
		moreIDsThanTexts(), moreTextsThanIDs(),
		strings.Repeat("[", MaxDepth+1),
		"",
	}
	type outcome struct {
		value *value.Value
		found []diag.Diagnostic
	}
	read := func(text string) outcome {
		v, found := Parse("f.yaml", []byte(text), codeInvalidYAML)
		return outcome{v, found}
	}
	var alone []outcome
	for _, text := range texts {
		rooms = sync.Pool{New: rooms.New}
		alone = append(alone, read(text))
	}
	for i := range texts {
		for j := range texts {
			read(texts[j])
			if diff := cmp.Diff(alone[i], read(texts[i]), cmp.AllowUnexported(outcome{})); diff != "" {
				t.Fatalf("%.40q behind %.40q (-alone +behind):\n%s", texts[i], texts[j], diff)
			}
		}
	}
}

// moreIDsThanTexts makes keys that are numbers, and the same as texts.
func moreIDsThanTexts() string {
	var text strings.Builder
	for i := range few/2 + 1 {
		fmt.Fprintf(&text, "%d: v\n'%d': v\n", i, i)
	}
	return text.String()
}

// moreTextsThanIDs makes keys that are aliases.
func moreTextsThanIDs() string {
	var anchors, keys strings.Builder
	for i := range few + 1 {
		fmt.Fprintf(&anchors, "- &a%d k%d\n", i, i)
		fmt.Fprintf(&keys, "*a%d : v, ", i)
	}
	return anchors.String() + "- {" + keys.String() + "}\n"
}

// A room serves one reading at a time.
func TestTextsAreReadAtOnce(t *testing.T) {
	texts := []string{"a: {b: [c, d]}\n", numberedKeys(few), "[1, {x: y}, [z]]", "a: [1\n"}
	want := make([]*value.Value, len(texts))
	for i, text := range texts {
		want[i], _ = Parse("f", []byte(text), codeInvalidYAML)
	}
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for j := range 200 {
				k := (i + j) % len(texts)
				if got, _ := Parse("f", []byte(texts[k]), codeInvalidYAML); !cmp.Equal(want[k], got) {
					t.Errorf("%q reads otherwise beside others", texts[k])
					return
				}
			}
		})
	}
	all.Wait()
}

func numberedKeys(n int) string {
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, "k%d: v\n", i)
	}
	return text.String()
}

func TestATableKnowsItsKeysHoweverManyThereAre(t *testing.T) {
	var table table[int, string]
	for i := range 3 * few {
		if _, known := table.get(i); known {
			t.Fatalf("%d is known before it was put", i)
		}
		table.put(i, fmt.Sprint(i))
		for j := range i + 1 {
			if got, known := table.get(j); !known || got != fmt.Sprint(j) {
				t.Fatalf("of %d keys, %d gives %q, %t", i+1, j, got, known)
			}
		}
	}
}
