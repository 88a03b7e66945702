package main

import (
	"bytes"
	"crypto/sha256"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/boundary"
	"github.com/fleetgate/fleetgate/internal/gitrepo"
)

func TestALogIsReadByCommit(t *testing.T) {
	const one, two = "1111111111111111111111111111111111111111", "2222222222222222222222222222222222222222"
	log := one + "\x00\n:100644 100644 aa bb M\x00a b\x00:000000 100644 00 cc A\x00:odd\nname\x00" + "\x00" + two + "\x00"
	want := map[string][]string{one: {"M a b", "A :odd\nname"}, two: nil}
	if diff := cmp.Diff(want, readLog([]byte(log))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTheDigestTellsEveryDifference(t *testing.T) {
	same := digest(map[string][]string{"a": {"M x", "A y"}, "b": nil})
	for name, changes := range map[string]map[string][]string{
		"another path":   {"a": {"M x", "A z"}, "b": nil},
		"another letter": {"a": {"M x", "D y"}, "b": nil},
		"one less":       {"a": {"M x"}, "b": nil},
		"no commit b":    {"a": {"M x", "A y"}},
		"joined":         {"a": {"M x\" \"A y"}, "b": nil},
	} {
		if digest(changes) == same {
			t.Errorf("%s: the digest is the same", name)
		}
	}
	if digest(map[string][]string{"b": nil, "a": {"A y", "M x"}}) != same {
		t.Error("the order of changes counts")
	}
}

// testRepository makes a small synthetic repository.
func testRepository(t *testing.T, s shape) string {
	t.Helper()
	shapes["test"] = s
	defer delete(shapes, "test")
	dir := t.TempDir() + "/r"
	if err := generate("test", dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestTheGateAndGitListTheSameOfASyntheticRepository(t *testing.T) {
	if testing.Short() || runtime.GOOS == "windows" {
		t.Skip("builds the gate, as releases are built, on a Unix system")
	}
	dir := testRepository(t, shape{files: 300, commits: 30, edits: 2, path: nested(10, 5), topic: true})
	recipes := t.TempDir()
	if err := generateRecipes(recipes, 10); err != nil {
		t.Fatal(err)
	}
	b := &bench{runs: 1}
	t.Chdir("..")
	if err := b.build(); err != nil {
		t.Fatal(err)
	}
	defer b.close()
	if err := b.repository(clone{"test", dir}); err != nil {
		t.Fatal(err)
	}
	if len(b.rows) != 3 || b.rows[1].digest == "" || b.rows[1].ours.wall == 0 || b.rows[1].ours.peak == 0 && runtime.GOOS == "linux" { // 1 and 20 commits, and the far base
		t.Errorf("%d rows: %+v", len(b.rows), b.rows)
	}
	if err := says(call{args: []string{b.gate, "lint", "--repo", recipes}}, "passed: the policy is sound: 0 valid fleets, 10 recipes read"); err != nil {
		t.Error(err)
	}
}

func TestARangeWithoutPolicyIsJudgedByACommitThatAddsOne(t *testing.T) {
	dir := testRepository(t, shape{files: 30, commits: 5, edits: 2, path: nested(10, 5), plain: true})
	base, _ := first(dir, "HEAD~3")
	b := &bench{temp: t.TempDir()}
	at, judged, done, err := b.withPolicy(dir, base)
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	if at == dir || judged == base {
		t.Fatal("the clone is taken as it is")
	}
	if _, err := gitOutput(at, "cat-file", "-e", judged+":"+policyPath); err != nil {
		t.Error(err)
	}
	one, err := gitOutput(at, "rev-list", judged+"..HEAD")
	if err != nil {
		t.Fatal(err)
	}
	other, err := gitOutput(dir, "rev-list", base+"..HEAD")
	if diff := cmp.Diff(string(other), string(one)); diff != "" || err != nil || len(one) == 0 {
		t.Errorf("another range: %v (-want +got):\n%s", err, diff)
	}
}

func TestEveryListOfAHistoryIsGits(t *testing.T) {
	dir := testRepository(t, shape{files: 300, commits: 30, edits: 2, path: nested(10, 5), topic: true})
	e := equality{dir: dir, ours: sha256.New(), theirs: sha256.New()}
	if err := e.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	got := []int{e.commits, e.comparisons, e.differences}
	if diff := cmp.Diff([]int{32, 32, 0}, got); diff != "" || e.changes < 301 || !bytes.Equal(e.ours.Sum(nil), e.theirs.Sum(nil)) {
		t.Errorf("%d changes (-want +got):\n%s", e.changes, diff)
	}
	if err := equal([]string{"r=" + dir}); err != nil {
		t.Error(err)
	}
	w := walks{dir: dir, random: rand.New(rand.NewPCG(1, 0))}
	if err := w.run(t.Context(), 50); err != nil {
		t.Fatal(err)
	}
	if w.differences != 0 || w.filled == 0 {
		t.Errorf("%d of 50 ranges aren't empty, %d differ", w.filled, w.differences)
	}
}

func TestAnotherListIsADifference(t *testing.T) {
	dir := testRepository(t, shape{files: 30, commits: 5, edits: 2, path: nested(10, 5)})
	e := equality{dir: dir, ours: sha256.New(), theirs: sha256.New()}
	if err := e.run(t.Context()); err != nil || e.differences != 0 {
		t.Fatal(e.differences, err)
	}
	repo, err := gitrepo.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer repo.Close()
	e.repo = repo
	all, err := e.list()
	if err != nil {
		t.Fatal(err)
	}
	all[0].line = all[1].line // git is asked about another commit
	if err := e.compare(t.Context(), all); err != nil || e.differences != 1 || bytes.Equal(e.ours.Sum(nil), e.theirs.Sum(nil)) {
		t.Errorf("%d differences, %v", e.differences, err)
	}
}

func TestBlocksEndAtIDsAlone(t *testing.T) {
	const one, two = "1111111111111111111111111111111111111111", "2222222222222222222222222222222222222222"
	const change = ":100644 100644 a b M\x00"
	out := one + "\x00" + change + two + "\x00" + change + ":odd\x00" + two + "\x00" + one + "\x00" + change + "x\x00"
	want := []string{change + two + "\x00" + change + ":odd\x00", "", change + "x\x00"}
	var got []string
	for _, block := range splitBlocks([]byte(out)) {
		got = append(got, string(block))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestLettersAreGits(t *testing.T) {
	for want, modes := range map[string][2]boundary.Mode{
		"A": {boundary.Absent, boundary.Regular}, "D": {boundary.Symlink, boundary.Absent},
		"T": {boundary.Regular, boundary.Symlink}, "M": {boundary.Regular, boundary.Executable},
	} {
		change := boundary.Change{Path: "p", Old: boundary.Entry{Mode: modes[0]}, New: boundary.Entry{Mode: modes[1]}}
		if got := letter(change); got != want {
			t.Errorf("%o to %o: %s, not %s", modes[0], modes[1], got, want)
		}
	}
}

func TestAMissedAimIsMarked(t *testing.T) {
	r := row{aim: aim{time: 1.5, peakRatio: 1.5, peak: 1 << 20}}
	r.ours.figures, r.theirs.figures = figures{wall: 15, peak: 2 << 20}, figures{wall: 10, peak: 1 << 20}
	if got, want := r.cell(), "1.5; peak 1.5 times **missed**; peak 1 MiB **missed**"; got != want {
		t.Errorf("%s, not %s", got, want)
	}
	r.ours.wall = 16
	if got, want := r.cell(), "1.5 **missed**; peak 1.5 times **missed**; peak 1 MiB **missed**"; got != want {
		t.Errorf("%s, not %s", got, want)
	}
	if got := (row{}).cell(); got != "" {
		t.Errorf("no aim: %q", got)
	}
}

func TestAnOutputIsReadBetweenItsDelimiters(t *testing.T) {
	raw := []byte("all<<D1\ntrue\nD1\nall_files<<D2\n[\"a\",\n\"b\"]\nD2\n")
	if got, want := outputNamed(raw, "all_files"), "[\"a\",\n\"b\"]"; got != want {
		t.Errorf("%q, not %q", got, want)
	}
	if got := outputNamed(raw, "none"); got != "" {
		t.Errorf("%q of no output", got)
	}
}

func TestAnActionThatListsOtherFilesIsNotMeasured(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("no node")
	}
	dir := testRepository(t, shape{files: 300, commits: 30, edits: 2, path: nested(10, 5)})
	r := runner{temp: t.TempDir()}
	r.clone = filepath.Join(r.temp, "clone")
	if err := git("", "clone", "--quiet", "--no-checkout", dir, r.clone); err != nil {
		t.Fatal(err)
	}
	if err := r.prepare(dir); err != nil {
		t.Fatal(err)
	}
	for drop, right := range map[string]bool{"0": true, "1": false} {
		script := filepath.Join(r.temp, "index.js")
		text := `const {base, head} = JSON.parse(require('fs').readFileSync(process.env.GITHUB_EVENT_PATH)).pull_request
const files = require('child_process').execFileSync('git', ['diff', '--name-only', base.sha, head.sha]).toString().trim().split('\n')
require('fs').appendFileSync(process.env.GITHUB_OUTPUT, 'all_files<<X\n' + JSON.stringify(files.slice(` + drop + `)) + '\nX\n')
`
		if err := os.WriteFile(script, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		p := peers["paths-filter"]
		if err := r.agrees(r.call(p, script), p); (err == nil) != right {
			t.Errorf("%s files less: %v", drop, err)
		}
	}
}

func TestWhoIsRightAboutARangeIsFoundOut(t *testing.T) {
	dir := testRepository(t, shape{files: 30, commits: 5, edits: 2, path: nested(10, 5)})
	w := walks{dir: dir}
	right, err := w.git([]string{"HEAD", "--not", "HEAD~2"})
	if err != nil || len(right) != 2 {
		t.Fatal(right, err)
	}
	if err := w.judge("HEAD", []string{"HEAD~2"}, right, nil); err != nil || w.misdated != 1 || w.differences != 0 {
		t.Errorf("the right answer: %d misdated, %d differences, %v", w.misdated, w.differences, err)
	}
	if err := w.judge("HEAD", []string{"HEAD~2"}, right[:1], right); err != nil || w.misdated != 1 || w.differences != 1 {
		t.Errorf("the wrong answer: %d misdated, %d differences, %v", w.misdated, w.differences, err)
	}
}

func TestABaseGivesTheRangeNearestInLength(t *testing.T) {
	dir := testRepository(t, shape{files: 30, commits: 10, edits: 2, path: nested(10, 5)})
	side, _ := first(dir, "HEAD~7")
	out, err := gitOutput(dir, "-c", "user.name=A", "-c", "user.email=a@example.com", "commit-tree", "-m", "merge", "-p", side, "-p", "HEAD", "HEAD^{tree}")
	if err != nil {
		t.Fatal(err)
	}
	if err := git(dir, "update-ref", "HEAD", strings.TrimSpace(string(out))); err != nil {
		t.Fatal(err)
	}
	// The merge alone, with its side of 7 commits, and so on down to the root.
	for want, length := range map[string]int{"HEAD^2": 1, "HEAD^1": 6, "HEAD~2": 9, "HEAD~4": 11} {
		base, err := baseOf(dir, length)
		if expected, _ := first(dir, want); base != expected || err != nil {
			t.Errorf("%d commits: %s, not %s, %v", length, base, want, err)
		}
	}
	if base, err := baseOf(dir, 12); base != "" || err != nil {
		t.Errorf("a longer range than the history: %s, %v", base, err)
	}
}
