package gate

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/boundary"
	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/result"
)

const resultText = `{"fleet":"f","step":"s","output":"x"}`

func resultFolder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestAResultFileHasAtMostItsBound(t *testing.T) {
	padded := func(size int) string { return resultText + strings.Repeat(" ", size-len(resultText)) }
	dir := resultFolder(t, map[string]string{"fits.json": padded(MaxResultBytes), "over.json": padded(MaxResultBytes + 1)})
	files, err := resultFiles(Options{Dir: dir, Results: "*.json"})
	if err != nil || len(files) != 2 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	if len(files[0].found) != 0 {
		t.Errorf("a file of just the bound: %v", files[0].found)
	}
	if found := files[1].found; len(found) != 1 || !strings.Contains(found[0].Message, "more than 1048576 bytes") {
		t.Errorf("a byte over the bound: %v", found)
	}
}

func TestACheckReadsNoMoreResultFilesThanItsBound(t *testing.T) {
	tree := fstest.MapFS{}
	for i := range MaxResultFiles {
		tree[fmt.Sprintf("%05d.json", i)] = &fstest.MapFile{}
	}
	if names, err := resultNames(tree, "*.json"); err != nil || len(names) != MaxResultFiles {
		t.Fatalf("%d files, %v", len(names), err)
	}
	tree["x.json"] = &fstest.MapFile{}
	if _, err := resultNames(tree, "*.json"); err == nil || !strings.Contains(err.Error(), "names 10001 files; at most 10000 are read") {
		t.Errorf("one file too many: %v", err)
	}
}

func TestAResultFileNamesNoMoreCommitsThanTheBound(t *testing.T) {
	for n, wanted := range map[int]int{MaxResultCommits: 0, MaxResultCommits + 1: 1} {
		f := &resultFile{name: "r.json"}
		f.parse([]byte(`{"fleet":"f","step":"s","output":"x","commits":["1234567"` + strings.Repeat(`,"1234567"`, n-1) + `]}`))
		if len(f.found) != wanted {
			t.Errorf("%d commits: %v", n, f.found)
		}
	}
}

func TestEachFaultOfAResultFileIsFoundWhereItStands(t *testing.T) {
	for text, want := range map[string][]string{
		resultText:                               nil,
		`{"fleet":"f","step":"s","output":null}`: nil,
		`x`:                                      {"r.json:1:1 "},
		`7`:                                      {"r.json:1:1 "},
		`{}`:                                     {"r.json:1:1 fleet", "r.json:1:1 step", "r.json:1:1 output"},
		`{"fleet":" ","step":1,"output":{}}`:     {"r.json:1:10 fleet", "r.json:1:21 step", "r.json:1:32 output"},
		"{\"fleet\":\"f\",\n\"step\":\"s\",\"agent\":\"\",\"output\":\"\"}":   {"r.json:2:20 agent"},
		`{"fleet":"f","step":"s","output":"","attempt":1.5}`:                  {"r.json:1:47 attempt"},
		`{"fleet":"f","step":"s","output":"","reads":[]}`:                     {"r.json:1:45 reads"},
		`{"fleet":"f","step":"s","output":"","reads":{"a":[[1,-2]]}}`:         {"r.json:1:45 reads"},
		`{"fleet":"f","step":"s","output":"","commits":[]}`:                   {"r.json:1:47 commits"},
		`{"fleet":"f","step":"s","output":"","commits":["abc",7,"DEADBEEF"]}`: {"r.json:1:48 commits[0]", "r.json:1:54 commits[1]"},
		`{"fleet":"f","step":"s","output":"","kind":"x"}`:                     {"r.json:1:37 kind"},
	} {
		f := &resultFile{name: "r.json"}
		f.parse([]byte(text))
		var got []string
		for _, d := range f.found {
			got = append(got, d.Pos.String()+" "+d.Field)
			if d.Code != "result-nonconforming" || d.Hint == "" {
				t.Errorf("%s: %+v", text, d)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

func TestAReportNamesAPathByItselfOrByItsFolder(t *testing.T) {
	h := &heldReport{out: result.Outcome{Mutation: &result.Mutation{Paths: []string{"docs/", "./src/../src/a.go", "caf\ufffd", "/etc"}}}}
	for changed, want := range map[string]bool{
		"docs/guide.md": true, "docs/deep/er.md": true, "src/a.go": true, "caf\xe9": true,
		"docs.md": false, "src/b.go": false, "src/a.go.bak": false, "etc": false, "cafe": false,
	} {
		if got := h.names(changed); got != want {
			t.Errorf("%q is named: %t, want %t", changed, got, want)
		}
	}
	root := &heldReport{out: result.Outcome{Mutation: &result.Mutation{Paths: []string{".", "./", "/"}}}}
	if root.names("a") {
		t.Error("the whole workspace names every path")
	}
}

func TestACommitIsNamedByABeginningThatNoOtherHas(t *testing.T) {
	first, second, third := strings.Repeat("a", 40), strings.Repeat("a", 39)+"b", strings.Repeat("c", 40)
	r := &run{}
	for _, hex := range []string{third, first, second} {
		id, _ := boundary.ParseOID(hex)
		r.rng.Commits = append(r.rng.Commits, boundary.Commit{ID: id})
	}
	j := &resultJudge{run: r}
	for prefix, want := range map[string]int{"ccccccc": 0, third: 0, first: 1, second: 2, "aaaaaaa": -1, "bbbbbbb": -1, "ddddddd": -1} {
		got, ok := j.commitNamed(prefix)
		if !ok {
			got = -1
		}
		if got != want {
			t.Errorf("%s names commit %d, want %d", prefix, got, want)
		}
	}
}

func TestResultPatternsStayInTheWorkTree(t *testing.T) {
	for raw, want := range map[string]string{
		"results/*.json": "results/*.json", "./r/../x.json": "x.json", "*": "*",
		"../x.json": "", "a/../../x": "", "/etc/*": "", "..": "",
	} {
		got, err := resultPattern(raw)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, %v", raw, got, err)
		}
	}
}

func TestAResultFileThatIsALinkOutsideIsNotRead(t *testing.T) {
	dir := resultFolder(t, nil)
	outside := filepath.Join(t.TempDir(), "secret.json")
	if err := os.WriteFile(outside, []byte(resultText), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "link.json")); err != nil {
		t.Skip(err)
	}
	files, err := resultFiles(Options{Dir: dir, Results: "*.json"})
	if err != nil || len(files) != 1 || !diag.HasError(files[0].found) {
		t.Fatalf("%v, %v", files, err)
	}
}
