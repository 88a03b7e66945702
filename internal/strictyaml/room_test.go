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
