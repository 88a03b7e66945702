package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/action/gitserver"
)

// auditedHistory has a policy that changes often, links and a submodule that
// come in a claimed commit and in others, and files whose contents nobody reads.
func auditedHistory() *history {
	const main, claim = "refs/heads/main", "\n\nFleet-Step: docs/write\n"
	var h history
	h.commit("a0", main, "start", nil, ".clio-coder/fleets/docs.md", docsFleet, ".clio-coder/fleetgate.yaml", "version: 1\n",
		"docs/index", "the index", "src/a", "a", ".gitmodules", "[submodule \"s\"]\n\tpath = docs/sub\n\turl = ../s\n")
	tip := "a0"
	for i := range 30 { // more than one audit may fetch one by one
		name := fmt.Sprintf("p%d", i)
		h.commit(name, main, "change the policy", []string{tip}, ".clio-coder/fleets/docs.md", docsFleet+fmt.Sprintf("About %d.\n", i))
		h.commit("l"+name, main, "link"+claim, []string{name}, "docs/link", fmt.Sprintf("->index%d", i), "docs/index", fmt.Sprintf("index %d", i))
		tip = "l" + name
	}
	h.commit("sub", main, "sub"+claim, []string{tip}, "docs/sub", "=>"+strings.Repeat("5", 40))
	h.commit("out", main, "too much"+claim, []string{"sub"}, "src/a", "b")
	return &h
}

// blobs lists the blobs that a clone holds, fetching none.
func (w *world) blobs(dir string) []string {
	w.t.Helper()
	var found []string
	for line := range strings.Lines(w.git(dir, "cat-file", "--batch-all-objects", "--batch-check=%(objecttype) %(objectname)")) {
		if id, ok := strings.CutPrefix(strings.TrimSpace(line), "blob "); ok {
			found = append(found, id)
		}
	}
	slices.Sort(found)
	return found
}

