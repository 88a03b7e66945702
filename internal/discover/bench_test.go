package discover

import (
	"fmt"
	"testing"
	"testing/fstest"
)

// BenchmarkLoad discovers 10,000 recipes of one project: listed, read, parsed,
// policed, fingerprinted, merged and put in order.
func BenchmarkLoad(b *testing.B) {
	const recipes = 10_000
	tree := fstest.MapFS{}
	for i := range recipes {
		tree[fmt.Sprintf(".clio-coder/agents/agent-%05d.md", i)] = &fstest.MapFile{Data: []byte(writer1)}
	}
	b.ReportAllocs()
	for b.Loop() {
		set, err := Load(b.Context(), tree, Options{})
		if err != nil || len(set.Agents) != recipes || len(set.Found) > 0 {
			b.Fatalf("%d recipes, %d findings, error %v", len(set.Agents), len(set.Found), err)
		}
	}
	b.ReportMetric(recipes*float64(b.N)/b.Elapsed().Seconds(), "recipes/s")
}
