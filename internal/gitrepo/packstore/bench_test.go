package packstore

import "testing"

// packed makes a repository of one pack with deltas, and gives its objects.
func packed(b *testing.B) (*Store, []object) {
	b.Helper()
	dir := history(b, 500)
	git(b, dir, "repack", "-q", "-a", "-d", "-f", "--depth=50")
	return openStore(b, dir), allObjects(b, dir)
}

// BenchmarkLocate finds every object of a pack in its index.
func BenchmarkLocate(b *testing.B) {
	s, all := packed(b)
	b.ReportAllocs()
	for b.Loop() {
		for i := range all {
			if _, _, err := s.locate(all[i].id); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(len(all)), "objects")
}

// BenchmarkResolve inflates every object of a pack and resolves its deltas,
// with a cache that is empty at first.
func BenchmarkResolve(b *testing.B) {
	s, all := packed(b)
	bytes := int64(0)
	for i := range all {
		bytes += int64(len(all[i].content))
	}
	b.SetBytes(bytes)
	b.ReportAllocs()
	for b.Loop() {
		reader := s.Reader()
		for i := range all {
			if _, content, err := reader.View(all[i].id, MaxObjectBytes); err != nil || len(content) != len(all[i].content) {
				b.Fatal(len(content), err)
			}
		}
	}
	b.ReportMetric(float64(len(all)), "objects")
}