// read lists the blobs that design.md names: the policy, what declares
// submodules, and where links lead that were changed.
func (w *world) read(name string) []string {
	w.t.Helper()
	seen := map[string]bool{}
	for line := range strings.Lines(w.git(w.path(name), "rev-list", "--objects", "refs/heads/main")) {
		id, path, _ := strings.Cut(strings.TrimSpace(line), " ")
		if path == ".clio-coder/fleets/docs.md" || path == ".clio-coder/fleetgate.yaml" || path == ".gitmodules" || path == "docs/link" {
			seen[id] = true
		}
	}
	var ids []string
	for id := range seen {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

func TestAnAuditOfABloblessCloneFetchesOnlyWhatItReads(t *testing.T) {
	w := newWorld(t)
	w.replace("octo/app", auditedHistory())
	dir := w.clone("octo/app", "out", "--filter=blob:none")
	if got := w.blobs(dir); len(got) > 0 {
		t.Fatalf("the clone has blobs: %v", got)
	}
	w.server.Requests()
	r := w.run(dir, event{"schedule", "{}"}, "audit", "true", "since", w.ids["a0"])
	if r.code != 1 || r.outputs["verdict"] != "failed" || r.outputs["violations"] != "2" || r.report["incomplete"] == true {
		t.Fatalf("exit code %d, outputs %v\n%s%s", r.code, r.outputs, r.stdout, r.stderr)
	}
	if diff := cmp.Diff(w.read("octo/app"), w.blobs(dir)); diff != "" {
		t.Errorf("blobs in the clone (-read by an audit +fetched):\n%s", diff)
	}
	if n := strings.Count(r.stdout, "fleetgate: fetching "); n == 0 || n > 5 {
		t.Errorf("%d fetches:\n%s", n, r.stdout)
	}
	whole := w.run(w.clone("octo/app", "out"), event{"schedule", "{}"}, "audit", "true", "since", w.ids["a0"])
	if whole.outputs["digest"] != r.outputs["digest"] {
		t.Error("the digest is not that of a whole clone")
	}
}

// Without anything to fetch with, what is missing is no pass, and git doesn't
// fetch it behind our back either.
func TestAnAuditOfABloblessCloneByItselfIsUndecided(t *testing.T) {
	w := newWorld(t)
	w.replace("octo/app", auditedHistory())
	dir := w.clone("octo/app", "out", "--filter=blob:none")
	r := w.fleetgate(dir, w.env, "audit", "--format", "json")
	if r.code != 3 || !strings.Contains(r.stdout, `"reason": "missing-object"`) || !strings.Contains(r.stdout, "the clone is partial or damaged") {
		t.Errorf("exit code %d\n%s%s", r.code, r.stdout, r.stderr)
	}
	if got := w.blobs(dir); len(got) > 0 || len(w.server.Requests()) > 0 {
		t.Errorf("something was fetched: %v", got)
	}
}

// auditClones runs audit --clone for a list of repositories of the server.
func (w *world) auditClones(list string, more ...string) stepRun {
	w.t.Helper()
	return w.auditClonesIn(w.t.TempDir(), list, more...)
}

// auditClonesIn is auditClones with the folder in which clones lie meanwhile.
func (w *world) auditClonesIn(temp, list string, more ...string) stepRun {
	w.t.Helper()
	path := filepath.Join(temp, "repos.txt")
	writeAll(w.t, path, list)
	env := append(slices.Clone(w.env), "GITHUB_SERVER_URL="+w.server.URL, "GITHUB_TOKEN="+canary, "RUNNER_TEMP="+temp)
	r := w.fleetgate(temp, env, append([]string{"audit", "--repos-file", path, "--clone", "--format", "json"}, more...)...)
	r.temp = temp
	return r
}

func TestClonesAreAuditedAsTheRepositoriesThemselves(t *testing.T) {
	w := newWorld(t)
	w.replace("octo/site", auditedHistory())
	list := "octo/site\nmallory/app\noCto/../x\n"
	if r := w.auditClones(list); r.code != 2 || !strings.Contains(r.stderr, `repos.txt:3: "oCto/../x" is not OWNER/REPO, as --clone wants it`) {
		t.Errorf("exit code %d: %s", r.code, r.stderr)
	}
	if r := w.auditClones("octo/site\nOcto/Site\n"); r.code != 2 || !strings.Contains(r.stderr, `repos.txt:2: "Octo/Site" stands in line 1 already`) {
		t.Errorf("exit code %d: %s", r.code, r.stderr)
	}
	list = "octo/site\nmallory/app\n"
	r := w.auditClones(list, "--since", "2023-11-14")
	if r.code != 1 || r.stderr != "" {
		t.Fatalf("exit code %d\n%s%s", r.code, r.stdout, r.stderr)
	}
	writeAll(t, filepath.Join(w.root, "repos.txt"), list)
	local := w.fleetgate(w.root, w.env, "audit", "--repos-file", "repos.txt", "--format", "json", "--since", "2023-11-14")
	if diff := cmp.Diff(local.stdout, r.stdout); diff != "" {
		t.Errorf("(-local +cloned):\n%s", diff)
	}
	if entries, _ := os.ReadDir(r.temp); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}

func TestARepositoryThatCannotBeClonedIsARow(t *testing.T) {
	w := newWorld(t)
	w.git(w.root, "init", "--quiet", "--bare", w.path("octo/empty"))
	r := w.auditClones("octo/gone\nocto/app\nocto/empty\n")
	var survey struct {
		Verdict      string
		Repositories []struct{ Repository, Verdict, Reason, Summary string }
	}
	if err := json.Unmarshal([]byte(r.stdout), &survey); err != nil || r.code != 3 || len(survey.Repositories) != 3 {
		t.Fatalf("exit code %d, %v\n%s%s", r.code, err, r.stdout, r.stderr)
	}
	app, empty, gone := survey.Repositories[0], survey.Repositories[1], survey.Repositories[2]
	if app.Verdict != "passed" {
		t.Errorf("octo/app is %+v", app)
	}
	for _, row := range []struct{ got, why string }{
		{gone.Reason + ": " + gone.Summary, "unreadable: the history of octo/gone can't be fetched: "},
		{empty.Reason + ": " + empty.Summary, "unreadable: "},
	} {
		if !strings.HasPrefix(row.got, row.why) || strings.Contains(row.got, r.temp) {
			t.Errorf("the row says %q, want %q", row.got, row.why)
		}
	}
}

// Where a clone was to lie is in no row: it is another folder each time.
func TestARowDoesNotSayWhereAFailedCloneLay(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("it puts a shell script in git's place")
	}
	w := newWorld(t)
	w.wrapGit(`for last in "$@"; do :; done; : >"$last"`) // a file lies where the clone shall
	temp := t.TempDir()
	r := w.auditClonesIn(temp, "octo/app\n")
	if again := w.auditClonesIn(t.TempDir(), "octo/app\n"); r.code != 3 || again.stdout != r.stdout {
		t.Errorf("exit code %d\n%s%s", r.code, r.stdout, again.stdout)
	}
	if !strings.Contains(r.stdout, "destination path 'octo/app' already exists") || strings.Contains(r.stdout, "fleetgate-clone-") {
		t.Errorf("the row says %s", r.stdout)
	}
	path := filepath.Join(temp, "repos.txt")
	env := append(slices.Clone(w.env), "GITHUB_SERVER_URL="+w.server.URL, "RUNNER_TEMP="+filepath.Join(temp, "gone"))
	gone := w.fleetgate(temp, env, "audit", "--repos-file", path, "--clone", "--format", "json")
	if gone.code != 3 || !strings.Contains(gone.stdout, "no folder can be made for a clone of octo/app: no such file or directory") || strings.Contains(gone.stdout, temp) {
		t.Errorf("exit code %d\n%s", gone.code, gone.stdout)
	}
}

// The token is in no argument, no file and no output, however a clone ends.
func TestTheTokenOfClonesIsSeenNowhere(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("it puts a shell script in git's place")
	}
	base := newWorld(t)
	base.replace("octo/site", auditedHistory())
	for leak, want := range map[string][]string{
		"":                                nil,
		`set -- -c "leak.it=$token" "$@"`: {"arguments of git"},
		`mkdir -p "$RUNNER_TEMP/x" && echo "$token" >"$RUNNER_TEMP/x/leak"`:                                           {"temporary files"},
		`for at in "$RUNNER_TEMP"/fleetgate-clone-*/clone/.git; do [ ! -d "$at" ] || echo "$token" >"$at/leak"; done`: {"the clone"},
	} {
		w, seen := base.in(t), &lookout{seen: map[string]bool{}}
		log := w.wrapGit(leak)
		temp := t.TempDir()
		w.server.OnRequest(func(gitserver.Request) {
			seen.processes()
			if dirs, _ := filepath.Glob(filepath.Join(temp, "fleetgate-clone-*")); len(dirs) > 0 {
				seen.files(t, "the clone", dirs[0])
			}
		})
		r := w.auditClonesIn(temp, "octo/site\nocto/gone\n", "--since", "2023-11-14")
		w.server.OnRequest(nil)
		if r.code != 1 || !slices.ContainsFunc(w.server.Requests(), func(q gitserver.Request) bool { return q.Signed && q.Auth == 1 }) {
			t.Fatalf("exit code %d, or nothing was fetched with the token\n%s%s", r.code, r.stdout, r.stderr)
		}
		seen.at("standard output", r.stdout)
		seen.at("standard error", r.stderr)
		seen.at("arguments of git", readOptional(t, log))
		seen.files(t, "temporary files", temp)
		delete(seen.seen, "arguments of a process") // seen on some systems, with the arguments of git
		var places []string
		for place := range seen.seen {
			places = append(places, place)
		}
		slices.Sort(places)
		if diff := cmp.Diff(want, places); diff != "" {
			t.Errorf("leak %q: seen (-want +got):\n%s", leak, diff)
		}
	}
}
