package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The verdict of a job is that of `check` in a whole clone, however little the
// job checked out.
func TestTheActionDecidesTheSameOfEveryClone(t *testing.T) {
	w := newWorld(t)
	events := []struct {
		name, head string // head is what the job checks out
		event      event
		verdict    string
	}{
		{"a clean pull request", "merge1", w.pull("clean2", "1"), "passed"},
		{"a pull request that leaves its boundary", "merge2", w.pull("bad1", "2"), "failed"},
		{"a pull request that forked off long ago", "merge3", w.pull("far1", "3"), "passed"},
		{"a pull request that brings a trusted branch", "merge4", w.pull("upd", "4"), "passed"},
		{"a pull request that adds submodules", "merge5", w.pull("sub1", "5"), "failed"},
		{"a push to the default branch", "new4", w.push("main", "new1", "new4"), "passed"},
		{"a push to another branch", "bad1", w.push("agent/docs", "old699", "bad1"), "failed"},
		{"a merge group", "group", w.group("new4", "group"), "failed"},
		{"a schedule", "new4", event{"schedule", `{"schedule": "0 0 * * *"}`}, "passed"},
	}
	clones := []struct {
		name string
		make func(w *world, rev string) string
	}{
		{"the default checkout", func(w *world, rev string) string { return w.fetchCheckout("octo/app", rev, "--depth=1") }},
		{"a checkout of depth 2", func(w *world, rev string) string { return w.fetchCheckout("octo/app", rev, "--depth=2") }},
		{"a shallow clone", func(w *world, rev string) string { return w.clone("octo/app", rev, "--depth=1", "--no-single-branch") }},
		{"a whole clone", func(w *world, rev string) string { return w.clone("octo/app", rev) }},
		{"a blobless clone", func(w *world, rev string) string { return w.clone("octo/app", rev, "--filter=blob:none") }},
		{"a treeless clone", func(w *world, rev string) string { return w.clone("octo/app", rev, "--filter=tree:0") }},
		{"a shallow and blobless clone", func(w *world, rev string) string {
			return w.clone("octo/app", rev, "--depth=1", "--no-single-branch", "--filter=blob:none")
		}},
		{"a sparse checkout", func(w *world, rev string) string {
			dir := w.fetchCheckout("octo/app", rev, "--depth=1")
			w.git(dir, "sparse-checkout", "set", "docs")
			return dir
		}},
		{"a linked work tree", func(w *world, rev string) string {
			dir := w.fetchCheckout("octo/app", rev, "--depth=1")
			w.git(dir, "worktree", "add", "--quiet", "--detach", dir+"-linked")
			return dir + "-linked"
		}},
		{"a clone of the fork", func(w *world, rev string) string { return w.clone("mallory/app", rev) }},
		{"a shallow clone of the fork", func(w *world, rev string) string { return w.fetchCheckout("mallory/app", rev, "--depth=1") }},
		{"a clone with tags that are named like branches", func(w *world, rev string) string {
			dir := w.fetchCheckout("octo/app", rev, "--depth=1")
			for _, tag := range []string{"origin/main", "main", "refs/remotes/origin/main"} {
				w.git(dir, "update-ref", "refs/tags/"+tag, w.ids[rev])
			}
			return dir
		}},
	}
	for i, e := range events {
		want := w.checked(e.event, e.head)
		if want["verdict"] != e.verdict {
			t.Fatalf("%s: check says %v (%v), want %s", e.name, want["verdict"], want["summary"], e.verdict)
		}
		for j, c := range clones {
			if testing.Short() && i > 0 && j > 0 {
				continue // every event once, and every clone once
			}
			t.Run(e.name+"/"+c.name, func(t *testing.T) {
				w := w.in(t)
				r := w.run(c.make(w, e.head), e.event)
				if r.outputs["digest"] != want["digest"] || r.report["digest"] != want["digest"] {
					t.Errorf("%v: %v; want %v: %v\n%s%s", r.report["verdict"], r.report["summary"], want["verdict"], want["summary"], r.stdout, r.stderr)
				}
				if strings.Contains(fmt.Sprint(r), canary) {
					t.Error("the token is in what the step left behind")
				}
			})
		}
	}
}

