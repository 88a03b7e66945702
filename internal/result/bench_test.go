package result

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
)

// BenchmarkReports validates 10,000 reports of 4 KiB: mutation reports against
// what was written, and scout reports against files and reads.
func BenchmarkReports(b *testing.B) {
	const reports, size = 10_000, 4 << 10
	files := NewTree("/ws", fstest.MapFS{"src/a.go": {Data: []byte(strings.Repeat("line\n", 1000))}})
	effects := &Effects{Written: []string{"src/a.go"}, Validations: []string{"go test"}}
	runs := map[Kind]Run{
		MutationReport: {Output: fill(size, `{"mutatedPaths":["src/a.go"],"validations":[`, `{"name":"t%d","passed":true,"evidence":"exited 0"}`, `]}`), Effects: effects},
		ScoutReport:    {Output: fill(size, `{"findings":[`, `{"claim":"c%d","path":"src/a.go","line":7}`, `],"needsSplit":false,"proposedSubtasks":[]}`), Reads: Reads{"src/a.go": {{1, 50}}}},
	}
	for _, kind := range []Kind{MutationReport, ScoutReport} {
		run := runs[kind]
		run.Contract, run.Dir, run.Files = Contract{Kind: kind}, "/ws", files
		b.Run(string(kind), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(reports * len(run.Output)))
			for b.Loop() {
				files.left = MaxReadBytes
				for range reports {
					if out := Validate(run); out.Conformance != Pass {
						b.Fatal(out.Reason)
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*reports), "µs/report")
		})
	}
}

// fill repeats an entry until the text has about size bytes.
func fill(size int, head, entry, tail string) string {
	var text strings.Builder
	text.WriteString(head)
	for i := 0; text.Len() < size-len(tail)-len(entry); i++ {
		if i > 0 {
			text.WriteByte(',')
		}
		fmt.Fprintf(&text, entry, i)
	}
	return text.String() + tail
}
