package main

import (
	"fmt"
	"os"
	"os/exec"
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

Aimed for are ratios of at most 2.0 for 1 commit of a repository of 5,000 files or more, 1.5 for 20, 1.0 for 200, 0.9 for
1,000 and 0.7 for 5,000; 0.6 and 160 MiB for 2,000 commits of 500,000 files; 1.4 (2 with a commit-graph) where the base is
50,000 commits ahead; 2.5 for start-up; and a peak of 1.5 times git's. A row above its aim has missed it.

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
	plain := append([]string{"fleetgate"}, args[1:]...)
	if args[0] == "git" {
		plain[0] = "git"
	}
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
