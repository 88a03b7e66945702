package main

import (
	"fmt"
	"strings"
	"testing"
)

// manyMerges is a pull request that goes back and forth between two trusted
// branches, of which one takes in the other: what its merges are compared with
// are commits that no merge names.
func (w *world) manyMerges(rounds int) event {
	w.t.Helper()
	var h history
	const main, develop, agent = "refs/heads/main", "refs/heads/develop", "refs/pull/1/head"
	h.commit("start", main, "start", nil, ".clio-coder/fleets/docs.md", docsFleet, ".clio-coder/fleetgate.yaml", "version: 1\ntrusted: [develop]\n", "deep/er/m", "0")
	h.commit("agent0", agent, "begin\n\nFleet-Step: docs/write\n", []string{"start"}, "docs/a", "1")
	tips := map[string]string{main: "start", develop: "start", agent: "agent0"}
	next := func(name, ref string, merged []string, files ...string) {
		h.commit(name, ref, name, append([]string{tips[ref]}, merged...), files...)
		tips[ref] = name
	}
	for i := range rounds {
		m, d := fmt.Sprint(2*i+1), fmt.Sprint(i)
		next("taken"+m, main, nil, "deep/er/m", m)
		next("develop"+d, develop, []string{"taken" + m}, "deep/er/m", m, "d", d)
		next("joined"+d, agent, []string{"develop" + d}, "deep/er/m", m, "d", d)
		next("main"+m, main, nil, "deep/er/m", m+"0")
		next("pulled"+d, agent, []string{"main" + m}, "deep/er/m", m+"0")
	}
	w.replace("octo/app", &h)
	w.ids["old699"] = w.ids["start"]
	return w.pull(tips[agent], "1")
}

// A treeless clone asks for what it lacks in batches, not merge by merge.
func TestATreelessCloneIsFetchedInAFewBatches(t *testing.T) {
	w := newWorld(t)
	const rounds = 40
	e, rev := w.manyMerges(rounds), fmt.Sprint("pulled", rounds-1)
	want := w.checked(e, rev)
	r := w.run(w.clone("octo/app", rev, "--filter=tree:0"), e)
	if r.code != 0 || r.outputs["digest"] != want["digest"] {
		t.Errorf("exit code %d, outputs %v\n%s", r.code, r.outputs, r.stdout)
	}
	if n := strings.Count(r.stdout, "fleetgate: fetching "); n > 4 {
		t.Errorf("%d fetches:\n%s", n, r.stdout)
	}
}

// What it can't get is no pass, and comes with the lines that help.
func TestATreelessCloneThatCannotBeFilledIsUndecided(t *testing.T) {
	w := newWorld(t)
	r := w.run(w.clone("octo/app", "merge1", "--filter=tree:0"), w.pull("clean2", "1"), "token", "wrong")
	if r.code != 3 || r.outputs["verdict"] != "undecided" || r.outputs["reason"] != "missing-object" {
		t.Errorf("exit code %d, outputs %v\n%s", r.code, r.outputs, r.stdout)
	}
	for _, text := range []string{r.stdout, r.summary} {
		if !strings.Contains(text, "fetch-depth: 0 # and no filter: tree:0\n") {
			t.Errorf("it doesn't say what to do:\n%s", text)
		}
	}
}