// What is fetched of a blobless clone is what design.md names: policy files
// and the targets of changed links.
func TestABloblessCloneGetsOnlyTheBlobsThatAreRead(t *testing.T) {
	w := newWorld(t)
	dir := w.clone("octo/app", "merge1", "--filter=blob:none")
	if r := w.run(dir, w.pull("clean2", "1")); r.code != 0 {
		t.Fatal(r.stdout)
	}
	at := w.path("octo/app")
	var got, want []string
	for _, file := range []string{".clio-coder/fleets/docs.md", ".clio-coder/fleetgate.yaml", "docs/link"} {
		want = append(want, w.git(at, "rev-parse", w.ids["clean2"]+":"+file))
	}
	for line := range strings.Lines(w.git(dir, "cat-file", "--batch-all-objects", "--batch-check=%(objecttype) %(objectname)")) {
		if id, ok := strings.CutPrefix(strings.TrimSpace(line), "blob "); ok {
			got = append(got, id)
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("blobs in the clone (-want +got):\n%s", diff)
	}
}

// The start of a job is short: after the default checkout, one fetch and one
// question for the tip of base.
func TestTheDefaultCheckoutNeedsTwoRunsOfGit(t *testing.T) {
	w := newWorld(t)
	var h history
	h.commit("start", "refs/heads/main", "start", nil, ".clio-coder/fleets/docs.md", docsFleet)
	h.commit("head", "refs/pull/1/head", "one\n\nFleet-Step: docs/write\n", []string{"start"}, "docs/one", "1")
	tip := h.line("refs/heads/main", "start", "old", 20)
	h.commit("merge", "refs/pull/1/merge", "merge", []string{tip, "head"}, "docs/one", "1")
	w.replace("octo/app", &h)
	r := w.run(w.fetchCheckout("octo/app", "merge", "--depth=1"), w.pull("head", "1"))
	if r.code != 0 {
		t.Fatal(r.stdout)
	}
	var got []string
	for line := range strings.Lines(r.stdout) {
		if strings.HasPrefix(line, "fleetgate: fetching ") {
			got = append(got, strings.TrimSpace(line))
		}
	}
	want := []string{
		"fleetgate: fetching 50 more commits of history of octo/app",
		"fleetgate: fetching the tip of main of octo/app",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the log (-want +got):\n%s", diff)
	}
}

// in gives the world to a sub-test, which fails by itself.
func (w *world) in(t *testing.T) *world {
	here := *w
	here.t = t
	return &here
}

func TestAHistoryThatCannotBeFetchedIsUndecidedAndSaysWhatToDo(t *testing.T) {
	w := newWorld(t)
	var h history
	h.commit("start", "refs/heads/main", "start", nil, ".clio-coder/fleets/docs.md", docsFleet)
	h.commit("far", "refs/heads/agent", "far\n\nFleet-Step: docs/write\n", []string{"start"}, "docs/far", "1")
	h.line("refs/heads/main", "start", "old", 6_000)
	w.replace("octo/app", &h)
	r := w.run(w.fetchCheckout("octo/app", "old5999", "--depth=1"), w.pull("far", "1"))
	if r.code != 3 || r.outputs["verdict"] != "undecided" || r.outputs["reason"] != "missing-object" {
		t.Fatalf("exit code %d, outputs %v\n%s", r.code, r.outputs, r.stdout)
	}
	if n := strings.Count(r.stdout, "more commits of history of octo/app"); n != 4 {
		t.Errorf("%d fetches of history:\n%s", n, r.stdout)
	}
	for _, text := range []string{r.stdout, r.summary} {
		if !strings.Contains(text, "    with:\n      fetch-depth: 0") {
			t.Errorf("it doesn't say what to do:\n%s", text)
		}
	}
}

func TestWithoutANetworkTheVerdictIsUndecided(t *testing.T) {
	w := newWorld(t)
	dir := w.fetchCheckout("octo/app", "merge1", "--depth=1")
	r := w.run(dir, w.pull("clean2", "1"), "token", "wrong")
	if r.code != 3 || r.outputs["verdict"] != "undecided" || !strings.Contains(r.stdout, "the server wants a token that may read it") {
		t.Errorf("exit code %d, outputs %v\n%s", r.code, r.outputs, r.stdout)
	}
	if !strings.Contains(r.stdout, "permissions:\n  contents: read\n") || !strings.Contains(r.summary, "```yaml\n") {
		t.Errorf("it doesn't say what to do:\n%s\n%s", r.stdout, r.summary)
	}
}

func TestObserveModeReportsAndExitsWithZero(t *testing.T) {
	w := newWorld(t)
	dir := w.clone("octo/app", "merge2")
	r := w.run(dir, w.pull("bad1", "2"), "mode", "observe")
	if r.code != 0 || r.outputs["verdict"] != "failed" || !strings.Contains(r.stdout, "observe mode") || !strings.Contains(r.stdout, "::error file=src/x,line=1") {
		t.Errorf("exit code %d, outputs %v\n%s", r.code, r.outputs, r.stdout)
	}
	r = w.run(dir, event{"push", "{"}, "mode", "observe")
	if r.code != 2 {
		t.Errorf("a payload that can't be read: exit code %d", r.code)
	}
}

func TestReportsGoWhereTheInputsSay(t *testing.T) {
	w := newWorld(t)
	dir := w.clone("octo/app", "merge2")
	r := w.run(dir, w.pull("bad1", "2"), "json_file", "out/report.json", "sarif_file", "out/report.sarif", "junit_file", "report.xml",
		"annotations", "false", "summary", "false")
	if r.code != 1 || r.outputs["report"] != filepath.Join(dir, "out", "report.json") || r.outputs["sarif"] != filepath.Join(dir, "out", "report.sarif") {
		t.Errorf("exit code %d, outputs %v", r.code, r.outputs)
	}
	for name, want := range map[string]string{"out/report.json": `"digest": "` + r.outputs["digest"], "out/report.sarif": `"2.1.0"`, "report.xml": "<testsuite"} {
		if text := readOptional(t, filepath.Join(dir, name)); !strings.Contains(text, want) {
			t.Errorf("%s holds no %s:\n%.300s", name, want, text)
		}
	}
	if r.summary != "" || strings.Contains(r.stdout, "::error") {
		t.Errorf("a summary or annotations were written: %s%s", r.summary, r.stdout)
	}
}

// What a pull request brings decides nowhere where a report is written.
func TestNoReportIsWrittenThroughALinkOfTheWorkspace(t *testing.T) {
	w := newWorld(t)
	dir := w.clone("octo/app", "merge1")
	outside := filepath.Join(t.TempDir(), "outside")
	if err := os.MkdirAll(outside, 0o755); err != nil {
		t.Fatal(err)
	}
	for link, target := range map[string]string{"a.json": filepath.Join(dir, ".git", "config"), "b": outside, "c.json": filepath.Join(outside, "new")} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Skipf("no links here: %v", err)
		}
	}
	config := readOptional(t, filepath.Join(dir, ".git", "config"))
	for _, path := range []string{"a.json", "b/report.json", "c.json", filepath.Join(dir, "b", "x", "y.json")} {
		r := w.run(dir, w.pull("clean2", "1"), "json_file", path)
		if r.code != 2 || !strings.Contains(r.stdout, "it passes through a symbolic link of the workspace") {
			t.Errorf("%s: exit code %d\n%s%s", path, r.code, r.stdout, r.stderr)
		}
	}
	if left, _ := os.ReadDir(outside); len(left) > 0 || readOptional(t, filepath.Join(dir, ".git", "config")) != config {
		t.Error("something was written through a link")
	}
	// A failed verdict stands, whatever can't be written.
	if r := w.run(dir, w.pull("bad1", "2"), "json_file", "a.json"); r.code != 1 || !strings.Contains(r.stderr, "symbolic link") {
		t.Errorf("exit code %d: %s", r.code, r.stderr)
	}
}

