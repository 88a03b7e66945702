package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const casesPage = "../shared/cases/README.md"

var (
	caseRow    = regexp.MustCompile(`(?m)^\| ([A-Z][0-9]+) \|`)
	caseScript = regexp.MustCompile(`^case-([a-z][0-9]+)-[a-z0-9]+(-[a-z0-9]+)*\.txtar$`)
)

// TestEveryCaseHasATest holds the list of cases from the field against the
// scripts testdata/script/case-ID-WORDS.txtar: one script an id.
func TestEveryCaseHasATest(t *testing.T) {
	ids := caseIDs(t)
	scripts := caseScripts(t)
	for id := range ids {
		switch n := len(scripts[id]); {
		case n == 0:
			t.Errorf("case %s has no script testdata/script/case-%s-….txtar", id, strings.ToLower(id))
		case n > 1:
			t.Errorf("case %s has %d scripts: %s", id, n, strings.Join(scripts[id], ", "))
		}
	}
	for id, names := range scripts {
		if !ids[id] {
			t.Errorf("%s tests no case that is listed", strings.Join(names, ", "))
		}
	}
}

// caseIDs are the ids of the rows of the page.
func caseIDs(t *testing.T) map[string]bool {
	t.Helper()
	page, err := os.ReadFile(casesPage)
	if err != nil && required("corpus") {
		t.Fatalf("FLEETGATE_REQUIRE=corpus, but the list of cases is absent: %v", err)
	}
	if err != nil {
		t.Skipf("the list of cases is absent: %v", err)
	}
	ids := map[string]bool{}
	for _, row := range caseRow.FindAllStringSubmatch(string(page), -1) {
		if ids[row[1]] {
			t.Errorf("case %s is listed twice", row[1])
		}
		ids[row[1]] = true
	}
	if rows := strings.Count(string(page), "\n| ") - strings.Count(string(page), "\n| id |"); len(ids) == 0 || len(ids) != rows {
		t.Fatalf("%s has %d rows, of which %d begin with an id", casesPage, rows, len(ids))
	}
	return ids
}

// caseScripts are the names of the scripts by the id of their case.
func caseScripts(t *testing.T) map[string][]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "script", "case-*"))
	if err != nil {
		t.Fatal(err)
	}
	scripts := map[string][]string{}
	for _, file := range files {
		name := filepath.Base(file)
		parts := caseScript.FindStringSubmatch(name)
		if parts == nil {
			t.Errorf("%s is not named case-ID-WORDS.txtar", name)
			continue
		}
		id := strings.ToUpper(parts[1])
		scripts[id] = append(scripts[id], name)
	}
	return scripts
}
