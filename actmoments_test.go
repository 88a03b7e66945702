package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// moment is a point in a case's script at which it asks for a verdict: what
// the server has by then, the clone that asks, and the event.
type moment struct {
	folder string // holds octo/app, as the server has it, and clone
	event  event
	rev    string   // what a job checks out
	inputs []string // of the workflow, as pairs
	exit   string   // what the script wants; it may ask a clone that lacks what a job fetches
	state  string   // all that decides
}

// moments are those of each case, in the order of its script.
type moments struct {
	t    *testing.T
	mu   sync.Mutex
	byID map[string][]moment
}

// momentsOf runs the scripts of the cases that are wanted, and stops at each
// `exits` that judges an event, or what a pull request would be about.
func momentsOf(t *testing.T, wanted func(id string) bool) map[string][]moment {
	t.Helper()
	m := &moments{t: t, byID: map[string][]moment{}}
	var files []string
	for id, names := range caseScripts(t) {
		if wanted(id) {
			files = append(files, filepath.Join("testdata", "script", names[0]))
		}
	}
	slices.Sort(files)
	commands := maps.Clone(scriptCommands)
	commands["exits"] = func(ts *testscript.TestScript, neg bool, args []string) {
		exitsCommand(ts, neg, args)
		m.take(ts, args)
	}
	t.Run("scripts", func(t *testing.T) {
		testscript.Run(t, testscript.Params{Files: files, Setup: setUpScript, Cmds: commands, Condition: scriptCondition, RequireUniqueNames: true})
	})
	return m.byID
}

// take notes the moment, unless nothing has changed since one before it.
func (m *moments) take(ts *testscript.TestScript, args []string) {
	asked, ok := askedOf(ts, args[1:])
	if !ok {
		return
	}
	now := moment{folder: m.t.TempDir(), exit: args[0], event: asked.event(ts)}
	now.rev = asked.checkedOut(ts, now.event)
	if asked["--base"] != "" {
		now.inputs = append(now.inputs, "BASE", asked.base(ts))
	}
	if asked["--fail-on"] != "" {
		now.inputs = append(now.inputs, "FAIL_ON", asked["--fail-on"])
	}
	if asked["--observe"] != "" {
		now.inputs = append(now.inputs, "MODE", "observe")
	}
	id := strings.ToUpper(strings.Split(ts.Name(), "-")[1])
	now.state = fmt.Sprintln(now.event, now.inputs, now.rev, now.copy(ts, id == aboutItsClone))
	m.mu.Lock()
	defer m.mu.Unlock()
	if !slices.ContainsFunc(m.byID[id], func(before moment) bool { return before.state == now.state }) {
		m.byID[id] = append(m.byID[id], now)
	}
}

// asked is what a script asks for, by flag.
type asked map[string]string

// askedOf reads a command line; ok is whether a job can be asked the same.
func askedOf(ts *testscript.TestScript, args []string) (flags asked, ok bool) {
	flags = asked{}
	if args[0] == "action" {
		flags["--event"], flags["--payload"] = ts.Getenv("GITHUB_EVENT_NAME"), ts.Getenv("GITHUB_EVENT_PATH")
		return flags, true
	}
	if args[0] != "check" {
		return nil, false
	}
	for i := 1; i < len(args); i++ {
		switch args[i] {
		case "--observe":
			flags["--observe"] = "true"
		case "--event", "--payload", "--base", "--head", "--fail-on", "--repository", "--format", "--output":
			flags[args[i]] = args[i+1]
			i++
		default:
			return nil, false
		}
	}
	return flags, true
}

// base is the commit that is named as base: branches come before tags.
func (a asked) base(ts *testscript.TestScript) string {
	name := "refs/remotes/" + a["--base"]
	if git(ts, "", "for-each-ref", name) == "" {
		name = a["--base"]
	}
	return revision(ts, name)
}

// event is the one that is asked about; where there is none, it is a pull
// request of the branch that is checked out.
func (a asked) event(ts *testscript.TestScript) event {
	if a["--event"] != "" {
		return event{a["--event"], ts.ReadFile(a["--payload"])}
	}
	branch := cmp.Or(git(ts, "", "branch", "--show-current"), "detached")
	return event{"pull_request", fmt.Sprintf(`{"action": "synchronize", "pull_request": {
	"number": 1, "user": {"login": "octocat", "type": "User"},
	"base": {"ref": "main", "repo": {"full_name": "octo/app"}},
	"head": {"ref": %q, "sha": %q, "repo": {"full_name": "octo/app"}}},
	"repository": {"full_name": "octo/app", "default_branch": "main"}}`, branch, revision(ts, cmp.Or(a["--head"], "HEAD")))}
}

