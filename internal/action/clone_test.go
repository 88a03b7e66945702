package action

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestACloneHasTheHistoryAndNoContents(t *testing.T) {
	w := newWorld(t, 30, canary)
	dir := filepath.Join(t.TempDir(), "clone")
	if err := w.fetcher().Clone(context.Background(), dir); err != nil {
		t.Fatal(err)
	}
	tip := w.commits[29].String()
	if got := w.git(dir, "rev-list", "--count", "HEAD"); got != "30" || !w.has(dir, tip+":docs/deep") {
		t.Errorf("%s commits are there, want 30 with their trees", got)
	}
	if w.has(dir, tip+":n") {
		t.Error("the clone has a file's contents")
	}
	if w.has(dir, w.side.String()) {
		t.Error("the clone has a branch that nobody asked for")
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("the clone has a work tree: %v", entries)
	}
	_, encoded, _ := strings.Cut(basicAuthorization(canary), " ")
	for name, text := range filesOf(t, dir) {
		if strings.Contains(text, canary) || strings.Contains(text, encoded) {
			t.Errorf("the token is in %s", name)
		}
	}
}

func TestWhatCannotBeClonedSaysWhyAndLeavesNothing(t *testing.T) {
	w := newWorld(t, 12, canary)
	for name, tt := range map[string]struct {
		edit func(*Fetcher)
		want string
	}{
		"gone":      {func(f *Fetcher) { f.Repository = "octo/gone" }, "the history of octo/gone can't be fetched: fatal: "},
		"no token":  {func(f *Fetcher) { f.Token = "" }, "the history of octo/app can't be fetched: the server wants a token"},
		"bad name":  {func(f *Fetcher) { f.Repository = "octo/../x" }, "is not OWNER/REPO"},
		"no server": {func(f *Fetcher) { f.Server = "ext::sh -c evil" }, "no http address"},
	} {
		f, dir := w.fetcher(), filepath.Join(t.TempDir(), "clone")
		tt.edit(f)
		err := f.Clone(context.Background(), dir)
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), canary) {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%s: something is left behind", name)
		}
	}
}
