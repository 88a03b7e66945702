package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// The most memory, in bytes, that a run over hostile input may ever hold, by
// the name that scripts give it. The bounds are generous: they catch what
// grows with the input's claims instead of its size.
var peakBounds = map[string]int64{
	"policy":  512 << 20,  // a policy file, a folder of them, a payload
	"history": 1024 << 20, // a range with a hundred thousand paths, and its report
}

// peakTimeout is how long such a run may take, on a busy machine. A hang must
// not look like patience.
const peakTimeout = 2 * time.Minute

func init() {
	scriptCommands["peak"] = peakCommand
	scriptCommands["generate"] = generateCommand
	scriptCommands["treebomb"] = treebombCommand
}

// peakCommand (peak BOUND EXIT ARGS...) runs fleetgate ARGS in a process of its
// own, prints the most memory that it held, and wants the exit code, the bound
// and no panic. Its output is there for the commands that follow.
func peakCommand(ts *testscript.TestScript, neg bool, args []string) {
	refuse(ts, neg || len(args) < 3, "peak BOUND EXIT ARGS...")
	bound, known := peakBounds[args[0]]
	refuse(ts, !known, "peak policy|history EXIT ARGS...")
	report := ts.MkAbs(".tmp/peak")
	err := ts.Exec("measured", append([]string{report}, args[2:]...)...)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		ts.Fatalf("fleetgate did not run: %v", err)
	}
	peak, took := readPeak(ts, report)
	ts.Logf("peak %4d MiB of %d, %.1f s, exit code %s: fleetgate %s", peak>>20, bound>>20, took.Seconds(), args[1], strings.Join(args[2:], " "))
	code := 0
	if exit != nil {
		code = exit.ExitCode()
	}
	stderr := ts.ReadFile("stderr")
	switch {
	case strconv.Itoa(code) != args[1]:
		ts.Fatalf("exit code %d, want %s", code, args[1])
	case peak > bound:
		ts.Fatalf("it held %d bytes, more than %d", peak, bound)
	case strings.Contains(stderr, "internal error") || strings.Contains(stderr, "goroutine "):
		ts.Fatalf("it broke: %s", stderr)
	case strings.Count(stderr, "\n") > 1 || len(stderr) > 1000:
		ts.Fatalf("standard error is no single line:\n%s", stderr)
	}
}

func readPeak(ts *testscript.TestScript, report string) (peak int64, took time.Duration) {
	var milliseconds int64
	_, err := fmt.Sscan(ts.ReadFile(report), &peak, &milliseconds)
	ts.Check(err)
	return peak, time.Duration(milliseconds) * time.Millisecond
}

// raceDetector says whether the tests were built with it.
func raceDetector() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}

// measured (measured REPORT ARGS...) is a program of its own: it runs fleetgate
// ARGS as its child, hands on what it says, and writes its peak memory in bytes
// and its milliseconds to a file.
func measured() {
	ctx, cancel := context.WithTimeout(context.Background(), peakTimeout)
	defer cancel()
	child := exec.CommandContext(ctx, "fleetgate", os.Args[2:]...)
	child.Stdin, child.Stdout, child.Stderr = os.Stdin, os.Stdout, os.Stderr
	start := time.Now()
	if err := child.Run(); err != nil && child.ProcessState == nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(127)
	}
	text := fmt.Sprintln(peakMemory(child.ProcessState), time.Since(start).Milliseconds())
	if err := os.WriteFile(os.Args[1], []byte(text), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(127)
	}
	os.Exit(child.ProcessState.ExitCode()) // -1, so 255, where it was killed
}

