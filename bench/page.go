package main

import (
	"cmp"
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
held against ` + "`git log --raw -z --no-renames`" + ` of the same range on the same clone, and against other programs where a row names
them. The gate is built as a release is. The two ran in turn; ratios are of medians of whole processes, and less than 1
is faster than the other. "At most" is what a row should take, as a ratio of the times unless it says otherwise; a row
that takes more is marked.

` + "`git diff --name-only`" + ` alone, in a shell, is faster than the gate for a handful of commits: it answers less.

In a history of many merges the range itself costs most: the gate reads on to the oldest fork point, so that no commit's date
can hide another, and git stops by dates. A commit-graph spares most of that. A build guided by a profile was no faster
beyond what runs differ by, so none is used.

Before each row of a range, the gate's count of commits was held against git's, and its list of changes against git's;
"same" is the beginning of the SHA-256 of the list that both gave. It leaves out merges, of which the gate lists what they
decide and git log nothing, and commits of a history that was merged in whole, which it doesn't judge. Another action's list of files was held against git's,
too; it lists the files of the whole pull request, and reads no commit. Where a clone has no policy, BASE is one commit
more that adds one, in a repository that borrows the clone's objects.

Make it on your own clone: ` + "`go run ./bench measure NAME=DIR`" + `; the synthetic repositories: ` + "`go run ./bench generate KIND DIR`" + `.
The rows against other actions, and of recipes, need their scripts and the npm package yaml: ` + "`-peer`, `-recipes` and `-yaml`" + `.
That both list the same over a whole history: ` + "`go run ./bench equal NAME=DIR`" + `, and ` + "`go run ./bench revlist NAME=DIR`" + ` for the
commits of random ranges.

`

// page is docs/performance.md.
func (b *bench) page() string {
	var out strings.Builder
	out.WriteString(pageHead)
	fmt.Fprintf(&out, "Machine: %d cores, %s, %s/%s; %s; each ran %d times.\n\n", runtime.NumCPU(), memory(), runtime.GOOS, runtime.GOARCH, strings.Join(b.versions(), ", "), b.runs)
	out.WriteString("| repository | work | against | gate | other | time, ratio | at most | CPU, ratio | peak, gate | peak, other | same |\n|---|---|---|---|---|---|---|---|---|---|---|\n")
	for _, r := range b.rows {
		fmt.Fprintf(&out, "| %s | %s | %s | %s | %s | %.2f | %s | %.2f | %s | %s | %.12s |\n",
			cmp.Or(r.repository, "none"), r.work, r.against, rounded(r.ours.wall), rounded(r.theirs.wall), ratio(r.ours.wall, r.theirs.wall), r.cell(),
			ratio(r.ours.cpu, r.theirs.cpu), mebibytes(r.ours.peak), mebibytes(r.theirs.peak), r.digest)
	}
	out.WriteString("\nThe commands; DIR is the clone, BASE a commit from which the range has that many, TOPIC that of the branch topic:\n\n")
	shown := map[string]bool{}
	for _, r := range b.rows {
		line := "- " + r.work + ": " + r.shown() + "\n"
		if !shown[line] {
			out.WriteString(line)
		}
		shown[line] = true
	}
	return out.String()
}

// shown are a row's two commands without the machine's own paths and a clone's
// own commits.
func (r row) shown() string {
	text := fmt.Sprintf("`%s` and `%s`", r.ours.shown(), r.theirs.shown())
	if r.note != "" {
		text += "; " + r.note
	}
	for i, arg := range r.ours.args {
		switch {
		case arg == "--base":
			text = strings.ReplaceAll(text, r.ours.args[i+1], "BASE")
		case arg == "--head" && r.ours.args[i+1] != "HEAD":
			text = strings.ReplaceAll(text, r.ours.args[i+1], "TOPIC")
		}
	}
	return text
}

func (s side) shown() string {
	var plain []string
	for i, arg := range s.args {
		switch {
		case i == 0 && arg != "git" && arg != "node":
			arg = "fleetgate"
		case i > 0 && (s.args[i-1] == "-C" || s.args[i-1] == "--repo"):
			arg = "DIR"
		case filepath.IsAbs(arg):
			arg = filepath.Base(arg)
		}
		plain = append(plain, arg)
	}
	return strings.Join(plain, " ")
}

func rounded(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000) }

func mebibytes(n int64) string {
	const mebibyte = 1 << 20
	return fmt.Sprintf("%d MiB", (n+mebibyte/2)/mebibyte)
}

// versions are those of the programs that ran.
func (b *bench) versions() []string {
	all := []string{runtime.Version(), firstLine("git", "--version")}
	for _, r := range b.rows {
		if r.theirs.args[0] == "node" {
			return append(all, "node "+firstLine("node", "--version"))
		}
	}
	return all
}

func firstLine(args ...string) string {
	out, err := exec.Command(args[0], args[1:]...).Output()
	if err != nil {
		return args[0] + " of an unknown version"
	}
	line, _, _ := strings.Cut(string(out), "\n")
	return line
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
