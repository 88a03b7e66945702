package strictyaml

import (
	"math/rand/v2"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/fleetgate/fleetgate/internal/value"
)

// yaml.v3 is the witness here: another author's writer, and another author's
// reader of what both readers agree on.

// words are strings that a writer must take care with. (None of several
// lines that starts with a space or an empty one: for those it writes an
// indentation that makes another text, by either reader.)
var words = []string{
	"", "a", "docs/", "two words", "1", "0x1", "true", "no", "null", "~", "- a", "a: b", "a #b", "#a", "'", "\"", "\\", "[a]", "{a}", "*a", "&a", "!a",
	"a\nb", "a\n", "a\n\n\nb\n", " a", "a ", "\ta", "a\tb", "é名", "😀", "\u2028", "\u0085", "\u00a0", "\ufeff", "\x01", "a\r\nb", "?", ": a", "a:", "%a", "@a", "`a", ",a", "2020-01-01", "<<", "=",
	strings.Repeat("long words ", 20), "---", "...", "-", "|", ">",
}

// randomTree makes a value of at most depth levels.
func randomTree(random *rand.Rand, depth int) any {
	switch n := random.IntN(10); {
	case n < 2 && depth > 0:
		list := []any{}
		for range random.IntN(4) {
			list = append(list, randomTree(random, depth-1))
		}
		return list
	case n < 5 && depth > 0:
		mapping := map[string]any{}
		for range random.IntN(4) {
			mapping[words[random.IntN(len(words))]] = randomTree(random, depth-1)
		}
		return mapping
	case n == 5:
		return random.IntN(2000) - 1000
	case n == 6:
		return random.Float64()
	case n == 7:
		return []any{true, false, nil}[random.IntN(3)]
	}
	return words[random.IntN(len(words))]
}

func TestWhatAnotherWriterWritesIsReadAsItWas(t *testing.T) {
	const trees = 3000
	random := rand.New(rand.NewPCG(1, 2))
	for range trees {
		tree := map[string]any{"root": randomTree(random, 4)}
		text, err := yaml.Marshal(tree)
		if err != nil {
			t.Fatal(err)
		}
		want, err := value.CanonicalGo(tree)
		if err != nil {
			t.Fatal(err)
		}
		got, found := Parse("f", text, codeInvalidYAML)
		if found != nil {
			t.Fatalf("%s\nis refused: %v", text, found)
		}
		if canonical := value.Canonical(got); string(canonical) != string(want) {
			t.Fatalf("%s\nreads as %s, want %s", text, canonical, want)
		}
	}
}

func TestPlacesAgreeWithAnotherReader(t *testing.T) {
	_, block, _ := strings.Cut(contract, "---\n")
	block, _, _ = strings.Cut(block, "---\n")
	ours, found := Parse("f", []byte(block), codeInvalidYAML)
	if found != nil {
		t.Fatal(found)
	}
	var theirs yaml.Node
	if err := yaml.Unmarshal([]byte(block), &theirs); err != nil {
		t.Fatal(err)
	}
	if places := comparePlaces(t, ours, theirs.Content[0]); places < 30 {
		t.Errorf("only %d places were compared", places)
	}
}

func comparePlaces(t *testing.T, ours *value.Value, theirs *yaml.Node) (places int) {
	t.Helper()
	if ours.Pos.Line != theirs.Line || ours.Pos.Column != theirs.Column {
		t.Errorf("%s %s at %v, elsewhere %d:%d", ours.Kind, ours.Text, ours.Pos, theirs.Line, theirs.Column)
	}
	places++
	for i, item := range ours.Items {
		places += comparePlaces(t, item, theirs.Content[i])
	}
	for i, m := range ours.Members {
		key := theirs.Content[2*i]
		if m.KeyPos.Line != key.Line || m.KeyPos.Column != key.Column {
			t.Errorf("key %s at %v, elsewhere %d:%d", m.Key, m.KeyPos, key.Line, key.Column)
		}
		places += 1 + comparePlaces(t, m.Value, theirs.Content[2*i+1])
	}
	return places
}
