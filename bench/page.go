package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

const pageHead = `# Performance

What the gate takes for a range of commits (every commit of it with its trailers and its changes, and the net difference),
held against ` + "`git log --raw -z --no-renames`" + ` of the same range on the same clone; the range whose base is far ahead against
` + "`git rev-list --count`" + `. The two ran in turn; ratios are of medians of whole processes, and less than 1 is faster than git.
` + "`git diff --name-only`" + ` alone, in a shell, is faster than either for a handful of commits: it answers less.

Before each row, the gate's count of commits was held against git's, and its list of changes against git's; "same" is the
beginning of the SHA-256 of the list that both gave.

Make it on your own clone: ` + "`go run ./bench measure NAME=DIR`" + `; the synthetic repositories: ` + "`go run ./bench generate KIND DIR`" + `.

`

// page is docs/performance.md.
func (b *bench) page() string {
	var out strings.Builder
	out.WriteString(pageHead)
	fmt.Fprintf(&out, "Machine: %d cores, %s, %s/%s, %s, %s; %d runs of each.\n\n", runtime.NumCPU(), memory(), runtime.GOOS, runtime.GOARCH, runtime.Version(), gitVersion(), b.runs)
	out.WriteString("| repository | range | gate | git | time, ratio | CPU, ratio | peak, gate | peak, git | same |\n|---|---|---|---|---|---|---|---|---|\n")
	for _, r := range b.rows {
		fmt.Fprintf(&out, "| %s | %s | %s | %s | %.2f | %.2f | %s | %s | %.12s |\n", r.repository, r.work, rounded(r.ours.wall), rounded(r.theirs.wall),
			ratio(r.ours.wall, r.theirs.wall), ratio(r.ours.cpu, r.theirs.cpu), mebibytes(r.ours.peak), mebibytes(r.theirs.peak), r.digest)
	}
	out.WriteString("\nThe commands, `DIR` being the clone, and `BASE` the commit that many before its head:\n\n")
	for _, r := range b.rows {
		fmt.Fprintf(&out, "- %s, %s: `%s` and `%s`\n", r.repository, r.work, shown(r.commands[0]), shown(r.commands[1]))
	}
	return out.String()
}

// shown is a command without the machine's own paths.
func shown(args []string) string {
	plain := append([]string{filepath.Base(args[0])}, args[1:]...)
	for i := 1; i < len(plain); i++ {
		if plain[i-1] == "-C" || plain[i-1] == "--repo" {
			plain[i] = "DIR"
		}
	}
	return strings.Join(plain, " ")
}

func ratio(a, b time.Duration) float64 { return float64(a) / float64(max(b, 1)) }

func rounded(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000) }

func mebibytes(n int64) string {
	const mebibyte = 1 << 20
	return fmt.Sprintf("%d MiB", (n+mebibyte/2)/mebibyte)
}

func gitVersion() string {
	out, err := exec.Command("git", "--version").Output()
	if err != nil {
		return "git of an unknown version"
	}
	return strings.TrimSpace(string(out))
}

// memory is what the system has, where it says so.
func memory() string {
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return "memory unknown"
	}
	var kib int64
	if _, err := fmt.Sscanf(string(text), "MemTotal: %d", &kib); err != nil {
		return "memory unknown"
	}
	const inGib = 1 << 20
	return fmt.Sprintf("%d GiB", (kib+inGib/2)/inGib)
}
