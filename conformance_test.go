package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// conformanceCase is one recorded verdict of the reference implementation.
type conformanceCase struct {
	ID     string          `json:"id"`
	Kind   string          `json:"kind"`
	Family string          `json:"family"`
	Tags   []string        `json:"tags"`
	Input  json.RawMessage `json:"input"`
	Expect json.RawMessage `json:"expect"`
}

func (c conformanceCase) tagged(tag string) bool { return slices.Contains(c.Tags, tag) }

// conformanceKind checks the cases of one kind. check gives the empty string
// where ours agrees, "stricter: …" where ours refuses what the reference
// accepts, "skip: …" where a case cannot be compared, and otherwise the difference.
type conformanceKind struct {
	kind  string
	check func(c conformanceCase) string
	want  conformanceCounts // in the default directory
}

type conformanceCounts struct{ ran, passed, stricter, skipped int }

// conformanceKinds is filled by the conformance_*_test.go files, one a room.
var conformanceKinds []conformanceKind

// pendingKinds names, for each kind that has no check yet, the issue that brings it.
var pendingKinds = map[string]string{}

const defaultConformanceDir = "../shared/conformance"

// required says whether FLEETGATE_REQUIRE names a thing whose absence must fail, not skip.
func required(what string) bool {
	return slices.Contains(strings.Split(os.Getenv("FLEETGATE_REQUIRE"), ","), what)
}

// conformanceDir gives the corpus's directory, and whether it is the default one.
func conformanceDir(t *testing.T) (dir string, standard bool) {
	t.Helper()
	dir = os.Getenv("CONFORMANCE_DIR")
	if dir == "" {
		dir, standard = defaultConformanceDir, true
	}
	if _, err := os.Stat(dir); err != nil {
		if required("corpus") {
			t.Fatalf("FLEETGATE_REQUIRE=corpus, but the conformance corpus is absent: %v", err)
		}
		t.Skipf("the conformance corpus is absent: %v", err)
	}
	return dir, standard
}

// stricterIDs reads testdata/stricter.txt: ids of cases that ours refuses and the reference accepts.
func stricterIDs(t *testing.T) map[string]bool {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "stricter.txt"))
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		id, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		if id != "" && !strings.HasPrefix(id, "#") {
			ids[id] = false
		}
	}
	return ids
}

func readCases(t *testing.T, path string) []conformanceCase {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var cases []conformanceCase
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 8<<20)
	for lines.Scan() {
		var c conformanceCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		cases = append(cases, c)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return cases
}

// checkSafely runs one check; a panic of ours is a difference, never a crash of the suite.
func checkSafely(check func(conformanceCase) string, c conformanceCase) (difference string) {
	defer func() {
		if r := recover(); r != nil {
			difference = fmt.Sprintf("panic: %v", r)
		}
	}()
	return check(c)
}

func TestConformance(t *testing.T) {
	dir, standard := conformanceDir(t)
	listed := stricterIDs(t)
	known := map[string]bool{}
	for _, k := range conformanceKinds {
		known[k.kind] = true
		t.Run(k.kind, func(t *testing.T) { runKind(t, k, dir, standard, listed) })
	}
	for kind, issue := range pendingKinds {
		known[kind] = true
		t.Logf("%-14s pending: %s", kind, issue)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if kind := strings.TrimSuffix(filepath.Base(file), ".jsonl"); !known[kind] {
			t.Errorf("kind %s is neither checked nor pending", kind)
		}
	}
	for id, used := range listed {
		if standard && !used {
			t.Errorf("testdata/stricter.txt lists %s, which no longer is stricter: take it off the list", id)
		}
	}
}

func runKind(t *testing.T, k conformanceKind, dir string, standard bool, listed map[string]bool) {
	path := filepath.Join(dir, k.kind+".jsonl")
	if _, err := os.Stat(path); err != nil && !standard {
		t.Skipf("no such kind in this directory: %v", err)
	}
	var got conformanceCounts
	differed := 0
	for _, c := range readCases(t, path) {
		got.ran++
		difference := checkSafely(k.check, c)
		_, isListed := listed[c.ID]
		switch {
		case difference == "":
			got.passed++
		case strings.HasPrefix(difference, "skip: "):
			got.skipped++
			t.Logf("%s: %s", c.ID, difference)
		case strings.HasPrefix(difference, "stricter: ") && isListed:
			listed[c.ID] = true
			got.stricter++
		case strings.HasPrefix(difference, "stricter: ") && !standard && c.tagged("exotic"):
			got.stricter++
		default:
			differed++
			t.Errorf("%s: %s", c.ID, difference)
		}
	}
	t.Logf("%-14s ran %d, passed %d, differed %d, stricter %d, skipped %d", k.kind, got.ran, got.passed, differed, got.stricter, got.skipped)
	if standard && got != k.want {
		t.Errorf("counts are %+v, want %+v", got, k.want)
	}
}