// checkedOut is what a runner checks out: the head, unless the script stands
// on a merge commit of its own.
func (a asked) checkedOut(ts *testscript.TestScript, e event) string {
	if git(ts, "", "branch", "--show-current") == "" {
		return revision(ts, "HEAD")
	}
	return e.ids(ts)[0]
}

// ids are the commits that a payload names, its head first.
func (e event) ids(ts *testscript.TestScript) []string {
	var p struct {
		Before, After string
		MergeGroup    struct {
			Head string `json:"head_sha"`
			Base string `json:"base_sha"`
		} `json:"merge_group"`
		PullRequest struct{ Head struct{ SHA string } } `json:"pull_request"`
	}
	ts.Check(json.Unmarshal([]byte(e.payload), &p))
	ids := []string{cmp.Or(p.PullRequest.Head.SHA, p.MergeGroup.Head, p.After)}
	for _, id := range []string{p.MergeGroup.Base, p.Before} {
		if id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// copy puts the script's clone, and the server that belongs to it, into the
// folder. It says which references the server has, and, if asked, the clone.
func (m *moment) copy(ts *testscript.TestScript, both bool) string {
	clone, server := filepath.Join(m.folder, "clone"), filepath.Join(m.folder, "octo", "app")
	ts.Check(os.CopyFS(filepath.Join(clone, ".git"), os.DirFS(ts.MkAbs(".git"))))
	whole := ts.MkAbs("../upstream") // of which a script may have cloned a part
	if _, err := os.Stat(whole); err != nil {
		whole = ts.MkAbs(".")
	}
	ts.Check(os.MkdirAll(filepath.Dir(server), 0o755))
	ts.Check(os.CopyFS(server, os.DirFS(filepath.Join(whole, ".git"))))
	git(ts, "", "--git-dir="+server, "symbolic-ref", "HEAD", "refs/heads/main")
	git(ts, serverRefs(ts, server, append(m.event.ids(ts), m.rev)), "--git-dir="+server, "update-ref", "--stdin")
	refs := git(ts, "", "--git-dir="+server, "for-each-ref")
	if both {
		refs += git(ts, "", "for-each-ref") + git(ts, "", "config", "--default=", "remote.origin.url")
	}
	return refs
}

// serverRefs are the changes after which a copy of a clone has the references
// of the clone's server: its branches are those that the clone knows of
// octo/app, or else main alone; what an event is about is there as well.
func serverRefs(ts *testscript.TestScript, dir string, ids []string) string {
	var changes strings.Builder
	changes.WriteString("start\n")
	branches, known := map[string]string{}, git(ts, "", "--git-dir="+dir, "config", "--default=", "remote.origin.url") == "https://github.com/octo/app"
	for line := range strings.Lines(git(ts, "", "--git-dir="+dir, "for-each-ref", "--format=%(objectname) %(refname)", "refs/heads", "refs/remotes")) {
		id, ref, _ := strings.Cut(strings.TrimSpace(line), " ")
		fmt.Fprintf(&changes, "delete %s\n", ref)
		if branch, ok := strings.CutPrefix(ref, "refs/remotes/origin/"); ok && known {
			branches[branch] = id
		}
	}
	changes.WriteString("commit\nstart\n")
	if len(branches) == 0 {
		branches["main"] = git(ts, "", "--git-dir="+dir, "rev-parse", "refs/heads/main")
	}
	for _, branch := range slices.Sorted(maps.Keys(branches)) {
		fmt.Fprintf(&changes, "update refs/heads/%s %s\n", branch, branches[branch])
	}
	for i, id := range ids {
		if strings.Trim(id, "0") != "" && git(ts, id, "--git-dir="+dir, "cat-file", "--batch-check=%(objecttype)") == "commit" {
			fmt.Fprintf(&changes, "update refs/pull/%d/head %s\n", i+1, id)
		}
	}
	return changes.String() + "commit\n"
}