// generateCommand (generate KIND FILE [SIZE] [ARG...]) appends generated
// text to a file, which it makes where there is none. SIZE is a number, or
// `many` or `large`, which are smaller under -short.
func generateCommand(ts *testscript.TestScript, neg bool, args []string) {
	refuse(ts, neg || len(args) < 3, "generate KIND FILE SIZE [ARG...]")
	if args[0] == "folder" {
		generateFolder(ts, ts.MkAbs(args[1]), size(ts, args[2]), args[3], ts.MkAbs(args[4]))
		return
	}
	write, known := generators[args[0]]
	if !known {
		ts.Fatalf("nothing is known of the kind %q", args[0])
	}
	file, err := os.OpenFile(ts.MkAbs(args[1]), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	ts.Check(err)
	defer file.Close()
	out := bufio.NewWriterSize(file, 1<<20)
	write(out, size(ts, args[2]), args[3:])
	ts.Check(out.Flush())
}

// linksPerFile keeps below what a file system allows one file.
const linksPerFile = 30_000

// generateFolder makes n files of one content, named by a prefix, a number and a suffix.
func generateFolder(ts *testscript.TestScript, prefix string, n int, suffix, like string) {
	content, err := os.ReadFile(like)
	ts.Check(err)
	for i := range n {
		name := fmt.Sprint(prefix, i, suffix)
		if i%linksPerFile == 0 {
			ts.Check(os.WriteFile(name, content, 0o644))
			continue
		}
		ts.Check(os.Link(fmt.Sprint(prefix, i/linksPerFile*linksPerFile, suffix), name))
	}
}

func size(ts *testscript.TestScript, word string) int {
	switch {
	case word == "many" && testing.Short():
		return 20_000 // more than a folder of policy may hold
	case word == "many":
		return 100_000
	case word == "large" && testing.Short():
		return 17 << 20 // more than any object that is read
	case word == "large":
		return 50 << 20
	}
	n, err := strconv.Atoi(word)
	ts.Check(err)
	return n
}

// generators write text of a kind and a size. What is for git is a stream of
// git fast-import: files far too many, or too oddly named, for a work tree.
var generators = map[string]func(out io.Writer, n int, args []string){
	"bytes":   generateBytes,
	"steps":   generateSteps,
	"nesting": generateNesting,
	"aliases": generateAliases,
	"claims":  generateClaims,
	"items":   generateItems,
	"permits": generatePermits,
	"entries": generateEntries,
	"path":    generatePath,
	"blob":    generateBlob,
	"octopus": generateOctopus,
}

// generateBytes writes n bytes in lines of 64.
func generateBytes(out io.Writer, n int, _ []string) {
	line := strings.Repeat("x", 63) + "\n"
	for ; n >= len(line); n -= len(line) {
		fmt.Fprint(out, line)
	}
	fmt.Fprint(out, line[:n])
}

// generateSteps writes a contract of n steps, each after the one before it.
func generateSteps(out io.Writer, n int, _ []string) {
	fmt.Fprint(out, "---\nversion: 4\nname: long\nmaxWorkers: 1\nonFailure: stop\nsteps:\n")
	for i := range n {
		after := ""
		if i > 0 {
			after = fmt.Sprint("s", i-1)
		}
		fmt.Fprintf(out, "- {id: s%d, agent: coder, scope: workspace, dependencies: [%s], writes: [d/]}\n", i, after)
	}
	fmt.Fprint(out, "---\nWrite.\n")
}

// generateNesting writes n opening marks, then as many closing ones: BEFORE OPEN CLOSE.
func generateNesting(out io.Writer, n int, args []string) {
	fmt.Fprint(out, args[0], strings.Repeat(args[1], n), strings.Repeat(args[2], n), "\n")
}

// generateAliases writes n lists of which each holds the one before it ten times.
func generateAliases(out io.Writer, n int, _ []string) {
	fmt.Fprintln(out, "a0: &a0 [x, x, x, x, x, x, x, x, x, x]")
	for i := 1; i < n; i++ {
		again := strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 10), ", ")
		fmt.Fprintf(out, "a%d: &a%d [%s]\n", i, i, again)
	}
}