func TestAStepThatCannotRunLooksLikeNoPass(t *testing.T) {
	w := newWorld(t)
	dir := w.clone("octo/app", "merge1")
	pull, outside := w.pull("clean2", "1"), t.TempDir()
	tests := []struct {
		name   string
		event  event
		inputs []string
		want   string
	}{
		{"an event without a row", event{"issue_comment", "{}"}, nil, `event "issue_comment" says nothing about what to judge`},
		{"an event with a base alone", event{"issue_comment", "{}"}, []string{"base", "origin/main"}, `event "issue_comment" says nothing`},
		{"a payload that is cut", event{"pull_request", `{"pull_request":`}, nil, "it is not a JSON object"},
		{"a payload of another repository", event{"push", `{"ref": "refs/heads/main", "before": "` + w.ids["new1"] + `", "after": "` + w.ids["new4"] + `", "repository": {"full_name": "octo/other", "default_branch": "main"}}`}, nil, "it is about repository octo/other"},
		{"fail_on that isn't one", pull, []string{"fail_on", "note"}, `the input fail_on is "note"; it is error or warning`},
		{"mode that isn't one", pull, []string{"mode", "off"}, `the input mode is "off"; it is enforce or observe`},
		{"results that are required, and not named", pull, []string{"results_required", "true"}, "results names no files"},
		{"a flag that isn't one", pull, []string{"summary", "yes"}, `the input summary is "yes"; it is true or false`},
		{"a folder that is no repository", pull, []string{"working_directory", outside}, "run actions/checkout before this step"},
		{"a folder that isn't there", pull, []string{"working_directory", "nowhere"}, `working_directory is "nowhere", which is no folder`},
		{"a base that names nothing", pull, []string{"base", "nothing", "head", "HEAD"}, "nothing"},
		{"a value with a line end", pull, []string{"mode", "a\n::error::forged"}, `"a\n::error::forged"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := w.in(t)
			r := w.run(dir, tt.event, tt.inputs...)
			if r.code != 2 || r.outputs["verdict"] != "undecided" || r.outputs["reason"] != "configuration" {
				t.Errorf("exit code %d, outputs %v", r.code, r.outputs)
			}
			if !strings.HasPrefix(r.stdout, "::error title=fleetgate::") || !strings.Contains(r.stdout, tt.want) || strings.Count(r.stdout, "\n") != 1 {
				t.Errorf("the log is %q, want one line with %q", r.stdout, tt.want)
			}
			if !strings.Contains(r.summary, "could not run") || !strings.Contains(r.summary, tt.want) {
				t.Errorf("the summary is %q", r.summary)
			}
		})
	}
}

func TestAnyEventIsJudgedWithBaseAndHead(t *testing.T) {
	w := newWorld(t)
	dir := w.fetchCheckout("octo/app", "merge1", "--depth=1")
	r := w.run(dir, event{"issue_comment", "{}"}, "base", w.ids["new4"], "head", w.ids["bad1"])
	if r.code != 1 || r.outputs["violations"] != "1" || r.outputs["commits"] != "1" || r.outputs["claimed"] != "1" || r.outputs["judged"] != "1" {
		t.Errorf("exit code %d, outputs %v\n%s", r.code, r.outputs, r.stdout)
	}
}

// Outside a job nothing is there to write to.
func TestWithoutTheRunnersFilesNothingBreaks(t *testing.T) {
	w := newWorld(t)
	dir := w.clone("octo/app", "merge1")
	payload := filepath.Join(t.TempDir(), "event.json")
	writeAll(t, payload, w.pull("clean2", "1").payload)
	env := append(w.env, "GITHUB_EVENT_NAME=pull_request", "GITHUB_EVENT_PATH="+payload, "GITHUB_REPOSITORY=octo/app", "GITHUB_SERVER_URL="+w.server.URL)
	if r := w.fleetgate(dir, env, "action"); r.code != 0 || r.stderr != "" {
		t.Errorf("exit code %d: %s%s", r.code, r.stdout, r.stderr)
	}
	if r := w.fleetgate(dir, w.env, "action"); r.code != 2 || !strings.Contains(r.stdout, "GITHUB_EVENT_NAME is not set") {
		t.Errorf("exit code %d: %s%s", r.code, r.stdout, r.stderr)
	}
	// Files that can't be written are said; nothing panics.
	env = append(env, "GITHUB_OUTPUT="+filepath.Join(dir, "no", "such", "folder"), "GITHUB_STEP_SUMMARY="+dir)
	if r := w.fleetgate(dir, env, "action"); r.code == 0 || strings.Contains(r.stderr, "internal error") {
		t.Errorf("exit code %d: %s%s", r.code, r.stdout, r.stderr)
	}
}

// An input of several lines is no version, though one of them is pinned: it
// would forge lines of the log, and name a folder outside the tool cache.
func TestAVersionOfSeveralLinesIsNotThePinnedOne(t *testing.T) {
	for input, shown := range map[string]string{
		"v1.0.0\n::error::forged":            "'v1.0.0 ::error::forged'",
		"::error::forged\nv1.0.0":            "'::error::forged v1.0.0'",
		"v1.0.0\n/../../../escaped":          "'v1.0.0 /../../../escaped'",
		"v1.0.0\n":                           "'v1.0.0 '",
		"\nv1.0.0":                           "' v1.0.0'",
		"\n":                                 "' '",
		"source\n":                           "'source '",
		"v1.0.0\r::error::forged":            "'v1.0.0 ::error::forged'",
		"v1.0.0\x1b[2Jé":                     "'v1.0.0 [2J  '",
		"v1.0.0/../../../escaped":            "'v1.0.0/../../../escaped'",
		"v1.0":                               "'v1.0'",
		"v1x0x0":                             "'v1x0x0'",
		"v1.0.0" + strings.Repeat("0", 1000): "'v1.0.0" + strings.Repeat("0", 94) + "'",
		"-v1.0.0":                            "'-v1.0.0'",
		"v1\\x2e0.0":                         "'v1\\x2e0.0'",
	} {
		s := newScriptRun(t, "v1.0.0")
		s.cached("v1.0.0", theGate)
		code, out, problem := s.run("INPUT_VERSION=" + input)
		if code != 2 || out != "" || strings.Count(problem, "\n") != 1 || strings.ContainsAny(problem, "\r\x1b") ||
			!strings.HasPrefix(problem, "::error title=fleetgate::the input version is "+shown+", which this action does not pin; it pins: v1.0.0 ") {
			t.Errorf("%q: exit code %d, %q, %q", input, code, out, problem)
		}
		if outputs := readOutputs(t, filepath.Join(s.at, "output")); outputs["verdict"] != "undecided" || outputs["reason"] != "configuration" {
			t.Errorf("%q: outputs %v", input, outputs)
		}
		if made, _ := filepath.Glob(filepath.Join(s.cache, "*")); len(made) != 1 {
			t.Errorf("%q: the tool cache has %q", input, made)
		}
	}
}

// Git may check sums.txt out with CRLF.
func TestPinsWithCRLFArePins(t *testing.T) {
	s := newScriptRun(t, "v1.0.0", "v1.1.0")
	sums := filepath.Join(s.action, "release", "sums.txt")
	writeAll(t, sums, strings.ReplaceAll(readOptional(t, sums), "\n", "\r\n"))
	for input, version := range map[string]string{"": "v1.1.0", "v1.0.0": "v1.0.0"} {
		s.cached(version, theGate)
		code, out, problem := s.run("INPUT_VERSION=" + input)
		if want := "fleetgate: " + version + ", from the tool cache\n" + gateRan; code != 0 || out != want || problem != "" {
			t.Errorf("version %q: exit code %d, %q, %q; want %q", input, code, out, problem, want)
		}
	}
}

// A token is written into curl's configuration, where a quote ends it and a
// line's end begins another option.
func TestATokenSetsNoOptionOfCurl(t *testing.T) {
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		_, _ = w.Write([]byte(theGate))
	}))
	defer server.Close()
	for _, end := range []string{"\"", "\\", " x", "\tx", "\nx", "\rx", "\x01", "é", "\x7f", "\"\noutput = \"FORGED"} {
		s := newScriptRun(t, "v1.0.0")
		forged := filepath.Join(s.at, "forged")
		code, out, problem := s.run("GITHUB_SERVER_URL="+server.URL, "INPUT_TOKEN="+canary+strings.Replace(end, "FORGED", forged, 1))
		if code != 2 || out != "" || strings.Contains(problem, canary) || !strings.Contains(problem, "::the input token is none: ") || strings.Count(problem, "\n") != 1 {
			t.Errorf("%q: exit code %d, %q, %q", end, code, out, problem)
		}
		if _, err := os.Stat(forged); err == nil || asked != 0 {
			t.Errorf("%q: %d requests, and the option: %v", end, asked, err)
		}
		s.wantNothingLeft()
	}
}

// White space around a token is none of it: a secret may end in a line's end.
func TestATokenIsTakenWithoutWhiteSpaceAroundIt(t *testing.T) {
	var got []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = append(got, r.Header.Get("Authorization"))
		_, _ = w.Write([]byte(theGate))
	}))
	defer server.Close()
	s := newScriptRun(t, "v1.0.0")
	code, out, problem := s.run("GITHUB_SERVER_URL="+server.URL, "INPUT_TOKEN= \t"+canary+"\r\n")
	if code != 0 || len(got) != 1 || got[0] != "Bearer "+canary {
		t.Errorf("exit code %d, the server got %q\n%s%s", code, got, out, problem)
	}
	if code, out, problem := newScriptRun(t, "v1.0.0").run("GITHUB_SERVER_URL="+server.URL, "INPUT_TOKEN= \n"); code != 2 || len(got) != 1 {
		t.Errorf("white space alone: exit code %d\n%s%s", code, out, problem)
	}
}

// What isn't run is removed, whatever the tool cache's name is.
func TestADownloadThatIsNotRunIsRemoved(t *testing.T) {
	for _, name := range []string{"plain", "it's", "a '; touch forged; '", "a $(touch forged) \"b\""} {
		for status, want := range map[int]int{http.StatusOK: 3, http.StatusNotFound: 3} {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(status)
				_, _ = w.Write([]byte("echo evil\n"))
			}))
			s := newScriptRun(t, "v1.0.0")
			s.cache = filepath.Join(s.cache, name)
			code, out, problem := s.run("GITHUB_SERVER_URL="+server.URL, "RUNNER_TOOL_CACHE="+s.cache)
			server.Close()
			if code != want || strings.Contains(problem, "unexpected EOF") {
				t.Errorf("%q, %d: exit code %d\n%s%s", name, status, code, out, problem)
			}
			s.wantNothingLeft()
			if _, err := os.Stat(filepath.Join(s.at, "forged")); err == nil {
				t.Errorf("%q was run", name)
			}
		}
	}
}

// A build follows a download that there is not; exec, which ends it, runs no trap.
func TestABuildLeavesNoDownloadBehind(t *testing.T) {
	s := newScriptRun(t, "v1.0.0")
	gate := filepath.Join(s.at, "gate")
	writeAll(t, gate, theGate)
	bin := s.tools("cp", "chmod")
	builder := "#!/bin/sh\n[ \"$1\" = env ] && echo go9.9 && exit\nwhile [ \"$1\" != -o ]; do shift; done\ncp '" + gate + "' \"$2\"\nchmod 755 \"$2\"\n"
	if err := os.WriteFile(filepath.Join(bin, "go"), []byte(builder), 0o755); err != nil {
		t.Fatal(err)
	}
	code, out, problem := s.run("PATH=" + strings.TrimPrefix(s.env[0], "PATH=") + ":" + bin)
	if code != 0 || !strings.HasSuffix(out, gateRan) {
		t.Errorf("exit code %d\n%s%s", code, out, problem)
	}
	s.wantNothingLeft()
}

// wantNothingLeft fails the test if the tool cache has a file, and if there is
// no tool cache, which nothing could have been left in.
func (s *scriptRun) wantNothingLeft() {
	s.t.Helper()
	err := filepath.WalkDir(s.cache, func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			s.t.Errorf("left behind: %s", path)
		}
		return err
	})
	if err != nil {
		s.t.Error(err)
	}
}