// generateClaims writes n different claims of one fleet.
func generateClaims(out io.Writer, n int, args []string) {
	for i := range n {
		fmt.Fprintf(out, "Fleet-Step: %s/s%d\n", args[0], i)
	}
}

// generateItems writes n items of a list, shorter than anything that it could hold.
func generateItems(out io.Writer, n int, args []string) {
	fmt.Fprintf(out, "%s [%s0]\n", args[0], strings.Repeat("0,", n-1))
}

// generatePermits writes n permit entries.
func generatePermits(out io.Writer, n int, _ []string) {
	fmt.Fprintln(out, "version: 1\npermit:")
	for i := range n {
		fmt.Fprintf(out, "- {login: a%d, steps: [docs/write]}\n", i)
	}
}

const streamHead = "commit refs/heads/%s\ncommitter Ada <ada@example.com> 1767258000 +0000\ndata %d\n%s\nfrom %s^0\n"

// commitHead begins a commit on a branch, made of main; the message is args[1].
func commitHead(out io.Writer, branch, message string) {
	message = strings.ReplaceAll(message, `\n`, "\n")
	fmt.Fprintf(out, streamHead, branch, len(message), message, "refs/heads/main")
}

// generateEntries writes n lines for git mktree: BLOB PREFIX SUFFIX.
func generateEntries(out io.Writer, n int, args []string) {
	for i := range n {
		fmt.Fprintf(out, "100644 blob %s\t%s%d%s\n", args[0], args[1], i, args[2])
	}
}

// generatePath writes a commit with a file whose path has n bytes: BRANCH MESSAGE.
func generatePath(out io.Writer, n int, args []string) {
	commitHead(out, args[0], args[1])
	path := strings.Repeat("docs/", n/5)
	fmt.Fprintf(out, "M 100644 inline %s%s\ndata 2\nx\n\n", path, strings.Repeat("f", n-len(path)))
}

// generateBlob writes a commit with a file of n bytes: BRANCH MESSAGE MODE PATH TEXT.
func generateBlob(out io.Writer, n int, args []string) {
	text := strings.ReplaceAll(args[4], `\n`, "\n")
	commitHead(out, args[0], args[1])
	fmt.Fprintf(out, "M %s inline %s\ndata %d\n%s", args[2], args[3], n, text)
	generateBytes(out, n-len(text), nil)
	fmt.Fprintln(out)
}

// generateOctopus writes a merge of main and n lines of one claimed commit: BRANCH MESSAGE.
func generateOctopus(out io.Writer, n int, args []string) {
	for i := range n {
		commitHead(out, fmt.Sprint("line-", i), fmt.Sprintf("Line %d\n\nFleet-Step: docs/write\n", i))
		fmt.Fprintf(out, "M 100644 inline docs/line%d\ndata 2\nx\n\n", i)
	}
	commitHead(out, args[0], args[1])
	for i := range n {
		fmt.Fprintf(out, "merge refs/heads/line-%d\n", i)
	}
	for i := range n {
		fmt.Fprintf(out, "M 100644 inline docs/line%d\ndata 2\nx\n", i)
	}
	fmt.Fprintln(out)
}

// treebombCommand (treebomb NAME LEVELS) makes trees of ten directories each,
// all of a level the same one, and sets a variable to the uppermost.
func treebombCommand(ts *testscript.TestScript, neg bool, args []string) {
	refuse(ts, neg || len(args) != 2, "treebomb NAME LEVELS")
	tree := git(ts, "100644 blob "+git(ts, "x", "hash-object", "-w", "--stdin")+"\tf\n", "mktree")
	for range size(ts, args[1]) {
		var entries strings.Builder
		for i := range 10 {
			fmt.Fprintf(&entries, "040000 tree %s\td%d\n", tree, i)
		}
		tree = git(ts, entries.String(), "mktree")
	}
	ts.Setenv(args[0], tree)
}
